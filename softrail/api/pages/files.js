/** Files: those that go with the next message, and those that were said or given, to be downloaded. Names are words. */
import { css, html, LitElement, nothing, repeat } from "./vendor/lit.js";
import { at, newId, Refusal } from "./asking.js";
import { FILE } from "./markdown.js";
import { FILES, keep, stored } from "./outbox.js";
import { size } from "./values.js";

const FIRST = 300; // milliseconds before the second try
const MOST = 30_000;
const MOST_FILES = 10; // that one message may bring
const DATA = /\.(csv|tsv|json|ndjson|jsonl|parquet|xlsx|sqlite|sqlite3|db)$/i; // what plans are made over
const PICTURE = /\.(svg|png)$/i;
const LARGEST = 2_000_000; // bytes of a picture that is shown

const styles = css`
  .tray {
    list-style: none;
    padding: 0;
    margin-block: 0 0.5rem;
    max-height: 30vh;
    overflow-y: auto;
  }
  .tray li {
    display: flex;
    align-items: center;
  }
  .tray li + li {
    border-top: 1px solid var(--line);
  }
  .tray li.refused {
    border-inline-start: 0.25rem solid var(--bad);
    padding-inline-start: 0.5rem;
  }
  .below {
    display: block;
  }
  .name {
    overflow-wrap: anywhere;
    white-space: normal;
  }
  softrail-files {
    white-space: normal;
  }
  .words .files {
    list-style: none;
    padding: 0;
    margin: 0.25rem 0 0;
  }
  .words .files li {
    white-space: normal;
  }
  .words .files small {
    white-space: nowrap;
  }
  .words .drawing {
    display: block;
    max-width: 100%;
    height: auto;
    margin-block: 0.5rem;
    border-radius: 0.5rem;
    background: #fff;
  }
`;

const formOf = (file) => {
  const form = new FormData();
  form.append("file", file, file.name);
  return form;
};

/** Where the files are that an answer gives: what was done says it, or its words do. */
export const given = (item) => {
  const told = [item.text, ...(item.effects ?? []).map((effect) => effect.ref ?? "")].join(" ");
  return [...new Set(told.match(FILE) ?? [])].map((path) => path.slice(1));
};

/** The files that can be shown as a picture: one of each name, drawn rather than painted. */
function drawingsOf(files) {
  const byName = new Map();
  for (const file of files.filter((one) => PICTURE.test(one.name) && one.size <= LARGEST)) {
    const stem = file.name.replace(PICTURE, "");
    if (!byName.has(stem) || /svg$/i.test(file.name)) byName.set(stem, file);
  }
  return [...byName.values()];
}

function addressOf(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = reject;
    reader.readAsDataURL(blob);
  });
}

const asked = new WeakMap(); // whether there are plans, for each talk that asked

/** Whether there are plans here. */
async function plans(talk) {
  if (!asked.has(talk)) asked.set(talk, (await talk.client.json("GET", "processes")).items.some((kind) => kind.name === "planning"));
  return asked.get(talk);
}

/** Save a file. A link would carry no key: it is fetched, and saved from here. */
export async function save(client, path, name) {
  const response = await client.ask("GET", path);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Send a form and tell how much of it is gone, from 0 to 1; what the server answers. Raises Refusal, or TypeError without an answer. */
async function upload(asking, path, form, { key, progress, signal }) {
  for (let renewed = false; ; renewed = true) {
    const credential = await asking.credential();
    const { kept } = asking;
    const headers = { "Idempotency-Key": key, ...(credential ? { Authorization: `Bearer ${credential}` } : {}) };
    const answer = await posted(new URL(path, asking.base), form, { headers, progress, signal });
    if (answer.status < 300) return answer.body;
    if (answer.status !== 401 || !asking.token || renewed) throw new Refusal(answer.status, answer.body.error ?? {}, answer.after);
    if (asking.kept === kept) asking.kept = null;
  }
}

/** `fetch` does not tell how far it is. */
function posted(url, form, { headers, progress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const over = () => reject(new TypeError("No answer came."));
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onload = () => resolve({ status: request.status, body: read(request.responseText), after: Number(request.getResponseHeader("Retry-After")) || 0 });
    request.onerror = request.onabort = over;
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) over();
    else request.send(form);
  });
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {}; // something between the page and the server answered, in words of its own
  }
}

/** `<softrail-tray>`: what goes with the next message. Each file is sent until the server has it, and kept there once. */
export class Tray extends LitElement {
  static properties = { talk: { attribute: false }, texts: { attribute: false }, files: { state: true }, told: { state: true } };

  constructor() {
    super();
    this.files = [];
    this.told = "";
    this.lost = ""; // names of files that were on their way when the page was loaded again
    this.knows = false; // what was kept for this conversation
    this.held = false; // what was written goes as soon as its files are there
    this.keys = new WeakMap();
    this.settling = null;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    const root = this.getRootNode();
    const { styleSheet } = styles;
    if (!root.adoptedStyleSheets.includes(styleSheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.clear();
  }

  /** The element that it is drawn in. */
  get chat() {
    return /** @type {import("./chat.js").Chat} */ (this.getRootNode().host);
  }

  willUpdate(changed) {
    if (!changed.has("talk")) return;
    this.recall();
    const { talk } = this;
    talk.addEventListener("change", (event) => event.detail === "opened" && this.talk === talk && this.recall()); // another conversation
  }

  updated() {
    if (!this.knows) return;
    const kept = this.files.filter((file) => file.id || file.content).map(({ id, name, bytes }) => ({ id, name, size: bytes }));
    keep(FILES, kept.length ? JSON.stringify({ session: this.talk.session, kept }) : "");
  }

  /** What was here before the page was loaded again: files on the server go with the next message, others have to be chosen again. */
  recall() {
    this.clear();
    this.knows = Boolean(this.talk.me);
    const { session, kept } = JSON.parse(stored(FILES) ?? "{}");
    if (!this.knows || !kept || session !== this.talk.session) return;
    this.back(kept.filter((file) => file.id));
    const lost = kept.filter((file) => !file.id);
    this.lost = lost.map((file) => file.name).join(", ");
  }

  /** Whether something is still on its way. */
  get busy() {
    return this.files.some((file) => ["sending", "waiting"].includes(file.standing));
  }

  /** What is said now, with the files that are there, which leaves this tray; null: nothing, or they come first. */
  take(message) {
    this.held = this.busy && (message || this.files.length > 0);
    if (this.held) return void (this.told = this.texts.files_first);
    const files = this.files.filter((file) => file.standing === "ready").map(({ id, name, bytes }) => ({ id, name, size: bytes }));
    const attachments = files.map((file) => file.id).filter(Boolean);
    if (!message && !attachments.length) return null;
    this.files = this.files.filter((file) => file.standing !== "ready");
    this.told = "";
    const words = message || files.map((file) => file.name).join(", ");
    return [{ ...(message && { message }), ...(attachments.length && { attachments }) }, words, files];
  }

  /** Files of a message that was taken back. */
  back(files = []) {
    const again = files.map(({ id, name, size: bytes }) => ({ key: newId(), name, bytes, id, standing: "ready", stop: new AbortController() }));
    this.files = [...this.files, ...again];
  }

  /** Nothing is on its way any more. */
  clear() {
    for (const file of this.files) file.stop.abort();
    this.files = [];
    this.told = this.lost = "";
    this.held = false;
  }

  /** Files for the form of a question: each in its own request, then the turn that brings them. */
  async bring({ files, question, done }) {
    const sent = [];
    const session = await this.settled();
    try {
      for (const file of files) {
        done({ sending: this.texts.file_sending(file.name) });
        if (!this.keys.has(file)) this.keys.set(file, newId()); // tried again, it is there once
        const form = formOf(file);
        const options = { key: this.keys.get(file), progress: () => {}, signal: new AbortController().signal };
        sent.push(await upload(this.talk.client, at`sessions/${session}/attachments`, form, options));
      }
    } catch (error) {
      return done({ wrong: this.texts.failed(error instanceof Refusal ? error.message : this.texts.nobody) });
    }
    done({});
    const attachments = sent.map((file) => file.id);
    this.talk.say({ answers: question, attachments }, sent.map((file) => file.name).join(", "), sent);
  }

  add(chosen) {
    const room = Math.max(0, MOST_FILES - this.files.length);
    const more = [...chosen].slice(0, room).map((content) => ({
      key: newId(),
      name: content.name,
      bytes: content.size,
      content,
      done: 0,
      standing: "waiting",
      stop: new AbortController(),
    }));
    this.files = [...this.files, ...more];
    this.lost = "";
    this.told = chosen.length > room ? this.texts.files_many(MOST_FILES) : this.held ? this.texts.files_first : "";
    for (const file of more) this.deliver(file);
  }

  async deliver(file) {
    const { signal } = file.stop;
    const most = this.talk.me.upload_limit ?? Infinity;
    let wait = FIRST;
    try {
      await file.content.slice(0, 1).arrayBuffer(); // a folder, or a file that is gone by now
    } catch {
      return this.stands(file, "refused", this.texts.file_unreadable);
    }
    while (!signal.aborted) {
      try {
        if (navigator.onLine !== false) {
          const data = await this.isData(file);
          if (!data && file.bytes > most) return this.stands(file, "refused", this.texts.too_large(size(most)));
          this.stands(file, "sending");
          await this.sendOnce(file, data);
          return this.stands(file, "ready");
        }
      } catch (error) {
        if (signal.aborted) return;
        const refusal = error instanceof Refusal ? error : null;
        if (refusal && !refusal.passes && refusal.status !== 401) return this.stands(file, "refused", refusal.message);
        if (refusal?.status === 401) this.talk.locked();
        wait = Math.min(MOST, Math.max(wait, (refusal?.after ?? 0) * 1000));
      }
      this.stands(file, "waiting");
      await this.talk.sleep(wait, signal);
      wait = Math.min(MOST, wait * 2);
    }
  }

  /** Whether a file is data for plans here, and no answer to a question for a file. */
  async isData(file) {
    if (!DATA.test(file.name) || this.talk.state.pending?.schema?.format === "attachment") return false;
    return plans(this.talk);
  }

  /** One try. A file has its key before the first, and data replaces what has its name: so it is there once. */
  async sendOnce(file, data) {
    const session = await this.settled();
    const form = formOf(file.content);
    if (data) form.append("name", file.name);
    const path = data ? at`sessions/${session}/sources` : at`sessions/${session}/attachments`;
    const progress = (part) => {
      file.done = part;
      this.requestUpdate();
    };
    const kept = await upload(this.talk.client, path, form, { key: file.key, progress, signal: file.stop.signal });
    file.name = kept.name;
    file.content = null;
    if (data) {
      file.erase = at`sessions/${session}/sources/${kept.id}`;
      file.about = this.texts.file_data(kept.tables.reduce((sum, one) => sum + one.rows, 0));
      file.repairs = kept.tables.flatMap((one) => one.repairs);
    } else {
      file.id = kept.id;
      file.erase = at`sessions/${session}/attachments/${kept.id}`;
    }
  }

  stands(file, standing, error = "") {
    const before = file.standing;
    Object.assign(file, { standing, error });
    if (!this.files.includes(file)) return;
    if (standing === "refused") this.held = false; // whoever wrote decides
    if (standing !== before && !this.held) this.told = this.texts[`file_${standing}`]?.(file.name) ?? ""; // held, it keeps saying so
    this.requestUpdate();
    if (this.held && !this.busy) this.chat.send(new Event("submit"));
  }

  /** The session that is shown; one is opened where nothing was said yet. */
  async settled() {
    const { talk } = this;
    const said = () => talk.outbox.turns.some((turn) => talk.mine(turn));
    while (!talk.session && said()) await talk.sleep(FIRST); // its first turn opens it
    if (talk.session) return talk.session;
    this.settling ??= talk.client.json("POST", "sessions", {}).finally(() => (this.settling = null));
    const { draft } = talk;
    const { id } = await this.settling;
    if (talk.session || talk.draft !== draft || said()) return this.settled(); // something else was faster
    talk.belongs(id);
    return id;
  }

  /** Take one out before it is sent; whoever did keeps a place. */
  async takeOut(file) {
    const index = this.files.indexOf(file);
    file.stop.abort();
    this.files = this.files.filter((one) => one !== file);
    this.told = this.texts.file_out(file.name);
    this.held = false;
    if (file.erase) this.talk.client.json("DELETE", file.erase).catch(() => {}); // it stays in the list of files
    await this.updateComplete;
    const buttons = this.querySelectorAll("button");
    if (buttons.length) buttons[Math.min(index, buttons.length - 1)].focus();
    else this.chat.place();
  }

  render() {
    const { texts } = this;
    if (!texts.file_take_out) return nothing; // its words are on their way
    const lost = this.lost && texts.files_again(this.lost);
    return html`${this.files.length
        ? html`<ul class="tray" aria-label=${texts.files_next}>
            ${repeat(this.files, (file) => file.key, (file) => this.entry(file))}
          </ul>`
        : nothing}
      <div class=${lost || [texts.files_first, texts.files_many?.(MOST_FILES)].includes(this.told) ? "note" : "apart"} role="status">${this.told || lost}</div>`;
  }

  entry(file) {
    const { texts } = this;
    const { standing, bytes, done } = file;
    return html`<li class=${standing}>
      <div class="grow">
        <bdi class="name">${file.name}</bdi> <small>${[size(bytes), file.about].filter(Boolean).join(" · ")}</small>
        ${standing === "sending"
          ? html`<progress aria-label=${file.name} max="1" .value=${done}></progress>
              <small>${done < 1 ? `${Math.floor(done * 100)} %` : texts.file_looked_at}</small>`
          : nothing}
        ${standing === "waiting" ? html`<small class="below">${texts.file_waiting(file.name)}</small>` : nothing}
        ${standing === "refused" ? html`<small class="below wrong" role="alert" dir="auto">${texts.refused(file.error)}</small>` : nothing}
        ${(file.repairs ?? []).map((line) => html`<small class="below" dir="auto">${line}</small>`)}
      </div>
      <button type="button" class="quiet icon" aria-label=${texts.file_take_out(file.name)} title=${texts.file_take_out(file.name)} @click=${() => this.takeOut(file)}>×</button>
    </li>`;
  }
}

/** `<softrail-files>`: files of an item. What the person sent is known; of what an answer gives the name and size are asked for. */
export class Files extends LitElement {
  static properties = {
    talk: { attribute: false },
    texts: { attribute: false },
    item: { attribute: false },
    there: { state: true },
    drawings: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.there = [];
    this.drawings = []; // what is shown here itself
    this.trouble = "";
    this.known = new Map();
  }

  createRenderRoot() {
    return this;
  }

  willUpdate(changed) {
    if (changed.has("item")) this.look();
  }

  async look() {
    const { item, talk } = this;
    const sent = (item.files ?? []).map((file) => ({ ...file, path: file.id && at`sessions/${talk.session}/attachments/${file.id}/download` }));
    const paths = item.streaming ? [] : given(item);
    const found = (await Promise.all(paths.map((path) => this.described(path)))).filter(Boolean);
    this.there = [...sent, ...found];
    if (found.length) this.dispatchEvent(new CustomEvent("named", { detail: found }));
    this.drawings = await Promise.all(drawingsOf(found).map((file) => this.drawn(file)));
  }

  /** A picture as an address that is its content: it runs nothing, and asks for nothing. */
  async drawn(file) {
    file.shown ??= this.talk.client
      .ask("GET", file.path)
      .then((response) => response.blob())
      .then(addressOf);
    const told = (this.item.effects ?? []).find((effect) => effect.ref === `/${file.path}`);
    const address = await file.shown.catch(() => (file.shown = undefined) ?? "");
    return { ...file, address, title: told?.summary ?? file.name };
  }

  /** What a file is called and how large it is; null: it is not there, or not for this person. */
  described(path) {
    if (!this.known.has(path)) this.known.set(path, this.ask(path));
    return this.known.get(path);
  }

  async ask(path) {
    try {
      const { headers } = await this.talk.client.ask("HEAD", path);
      const [, name = ""] = /filename\*=UTF-8''([^;]+)/.exec(headers.get("Content-Disposition") ?? "") ?? [];
      return { path, name: decodeURIComponent(name), size: Number(headers.get("Content-Length")) };
    } catch (error) {
      if (!(error instanceof Refusal)) this.known.delete(path); // asked for again when the item is told again
      return null;
    }
  }

  render() {
    const { texts } = this;
    if (!this.there.length || !texts.file_save) return nothing;
    return html`${this.drawings.filter((one) => one.address).map((one) => html`<img class="drawing" src=${one.address} alt=${one.title} @load=${this.grown} />`)}
      <ul class="files" aria-label=${texts.files}>
        ${this.there.map(
          (file) => html`<li>
            ${file.path
              ? html`<button type="button" class="quiet file" aria-label=${texts.file_save(file.name, size(file.size))} @click=${() => this.save(file)}>
                  <span aria-hidden="true">↓</span> <bdi class="name">${file.name}</bdi> <small>${size(file.size)}</small>
                </button>`
              : html`<span class="file"><bdi class="name">${file.name}</bdi> <small>${size(file.size)}</small></span>`}
          </li>`,
        )}
      </ul>
      ${this.trouble ? html`<p class="wrong" role="alert">${this.trouble}</p>` : nothing}`;
  }

  /** A picture takes its room when it is there. */
  grown() {
    this.dispatchEvent(new CustomEvent("grown", { detail: this.getBoundingClientRect().height }));
  }

  async save(file) {
    this.trouble = "";
    try {
      await save(this.talk.client, file.path, file.name);
    } catch (error) {
      this.trouble = this.texts.failed(error instanceof Refusal ? error.message : this.texts.nobody);
    }
  }
}

customElements.define("softrail-tray", Tray);
customElements.define("softrail-files", Files);
