/** `<softrail-sandbox>`: a conversation played again up to a turn, to try what would happen. */
import { html, LitElement, nothing } from "../vendor/lit.js";
import { at, Refusal } from "../asking.js";
import { table } from "./decision.js";
import { LACKS, moment } from "./words.js";

export class Sandbox extends LitElement {
  static properties = {
    client: { attribute: false },
    session: { attribute: false },
    turns: { attribute: false },
    box: { state: true },
    tried: { state: true },
    busy: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.tried = [];
    this.trouble = "";
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.end();
  }

  updated(changed) {
    if (changed.has("session") && this.box && this.box.session_id !== this.session) this.end();
  }

  /** Play it up to and with a turn. */
  async open(turn) {
    await this.end();
    this.until = turn.turn_id;
    this.seq = turn.seq;
    await this.doing(async () => {
      this.box = await this.client.json("POST", "inspect/sandboxes", { session_id: this.session, until: this.until });
      this.now = this.box.now;
      this.tried = [];
    });
    await this.updateComplete;
    this.querySelector("input[name=message]")?.focus();
  }

  async end() {
    const { box } = this;
    this.box = null;
    if (box) await this.client.json("DELETE", at`inspect/sandboxes/${box.id}`).catch(() => {}); // it ends by itself
  }

  async doing(what) {
    this.busy = true;
    this.trouble = "";
    try {
      await what();
    } catch (error) {
      const gone = error instanceof Refusal && error.status === 404;
      if (gone) this.box = null;
      this.trouble = gone ? "It has ended. Try from a turn again." : /** @type {Error} */ (error).message;
    } finally {
      this.busy = false;
    }
  }

  async step(action) {
    const path = at`inspect/sandboxes/${this.box.id}/${action.what}`;
    const told = await this.client.json("POST", path, action.body);
    this.now = told.now;
    this.tried = [...this.tried, { ...action, told }];
  }

  say(event) {
    event.preventDefault();
    const field = event.target.elements.message;
    const message = field.value.trim();
    if (!message || this.busy) return;
    const model = event.target.elements.model?.checked ?? false;
    this.doing(async () => {
      await this.step({ what: "say", body: { message, ...(model && { model }) } });
      field.value = "";
    });
  }

  advance(event) {
    event.preventDefault();
    const minutes = Number(event.target.elements.minutes.value);
    if (!this.busy) this.doing(() => this.step({ what: "advance", body: { seconds: minutes * 60 } }));
  }

  sweep() {
    this.doing(() => this.step({ what: "advance", body: { seconds: 0 } }));
  }

  /** What came before the last is played again, without a model: nothing can be taken out of what has happened. */
  drop() {
    const kept = this.tried.slice(0, -1).map(({ what, body: { model, ...body } }) => ({ what, body }));
    const turn = { turn_id: this.until, seq: this.seq };
    this.open(turn).then(() =>
      this.doing(async () => {
        for (const { what, body } of kept) await this.step({ what, body });
      }),
    );
  }

  render() {
    const { box } = this;
    return html`<section class="panel" aria-label="Sandbox">
      <h2>Sandbox</h2>
      <p role="status">${this.busy ? "Playing …" : box ? `It is ${moment(this.now)} here, after turn ${this.seq}.` : "Choose a turn and “Try from here”."}</p>
      ${this.trouble ? html`<p class="wrong" role="alert">${this.trouble}</p>` : nothing} ${box ? this.opened(box) : nothing}
    </section>`;
  }

  opened(box) {
    return html`${box.differences.length
      ? table(
          "What goes another way now",
          ["#Turn", "What", "Recorded", "Now"],
          box.differences.map((one) => [one.seq, one.what, one.recorded, one.replayed]),
        )
      : html`<p>Everything up to here goes as it was recorded.</p>`}
    ${box.lacks.length ? html`<p>It has to do without ${box.lacks.map((one) => LACKS[one] ?? one).join(", ")}.</p>` : nothing}
    <ol class="list">
      ${this.tried.map((one) => html`<li>${this.result(one)}</li>`)}
    </ol>
    <form class="row" @submit=${this.say}>
      <label class="grow">Say there<input name="message" maxlength="16000" required dir="auto" autocomplete="off" /></label>
      ${box.model ? html`<label class="check"><input type="checkbox" name="model" /> Ask ${box.model}</label>` : nothing}
      <button class="main">Say</button>
    </form>
    <form class="row" @submit=${this.advance}>
      <label class="short">Minutes<input name="minutes" type="number" min="0" max="5256000" step="any" value="31" required /></label>
      <button>Let time pass</button>
      <button type="button" @click=${this.sweep}>Sweep</button>
      <button type="button" class="quiet" ?disabled=${!this.tried.length} @click=${this.drop}>Drop the last</button>
      <button type="button" class="quiet" @click=${() => this.end()}>End</button>
    </form>`;
  }

  result({ what, body, told }) {
    if (what === "advance") {
      const done = ["suspended", "expired", "defaulted"].filter((one) => told[one]).map((one) => `${told[one]} ${one}`);
      return html`<p>${body.seconds ? `${body.seconds / 60} minutes pass` : "A sweep"}: ${done.join(", ") || "nothing was due"}.</p>`;
    }
    const { reply, decision } = told;
    const process = reply.process ? `${reply.process.name} ${reply.process.state} ${reply.process.step}` : "no process";
    return html`<p class="said mine" dir="auto">${body.message}</p>
      <p class="said" dir="auto">${reply.companion_message}</p>
      <small>${decision.owner}: ${decision.why} · ${process}</small>`;
  }
}

customElements.define("softrail-sandbox", Sandbox);
