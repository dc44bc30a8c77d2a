/** What stands in no code of the pages: the properties that elements are given, and what their selectors find. */
import type { Asking } from "./asking.js";
import type { Chat } from "./chat.js";
import type { Tray } from "./files.js";
import type { Sandbox } from "./inspect/sandbox.js";
import type { Question } from "./question.js";
import type { Sessions } from "./sessions.js";
import type { Why } from "./why.js";
import type { Talk } from "./talk.js";
import type main from "./texts/en.js";
import type more from "./texts/en.dialogs.js";

/** Nothing but what stands in it: in JavaScript an object may have anything. */
type Closed<T> = { [name in keyof T]: T[name] };
type Texts = Closed<typeof main & typeof more>;

interface Choice {
  label: string;
  hint: string | null;
}

interface Pending {
  id: string;
  prompt: string;
  schema: { [rule: string]: any } | null; // JSON Schema is what it is
  choices: Choice[];
}

interface SentFile {
  id?: string;
  name: string;
  size: number;
}

interface Effect {
  kind: string;
  summary: string;
  ref: string | null;
}

interface Shown {
  key: string;
  role: "person" | "answer";
  text: string;
  files?: SentFile[];
  effects?: Effect[];
  streaming?: boolean;
}

interface Standing {
  instance_id: string;
  name: string;
  version: number;
  title: string | null;
  step: string;
  state: string;
}

interface Looked {
  seq: number;
  at: string;
  reply: { process: Standing | null };
}

interface Session {
  id: string;
  turns: Looked[];
  processes: { instance_id: string; name: string; due_at: string | null; transitions: object[] }[];
}

declare module "./talk.js" {
  interface Talk {
    addEventListener(name: string, told: ((event: CustomEvent) => void) | EventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  }
}
declare module "./chat.js" {
  interface Chat {
    heading?: string;
  }
}
declare module "./files.js" {
  interface Tray {
    talk: Talk;
    texts: Texts;
  }
  interface Files {
    talk: Talk;
    texts: Texts;
    item: Shown;
  }
}
declare module "./question.js" {
  interface Question {
    pending: Pending | null;
    suggested: string[];
    reason: { question: string; text: string; value: unknown } | null;
    texts: Texts;
    locale: string | undefined;
  }
}
declare module "./sessions.js" {
  interface Sessions {
    talk: Talk;
    texts: Texts;
  }
}
declare module "./why.js" {
  interface Why {
    talk: Talk;
    texts: Texts;
  }
}
declare module "./inspect/graph.js" {
  interface Graph {
    client: Asking;
    session: Session;
    turn: Looked | null;
  }
}
declare module "./inspect/sandbox.js" {
  interface Sandbox {
    client: Asking;
    session: Session;
  }
}
declare module "./vendor/lit.js" {
  interface Found {
    "softrail-sandbox": Sandbox;
    "softrail-question": Question;
    "softrail-tray": Tray;
    "softrail-sessions": Sessions;
    "softrail-why": Why;
    ".composer textarea": HTMLTextAreaElement;
    ".log": HTMLElement;
    ".launch": HTMLElement;
    ".main": HTMLElement;
    dialog: HTMLDialogElement;
    "#answer": HTMLInputElement;
    "[name=answer]": HTMLInputElement;
    'input[type="file"]': HTMLInputElement;
  }
}
export {};
