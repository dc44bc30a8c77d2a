// Real clients behind one face: say words, reload, retry, leave in mid-answer, go on. What each keeps is its own business.
import { HttpAgent as HttpAgent1 } from "@ag-ui/client";
import { HttpAgent as HttpAgent0 } from "@ag-ui/client-0";
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { createElement } from "react";
import { act, create } from "react-test-renderer";
import { fresh, lastText, opened, stateOf, textOf } from "./kit.mjs";

class AgUi {
  constructor(Agent, server, thread) {
    this.Agent = Agent;
    this.server = server;
    this.thread = thread;
    const headers = { "X-Softrail-Person": server.person };
    this.agent = new Agent({ url: `${server.url}/agui`, threadId: thread, headers });
    this.softrail = {};
  }

  async say(...texts) {
    for (const text of texts) this.agent.addMessage({ id: fresh(), role: "user", content: text });
    return this.run();
  }

  async run(more = {}) {
    const events = [];
    const seen = { onEvent: ({ event }) => void events.push(event) };
    await this.agent.runAgent({ forwardedProps: { softrail: this.softrail }, ...more }, seen);
    const failed = events.find((event) => event.type === "RUN_ERROR");
    const finished = events.find((event) => event.type === "RUN_FINISHED");
    return {
      error: failed?.code,
      interrupts: finished?.outcome?.interrupts ?? [],
      state: this.agent.state,
      text: lastText(this.agent.messages),
    };
  }

  /** The last words again, as if their answer had never come. */
  async retry() {
    const at = this.agent.messages.findLastIndex((message) => message.role === "user");
    this.agent.setMessages(this.agent.messages.slice(0, at + 1));
    return this.run();
  }

  async resume(interrupt, payload, status = "resolved") {
    const entry = { interruptId: interrupt.id, status };
    return this.run({ resume: [payload === undefined ? entry : { ...entry, payload }] });
  }

  /** Say something, and leave once the first words of the answer are there. */
  async leaveInAnswer(text) {
    this.agent.addMessage({ id: fresh(), role: "user", content: text });
    const leave = { onTextMessageContentEvent: () => void this.agent.abortRun() };
    await this.agent.runAgent({}, leave).catch(() => {});
  }

  /** Another page of the same thread, which knows nothing; `begun` is called once its stream is there. */
  async reload(begun = () => {}) {
    const page = new AgUi(this.Agent, this.server, this.thread);
    const seen = { onRunStartedEvent: begun };
    await page.agent.runAgent({}, seen);
    return { page, texts: page.agent.messages.map(textOf), state: page.agent.state };
  }

  another() {
    return new AgUi(this.Agent, this.server, this.thread);
  }
}

const transportOf = (server, extra) =>
  new DefaultChatTransport({
    api: `${server.url}/api/chat`,
    headers: { "X-Softrail-Person": server.person },
    body: () => ({ softrail: extra() }),
  });

/** What was said in a chat before the page was there. */
const loadedOf = ({ url, person }, thread) => opened(url, thread, { "X-Softrail-Person": person });

class Transport {
  constructor(server, thread) {
    this.server = server;
    this.thread = thread;
    this.softrail = {};
    this.messages = [];
    this.transport = transportOf(server, () => this.softrail);
  }

  async say(...texts) {
    for (const text of texts) {
      this.messages.push({ id: fresh(), role: "user", parts: [{ type: "text", text }] });
    }
    return this.run("submit-message");
  }

  async run(trigger) {
    const stream = await this.transport.sendMessages({
      chatId: this.thread,
      messages: this.messages,
      trigger,
      messageId: undefined,
      abortSignal: undefined,
    });
    return this.read(stream);
  }

  async read(stream) {
    let answer;
    for await (const message of readUIMessageStream({ stream, terminateOnError: true })) answer = message;
    this.messages.push(answer);
    return { error: undefined, interrupts: [], state: stateOf(this.messages), text: lastText(this.messages) };
  }

  async retry() {
    this.messages.pop();
    return this.run("regenerate-message");
  }

  async leaveInAnswer(text) {
    this.messages.push({ id: fresh(), role: "user", parts: [{ type: "text", text }] });
    const leaving = new AbortController();
    const stream = await this.transport.sendMessages({
      chatId: this.thread,
      messages: this.messages,
      trigger: "submit-message",
      abortSignal: leaving.signal,
    });
    const reader = stream.getReader();
    for (;;) {
      const { value } = await reader.read();
      if (value.type === "text-delta") break;
    }
    leaving.abort();
    await reader.cancel().catch(() => {});
  }

  async reload(begun = () => {}) {
    const page = new Transport(this.server, this.thread);
    page.messages = await loadedOf(this.server, this.thread);
    const stream = await page.transport.reconnectToStream({ chatId: this.thread });
    begun();
    if (stream !== null) await page.read(stream);
    return { page, texts: page.messages.map(textOf), state: stateOf(page.messages) };
  }

  another() {
    return new Transport(this.server, this.thread);
  }
}

/** React draws what has come meanwhile. */
const aMoment = () => act(() => new Promise((done) => setTimeout(done, 5)));

globalThis.IS_REACT_ACT_ENVIRONMENT = true;

class Hook {
  constructor(server, thread, messages) {
    this.server = server;
    this.thread = thread;
    this.softrail = {};
    const transport = transportOf(server, () => this.softrail);
    const Page = () => {
      this.chat = useChat({ id: thread, messages, transport, generateId: fresh });
      return null;
    };
    act(() => void (this.page = create(createElement(Page))));
  }

  async settled() {
    while (["submitted", "streaming"].includes(this.chat.status)) {
      await aMoment();
    }
    const { messages, error } = this.chat;
    return { error, interrupts: [], state: stateOf(messages), text: lastText(messages) };
  }

  async say(...texts) {
    let all;
    await act(async () => {
      all = texts.map((text) => this.chat.sendMessage({ text }));
      await Promise.all(all);
    });
    return this.settled();
  }

  async retry() {
    await act(() => this.chat.regenerate());
    return this.settled();
  }

  async leaveInAnswer(text) {
    const saying = this.chat.sendMessage({ text });
    while (!lastText(this.chat.messages).startsWith("One moment.")) await aMoment();
    await act(() => this.chat.stop());
    await saying;
  }

  async reload(begun = () => {}) {
    const page = new Hook(this.server, this.thread, await loadedOf(this.server, this.thread));
    let going = true;
    const stream = page.chat.resumeStream().finally(() => void (going = false));
    while (going && lastText(page.chat.messages) === "") await aMoment();
    begun();
    while (going) await aMoment();
    await stream;
    const { state } = await page.settled();
    return { page, texts: page.chat.messages.map(textOf), state };
  }

  another() {
    return new Hook(this.server, this.thread);
  }
}

export const CLIENTS = {
  "ag-ui-1.0.0": (server, thread) => new AgUi(HttpAgent1, server, thread),
  "ag-ui-0.0.59": (server, thread) => new AgUi(HttpAgent0, server, thread),
  "ai-6-transport": (server, thread) => new Transport(server, thread),
  "ai-6-use-chat": (server, thread) => new Hook(server, thread),
};
