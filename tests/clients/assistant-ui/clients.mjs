// assistant-ui as an application has it: its own box, messages and buttons, on each of its two runtimes.
import { place, type, until } from "../page.mjs"; // first: React looks once whether there is a document
import { HttpAgent } from "@ag-ui/client";
import { useChat } from "@ai-sdk/react";
import {
  ActionBarPrimitive,
  AssistantRuntimeProvider,
  ComposerPrimitive,
  ExportedMessageRepository,
  MessagePartPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from "@assistant-ui/react";
import { fromAgUiMessages, useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { useAISDKRuntime } from "@assistant-ui/react-ai-sdk";
import { DefaultChatTransport } from "ai";
import { createElement as h, useMemo } from "react";
import { createRoot } from "react-dom/client";
import { opened, shown, stateOf } from "../kit.mjs";

const Text = () => h(MessagePartPrimitive.Text, { smooth: false });
const Parts = () => h(MessagePrimitive.Parts, { components: { Text } });
const Person = () => h(MessagePrimitive.Root, { "data-says": "person" }, h(Parts));
const Answer = () =>
  h(MessagePrimitive.Root, null, h("div", { "data-says": "answer" }, h(Parts)), h(ActionBarPrimitive.Reload, null, "Again"));

const Thread = () =>
  h(
    ThreadPrimitive.Root,
    null,
    h(ThreadPrimitive.Messages, { components: { UserMessage: Person, AssistantMessage: Answer } }),
    h(ComposerPrimitive.Root, null, h(ComposerPrimitive.Input), h(ComposerPrimitive.Cancel, null, "Stop")),
  );

/** A page with the chat on it, and what somebody does there. */
class Page {
  constructor(server, thread) {
    this.server = server;
    this.thread = thread;
    this.softrail = {};
    this.headers = { "X-Softrail-Person": server.person };
    this.begun = this.ended = 0; // runs, as the client itself counts them: what a thread tells may skip a short one
    this.at = place();
    const Chat = () => h(AssistantRuntimeProvider, { runtime: (this.runtime = this.useRuntime()) }, h(Thread));
    createRoot(this.at).render(h(Chat));
  }

  async ready() {
    await until(() => this.box() !== null && this.opened(), "the page is there");
    const getModelContext = () => ({ config: { softrail: this.softrail } });
    this.unregister ??= this.runtime.registerModelContextProvider({ getModelContext });
  }

  now() {
    return this.runtime.thread.getState();
  }

  box() {
    return this.at.querySelector("textarea");
  }

  button(name) {
    return [...this.at.querySelectorAll("button")].findLast((button) => button.textContent === name);
  }

  texts(who = "*") {
    const said = this.at.querySelectorAll(who === "*" ? "[data-says]" : `[data-says=${who}]`);
    return [...said].map((one) => one.textContent);
  }

  /** How often these words have an answer of their own. */
  answered(words) {
    const { messages } = this.now();
    const whole = (at) => messages[at]?.role === "assistant" && messages[at].status.type === "complete";
    return messages.filter((message, at) => message.content[0]?.text === words && whole(at + 1)).length;
  }

  /** All that the runtime knows is on the page. */
  drawn() {
    const known = this.now().messages.map((message) => message.content.map((part) => part.text ?? "").join(""));
    return JSON.stringify(known) === JSON.stringify(this.texts());
  }

  async settled(so, what) {
    await until(() => so() && !this.now().isRunning && this.drawn(), what);
    return { error: undefined, interrupts: [], state: this.state(), text: this.texts("answer").at(-1) };
  }

  async say(...texts) {
    await this.ready();
    const words = texts.at(-1);
    const before = this.answered(words);
    for (const text of texts) await type(() => this.box(), text);
    return this.settled(() => this.answered(words) > before, `“${words}” is answered`);
  }

  async retry() {
    await until(() => this.begun === this.ended, "the run before has ended"); // which would count for this one
    await until(() => this.button("Again")?.disabled === false, "it can be asked for again"); // a click on another does nothing
    const { ended } = this;
    this.button("Again").click();
    return this.settled(() => this.ended > ended, "it is answered again");
  }

  async leaveInAnswer(text) {
    await this.ready();
    await type(() => this.box(), text);
    await until(() => this.texts("answer").at(-1)?.startsWith("One moment."), "an answer begins");
    this.button("Stop").click();
    await this.settled(() => true, "it is left");
  }

  another() {
    return new this.constructor(this.server, this.thread);
  }
}

class OnAgUi extends Page {
  agentOf() {
    return new HttpAgent({ url: `${this.server.url}/agui`, threadId: this.thread, headers: this.headers });
  }

  counted(agent) {
    agent.subscribe({ onRunInitialized: () => void (this.begun += 1), onRunFinalized: () => void (this.ended += 1) });
    return agent;
  }

  useRuntime() {
    this.agent ??= this.counted(this.agentOf());
    this.history ??= { load: () => this.load(), append: async () => {} };
    return useAgUiRuntime({ agent: this.agent, adapters: { history: this.history } });
  }

  /** What was said so far, by a run in which nothing is. */
  async load() {
    const { loads } = this;
    const agent = this.agentOf();
    await agent.runAgent({}, { onRunStartedEvent: () => void loads?.() });
    this.loaded = agent.state;
    return { ...ExportedMessageRepository.fromArray(fromAgUiMessages(agent.messages)), state: agent.state };
  }

  opened() {
    return this.loaded !== undefined && !this.now().isLoading;
  }

  state() {
    return this.agent.state;
  }

  async reload(begun) {
    const page = this.another();
    page.loads = begun;
    await page.ready();
    await until(() => page.drawn(), "what was said is shown");
    return { page, texts: page.texts(), state: page.loaded };
  }
}

class OnAiSdk extends Page {
  useRuntime() {
    this.transport ??= new DefaultChatTransport({
      api: `${this.server.url}/api/chat`,
      headers: this.headers,
      body: () => ({ softrail: this.softrail }),
      fetch: (...asked) => this.fetch(...asked),
    });
    const onFinish = () => void (this.ended += 1);
    const { thread: id, loaded, resume = false, transport } = this;
    this.chat = useChat({ id, messages: loaded, resume, transport, onFinish });
    const messages = useMemo(
      () => this.chat.messages.map((message) => ({ ...message, parts: shown(message) })),
      [this.chat.messages],
    );
    return useAISDKRuntime({ ...this.chat, messages });
  }

  async fetch(...asked) {
    this.heard = await fetch(...asked);
    if (this.heard.status === 200) this.begun += 1;
    return this.heard;
  }

  opened() {
    return true;
  }

  state() {
    return stateOf(this.chat.messages);
  }

  async reload(begun) {
    const loaded = await opened(this.server.url, this.thread, this.headers);
    const page = Object.assign(this.another(), { loaded, resume: true });
    await page.ready();
    await until(() => page.heard !== undefined, "the server has said whether something is running");
    begun?.();
    await page.settled(() => page.heard.status === 204 || page.ended === 1, "the rest is there");
    return { page, texts: page.texts(), state: page.state() };
  }
}

export const CLIENTS = {
  "assistant-ui-ag-ui": (server, thread) => new OnAgUi(server, thread),
  "assistant-ui-ai-sdk": (server, thread) => new OnAiSdk(server, thread),
};
