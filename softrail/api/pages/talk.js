/** One person's conversation as it stands: what was said, what is asked, what works now. It knows nothing of elements. */
import { at, newId, Refusal } from "./asking.js";
import { keep, Outbox, stored } from "./outbox.js";

const PAGE = 50;
const END = "4611686018427387904"; // no item comes after it
const FIRST = 300;
const MOST = 30_000;
const MOST_STARTS = 4; // that are offered before anything was said
const HERE = "softrail.conversation";
const NOTHING = { process: null, pending: null, ways: [], suspended: [], suggested: [] };

export class Talk extends EventTarget {
  /** @type {{process: any, pending: any, ways: any[], suspended: any[], suggested: string[]}} */
  state = NOTHING;
  /** @type {any[]} */
  items = [];
  progress = new Map();
  stamp = 0;
  count = 0;

  /** @param {import("./asking.js").Asking} client */
  constructor(client) {
    super();
    this.client = client;
    this.me = null;
    this.asked = [];
    this.takenUp = 0;
    this.link = "connecting"; // "ok", "away" or "connecting"
    this.outbox = new Outbox(client, {
      event: (turn, event) => this.heard(turn, event),
      standing: (turn) => this.stands(turn),
      refused: (turn, error) => this.refused(turn, error),
      locked: () => this.locked(),
    });
    this.wakers = new Set();
    this.clear(null);
    this.closing = new AbortController();
    const { signal } = this.closing;
    addEventListener("online", () => this.wake(), { signal });
    addEventListener("offline", () => this.changed(), { signal });
    document.addEventListener("visibilitychange", () => this.seen(), { signal });
  }

  clear(session) {
    this.following?.abort();
    this.session = session;
    this.anew = false; // somebody else was here before, and nothing was said since
    this.draft = session ? null : newId();
    const refused = this.items.filter((item) => item.standing === "refused"); // nobody else has these words
    this.items = refused.map((item) => ({ ...item, files: [], after: undefined })); // its files are that conversation's
    this.known = 0; // the last item that the server has told in order
    this.older = null;
    this.state = NOTHING;
    this.stamp = 0;
    this.reason = null;
    this.progress = new Map();
  }

  /** Nothing is followed or sent any more; what is unsent stays kept. */
  close() {
    this.opening = null;
    this.closing.abort();
    this.following?.abort();
    this.outbox.close();
  }

  /** Who asks, and the conversation they were in; raises Refusal where a key is needed. */
  async start() {
    this.me = await this.client.json("GET", "me");
    this.outbox.restore(this.me.id);
    const unsent = this.outbox.turns.at(-1);
    const [person, kept] = (stored(HERE) ?? "").split(" ");
    const own = person === this.me.id ? kept : null; // another person's is never asked for
    const session = own ?? unsent?.session ?? (unsent ? null : await this.newest());
    await this.open(session || null);
    this.anew = Boolean(kept && !own);
    if (unsent && !session) this.draft = unsent.draft;
    this.outbox.turns.forEach((turn) => this.stands(turn));
  }

  async newest() {
    const { items } = await this.client.json("GET", "sessions?limit=1");
    return items[0]?.id ?? null;
  }

  /** Show a session, as soon as the server tells it, or a new one that is opened with the first words. */
  async open(session) {
    this.clear(session);
    this.stay();
    const opening = (this.opening = {});
    if (session) this.link = "connecting";
    this.changed();
    for (let wait = FIRST; session; wait = Math.min(MOST, wait * 2)) {
      try {
        const [detail, page] = await Promise.all([
          this.client.json("GET", at`sessions/${session}`),
          this.client.json("GET", at`sessions/${session}/turns?before=${END}&limit=${PAGE}`),
        ]);
        if (this.opening !== opening) return; // another was opened meanwhile
        for (const item of page.items) this.take(item);
        this.older = page.next;
        this.apply(detail);
        this.follow();
        break;
      } catch (error) {
        if (this.opening !== opening) return;
        if (error instanceof Refusal && [401, 403].includes(error.status)) throw error;
        if (error instanceof Refusal && !error.passes) return this.open(null); // it was erased elsewhere
        this.link = "away";
        this.changed();
      }
      await this.sleep(wait, this.closing.signal);
      if (this.opening !== opening) return;
    }
    this.link = "ok";
    this.keepPlaces();
    this.outbox.turns.forEach((turn) => this.stands(turn));
    this.questions();
    if (!this.items.length) this.starts();
    this.changed("opened");
  }

  /** What was refused stays behind what is shown now. */
  keepPlaces() {
    const last = Math.max(0, ...this.items.map((item) => item.seq ?? 0));
    for (const item of this.items) if (item.standing === "refused") item.after ??= last + 0.5;
  }

  /** Where this person is found again after a reload. */
  stay() {
    keep(HERE, `${this.me.id} ${this.session ?? ""}`); // "": in a new one, where nothing was said yet
  }

  /** The page before what is shown. */
  async more() {
    if (!this.older || this.reaching) return;
    this.reaching = true;
    const session = this.session;
    try {
      const page = await this.client.json("GET", at`sessions/${session}/turns?before=${this.older}&limit=${PAGE}`);
      if (this.session !== session) return;
      for (const item of page.items) this.take(item);
      this.older = page.next;
      this.changed("older");
    } catch {
      // The next scroll tries again.
    } finally {
      this.reaching = false;
    }
  }

  // -- saying something

  /** Say it: `{message, answers, value, attachments}`; `words` and `files` are shown until the server has made its own. */
  say(body, words = body.message, files = []) {
    const turn = { id: newId(), person: this.me.id, session: this.session, draft: this.draft, body, files };
    turn.words = words ?? "";
    this.reason = null;
    this.anew = false;
    this.outbox.send(turn);
    this.stands(turn);
    this.changed("said");
    return turn.id;
  }

  /** Take up what somebody else asks. */
  takeUp(one) {
    this.takenUp += 1;
    this.asked = this.asked.filter((other) => other !== one);
    this.say({ message: one.message });
  }

  /** Take something off the page that the server has never taken. */
  takeBack({ key, turn }) {
    this.outbox.drop(turn);
    this.items = this.items.filter((item) => item.key !== key);
    this.changed();
  }

  /** Stop the answer that is on its way. */
  async stop() {
    if (this.session) await this.client.json("POST", at`sessions/${this.session}/cancel`, {}).catch(() => {});
  }

  get busy() {
    return this.outbox.turns.some((turn) => this.mine(turn) && turn.standing === "sending");
  }

  get unsent() {
    return this.outbox.turns.filter((turn) => this.mine(turn) && turn.standing === "waiting");
  }

  mine(turn) {
    const session = turn.session ?? turn.at;
    return session ? session === this.session : turn.draft === this.draft;
  }

  stands(turn) {
    if (!this.mine(turn)) return;
    const key = `${turn.id}/person`;
    if (turn.over) {
      if (this.items.some((item) => item.key === key)) this.put({ key, standing: "" });
    } else {
      const text = turn.words ?? turn.body.message ?? "";
      const shown = this.items.find((item) => item.key === key);
      const { standing, tried, files } = turn;
      if (!shown?.seq) this.put({ key, role: "person", text, turn: turn.id, standing, tried, files });
    }
    this.changed();
  }

  /** It stands where it was said, or, where that is not shown any more, at the end of what is; what is said later comes after it. */
  refused(turn, error) {
    if (this.unfit(turn, error)) return;
    const words = { text: turn.words ?? turn.body.message ?? "", files: this.mine(turn) ? turn.files : [] };
    const erased = error.status === 404 && Boolean(turn.session) && !turn.body.attachments;
    this.put({ key: `${turn.id}/person`, role: "person", turn: turn.id, ...words, standing: "refused", error: error.path.startsWith("value") ? error.reason : error.message, erased });
    this.items = this.items.filter((item) => item.key !== `${turn.id}/answer`);
    if (this.link === "ok") this.keepPlaces();
    if (erased && turn.session === this.session) this.open(null); // what is said next is not for it, too
    this.changed("refused");
  }

  /** Whether what a form gave is refused: then nothing was said, and its field tells why. */
  unfit({ id, body }, { status, path, reason }) {
    const question = body.answers;
    if (status !== 422 || !/^value(\.|$)/.test(path) || question !== this.state.pending?.id) return false;
    const item = Array.isArray(body.value) ? body.value[path.split(".")[1]] : undefined;
    this.items = this.items.filter((one) => one.turn !== id);
    this.reason = { question, text: item === undefined ? reason : `${item}: ${reason}`, value: body.value };
    this.changed("reason");
    return true;
  }

  /** An event of a turn of this page's own. */
  heard(turn, { name, data }) {
    const taken = name === "turn.accepted" || name === "turn.committed"; // a late try hears of the whole at once
    if (taken && !this.session && turn.draft === this.draft) this.belongs(data.session_id);
    if (!this.mine(turn)) return;
    const key = `${turn.id}/answer`;
    const answer = this.items.find((item) => item.key === key);
    if (name === "turn.accepted") {
      this.put({ key: `${turn.id}/person`, seq: data.seq });
      if (!answer?.why) this.put({ key, role: "answer", seq: data.seq + 1, turn: turn.id, text: "", effects: [], streaming: true });
    } else if (name === "turn.committed") {
      this.committed(turn, data);
    } else if (answer?.streaming) {
      if (name === "text.delta") this.put({ key, text: answer.text + data.text });
      if (name === "turn.superseded") this.put({ key, text: "", effects: [] });
      if (name === "side_effect") this.put({ key, effects: [...answer.effects, data] });
    }
    this.changed();
  }

  /** The draft has become this session. */
  belongs(session) {
    this.session = session;
    this.stay();
    this.follow();
  }

  committed(turn, reply) {
    this.put({ key: `${turn.id}/person`, role: "person", turn: turn.id, seq: reply.seq, standing: "" });
    const key = `${turn.id}/answer`;
    const answer = { key, role: "answer", turn: turn.id, seq: reply.seq + 1, text: reply.companion_message };
    this.put({ ...answer, effects: reply.side_effects, why: reply.decision_id, streaming: false, at: new Date() });
    const before = this.state;
    if (!this.overtaken(reply.seq)) this.apply(reply);
    this.announce(key);
    if (turn.body.value !== undefined || turn.body.attachments) this.judge(turn, before);
  }

  /** Whether a later turn is answered already: its reply, or what was read when it came, tells how the session stands. */
  overtaken(seq) {
    return this.items.some((item) => item.role === "answer" && !item.streaming && item.seq > seq + 1);
  }

  /** Whether what a form gave was refused: then the question is open again, and the reason belongs to its field. */
  async judge(turn, before) {
    const { pending } = this.state;
    if (!pending || JSON.stringify(pending.schema) !== JSON.stringify(before.pending?.schema)) return;
    try {
      const decision = await this.why(turn.id);
      const told = decision.refused.at(-1)?.told;
      if (!told || this.state.pending?.id !== pending.id) return;
      this.reason = { question: pending.id, text: told, value: turn.body.value };
      this.changed("reason");
    } catch {
      // The answer says it too.
    }
  }

  // -- what happens in the session

  /** Follow the session for as long as it is shown and somebody may be looking. */
  async follow() {
    this.following?.abort();
    if (!this.session || document.hidden) return;
    const stop = (this.following = new AbortController());
    const session = this.session;
    let wait = FIRST;
    while (!stop.signal.aborted) {
      try {
        const path = at`sessions/${session}/events?after=${this.known}`;
        const events = this.client.events("GET", path, { signal: stop.signal });
        if (this.link === "away") this.refresh();
        for await (const event of events) {
          if (stop.signal.aborted) return;
          wait = FIRST;
          if (event.name === "error" && this.client.token) break; // the token is over: followed on with another
          this.happened(event);
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        if (error instanceof Refusal && error.status === 404) return void this.open(null);
        if (error instanceof Refusal && [401, 403].includes(error.status)) return this.locked();
        this.link = "away";
        this.changed();
      }
      await this.sleep(wait, stop.signal);
      wait = Math.min(MOST, wait * 2);
    }
  }

  happened({ name, data }) {
    this.link = "ok";
    if (name === "item") {
      const key = this.take(data);
      const own = this.outbox.of(data.turn_id);
      if (data.role === "companion" && !own && !this.heardAlready(key)) this.refresh().then(() => this.announce(key));
    } else if (name === "text.said" && !this.outbox.of(data.turn_id)) {
      const key = `${data.turn_id}/answer`;
      const said = this.items.find((item) => item.key === key);
      const text = said?.text ? `${said.text}\n\n${data.text}` : data.text;
      // Unless its whole answer was faster.
      if (said?.streaming !== false) this.put({ key, role: "answer", seq: data.seq, turn: data.turn_id, text, streaming: true });
    } else if (name === "process.progress") {
      this.progress.set(data.run_id, data);
    } else if (name === "process.transition" && data.seq === null) {
      this.refresh(); // a timer's
    } else if (name === "error") {
      this.locked();
    }
    this.changed();
  }

  take(item) {
    const role = item.role === "operator" ? "person" : "answer";
    const key = `${item.turn_id}/${role}`;
    this.known = Math.max(this.known, item.seq);
    const shown = { key, role, seq: item.seq, turn: item.turn_id, text: item.content, standing: "" };
    if (item.attachments?.length) shown.files = item.attachments;
    this.put({ ...shown, effects: item.side_effects, why: item.decision_id, at: new Date(item.created_at), streaming: false });
    return key;
  }

  /** How the session stands now; what was committed while the answer was on its way wins. */
  async refresh() {
    const { session, stamp } = this;
    try {
      const detail = await this.client.json("GET", at`sessions/${session}`);
      if (this.session !== session) return;
      if (this.stamp !== stamp) return void (await this.refresh());
      this.apply(detail);
      this.changed();
    } catch {
      // The stream of events finds out what is the matter.
    }
  }

  apply(told) {
    this.stamp += 1;
    const { process, pending, ways, suspended = [], suggested_actions = [] } = told;
    this.state = { process, pending, ways, suspended, suggested: suggested_actions };
    if (!told.background) return;
    this.progress = new Map(told.background.filter((run) => run.progress).map((run) => [run.run_id, run.progress]));
  }

  put(found) {
    const before = this.items.find((item) => item.key === found.key);
    const item = before ? { ...before, ...found } : { count: (this.count += 1), ...found };
    const others = this.items.filter((one) => one !== before);
    this.items = [...others, item].sort((a, b) => placed(a) - placed(b) || a.count - b.count);
  }

  heardAlready(key) {
    return this.items.find((item) => item.key === key)?.told;
  }

  announce(key) {
    const item = this.items.find((one) => one.key === key);
    if (!item || item.told) return;
    this.put({ key, told: true });
    this.dispatchEvent(new CustomEvent("answer", { detail: item }));
  }

  seen() {
    if (document.hidden) this.following?.abort(); // a browser has few connections to one server
    else if (this.me) {
      this.follow();
      if (this.session) this.refresh();
      this.questions();
    }
  }

  // -- what else there is

  why(turn) {
    return this.client.json("GET", at`sessions/${this.session}/decisions/${turn}`);
  }

  /** Where nothing was said yet: words that begin what there is. */
  async starts() {
    try {
      const { items } = await this.client.json("GET", "processes");
      if (this.items.length) return;
      const suggested = items.flatMap((kind) => kind.starts_on.slice(0, 1)).slice(0, MOST_STARTS);
      this.state = { ...this.state, suggested };
      this.changed();
    } catch {
      // Nobody needs them.
    }
  }

  async questions() {
    const { takenUp } = this;
    try {
      const { items } = await this.client.json("GET", "me/questions");
      if (this.takenUp !== takenUp) return; // one of them may be taken up by now
      this.asked = items;
      this.changed();
    } catch {
      // They are asked for again when the page is looked at again.
    }
  }

  locked() {
    this.dispatchEvent(new Event("locked"));
  }

  wake() {
    this.outbox.wake();
    for (const go of [...this.wakers]) go();
    this.changed();
  }

  /** @returns {Promise<void>} */
  sleep(milliseconds, signal) {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.wakers.delete(go);
        resolve();
      };
      const timer = setTimeout(go, milliseconds);
      this.wakers.add(go);
      signal?.addEventListener("abort", go, { once: true });
    });
  }

  changed(what = "") {
    this.dispatchEvent(new CustomEvent("change", { detail: what }));
  }
}

/** Where an item stands: as the server counts, what it has not taken yet at the end. */
const placed = ({ seq, after }) => seq ?? after ?? Infinity;
