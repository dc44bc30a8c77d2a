/** `<softrail-graph>`: the process of a turn as a picture, where it stood, and what it knew. */
import { html, LitElement, nothing } from "../vendor/lit.js";
import { at, Refusal } from "../asking.js";
import { answersAt, table, timeline } from "./decision.js";
import { moment } from "./words.js";

/** Where a picture is wider than its place, its steps are seen first, and not the ways back on their left. */
const atSteps = ({ target: { parentNode } }) => (parentNode.scrollLeft = parentNode.scrollWidth);

export class Graph extends LitElement {
  static properties = { client: { attribute: false }, session: { attribute: false }, turn: { attribute: false }, picture: { state: true } };

  createRenderRoot() {
    return this;
  }

  willUpdate() {
    const found = this.turn?.reply.process ?? null;
    const wanted = found ? at`processes/${found.name}/graph.svg?step=${found.step}` : "";
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.picture = null;
    if (found) this.draw(found, wanted);
  }

  async draw({ name, step }, wanted) {
    /** @type {{missing?: string, src?: string, gone?: string | false}} */
    let picture = { missing: `“${name}” is not registered any more.` };
    for (const path of [wanted, at`processes/${name}/graph.svg`]) {
      try {
        const text = await (await this.client.ask("GET", path)).text();
        picture = { src: `data:image/svg+xml,${encodeURIComponent(text)}`, gone: path !== wanted && step };
        break;
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 422) break; // 422: this version has no such step
      }
    }
    if (this.wanted === wanted) this.picture = picture;
  }

  render() {
    const { turn, session } = this;
    const process = turn?.reply.process;
    return html`<section class="panel" aria-label="Graph">
      <h2>${process ? `${process.title ?? process.name} v${process.version}` : "No process"}</h2>
      ${process ? this.standing(process) : html`<p>Nothing was under way after this turn.</p>`}
      ${timeline(session.processes, (seq) => this.dispatchEvent(new CustomEvent("turn", { detail: seq })))}
    </section>`;
  }

  standing(process) {
    const run = this.session.processes.find((one) => one.instance_id === process.instance_id);
    return html`<p>${process.state}, at <strong>${process.step}</strong>${process.progress ? `, ${process.progress.done} of ${process.progress.of}` : ""}</p>
      ${this.picture?.src
        ? html`<div class="wide" tabindex="0" role="group" aria-label="Steps">
            <img class="graph" src=${this.picture.src} alt="The steps of ${process.name}; it is at ${process.step}." @load=${atSteps} />
          </div>`
        : html`<p>${this.picture?.missing ?? "Drawing …"}</p>`}
      ${this.picture?.gone ? html`<p>The step ${this.picture.gone} is not in it any more.</p>` : nothing}
      ${table("Answers then", ["Field", "Value", "From", "Age"], answersAt(this.session.turns, this.turn, process))}
      ${run?.due_at ? html`<p>Its time is over at ${moment(run.due_at)}.</p>` : nothing}`;
  }
}

customElements.define("softrail-graph", Graph);
