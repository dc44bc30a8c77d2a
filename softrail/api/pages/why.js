/** `<softrail-why>`: one's own decision record in plain words. */
import { html, LitElement } from "./vendor/lit.js";

export class Why extends LitElement {
  static properties = { talk: { attribute: false }, texts: { attribute: false }, lines: { state: true } };

  createRenderRoot() {
    return this;
  }

  /** Say why the turn of that id was answered as it was. */
  async show(turn) {
    this.lines = null;
    await this.updateComplete;
    this.querySelector("dialog").showModal();
    try {
      this.lines = told(await this.talk.why(turn), this.texts, (name) => this.called(name));
    } catch {
      this.lines = [this.texts.why_none];
    }
  }

  /** What people call a process. */
  called(name) {
    const { process, suspended } = this.talk.state;
    const known = [process, ...suspended].find((one) => one?.name === name);
    return known?.title ?? name.replaceAll("_", " ");
  }

  render() {
    const { texts } = this;
    return html`<dialog aria-labelledby="why-title">
      <h2 id="why-title">${texts.why}</h2>
      <ul class="reasons" aria-busy=${String(!this.lines)}>
        ${(this.lines ?? [texts.connecting]).map((line) => html`<li dir="auto">${line}</li>`)}
      </ul>
      <form method="dialog"><button class="main">${texts.close}</button></form>
    </dialog>`;
  }
}

/** A decision record as sentences. */
export function told(decision, texts, called) {
  const { owner, gates, heard, captured, refused, transitions, model_calls: calls } = decision;
  const gate = (name) => gates.find((one) => one.gate === name);
  const lines = [];
  if (gate("question")?.outcome === "stale") lines.push(texts.why_stale);
  else if (gate("signal")) lines.push(texts.why_signal);
  else if (owner === "registry") lines.push(texts.why_ways);
  else if (owner === "free talk") lines.push(heard.length ? texts.why_aside : texts.why_free);
  else lines.push(texts.why_holder(called(owner)));
  const read = heard.at(-1)?.read[0];
  const act = decision.claims[0]?.act ?? read?.act;
  if (act && texts.why_read[act]) lines.push(texts.why_read[act]);
  const example = decision.candidates[0]?.example;
  if (owner === "free talk" && example) {
    lines.push(`${texts.why_like(example)} ${texts.why_sure(Math.round(decision.candidates[0].confidence * 100))}`);
  }
  for (const one of captured) lines.push(kept(one, texts));
  for (const one of refused) if (one.told) lines.push(texts.why_refused(one.told));
  for (const one of transitions) if (one.dest in texts.why_moved) lines.push(texts.why_moved[one.dest](called(one.process)));
  for (const summary of decision.effects) lines.push(`✓ ${summary}`);
  lines.push(calls.length ? texts.why_model(calls.length) : texts.why_no_model);
  if (decision.trouble) lines.push(texts.why_trouble);
  return lines;
}

function kept({ field, how, new: value, shown }, texts) {
  const name = field.replaceAll("_", " ");
  if (how === "left out") return texts.why_left_out(name);
  if (how === "taken back") return texts.why_taken_back(name);
  return texts.why_kept(name, shown ? (value ?? "") : texts.why_hidden);
}

customElements.define("softrail-why", Why);
