/** `<softrail-sessions>`: a person's conversations, to go to, call something, erase; and the files of the one shown. */
import { html, LitElement, nothing } from "./vendor/lit.js";
import { at, Refusal } from "./asking.js";
import { icon } from "./controls.js";
import { save } from "./files.js";
import { size } from "./values.js";

export class Sessions extends LitElement {
  static properties = {
    talk: { attribute: false },
    texts: { attribute: false },
    list: { state: true },
    files: { state: true },
    next: { state: true },
    doing: { state: true }, // {id, what}: "rename" or "erase"
    trouble: { state: true },
  };

  createRenderRoot() {
    return this;
  }

  async show() {
    Object.assign(this, { list: null, files: [], next: null, doing: null, trouble: "" });
    await this.updateComplete;
    this.querySelector("dialog").showModal();
    await this.tried(() => Promise.all([this.load(), this.loadFiles()]));
  }

  async load(before = "") {
    const page = await this.talk.client.json("GET", `sessions?limit=20${before && at`&before=${before}`}`);
    if (before && before !== this.next) return; // it was asked for twice
    this.list = before ? [...this.list, ...page.items] : page.items;
    this.next = page.next;
  }

  async loadFiles() {
    const { session } = this.talk;
    this.files = session ? (await Promise.all([this.sent(session), this.data(session)])).flat() : [];
  }

  async sent(session) {
    const path = at`sessions/${session}/attachments`;
    const found = [];
    try {
      for (let next = ""; next !== null; ) {
        const page = await this.talk.client.json("GET", `${path}?limit=100${next && at`&before=${next}`}`);
        found.push(...page.items);
        ({ next } = page);
      }
    } catch {
      // This application keeps none.
    }
    return found.map((file) => ({ ...file, path: `${path}/${file.id}`, saved: true }));
  }

  /** What plans here are made over. */
  async data(session) {
    const { client } = this.talk;
    const kinds = (await client.json("GET", "processes")).items;
    if (!kinds.some((kind) => kind.name === "planning")) return [];
    const path = at`sessions/${session}/sources`;
    return (await client.json("GET", path)).items.map((file) => ({ ...file, size: file.bytes, path: `${path}/${file.id}` }));
  }

  render() {
    const { texts } = this;
    return html`<dialog class="drawer" aria-labelledby="sessions-title">
      <div class="row spread">
        <h2 id="sessions-title">${texts.conversations}</h2>
        <button type="button" class="quiet" @click=${this.close}>${texts.close}</button>
      </div>
      <button type="button" class="main wide-button" @click=${() => this.go(null)}>${texts.new}</button>
      ${this.trouble ? html`<p class="wrong" role="alert">${this.trouble}</p>` : nothing}
      ${this.list || this.trouble ? nothing : html`<p>${texts.connecting}</p>`}
      <ul class="sessions">
        ${(this.list ?? []).map((one) => this.entry(one))}
      </ul>
      ${this.next ? html`<button type="button" class="quiet" @click=${() => this.tried(() => this.load(this.next))}>${texts.more}</button>` : nothing}
      ${this.files?.length
        ? html`<h3>${texts.files}</h3>
            <ul class="files">
              ${this.files.map((file) => this.file(file))}
            </ul>`
        : nothing}
    </dialog>`;
  }

  entry(one) {
    const { texts } = this;
    const title = one.title ?? texts.untitled;
    const here = one.id === this.talk.session;
    const doing = (this.doing?.id === one.id && this.doing?.what) || "";
    const choose = (what) => () => this.act(one.id, what);
    return html`<li class=${here ? "here" : ""}>
      <div class="line">
        <button type="button" class="session" aria-current=${here ? "true" : nothing} @click=${() => this.go(one.id)}>
          <strong dir="auto">${title}</strong>
          <span dir="auto">${one.last_message ?? ""}</span>
          ${one.process?.title || one.waits
            ? html`<small dir="auto">${[one.process?.title, one.waits ? texts.waits : ""].filter(Boolean).join(" · ")}</small>`
            : nothing}
        </button>
        <button type="button" class="quiet icon" aria-label=${texts.rename_this(title)} title=${texts.rename} @click=${choose("rename")}>${icon("rename")}</button>
        <button type="button" class="quiet icon" aria-label=${texts.erase_this(title)} title=${texts.erase} @click=${choose("erase")}>${icon("erase")}</button>
      </div>
      ${doing === "rename"
        ? html`<form class="row" @submit=${(event) => this.rename(event, one)}>
            <label class="grow">${texts.name}<input name="title" maxlength="100" required dir="auto" .value=${one.title ?? ""} /></label>
            <button class="main">${texts.save}</button>
            <button type="button" class="quiet" @click=${choose("")}>${texts.cancel}</button>
          </form>`
        : doing === "erase"
          ? html`<div class="row">
              <p class="grow">${texts.erase_sure}</p>
              <button type="button" class="danger" @click=${() => this.erase(one)}>${texts.erase}</button>
              <button type="button" class="quiet" @click=${choose("")}>${texts.cancel}</button>
            </div>`
          : nothing}
    </li>`;
  }

  file(file) {
    const { texts } = this;
    return html`<li class="row">
      <span class="grow" dir="auto">${file.name} <small>${size(file.size)}</small></span>
      ${file.saved
        ? html`<button type="button" class="quiet" aria-label=${texts.download(file.name)} @click=${() => this.tried(() => save(this.talk.client, `${file.path}/download`, file.name))}>↓</button>`
        : nothing}
      <button type="button" class="quiet" aria-label=${texts.erase_file(file.name)} @click=${() => this.tried(() => this.eraseFile(file))}>×</button>
    </li>`;
  }

  act(id, what) {
    this.doing = what ? { id, what } : null;
    const index = this.list.findIndex((one) => one.id === id);
    this.updateComplete.then(() => {
      const entry = this.querySelectorAll(".sessions > li")[index];
      (entry?.querySelector("input") ?? entry?.querySelector(".danger") ?? entry?.querySelector(".quiet"))?.focus();
    });
  }

  go(id) {
    this.close();
    this.dispatchEvent(new CustomEvent("go", { detail: id }));
  }

  close() {
    this.querySelector("dialog").close();
  }

  rename(event, one) {
    event.preventDefault();
    const title = event.target.elements.title.value.trim();
    this.tried(async () => {
      const changed = await this.talk.client.json("PATCH", at`sessions/${one.id}`, { title: title || null });
      this.list = this.list.map((other) => (other.id === one.id ? changed : other));
      this.act(one.id, "");
    });
  }

  erase(one) {
    this.tried(async () => {
      await this.talk.client.json("DELETE", at`sessions/${one.id}`);
      this.list = this.list.filter((other) => other.id !== one.id);
      this.doing = null;
      if (this.talk.session === one.id) this.go(null);
      else this.updateComplete.then(() => this.querySelector(".main").focus());
    });
  }

  async eraseFile(file) {
    await this.talk.client.json("DELETE", file.path);
    await this.loadFiles();
    this.querySelector(".main").focus();
  }

  async tried(what) {
    this.trouble = "";
    try {
      await what();
    } catch (error) {
      this.trouble = this.texts.failed(error instanceof Refusal ? error.message : this.texts.nobody);
    }
  }
}

customElements.define("softrail-sessions", Sessions);
