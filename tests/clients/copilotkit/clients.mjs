// CopilotKit as an application has it: its chat on a page, its runtime in a process of its own, and behind that the agent.
// What neither of the two ever loads is overridden by an empty package in package.json: half of the 690 MB stay away.
import { place, type, until } from "../page.mjs"; // first: React looks once whether there is a document
import { spawn } from "node:child_process";
import { once } from "node:events";
import { register } from "node:module";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { fresh } from "../kit.mjs";

// A bundler takes the styles that the chat imports; here nothing is painted.
const unpainted = `export const load = (url, context, next) =>
  url.endsWith(".css") ? { format: "module", source: "", shortCircuit: true } : next(url, context);`;
register(`data:text/javascript,${encodeURIComponent(unpainted)}`);
const { CopilotChat, CopilotKitProvider, useAgent, useCopilotKit } = await import("@copilotkit/react-core/v2");

const AGENT = "assistant";
let listening;

/** Where the runtime is; all pages share one, as all tabs do. */
const runtimeOf = (url) => {
  const start = async () => {
    const env = { ...process.env, COPILOTKIT_TELEMETRY_DISABLED: "true" };
    const script = new URL("runtime.mjs", import.meta.url).pathname;
    const runtime = spawn(process.execPath, [script, url], { env, stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(runtime.stdout, "data");
    return line.toString().trim();
  };
  return (listening ??= start());
};

/** What is read of a text: Markdown becomes elements, a list too, and nothing stands between them. */
const read = (text) => text.replaceAll(/^- |\s/gm, "");

class Page {
  constructor(server, thread) {
    this.server = server;
    this.thread = thread;
    this.softrail = {};
    this.at = place();
  }

  async ready() {
    if (this.root === undefined) {
      const runtimeUrl = await runtimeOf(this.server.url);
      const headers = { "X-Softrail-Person": this.server.person };
      const Inside = () => {
        this.knows(useAgent({ agentId: AGENT }).agent);
        this.copilotkit = useCopilotKit().copilotkit;
        return h(CopilotChat, { agentId: AGENT, threadId: this.thread });
      };
      this.root = createRoot(this.at);
      this.draw = (properties) => this.root.render(h(CopilotKitProvider, { runtimeUrl, headers, properties }, h(Inside)));
    }
    this.draw({ softrail: this.softrail });
    const same = () => JSON.stringify(this.copilotkit.properties) === JSON.stringify({ softrail: this.softrail });
    await until(() => this.connected && this.box() !== null && same(), "the page is there");
  }

  knows(agent) {
    if (agent === this.agent) return;
    this.agent = agent;
    this.connected = false; // the chat asks first what the runtime has of the thread
    const shown = () => requestAnimationFrame(() => void (this.connected = true));
    agent.subscribe({ onRunFinalized: () => requestAnimationFrame(shown) });
  }

  box() {
    return this.at.querySelector("textarea");
  }

  /** What people and the assistant said; between it stands what was done. */
  said() {
    return this.agent.messages.filter((message) => ["user", "assistant"].includes(message.role));
  }

  drawn() {
    const shown = [...this.at.querySelectorAll("[data-message-id]")].map((one) => read(one.textContent));
    return this.said().every((message) => shown.includes(read(message.content)));
  }

  /** How often these words have an answer of their own. */
  answered(words) {
    const said = this.said();
    const whole = said.filter((message, at) => message.content === words && said.slice(at).some((one) => one.role === "assistant"));
    return whole.length;
  }

  async settled(so, what) {
    await until(() => so() && !this.agent.isRunning && this.drawn(), what);
    return { error: undefined, interrupts: [], state: this.agent.state, text: this.said().at(-1)?.content };
  }

  /** Words by the box; several at once as an application sends them that has a box of its own. */
  async say(...texts) {
    await this.ready();
    const words = texts.at(-1);
    const before = this.answered(words);
    if (texts.length === 1) await type(() => this.box(), words);
    else {
      for (const content of texts) this.agent.addMessage({ id: fresh(), role: "user", content });
      await this.copilotkit.runAgent({ agent: this.agent });
    }
    return this.settled(() => this.answered(words) > before, `“${words}” is answered`);
  }

  /** Say something, and type all these into the box once the first words of its answer are there. */
  async typeInAnswer(text, texts) {
    await this.ready();
    await type(() => this.box(), text);
    await until(() => this.said().at(-1)?.content.startsWith("One moment."), "an answer begins");
    for (const words of texts) await type(() => this.box(), words);
  }

  /** The last words again, as if their answer had never come. */
  async retry() {
    const { agent } = this;
    const words = agent.messages.findLast((message) => message.role === "user").content;
    agent.setMessages(agent.messages.slice(0, agent.messages.findLastIndex((message) => message.role === "user") + 1));
    await this.copilotkit.runAgent({ agent });
    return this.settled(() => this.answered(words) > 0, "it is answered again");
  }

  /** Say something, and close the page once the first words of the answer are there. */
  async leaveInAnswer(text) {
    await this.typeInAnswer(text, []);
    this.root.unmount();
  }

  async reload(begun) {
    const page = this.another();
    const ready = page.ready();
    await until(() => page.agent && page.said().at(-1)?.role === "assistant", "what was said is there");
    begun?.();
    await ready;
    await page.settled(() => true, "the rest is there");
    return { page, texts: page.said().map((message) => message.content), state: page.agent.state };
  }

  another() {
    return new Page(this.server, this.thread);
  }
}

export const CLIENTS = { copilotkit: (server, thread) => new Page(server, thread) };
