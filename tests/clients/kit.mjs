// What the clients share: fresh ids, and how an answer and a state are found in what a client keeps.
let made = 0;
export const fresh = () => `${process.pid}-${Date.now()}-${made++}`;

/** What was said last by the assistant, as one text. */
export const lastText = (messages) => {
  const last = messages.at(-1);
  if (last === undefined || last.role !== "assistant") return "";
  if (last.parts === undefined) return last.content;
  return last.parts.filter((part) => part.type === "text").map((part) => part.text).join("");
};

/** Where the conversation stands, by the AI SDK's last message. */
export const stateOf = (message) => message?.parts.findLast((part) => part.type === "data-session")?.data;
