// What the clients share: fresh ids, and how an answer and a state are found in what a client keeps.
import { readFile } from "node:fs/promises";

/** The code that a page of the documentation shows, as it stands there. */
const codeOf = async (page) => {
  const text = await readFile(new URL(`../../docs/howto/${page}.md`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  return import(`data:text/javascript,${encodeURIComponent(blocks.join("\n"))}`);
};
export const { opened, shown, stateOf } = await codeOf("connect-usechat");

let made = 0;
export const fresh = () => `${process.pid}-${Date.now()}-${made++}`;

/** What a message says, as one text. */
export const textOf = (message) => {
  if (message.parts === undefined) return message.content;
  return shown(message).filter((part) => part.type === "text").map((part) => part.text).join("");
};

/** What was said last by the assistant. */
export const lastText = (messages) => (messages.at(-1)?.role === "assistant" ? textOf(messages.at(-1)) : "");
