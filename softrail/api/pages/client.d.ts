// Written by `python -m tests.clients.written_types` from the OpenAPI document. Do not change it by hand.
/** Something that goes on while the conversation does. */
export interface BackgroundView {
  /** The process, or the kind of work. */
  process: string;
  /** The instance of the process, or the run of the work. */
  run_id: string;
  /** Where the process stands; null for other work. */
  step: string | null;
  /** The last word on it that this worker knows; null: none. */
  progress: ProgressView | null;
}

/** What a cancel found. */
export interface Cancelled {
  /** Whether something was running or waiting. */
  cancelled: boolean;
}

/** One way to answer the open question: its label, sent back as the message, chooses it. */
export interface ChoiceView {
  label: string;
  /** What choosing it would do, where that is known. */
  hint: string | null;
}

/** The body of every error. */
export interface ErrorBody {
  error: ErrorView;
}

/** What went wrong, for programs (`code`, `details`) and for people (`message`). */
export interface ErrorView {
  code: string;
  message: string;
  details: Record<string, any>;
}

/** One run of a process, as it stands. */
export interface InstanceView {
  name: string;
  version: number;
  instance_id: string;
  state: string;
  step: string;
  description: string;
  /** As it is called in a sentence: “the standup”. */
  title: string | null;
  /** Null where it asks in its own way. */
  progress: Progress | null;
  moved_at: string | null;
  /** When its time is over, unless something is said. */
  due_at: string | null;
}

/** What the message was taken for, where no process owned it. */
export interface IntentClassified {
  intent: string | null;
  confidence: number | null;
  tier: string | null;
}

export interface Page_SessionView_ {
  items: Array<SessionView>;
  next: string | null;
}

export interface Page_TurnItem_ {
  items: Array<TurnItem>;
  next: string | null;
}

/** The open question of a reply, as a frontend sees it. */
export interface PendingView {
  /** Of this question as it was asked now: send it back as `answers`. */
  id: string | null;
  kind: "ask" | "offer" | "clarify" | "confirm" | "approve";
  prompt: string;
  options: Array<string>;
  /** What a frontend may show as buttons: the options, each with a hint where there is one; of a summary Yes and what else it names. */
  choices: Array<ChoiceView>;
  schema: Record<string, any> | null;
  expires_at: string | null;
}

/** The process of a reply, as a frontend sees it. */
export interface ProcessView {
  name: string;
  version: number;
  instance_id: string;
  state: string;
  step: string;
  description: string;
  /** As it is called in a sentence: “the standup”. */
  title: string | null;
  /** Null where it asks in its own way. */
  progress: Progress | null;
}

/** How many of its answers a process has. */
export interface Progress {
  done: number;
  /** How many it asks for, as its answers stand now. */
  of: number;
}

/** How far a run was when something was told of it last. */
export interface ProgressView {
  done: number;
  /** What `done` goes up to; null: nobody knows. */
  total: number | null;
  text: string;
  at: string;
}

/** What we say back for one turn: the response body of `POST /converse`, stored as sent. */
export interface Reply {
  companion_message: string;
  side_effects: Array<SideEffect>;
  suggested_actions: Array<string>;
  project_id: string | null;
  draft_specification: string | null;
  readiness: "drafting" | "ready_for_review" | null;
  classified_intent: string | null;
  session_id: string;
  turn_id: string;
  seq: number;
  process: ProcessView | null;
  pending: PendingView | null;
  /** What works now besides an answer, for buttons: skip, go back, pause, leave, start over, resume, undo. */
  ways: Array<WayView>;
  decision_id: string;
  /** What a process gives its client besides words: of what is done, else of the open question. It is there only where there is one. */
  payload?: any;
  /** `companion_message` in parts, where a process says several messages. It is there only then. */
  messages?: Array<string> | null;
}

/** A turn of the person's that is not answered yet. */
export interface RunningView {
  turn_id: string;
  /** Their words; empty where a value or files say it all. */
  message: string;
  created_at: string;
}

/** A file that came with a turn. */
export interface SentFile {
  /** For `attachments` of a turn. */
  id: string;
  name: string;
  /** What its name announces; nobody has looked inside. */
  media_type: string;
  size: number;
}

/** A session with who holds it, what is pending, what is suspended, what goes on in the background. */
export interface SessionDetail {
  id: string;
  created_at: string;
  last_turn_at: string | null;
  /** What you call it, else its first words; null: nothing was said yet. */
  title: string | null;
  /** The beginning of what was answered last. */
  last_message: string | null;
  /** Who holds it. */
  process: InstanceView | null;
  /** Whether a question is open in it. */
  waits: boolean;
  pending: PendingView | null;
  suspended: Array<InstanceView>;
  /** What can be said now to move on, back or out, for buttons. */
  ways: Array<WayView>;
  background: Array<BackgroundView>;
  /** What was said and is not answered yet, on this worker: the history has it with its answer. */
  running: Array<RunningView>;
}

/** A session in a list. */
export interface SessionView {
  id: string;
  created_at: string;
  last_turn_at: string | null;
  /** What you call it, else its first words; null: nothing was said yet. */
  title: string | null;
  /** The beginning of what was answered last. */
  last_message: string | null;
  /** Who holds it. */
  process: InstanceView | null;
  /** Whether a question is open in it. */
  waits: boolean;
}

/** One durable change, in operator words. */
export interface SideEffect {
  kind: string;
  summary: string;
  ref: string | null;
}

/** A further piece of the words. */
export interface TextDelta {
  text: string;
}

/** A move of an instance, in the record of the turn that made it. */
export interface TransitionView {
  process: string;
  instance_id: string;
  trigger: string;
  source: string | null;
  dest: string;
  reason: string;
}

/** The turn is written down, and has its number. */
export interface TurnAccepted {
  session_id: string;
  turn_id: string;
  seq: number;
}

/** One turn as a client sends it. */
export interface TurnBody {
  /** What the person said; never blank. It may be left out where `value` or `attachments` are there: the history then shows words made from those. */
  message?: string;
  /** The thread. Omitted: one is opened, and its id is in the reply. */
  session_id?: string | null;
  /** The project this is about. */
  project_id?: string | null;
  /** A known intent: nothing is classified. */
  intent_hint?: string | null;
  /** Your id of this turn, unique per person. The same id and body again gets the same reply. Without it there is no protection from double sends. */
  turn_id?: string | null;
  /** The `pending.id` of the question that this answers. Where that is not open any more, nothing is changed or consented to, and the open question is said again. */
  answers?: string | null;
  /** Only with `answers`: the answer as JSON, of the form that `pending.schema` says. It counts in place of the message, which is what the history shows. One that is not of that form is 422 while that question is open, and nothing is said: `details.fields` has the path (`value.1`) and the reason. One that fits and cannot be used all the same is asked for again, with the reason. */
  value?: any;
  /** Only with `session_id`: the ids of files uploaded to it that come with the message, or in its place. */
  attachments?: Array<string>;
}

/** One item of a session's history. */
export interface TurnItem {
  seq: number;
  /** `operator` for the person, `companion` for the answer. */
  role: string;
  content: string;
  classified_intent: string | null;
  turn_id: string;
  created_at: string;
  process: string | null;
  project_id: string | null;
  /** Of the companion's items: what was done. */
  side_effects: Array<SideEffect>;
  /** Of the companion's items: why it was said. */
  decision_id: string | null;
  /** Of the person's items: the files that came with it, but for those that were erased since. */
  attachments: Array<SentFile>;
}

/** What was sent so far is void. */
export interface TurnSuperseded {
  turn_id: string;
}

/** Something that can be said now to move on, back or out: `message` does it. */
export interface WayView {
  label: string;
  message: string;
}


/** What happens while a turn is answered. */
export type TurnEvent =
  | { name: "turn.accepted"; data: TurnAccepted; id: string }
  | { name: "process.transition"; data: TransitionView; id: string }
  | { name: "intent.classified"; data: IntentClassified; id: string }
  | { name: "text.delta"; data: TextDelta; id: string }
  | { name: "side_effect"; data: SideEffect; id: string }
  | { name: "turn.committed"; data: Reply; id: string }
  | { name: "turn.superseded"; data: TurnSuperseded; id: string };

/** What happens in a session, whoever says it. */
export interface SessionEvent {
  name: "item" | "process.transition" | "process.progress" | "text.said" | (string & {});
  data: any;
  id: string;
}

/** The server answered, and said no. */
export declare class Refusal extends Error {
  status: number;
  code: string;
  /** Seconds that the server asks to be left alone. */
  after: number;
  /** Of the first field that is not usable, `value.1` say; empty where it is none. */
  path: string;
  /** Why, in words for people where it is a `value` that does not fit. */
  reason: string;
  /** Whether the same request may be taken later. */
  get passes(): boolean;
}

/** No whole answer came. Said again with `turnId`, the turn is said once. */
export declare class NoAnswer extends Error {
  turnId: string;
}

export interface ClientOptions {
  /** Where the server is; omitted: where this file came from. */
  url?: string | URL;
  /** An access key: on a server, never in a page. */
  key?: string;
  /** In place of a key: gives a token, and another one when that has expired. */
  token?: (() => Promise<string> | string) | null;
  /** How often a request is sent before it is given up; 8. */
  tries?: number;
  /** Milliseconds before the second try; each further one waits twice as long. */
  wait?: number;
  /** Milliseconds without a word from the server after which a try is given up; 45,000. */
  timeout?: number;
}

/** Conversations of one person, as the one whose key it has or whom a token speaks for. */
export declare class Client {
  constructor(options?: ClientOptions);
  /** Say it, once; the reply. */
  say(said: string | TurnBody, options?: { signal?: AbortSignal }): Promise<Reply>;
  /** The same, as it happens; the last event is `turn.committed`, with the whole reply. */
  stream(said: string | TurnBody, options?: { signal?: AbortSignal }): AsyncGenerator<TurnEvent, void, void>;
  /** What happens in a session from item `after` on; it goes on until you leave it. */
  follow(session: string, options?: { after?: number; signal?: AbortSignal }): AsyncGenerator<SessionEvent, void, void>;
  sessions(options?: { before?: string; limit?: number }): Promise<Page_SessionView_>;
  session(session: string): Promise<SessionDetail>;
  turns(session: string, options?: { after?: number; before?: number | string; limit?: number }): Promise<Page_TurnItem_>;
  cancel(session: string): Promise<Cancelled>;
  erase(session: string): Promise<null>;
}

/** A new id, for a turn. */
export declare function newId(): string;
