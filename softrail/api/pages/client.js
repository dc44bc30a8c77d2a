/** The JavaScript client: conversations over HTTP, where a turn is said once, however often it has to be sent.
 *
 * `client.d.ts` has the types; both stand at addresses that stay, `/ui/client.js` and `/ui/client.d.ts`.
 */
import { Asking, at, newId, Refusal } from "./asking.js";

export { newId, Refusal };

const FIRST = 300; // milliseconds before the second try
const MOST = 30_000;

/** No whole answer came. The turn may have been said all the same: said again with `turnId`, it is said once. */
export class NoAnswer extends Error {
  constructor(message, options, turnId = "") {
    super(message, options);
    this.turnId = turnId;
  }
}

/** Conversations of one person, as the one whose key it has or whom a token speaks for. */
export class Client {
  constructor({ url = new URL("../../", import.meta.url), key = "", token = null, tries = 8, wait = FIRST, timeout = undefined } = {}) {
    const base = new URL(url, import.meta.url);
    if (!base.pathname.endsWith("/")) base.pathname += "/";
    this.asking = new Asking(base, { key, token, timeout });
    this.tries = tries;
    this.wait = wait;
  }

  /** Say it, once; the reply. `said` is text, or the body of `POST /converse`. */
  async say(said, { signal } = {}) {
    for await (const event of this.stream(said, { signal })) {
      if (event.name === "turn.committed") return event.data;
    }
  }

  /** The same, as it happens; the last event is `turn.committed`, with the whole reply. */
  async *stream(said, { signal } = {}) {
    const body = { turn_id: newId(), ...(typeof said === "string" ? { message: said } : said) };
    const tries = this.trying(signal, body.turn_id);
    for (let last = ""; ; ) {
      try {
        const headers = last ? { "Last-Event-ID": last } : {};
        for await (const event of this.asking.events("POST", "converse/stream", { body, signal, headers })) {
          if (event.name === "error") throw new Refusal(503, event.data.error, 0);
          last = event.id;
          tries.began();
          yield event;
          if (event.name === "turn.committed") return;
        }
        throw new TypeError("The stream ended before the turn was answered.");
      } catch (error) {
        await tries.after(error);
      }
    }
  }

  /** What happens in a session, whoever says it, from item `after` on; it goes on until you leave it. */
  async *follow(session, { after = 0, signal } = {}) {
    for (const tries = this.trying(signal); ; ) {
      try {
        const path = at`sessions/${session}/events?after=${after}`;
        for await (const event of this.asking.events("GET", path, { signal, alive: tries.began })) {
          if (event.name === "error") {
            if (this.asking.token) tries.began(); // it was let in until now, and gets another token
            break; // this access is over: the next request says it
          }
          tries.began();
          if (event.name === "item") after = event.data.seq;
          yield event;
        }
        throw new TypeError("The stream ended.");
      } catch (error) {
        await tries.after(error);
      }
    }
  }

  /** The person's conversations, newest first. */
  sessions({ before = "", limit = 20 } = {}) {
    return this.get(`sessions?limit=${limit}${before && at`&before=${before}`}`);
  }

  /** How one stands: who holds it, what is asked, what works now. */
  session(session) {
    return this.get(at`sessions/${session}`);
  }

  /** What was said in it, in order. */
  turns(session, { after = 0, before = undefined, limit = 50 } = {}) {
    const from = before === undefined ? at`after=${after}` : at`before=${before}`;
    return this.get(`${at`sessions/${session}/turns`}?${from}&limit=${limit}`);
  }

  /** Interrupt what is answered there now. */
  cancel(session) {
    return this.asking.json("POST", at`sessions/${session}/cancel`, {});
  }

  /** Erase it with everything said in it. */
  erase(session) {
    return this.asking.json("DELETE", at`sessions/${session}`);
  }

  async get(path) {
    for (const tries = this.trying(); ; ) {
      try {
        return await this.asking.json("GET", path);
      } catch (error) {
        await tries.after(error);
      }
    }
  }

  /** What is done between tries: waiting, or giving up. */
  trying(signal, turnId) {
    let left = this.tries;
    let { wait } = this;
    return {
      began: () => {
        left = this.tries;
        wait = this.wait;
      },
      after: async (error) => {
        const passes = error instanceof Refusal ? error.passes : error instanceof TypeError;
        if (signal?.aborted || !passes) throw error; // fetch and streams tell of a bad network as a TypeError
        if ((left -= 1) <= 0) {
          throw error instanceof Refusal ? error : new NoAnswer(`No whole answer came in ${this.tries} tries.`, { cause: error }, turnId);
        }
        const pause = Math.max(wait, (error.after ?? 0) * 1000);
        await new Promise((go) => {
          const timer = setTimeout(go, pause);
          signal?.addEventListener("abort", () => (clearTimeout(timer), go()), { once: true });
        });
        signal?.throwIfAborted();
        wait = Math.min(MOST, 2 * wait);
      },
    };
  }
}
