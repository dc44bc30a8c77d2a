/** `<softrail-chat>`: the whole conversation of one person, on any page. */
import { html, LitElement, nothing, repeat } from "./vendor/lit.js";
import { closing, direction, launch, moreTexts, noEntry, notes, textsOf, underWay, ways } from "./around.js";
import { Asking, Refusal } from "./asking.js";
import { controls, icon } from "./controls.js";
import { literal, markdown, spoken } from "./markdown.js";
import { FILES, keep, stored } from "./outbox.js";
import { styles } from "./styles.js";
import { Talk } from "./talk.js";
import "./question.js";

const BASE = new URL("../../", import.meta.url); // the pages are at /ui/HASH/, the routes beside /ui
const KEY = "softrail.key";
const WRITTEN = "softrail.written"; // whose it is, and what they were writing
const LONGEST = 16_000; // characters of a message, as the server counts them
const NEAR = 80; // pixels from the end within which the newest words are followed

/** A key that is held down presses a button once. */
const once = (event) => event.repeat && event.key === "Enter" && event.target.closest("button") && event.preventDefault();

const namesOf = (files) => files.map((file) => file.name).join(", ");

export class Chat extends LitElement {
  static styles = [styles, controls];
  static properties = {
    token: { attribute: false }, // an async function
    launcher: { type: Boolean },
    opened: { type: Boolean, reflect: true },
    page: { type: Boolean }, // it is all of a page of ours
    heading: {},
    talk: { state: true },
    texts: { state: true },
    locked: { state: true },
    wrong: { state: true },
    aloud: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.locked = this.opened = this.launcher = this.page = this.filling = false;
    this.token = this.stands = null;
    /** @type {Talk} */
    this.talk = /** @type {?} */ (null);
    this.aloud = [];
    this.told = new WeakMap(); // the elements of a text, so that older ones are not read again with each word
  }

  connectedCallback() {
    super.connectedCallback();
    this.early = this.speak(navigator.language); // something is seen while the server is asked
    this.requestUpdate();
  }

  /** It begins once it is open and its properties are there, and again with another token: that is another person. */
  updated(changes) {
    if (this.isConnected && (this.talk ? changes.has("token") : this.opened || !this.launcher)) this.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.talk?.close();
    this.talk = /** @type {?} */ (null);
  }

  async begin() {
    const last = this.talk;
    const { box } = this;
    const held = box && box === this.renderRoot.activeElement;
    last?.close();
    this.begun = false;
    this.aloud = []; // whoever looks now may be somebody else
    const client = new Asking(BASE, { key: this.page ? (stored(KEY) ?? "") : "", token: this.token && (() => this.token()) });
    const talk = new Talk(client);
    const hear = (name, told) => talk.addEventListener(name, (event) => this.talk === talk && told(event.detail));
    hear("change", (what) => this.changed(what));
    hear("answer", (item) => this.announce(item));
    hear("locked", () => this.lock());
    this.talk = talk;
    for (let wait = 300; this.talk === talk; wait = Math.min(30_000, wait * 2)) {
      const error = await talk.start().then(() => null, (told) => told);
      if (this.talk !== talk || !error) break;
      if (error instanceof Refusal && [401, 403].includes(error.status)) return this.lock();
      talk.link = "away";
      this.requestUpdate();
      await talk.sleep(wait);
    }
    if (this.talk !== talk) return; // somebody else is looking now
    await this.early;
    await this.speak(talk.me.locale);
    this.locked = false;
    await this.updateComplete;
    const written = box?.value && last.me?.id === talk.me.id ? box.value : this.wrote; // the same person, who was writing
    this.box.value ||= written;
    this.grow();
    if (held) this.box.focus();
    await this.asking?.updateComplete; // the end is below it
    if (this.talk !== talk) return;
    this.toEnd();
    this.begun = true;
    if (stored(FILES)) this.ahead();
    this.tell("ready", { session: talk.session });
  }

  /** Say that in the person's name, as if they had written it; the id of the turn. */
  async say(words) {
    this.opened = this.launcher;
    if (!this.begun) await new Promise((ready) => this.addEventListener("ready", ready, { once: true }));
    return this.talk.say({ message: words });
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  async speak(locale) {
    const { words, language } = await textsOf(locale);
    const loaded = language !== this.lang && this.loading;
    this.texts = { ...this.texts, ...words }; // those of a dialog stay: it may be open by now
    this.lang = language;
    this.dir = direction(locale);
    if (!loaded) return;
    this.loading = null; // in that language, too
    this.ahead();
  }

  async lock() {
    if (!this.texts) await this.speak(navigator.language);
    this.wrong = stored(KEY) ? this.texts.key_wrong : "";
    if (this.locked) return;
    this.locked = true;
    await this.updateComplete;
    this.renderRoot.querySelector(".key input")?.focus();
  }

  // -- what changed

  changed(what) {
    const { log } = this;
    const { process } = this.talk.state;
    const stands = process && `${process.instance_id} ${process.state} ${process.step}`;
    if (stands !== this.stands) this.tell("process", process);
    this.stands = stands;
    const near = !log || this.near();
    const held = this.active?.closest("softrail-question, .ways");
    this.filling ||= Boolean(held?.querySelector("form")?.contains(this.active));
    const height = log?.scrollHeight ?? 0;
    this.requestUpdate();
    this.updateComplete.then(async () => {
      await this.asking?.updateComplete;
      if (what === "older" && this.log) this.log.scrollTop += this.log.scrollHeight - height;
      else if (what === "opened") this.toEnd();
      else if (what === "said" || (near && this.log?.scrollHeight !== height)) this.toNewest(); // what stands stays where it is seen
      if (held && !this.active) this.place();
      if (this.filling && !this.talk.outbox.turns.some((turn) => this.talk.mine(turn))) this.fillOn();
    });
  }

  /** Whoever answered by a form goes on with the next, unless they are writing by now. */
  fillOn() {
    const { asking } = this;
    if (!asking || asking.isUpdatePending || asking.pending !== this.talk.state.pending) return; // it is not drawn yet
    this.filling = false;
    const next = asking.querySelector("[name=answer]");
    if (next && !this.box.value && (this.active === this.box || this.active === this.log)) next.focus({ preventScroll: true });
  }

  /** What has the focus here. */
  get active() {
    return /** @type {ShadowRoot} */ (this.renderRoot).activeElement;
  }

  /** What the assistant is called here. */
  get name() {
    return this.heading ?? this.talk.me?.companion_name ?? document.title;
  }

  get log() {
    return this.renderRoot.querySelector(".log");
  }

  get box() {
    return this.renderRoot.querySelector(".composer textarea");
  }

  get asking() {
    return /** @type {import("./question.js").Question | null} */ (this.renderRoot.querySelector("softrail-question"));
  }

  get tray() {
    return this.renderRoot.querySelector("softrail-tray");
  }

  /** Whether the end is in sight, or was before that many pixels came. */
  near(more = 0) {
    const { log } = this;
    return log.scrollHeight - log.scrollTop - log.clientHeight - more < NEAR;
  }

  toEnd() {
    if (this.log) this.log.scrollTop = this.log.scrollHeight;
  }

  /** The end; but what is longer than the screen is read from its beginning. */
  toNewest() {
    const { log } = this;
    const last = log && [...log.querySelectorAll(".item")].pop();
    if (last) log.scrollTop += last.getBoundingClientRect().top - log.getBoundingClientRect().top - 8; // or as far as it goes
  }

  /** Where the focus goes when what had it is gone; a phone would open its keyboard in the message. */
  place() {
    (matchMedia("(pointer: coarse)").matches ? this.log : this.box)?.focus({ preventScroll: true });
  }

  announce(item) {
    const { pending } = this.talk.state;
    const labels = (pending?.choices ?? []).map((choice) => choice.label);
    const lines = [spoken(item.text), ...(item.effects ?? []).map((effect) => `✓ ${effect.summary}`)];
    if (labels.length) lines.push(this.texts.choices(labels));
    this.aloud = [...this.aloud.slice(-2), { key: item.key, text: lines.join("\n") }];
    this.tell("reply", { message: item.text, pending });
  }

  // -- elements

  render() {
    if (!this.texts) return nothing;
    if (this.launcher && !this.opened) return launch(this, () => this.unfold());
    if (!this.talk) return nothing;
    const close = this.launcher ? closing(this, () => this.fold()) : nothing;
    if (this.locked) return noEntry(this, close, (event) => this.unlock(event));
    return repeat([this.talk], (one) => one, () => this.frame(close)); // nothing drawn for one person is there for the next
  }

  frame(close) {
    const { talk, texts, name } = this;
    return html`<section class="frame" part="frame" aria-label=${this.page ? nothing : name} @dragover=${this.over}
      @drop=${(event) => this.attach(event, event.dataTransfer.files)}>
      <header part="header">
        <button type="button" class="quiet icon" aria-label=${texts.conversations} title=${texts.conversations} @click=${this.sessions}>${icon("menu")}</button>
        <div class="where">
          <h1 dir="auto" aria-level=${this.page ? 1 : 2}>${name}</h1>
          ${underWay(this)}
        </div>
        <button type="button" class="quiet icon" aria-label=${texts.new} title=${texts.new} @click=${() => this.open(null)}>${icon("new")}</button>
        ${close}
      </header>
      <div class="log" part="log" role="log" aria-label=${texts.conversation} aria-live="off" tabindex="0" @scroll=${this.scrolled} @keydown=${once}>
        ${talk.older ? html`<button type="button" class="quiet" @click=${() => talk.more()}>${texts.earlier}</button>` : nothing}
        ${talk.items.length || talk.link !== "ok" ? nothing : html`<div class="welcome"><h2>${texts.welcome}</h2><p>${texts.welcome_more}</p></div>`}
        <ol>
          ${repeat(talk.items, (item) => item.key, (item) => this.item(item))}
        </ol>
        ${this.question()} ${ways(this)}
      </div>
      <footer part="composer" @focusin=${this.ahead}>
        ${notes(this, (one) => this.takeUp(one))} ${this.trouble ? html`<p class="wrong" role="alert">${this.trouble}</p>` : nothing}
        <softrail-tray .talk=${talk} .texts=${texts}></softrail-tray>
        ${this.composer()}
      </footer>
      <div class="apart" aria-live="polite">${repeat(this.aloud, (said) => said.key, (said) => html`<p>${said.text}</p>`)}</div>
      <softrail-sessions .talk=${talk} .texts=${texts} @go=${(event) => this.open(event.detail)}></softrail-sessions>
      <softrail-why .talk=${talk} .texts=${texts}></softrail-why>
    </section>`;
  }

  item(item) {
    if (!item.text && !item.streaming && !item.effects?.length && item.role === "answer") return nothing;
    const { texts } = this;
    if (item.role === "person") {
      return html`<li class="item person ${item.standing === "waiting" ? "waiting" : ""}">
        <span class="apart">${texts.you}</span>
        <div class="words" part="said" dir="auto">${item.files?.length && item.text === namesOf(item.files) ? nothing : item.text}${this.filesOf(item)}</div>
        ${item.standing === "waiting"
          ? html`<div class="note row">
              ${texts.waiting}
              ${item.tried ? nothing : html`<button type="button" class="quiet" @click=${() => this.takeBack(item)}>${texts.take_back}</button>`}
            </div>`
          : nothing}
        ${item.standing === "refused"
          ? html`<div class="note row">
              <span class="wrong" role="alert" dir="auto">${texts.refused(item.erased ? texts.erased : item.error)}</span>
              <button type="button" class="quiet" @click=${() => this.takeBack(item)}>${texts.take_back}</button>
            </div>`
          : nothing}
      </li>`;
    }
    const done = (item.effects ?? []).filter((effect) => effect.kind !== "download_ready"); // it has a button
    return html`<li class="item answer">
      <span class="apart">${texts.answer}</span>
      <div class="words ${item.streaming && !item.text ? "dots" : ""}" part="answer" dir="auto">
        ${this.elements(item)}
        ${done.length
          ? html`<ul class="effects">
              ${done.map((effect) => html`<li dir="auto"><span aria-hidden="true">✓ </span>${effect.summary}</li>`)}
            </ul>`
          : nothing}
        ${this.filesOf(item)}
      </div>
      ${item.why
        ? html`<button type="button" class="quiet icon why" aria-label=${texts.why} title=${texts.why} @click=${() => this.why(item)}>${icon("why")}</button>`
        : nothing}
    </li>`;
  }

  /** The files that came with it or that it gives. */
  filesOf(item) {
    if (!item.files?.length && !/\/artifacts\/|\/facts\//.test(JSON.stringify([item.text, item.effects]))) return nothing;
    this.ahead();
    return html`<softrail-files .talk=${this.talk} .texts=${this.texts} .item=${item}
      @named=${({ detail }) => this.named(item, detail)} @grown=${({ detail }) => this.near(detail) && this.toNewest()}></softrail-files>`;
  }

  elements(item) {
    const known = this.told.get(item);
    if (known) return known;
    const made = markdown((item.given ?? []).reduce((text, file) => text.replaceAll(`/${file.path}`, literal(file.name)), item.text));
    this.told.set(item, made);
    return made;
  }

  /** What the files of an item are called: in its words they are called that, too, and not where they are. */
  named(item, files) {
    if (!files.some((file) => item.text.includes(file.path))) return;
    item.given = files;
    this.told.delete(item);
    this.requestUpdate();
  }

  question() {
    const { state, reason, outbox } = this.talk;
    const { pending, ways } = state;
    const answered = outbox.turns.some((turn) => this.talk.mine(turn) && turn.body.answers === pending?.id);
    const known = new Set([...ways.map((way) => way.label), ...(pending?.choices ?? []).map((choice) => choice.label)]);
    const suggested = pending?.choices.length || this.talk.busy ? [] : state.suggested.filter((said) => !known.has(said));
    return html`<softrail-question
      .pending=${answered ? null : pending}
      .suggested=${suggested}
      .reason=${reason}
      .texts=${this.texts}
      .locale=${this.talk.me?.locale}
      @say=${({ detail }) => this.talk.say(detail.body, detail.words)}
      @bring=${({ detail }) => this.files((tray) => tray.bring(detail))}
      @words=${() => this.box.focus()}
    ></softrail-question>`;
  }

  composer() {
    const { texts, talk } = this;
    return html`<form class="composer" @submit=${this.send}>
      <textarea aria-label=${texts.message} placeholder=${texts.message} rows="1" dir="auto" enterkeyhint="send"
        @input=${this.grow} @keydown=${this.pressed}
        @paste=${(event) => this.attach(event, event.clipboardData.types.includes("text/plain") ? [] : event.clipboardData.files)}></textarea>
      <input type="file" multiple hidden @change=${(event) => this.attach(event, event.target.files)} />
      <button type="button" class="quiet icon" aria-label=${texts.attach} title=${texts.attach}
        @click=${this.pick}>${icon("attach")}</button>
      ${talk.busy && talk.session
        ? html`<button type="button" class="icon stop" aria-label=${texts.stop} title=${texts.stop} @click=${() => talk.stop()}>${icon("stop")}</button>`
        : nothing}
      <button class="main icon" aria-label=${texts.send} title=${texts.send}>${icon("send")}</button>
    </form>`;
  }

  // -- what the person does

  pressed(event) {
    // 229: what an input method still composes; its Enter chooses a word and sends nothing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    this.send(event);
  }

  /** The chat of a launcher, with the focus where one writes. */
  async unfold() {
    this.opened = true;
    await this.updateComplete;
    await this.updateComplete; // it begins with the first
    this.box?.focus();
  }

  /** The launcher's button again; what is said goes on. */
  async fold() {
    this.opened = false;
    await this.updateComplete;
    this.renderRoot.querySelector(".launch").focus();
  }

  send(event) {
    event.preventDefault();
    const message = this.box.value.trim();
    if (!this.talk.me) return;
    const long = [...message].length > LONGEST; // it stays in the box, to be made shorter
    this.trouble = long ? this.texts.too_long(LONGEST) : "";
    if (long) return;
    const said = this.tray.take ? this.tray.take(message) : message && [{ message }];
    if (!said) return;
    this.talk.say(...said);
    this.box.value = "";
    this.grow();
    this.box.focus({ preventScroll: true });
  }

  /** What shows and sends files, before the network may be away. */
  ahead() {
    return (this.loading ??= this.more(() => import("./files.js")).catch(() => (this.loading = null)));
  }

  pick(event) {
    const input = event.currentTarget.previousElementSibling;
    input.value = ""; // the same one again
    input.click();
  }

  /** For the next message, unless a form of the question has taken them. */
  attach(event, found) {
    const files = [...found];
    if (!files.length || event.defaultPrevented) return;
    event.preventDefault();
    this.files((tray) => tray.add(files));
  }

  async files(go) {
    this.trouble = (await this.ahead()) ? "" : this.texts.nobody;
    if (!this.trouble) go(this.tray);
  }

  over(event) {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    this.ahead();
  }

  /** What this person was writing before the page was loaded again. */
  get wrote() {
    const [, whose, words] = /^(\S+) (.*)$/s.exec(stored(WRITTEN) ?? "") ?? [];
    return whose === this.talk.me.id ? words : "";
  }

  /** The box is as high as what is written, which is kept. */
  grow() {
    const { box, talk } = this;
    keep(WRITTEN, box.value && `${talk.me?.id} ${box.value}`);
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 2}px`;
  }

  scrolled() {
    if (this.log.scrollTop < NEAR) this.talk.more();
  }

  takeBack(item) {
    this.talk.takeBack(item);
    this.tray.back?.(item.files);
    if (!this.box.value) this.box.value = item.text;
    this.grow();
    this.box.focus();
  }

  takeUp(one) {
    this.talk.takeUp(one);
    this.place();
  }

  sessions() {
    this.dialog("softrail-sessions", () => import("./sessions.js"));
  }

  why(item) {
    this.dialog("softrail-why", () => import("./why.js"), item.turn);
  }

  /** A dialog is loaded when it is first wanted, with the words for it. */
  async dialog(name, load, ...about) {
    try {
      await this.more(load);
      await this.updateComplete;
      await this.renderRoot.querySelector(name).show(...about);
    } catch {
      this.aloud = [...this.aloud.slice(-2), { key: {}, text: this.texts.nobody }];
    }
  }

  /**
   * Something, with the words for it.
   * @returns {Promise<boolean>}
   */
  async more(load) {
    const { lang } = this;
    const [words] = await Promise.all([moreTexts(lang), load()]);
    if (lang !== this.lang) return this.more(load); // it speaks another by now
    this.texts = { ...this.texts, ...words };
    return this.updateComplete;
  }

  async open(session) {
    this.talk.open(session).catch(() => this.lock()); // what passes is tried again there
    this.place();
  }

  unlock(event) {
    event.preventDefault();
    const key = event.target.key.value.trim();
    if (!key) return;
    keep(KEY, key);
    this.begin();
  }
}

customElements.define("softrail-chat", Chat);
// A browser brings no key when it opens an address: the inspector stands behind the # of this page, too, and asks for one.
if (location.hash.startsWith("#inspect") && document.querySelector("softrail-chat[page]")) import("./inspect/inspect.js").then((page) => page.inPlaceOfChat(), console.info);
