/** What was written and is not answered yet: each turn is sent until it is, in order, and said once.
 *
 * A turn has its id before the first try, and every try is the same request: the server says it once. Turns that are
 * not answered survive a reload in the tab's own storage. One waits until the server has taken the one before.
 */
import { Refusal } from "./asking.js";

const FIRST = 300; // milliseconds before the second try
const MOST = 30_000;
const KEPT = "softrail.unsent";

export class Outbox {
  /**
   * @param {import("./asking.js").Asking} client
   * @param {{event: Function, standing: Function, refused: Function, locked: Function}} told
   */
  constructor(client, told) {
    this.client = client;
    this.told = told;
    this.turns = [];
    this.last = Promise.resolve();
    this.sleeping = new Set();
  }

  /** Turns of that person that the page could not send before. */
  restore(person) {
    this.person = person;
    const kept = read().filter((turn) => turn.person === person);
    for (const turn of kept) this.send(turn);
    return kept;
  }

  /** Send a turn: `{id, person, session, draft, body}`; a `draft` becomes a session when its first turn is taken. */
  send(turn) {
    const taken = deferred();
    Object.assign(turn, { standing: "waiting", over: false });
    this.turns.push(turn);
    this.save();
    this.deliver(turn, this.last, taken.resolve);
    this.last = taken.promise;
  }

  /** Try what waits. */
  wake() {
    for (const go of [...this.sleeping]) go();
  }

  /** Send nothing any more; the rest stays kept. */
  close() {
    for (const turn of this.turns) turn.over = true;
    this.wake();
  }

  /** Take back what was never sent. */
  drop(id) {
    const turn = this.turns.find((one) => one.id === id);
    if (turn && !turn.tried) this.end(turn);
  }

  of(id) {
    return this.turns.find((one) => one.id === id);
  }

  async deliver(turn, before, taken) {
    await before;
    let wait = FIRST;
    while (!turn.over) {
      if (navigator.onLine === false) {
        this.stands(turn, "waiting"); // nothing can be lost on the way: it may still be taken back
      } else {
        try {
          if (await this.tryOnce(turn, taken)) break;
          wait = FIRST; // it got somewhere
        } catch (error) {
          if (turn.over) break;
          if (error instanceof Refusal && !error.passes && error.status !== 401) {
            this.end(turn);
            this.told.refused(turn, error);
            break;
          }
          if (error instanceof Refusal) {
            if (error.status === 401) this.told.locked();
            wait = Math.min(MOST, Math.max(wait, error.after * 1000));
          }
          this.stands(turn, "waiting", error);
        }
      }
      await this.sleep(wait);
      wait = Math.min(MOST, wait * 2);
    }
    taken();
  }

  /** One try; true once the turn is answered. */
  async tryOnce(turn, taken) {
    turn.tried = true;
    if (turn.session) turn.body.session_id = turn.session;
    this.save();
    this.stands(turn, "sending");
    const request = { body: { ...turn.body, turn_id: turn.id } };
    for await (const event of this.client.events("POST", "converse/stream", request)) {
      if (turn.over) return true;
      if (event.name === "turn.accepted" || event.name === "turn.committed") {
        this.belongs(turn, event.data.session_id);
        taken();
      }
      if (event.name === "error") throw new Refusal(503, event.data.error, 0);
      if (event.name === "turn.committed") this.end(turn);
      this.told.event(turn, event);
    }
    return turn.over;
  }

  /** What was written in the same draft goes to the session that its first turn opened. */
  belongs(turn, session) {
    for (const other of this.turns) {
      if (!other.session && other.draft === turn.draft && other !== turn) other.session = session;
    }
    turn.at = session;
    this.save();
  }

  stands(turn, standing, error) {
    turn.standing = standing;
    this.told.standing(turn, error);
  }

  end(turn) {
    turn.over = true;
    this.turns = this.turns.filter((one) => one !== turn);
    this.save();
    this.told.standing(turn);
  }

  /** @returns {Promise<void>} */
  sleep(milliseconds) {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.sleeping.delete(go);
        resolve();
      };
      const timer = setTimeout(go, milliseconds);
      this.sleeping.add(go);
    });
  }

  save() {
    const others = read().filter((turn) => this.person && turn.person !== this.person);
    const kept = [...others, ...this.turns.map(({ standing, over, ...turn }) => turn)];
    keep(KEPT, kept.length ? JSON.stringify(kept) : "");
  }
}

function read() {
  try {
    return JSON.parse(stored(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve) => {
    made.resolve = resolve;
  });
  return made;
}

/** Where the files for the next message are kept. */
export const FILES = "softrail.files";

/** What this tab keeps under a name. */
export function stored(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keep something for the life of this tab. */
export function keep(name, value) {
  try {
    if (value) sessionStorage.setItem(name, value);
    else sessionStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing still talks.
  }
}
