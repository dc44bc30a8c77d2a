/** `<softrail-inspector>`: everybody's conversations, and why each answer was given, for those who run the server. */
import { html, LitElement, nothing, repeat } from "../vendor/lit.js";
import { Asking, at, Refusal } from "../asking.js";
import { controls } from "../controls.js";
import { keep, stored } from "../outbox.js";
import { styles } from "../styles.js";
import { decisionOf } from "./decision.js";
import { look } from "./look.js";
import { moment, quoted, STATES } from "./words.js";
import "./graph.js";
import "./sandbox.js";

const BASE = new URL("../../../", import.meta.url); // the pages are at /ui/HASH/inspect/, the routes beside /ui
const KEY = "softrail.key";
const EVERY = 4000; // milliseconds between two looks at what is new

export class Inspector extends LitElement {
  static styles = [styles, controls, look];
  static properties = {
    list: { state: true },
    next: { state: true },
    kinds: { state: true },
    session: { state: true },
    seq: { state: true },
    locked: { state: true },
    trouble: { state: true },
    note: { state: true },
  };

  constructor() {
    super();
    this.list = [];
    this.kinds = [];
    this.wanted = new URLSearchParams();
    this.trouble = this.note = "";
    this.client = new Asking(BASE, { key: stored(KEY) ?? "" });
  }

  connectedCallback() {
    super.connectedCallback();
    this.closing = new AbortController();
    addEventListener("popstate", () => this.arrive(), { signal: this.closing.signal });
    this.looking = setInterval(() => document.visibilityState === "visible" && this.look(), EVERY);
    this.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.closing?.abort();
    clearInterval(this.looking);
  }

  /** With the chat page's address the session stands behind the #, else it is the end of the path. */
  get byHash() {
    return location.hash.startsWith("#inspect");
  }

  get here() {
    const [, id] = (this.byHash ? location.hash : location.pathname).match(/inspect\/([^/?#]+)$/) ?? [];
    return id ? decodeURIComponent(id) : null;
  }

  async begin() {
    const { client } = this;
    await this.tried(async () => {
      await this.load();
      if (client !== this.client) return; // another key was given meanwhile
      this.locked = false;
      this.kinds = (await this.client.json("GET", "processes")).items;
      await this.arrive();
    });
  }

  async load(before = "") {
    const query = new URLSearchParams(this.wanted);
    const wanted = String(query);
    const { client, list } = this;
    query.set("limit", "30");
    if (before) query.set("before", before);
    let page;
    try {
      page = await client.json("GET", `inspect/sessions?${query}`);
    } catch (error) {
      if (client !== this.client) return; // a key that is not the one any more
      this.locked = error instanceof Refusal && [401, 404].includes(error.status); // for whoever may not look there is nothing
      throw error;
    }
    if (client !== this.client || wanted !== String(new URLSearchParams(this.wanted))) return; // something else is looked for by now
    if (before ? before !== this.next : list !== this.list) return; // it was asked for twice, or more of it is shown by now
    this.list = before ? [...this.list, ...page.items] : page.items;
    this.next = page.next;
  }

  /** What is new, while somebody may be looking; a list that was read further down stays as it is. */
  async look() {
    if (this.locked || this.list.length > 30) return;
    const { session } = this;
    try {
      await this.load();
      const line = session && this.list.find((one) => one.id === session.id);
      if (line && line.last_turn_at !== session.last_turn_at && this.session === session) await this.read(session.id);
      this.trouble = "";
    } catch (error) {
      this.trouble = told(error);
    }
  }

  async arrive() {
    const id = this.here;
    if (!id) this.session = null;
    else if (id !== this.session?.id) await this.tried(() => this.read(id));
  }

  /** The session with its turns; whoever looked at the newest one goes on to the newest. */
  async read(id) {
    const same = this.session?.id === id;
    const newest = same && this.seq === this.session.turns.at(-1)?.seq;
    const session = await this.client.json("GET", at`inspect/sessions/${id}`);
    this.session = session;
    if (!same || newest) this.seq = session.turns.at(-1)?.seq ?? null;
  }

  async earlier() {
    const { session } = this;
    const page = await this.client.json("GET", at`inspect/sessions/${session.id}?before=${session.next}`);
    if (this.session === session)
      this.session = { ...session, next: page.next, turns: [...page.turns, ...session.turns], texts: { ...page.texts, ...session.texts } };
  }

  async tried(what) {
    this.trouble = "";
    try {
      await what();
    } catch (error) {
      this.trouble = told(error);
    }
  }

  get turn() {
    return this.session?.turns.find((one) => one.seq === this.seq) ?? null;
  }

  go(id) {
    const base = new URL(this.byHash ? "" : "inspect", BASE);
    history.pushState(null, "", this.byHash ? `#inspect${id ? at`/${id}` : ""}` : `${base.pathname}${id ? at`/${id}` : ""}`);
    this.note = "";
    this.arrive();
  }

  // -- elements

  render() {
    if (this.locked) return this.keyForm();
    return html`<header>
        <h1>Why</h1>
        <p class="grow" role="status">${this.note}</p>
        <a href=${BASE.href}>Chat</a>
      </header>
      ${this.trouble
        ? html`<p class="wrong panel" role="alert">${this.trouble} <button type="button" class="quiet" @click=${() => this.begin()}>Try again</button></p>`
        : nothing}
      <div class="columns ${this.session ? "open" : ""}">${this.sessions()} ${this.session ? this.turns() : this.about()} ${this.turn ? this.details() : nothing}</div>`;
  }

  about() {
    return html`<section class="panel" aria-label="About">
      <h2>Find out why something was answered</h2>
      <p>Choose a conversation, then a turn. The list follows what happens.</p>
    </section>`;
  }

  sessions() {
    return html`<section class="panel sessions-panel" aria-label="Conversations">
      <h2>Conversations</h2>
      <form class="search" @submit=${this.search} @change=${this.search}>
        <label class="whole">Words<input name="text" type="search" maxlength="200" dir="auto" /></label>
        <label class="whole">Person<input name="person" type="search" maxlength="254" /></label>
        <label>Process<select name="process"><option value="">any</option>${this.kinds.map((one) => html`<option>${one.name}</option>`)}</select></label>
        <label>State<select name="state"><option value="">any</option>${STATES.map((one) => html`<option>${one}</option>`)}</select></label>
        <label class="check whole"><input name="trouble" type="checkbox" value="true" />Something went wrong</label>
      </form>
      <ul class="list">
        ${repeat(this.list, (one) => one.id, (one) => this.line(one))}
      </ul>
      ${this.list.length ? nothing : html`<p>There are none.</p>`}
      ${this.next ? html`<button type="button" class="quiet" @click=${() => this.tried(() => this.load(this.next))}>Show more</button>` : nothing}
    </section>`;
  }

  line(one) {
    const { process } = one;
    return html`<li>
      <button type="button" class="pick" aria-current=${one.id === this.session?.id ? "true" : nothing} @click=${() => this.go(one.id)}>
        <strong dir="auto">${one.title ?? "Nothing said yet"}</strong>
        <span dir="auto">${one.last_message ?? ""}</span>
        <small>${[one.person.email, process && `${process.name} ${process.step}`, one.waits && "waits"].filter(Boolean).join(" · ")}</small>
        <small>${moment(one.last_turn_at ?? one.created_at)}${one.trouble ? html` · <span class="bad">trouble</span>` : nothing}</small>
      </button>
    </li>`;
  }

  turns() {
    const { session } = this;
    return html`<section class="panel" aria-label="Turns">
      <h2 dir="auto">${session.title ?? "Turns"}</h2>
      <small>${session.person.email} · ${session.person.timezone} · ${session.person.locale}</small>
      <div class="row">
        <button type="button" @click=${() => this.tried(() => this.exported())}>Export as .talk</button>
        <button type="button" class="quiet" @click=${() => this.go(null)}>All conversations</button>
      </div>
      ${session.next ? html`<button type="button" class="quiet" @click=${() => this.tried(() => this.earlier())}>Earlier turns</button>` : nothing}
      <ol class="list">
        ${repeat(session.turns, (one) => one.seq, (one) => this.entry(one))}
      </ol>
    </section>`;
  }

  entry(one) {
    const said = one.hidden ? "(not shown)" : one.request?.message || (one.request?.signal ? `signal ${one.request.signal.name}` : "by itself");
    const { decision } = one;
    return html`<li>
      <button type="button" class="pick" aria-current=${one.seq === this.seq ? "true" : nothing} @click=${() => (this.seq = one.seq)}>
        <strong dir="auto">${said}</strong>
        <span dir="auto">${one.reply.companion_message}</span>
        <small>${one.seq} · ${decision.owner}${decision.model_calls.length ? ` · model × ${decision.model_calls.length}` : ""}${decision.trouble ? html` · <span class="bad">trouble</span>` : nothing}</small>
      </button>
    </li>`;
  }

  details() {
    const { session, turn } = this;
    return html`<div class="stack">
      <section class="panel" aria-label="Decision">
        <h2>Turn ${turn.seq}</h2>
        <div class="row">
          ${session.sandboxes
            ? html`<button type="button" class="main" @click=${() => this.sandbox.open(turn)}>Try from here</button>
                ${turn.request?.message ? html`<button type="button" @click=${() => this.tried(() => this.again(turn))}>Say it again in a new conversation</button>` : nothing}`
            : nothing}
        </div>
        ${turn.request?.message ? this.curl(turn) : nothing} ${decisionOf(turn, session.texts)}
      </section>
      ${session.sandboxes
        ? html`<softrail-sandbox .client=${this.client} .session=${session.id}></softrail-sandbox>`
        : nothing}
      <softrail-graph .client=${this.client} .session=${session} .turn=${turn} @turn=${(event) => (this.seq = event.detail)}></softrail-graph>
    </div>`;
  }

  get sandbox() {
    return this.renderRoot.querySelector("softrail-sandbox");
  }

  curl(turn) {
    const { session } = this;
    const who = session.sandboxes ? quoted(`X-Softrail-Person: ${session.person.email}`) : quoted("Authorization: Bearer KEY");
    const body = quoted(JSON.stringify({ message: turn.request.message, session_id: session.id }));
    const text = `curl -s ${quoted(new URL("converse", BASE).href)} \\\n  -H 'Content-Type: application/json' \\\n  -H ${who} \\\n  -d ${body}`;
    return html`<details>
      <summary>As curl</summary>
      <pre tabindex="0">${text}</pre>
      <button type="button" @click=${() => this.copy(text)}>Copy as curl</button>
    </details>`;
  }

  keyForm() {
    return html`<form class="key" @submit=${this.unlock}>
      <h1>Nothing to look into</h1>
      <p>Who runs this server needs an access key with the right “inspect”. It is kept in this tab alone.</p>
      <div class="entry"><label for="key">Access key</label><input id="key" name="key" type="password" autocomplete="off" required /></div>
      <button class="main">Open</button>
    </form>`;
  }

  // -- what is done

  search(event) {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget)].flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
    this.wanted = new URLSearchParams(given);
    this.tried(() => this.load());
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.note = "Copied.";
    } catch {
      this.note = "This browser lets nothing be copied from here: select the text.";
    }
  }

  /** A link would carry no key: the script is fetched, and saved from here. */
  async exported() {
    const { session } = this;
    const response = await this.client.ask("GET", at`inspect/sessions/${session.id}/talk`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = "conversation.talk";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.note = "Exported.";
  }

  async again(turn) {
    const headers = { "X-Softrail-Person": this.session.person.email };
    const response = await this.client.ask("POST", "converse", { body: { message: turn.request.message }, headers });
    const { session_id: id } = await response.json();
    await this.load();
    this.go(id);
  }

  unlock(event) {
    event.preventDefault();
    const key = event.target.key.value.trim();
    if (!key) return;
    keep(KEY, key);
    this.client = new Asking(BASE, { key });
    this.begin();
  }
}

const told = (error) => (error.status ? error.message : "The server does not answer. Trying again …");

customElements.define("softrail-inspector", Inspector);

/** On the chat page of ours, be there instead of it. */
export function inPlaceOfChat() {
  document.querySelector("body > main > softrail-chat")?.replaceWith(document.createElement("softrail-inspector"));
}
