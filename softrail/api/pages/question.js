/** `<softrail-question>`: the open question with its choices as buttons, and a form where that is better than words. */
import { html, LitElement, nothing, repeat } from "./vendor/lit.js";
import { keep, stored } from "./outbox.js";

const FORMS = "softrail.forms"; // "open" or "closed", as the person last wished

/** What judges a filled-in form is loaded when there is one. */
const judging = () => import("./values.js");

export class Question extends LitElement {
  static properties = {
    pending: { attribute: false },
    suggested: { attribute: false },
    reason: { attribute: false },
    texts: { attribute: false },
    locale: { attribute: false },
    wrong: { state: true },
    sending: { state: true },
  };

  createRenderRoot() {
    return this; // the conversation's styles are its own
  }

  willUpdate(changed) {
    if (changed.has("pending") && this.pending?.id !== changed.get("pending")?.id) {
      this.field = this.pending?.schema ? fieldOf(this.pending.schema) : null;
      if (this.pending?.choices.length && this.field?.kind === "choice") this.field = null; // the buttons are the form
      const wished = stored(FORMS);
      this.open = this.field && (wished ? wished === "open" : helps(this.field));
      if (this.open) judging().catch(() => {}); // ahead of being wanted
      this.wrong = "";
      this.sending = "";
    }
    if (changed.has("reason") && this.reason && this.reason.question === this.pending?.id) {
      this.wrong = this.reason.text;
      this.open = Boolean(this.field);
    }
  }

  updated(changed) {
    if (changed.has("reason") && this.reason?.question === this.pending?.id) this.fill(this.reason?.value);
    if (changed.has("wrong") && this.wrong) {
      this.querySelector('[aria-invalid="true"]')?.focus();
    }
  }

  render() {
    const { pending, texts } = this;
    const choices = pending?.choices ?? [];
    if (!pending && !this.suggested?.length) return nothing;
    return html`<section class="question" aria-label=${texts.question}>
      ${choices.length ? html`<div class="choices">${repeat(choices, (one) => `${pending?.id} ${one.label}`, (one, n) => this.choice(one, n))}</div>` : nothing}
      ${this.suggested?.length
        ? html`<div class="choices">
            ${this.suggested.map((said) => html`<button type="button" @click=${(event) => event.detail < 2 && this.say({ message: said })}>${said}</button>`)}
          </div>`
        : nothing}
      ${this.field ? (this.open ? this.form() : this.opener()) : nothing}
    </section>`;
  }

  choice({ label, hint }, n) {
    const said = { message: label, answers: this.pending?.id };
    return html`<button type="button" class="choice" aria-labelledby="choice-${n}" aria-describedby=${hint ? `hint-${n}` : nothing} @click=${(event) => event.detail < 2 && this.say(said)}>
      <span id="choice-${n}" dir="auto">${label}</span>
      ${hint ? html`<small id="hint-${n}" dir="auto">${hint}</small>` : nothing}
    </button>`;
  }

  opener() {
    return html`<button type="button" class="quiet" @click=${() => this.wish("open")}>${this.texts.use_form}</button>`;
  }

  form() {
    const { texts } = this;
    return html`<form novalidate @submit=${this.submit} @drop=${this.dropped}>
      ${this.entry(this.field)}
      <p role="status" class="sending">${this.sending}</p>
      <div class="row">
        <button type="submit" class="main" ?disabled=${Boolean(this.sending)}>${texts.submit}</button>
        <button type="button" class="quiet" @click=${() => this.wish("closed")}>${texts.use_words}</button>
      </div>
    </form>`;
  }

  entry(field) {
    const { wrong, texts } = this;
    const about = { lines: texts.one_per_line, file: texts.drop }[field.kind];
    const described = [wrong ? "answer-wrong" : "", about ? "answer-about" : ""].filter(Boolean).join(" ") || nothing;
    const label = this.pending?.prompt;
    return html`<div class="entry">
      ${field.kind === "many"
        ? html`<fieldset aria-describedby=${described}>
            <legend class="apart">${label}</legend>
            ${field.options.map((one, n) => this.check(one, n))}
          </fieldset>`
        : html`<label class="apart" for="answer">${label}</label>${this.input(field, described)}`}
      ${about ? html`<small id="answer-about">${about}</small>` : nothing}
      ${wrong ? html`<p class="wrong" id="answer-wrong" dir="auto">${wrong}</p>` : nothing}
    </div>`;
  }

  check(option, n) {
    return html`<label class="check">
      <input type="checkbox" name="answer" value=${n} aria-invalid=${this.wrong && !n ? "true" : nothing} />
      <span dir="auto">${this.pending?.choices[n]?.label ?? shown(option, this.texts)}</span>
    </label>`;
  }

  input(field, described) {
    const invalid = this.wrong ? "true" : nothing;
    if (field.kind === "choice") {
      return html`<select id="answer" name="answer" aria-invalid=${invalid} aria-describedby=${described} required>
        <option value="">${this.texts.choose_one}</option>
        ${field.options.map((one, n) => html`<option value=${n}>${shown(one, this.texts)}</option>`)}
      </select>`;
    }
    if (field.kind === "lines") {
      return html`<textarea id="answer" name="answer" rows="3" required dir="auto" aria-invalid=${invalid} aria-describedby=${described}></textarea>`;
    }
    const type = { date: "date", time: "time", moment: "datetime-local", file: "file" }[field.kind] ?? "text";
    const mode = field.kind === "number" ? (field.schema.type === "integer" ? "numeric" : "decimal") : nothing;
    return html`<input id="answer" name="answer" type=${type} inputmode=${mode} step=${type === "time" ? 60 : nothing}
      accept=${type === "file" ? (field.schema.accept ?? []).join(",") : nothing} ?multiple=${field.many}
      autocomplete="off" dir="auto" aria-invalid=${invalid} aria-describedby=${described} required />`;
  }

  submit(event) {
    event.preventDefault();
    if (this.field.kind === "file") return void this.bring(this.querySelector('input[type="file"]').files);
    this.give(this.pending, this.raw());
  }

  async give(pending, raw) {
    if (this.giving) return; // it is on its way
    this.giving = true;
    try {
      const { called, inWords, valueOf } = await judging();
      if (this.pending !== pending) return; // it is not asked any more
      const { value, wrong = "" } = valueOf(this.field, raw, this.texts);
      this.wrong = wrong;
      this.given = { raw, value };
      const message = wrong ? null : inWords(this.field, value, this.locale);
      if (!wrong) this.say({ answers: pending.id, value, ...(message && { message }) }, message ?? written(called(this.field, value, pending.choices), this.texts));
    } catch {
      this.wrong = this.texts.nobody; // the network is away, and what judges had not come yet
    } finally {
      this.giving = false;
    }
  }

  raw() {
    const found = [...this.querySelectorAll("[name=answer]")];
    if (this.field.kind !== "many") return found[0].value;
    return found.filter((one) => one.checked).map((one) => this.field.options[Number(one.value)]);
  }

  /** What was given stays there, to be put right. */
  fill(value) {
    if (!this.field || value === undefined) return;
    const { kind, options = [] } = this.field;
    if (kind === "many") {
      for (const box of this.querySelectorAll("[name=answer]")) box.checked = value.includes?.(options[Number(box.value)]);
      return;
    }
    const box = this.querySelector("#answer");
    if (!box || kind === "file") return;
    const { given } = this;
    const typed = given && given.value === value ? given.raw : undefined;
    box.value = typed ?? (kind === "moment" ? value.slice(0, 16) : kind === "choice" ? options.indexOf(value) : written(value, this.texts));
  }

  dropped(event) {
    if (this.field.kind !== "file" || !event.dataTransfer.files.length) return;
    event.preventDefault();
    this.bring(event.dataTransfer.files);
  }

  /** Send files, each in its own request, then the turn that brings them. */
  async bring(chosen) {
    const files = [...chosen];
    const most = this.field.schema.maxBytes ?? Infinity;
    const large = files.find((file) => file.size > most);
    if (!files.length) this.wrong = this.texts.needed;
    else if (large) this.wrong = this.texts.too_large((await judging()).size(most));
    else {
      const question = this.pending?.id;
      this.wrong = "";
      this.dispatchEvent(new CustomEvent("bring", { detail: { files, question, done: (told) => this.brought(told) } }));
    }
  }

  /** How far sending is: `{sending}`, or why it did not work: `{wrong}`. */
  brought({ sending = "", wrong }) {
    this.sending = sending;
    if (wrong) this.wrong = wrong;
  }

  wish(how) {
    keep(FORMS, how);
    this.open = how === "open";
    this.requestUpdate();
    this.updateComplete.then(() => {
      if (this.open) this.querySelector("[name=answer]")?.focus();
      if (this.open) this.querySelector("form")?.scrollIntoView({ block: "nearest" }); // with its buttons
      else this.dispatchEvent(new Event("words"));
    });
  }

  say(body, words) {
    this.dispatchEvent(new CustomEvent("say", { detail: { body, words } }));
  }
}

/** An option as people read it. */
const shown = (option, texts) => (option === true ? texts.yes : option === false ? texts.no : String(option));

/** A value as words, until the server has made its own. */
function written(value, texts) {
  return Array.isArray(value) ? value.map((one) => shown(one, texts)).join("\n") : shown(value, texts);
}

// -- what a JSON schema asks for

/** What a schema asks for: `{kind, schema, …}`; null where words are the better answer. */
function fieldOf(schema) {
  const told = plain(schema);
  if (!told) return null;
  const of = (kind, more = {}) => ({ kind, schema: told, ...more });
  if (told.enum) return of("choice", { options: told.enum });
  switch (told.type) {
    case "boolean":
      return of("choice", { options: [true, false] });
    case "integer":
    case "number":
      return of("number");
    case "string":
      return of({ attachment: "file", date: "date", time: "time", "date-time": "moment" }[told.format] ?? "text");
    case "array":
      return listOf(told, of);
    default:
      return null;
  }
}

function listOf(schema, of) {
  const item = fieldOf(schema.items ?? {});
  if (item?.kind === "choice") return of("many", { options: item.options });
  if (item?.kind === "file") return of("file", { many: true, schema: { ...item.schema, ...schema } });
  return item && ["text", "number", "date"].includes(item.kind) ? of("lines", { item }) : null;
}

/** A schema with the one form that a value has in it, and whether there may be none. */
function plain(schema) {
  if ("const" in schema) return { ...schema, enum: [schema.const] };
  const ways = schema.anyOf;
  if (!ways) return schema;
  const some = ways.filter((way) => way.type !== "null");
  const found = some.length === 1 ? plain(some[0]) : mixed(some);
  return found && { ...found, ...schema };
}

/** A number that may also come as text is a number to people. */
function mixed(ways) {
  const number = ways.find((way) => way.type === "number" || way.type === "integer");
  return number && ways.every((way) => way === number || way.type === "string") ? number : null;
}

/** Whether a form is better than words: a date is, a sentence is not. */
const helps = (field) => !["text", "lines"].includes(field.kind);

customElements.define("softrail-question", Question);
