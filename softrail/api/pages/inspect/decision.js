/** The record of one turn as elements: who answered and why, with everything that led there. */
import { html, nothing } from "../vendor/lit.js";
import { json, length, moment, percent, TIERS } from "./words.js";

/** A table with a heading; nothing where there are no rows. Columns that begin with # hold numbers. */
export function table(title, columns, rows) {
  if (!rows.length) return nothing;
  const number = (n) => (columns[n].startsWith("#") ? "number" : "");
  return html`<h3>${title}</h3>
    <div class="wide" tabindex="0" role="group" aria-label=${title}>
      <table>
        <thead>
          <tr>${columns.map((name, n) => html`<th scope="col" class=${number(n)}>${name.replace("#", "")}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((row) => html`<tr>${row.map((cell, n) => html`<td class=${number(n)} dir="auto">${cell ?? ""}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
}

const folded = (title, text) => html`<details><summary>${title}</summary><pre tabindex="0">${text}</pre></details>`;

const ms = (value) => (value === null || value === undefined ? "" : value.toFixed(value < 10 ? 2 : 0));

/** Everything that is known of a turn; `texts` are those of prompts. */
export function decisionOf(turn, texts) {
  const { decision } = turn;
  return html`${said(turn)} ${owner(decision)}
    ${table("Gates", ["Gate", "Outcome", "Why", "#ms"], decision.gates.map((one) => [one.gate.replace("_", " "), one.outcome, one.why, ms(one.ms)]))}
    ${reading(decision)}
    ${table(
      "What was thought of",
      ["Intent", "#Score", "Nearest example"],
      decision.candidates.map((one) => [one.intent, percent(one.confidence), one.example]),
    )}
    ${table(
      "Answers",
      ["Field", "How", "Before", "After", "Read from", "By"],
      decision.captured.map((one) => [one.field, one.how, shown(one, one.old), shown(one, one.new), shown(one, one.text), by(one)]),
    )}
    ${table("Not taken", ["Field", "Why", "Told"], decision.refused.map((one) => [one.field, one.why, one.told]))}
    ${data(turn)} ${prompts(decision, texts)}
    ${table(
      "Calls of a language model",
      ["For", "Model", "#Tokens in", "#out", "#US dollars", "#ms", "Result"],
      decision.model_calls.map((one) => [
        one.purpose,
        one.model,
        one.input_tokens,
        one.output_tokens,
        one.cost_usd ?? "not known",
        ms(one.milliseconds),
        one.ok ? "answered" : `failed. ${one.error}`,
      ]),
    )}
    ${table("Moves", ["Process", "From", "To", "Because"], decision.transitions.map((one) => [one.process, one.source ?? "new", one.dest, `${one.trigger}${one.reason ? `: ${one.reason}` : ""}`]))}
    ${table("Code that ran", ["What", "#ms", "Services", "Failed"], decision.took.map((one) => [one.what, ms(one.milliseconds), one.services.join(", "), one.failed]))}
    ${table("Code that held everything up", ["What", "#ms"], (decision.stalls ?? []).map((one) => [one.what, ms(one.milliseconds)]))}
    ${folded("The whole record", json(decision))} ${folded("The reply as it was sent", json(turn.reply))}`;
}

function said(turn) {
  const signal = turn.request?.signal;
  let words = turn.hidden ? "(not shown)" : turn.request?.message;
  words ??= signal ? `Signal ${signal.name} ${JSON.stringify(signal.data)}` : "(nobody said anything: a time was over)";
  return html`<p class="said mine" dir="auto">${words}</p>
    <p class="said" dir="auto">${turn.reply.companion_message || "(nothing was said)"}</p>`;
}

function owner(decision) {
  const lines = [
    ["Answered by", `${decision.owner}${decision.why ? `: ${decision.why}` : ""}`],
    ["When", moment(decision.at)],
    ["Ended as", decision.status === "committed" ? null : decision.status],
    ["Computed", decision.runs > 1 ? `${decision.runs} times, because the session had changed meanwhile; saved once` : null],
    ["Afterwards", decision.process],
    ["Done", decision.effects.join("; ") || null],
    ["Kept from the person", decision.caught.join(", ") || null],
  ];
  return html`<dl>${lines.map(([name, told]) => (told ? html`<dt>${name}</dt><dd dir="auto">${told}</dd>` : nothing))}</dl>
    ${decision.trouble ? html`<p class="bad"><strong>Trouble:</strong> ${decision.trouble}</p>` : nothing}`;
}

function reading(decision) {
  const acts = decision.heard.flatMap((heard) =>
    heard.read.map((one) => [heard.field ?? heard.wanted, one.act, one.layer, percent(one.likely), percent(one.needs)]),
  );
  const how = TIERS[decision.tier] ?? decision.tier;
  return html`${decision.intent
    ? html`<p>Read as <strong>${decision.intent}</strong>${decision.confidence === null ? "" : ` at ${percent(decision.confidence)}`}${how ? `, because ${how}` : ""}.</p>`
    : nothing}
  ${table("How it was read as an answer", ["Question", "As", "By", "#Likely", "#Needed"], acts)}`;
}

const shown = (one, value) => (one.shown ? value : "(not shown)");
const by = (one) => (one.likely === null ? one.by : `${one.by}, ${percent(one.likely)}`);

function data(turn) {
  if (!turn.data.length) return nothing;
  return html`<h3>What was kept</h3>
    ${turn.data.map(
      (one) => html`<p>${one.process}</p>
        <div class="sides">
          <div>Before<pre tabindex="0">${json(one.before)}</pre></div>
          <div>After<pre tabindex="0">${json(one.after)}</pre></div>
        </div>`,
    )}`;
}

function prompts(decision, texts) {
  if (!decision.prompts.length) return nothing;
  return html`<h3>Prompts</h3>
    ${decision.prompts.map((ref) => folded(ref, texts[ref] ?? "This text is another one by now."))}`;
}

/** The moves of every run in the order of time, with what made them. */
export function timeline(processes, goto) {
  const moves = processes.flatMap((run) => run.transitions.map((move) => ({ ...move, process: run.name })));
  moves.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : one.n - other.n));
  return table(
    "Timeline",
    ["When", "Process", "Move", "Because", "By"],
    moves.map((one) => [
      moment(one.at),
      one.process,
      `${one.source ?? "new"} → ${one.dest}`,
      `${one.trigger}${one.reason ? `: ${one.reason}` : ""}`,
      one.seq === null ? "timer" : html`<button type="button" class="quiet" @click=${() => goto(one.seq)}>turn ${one.seq}</button>`,
    ]),
  );
}

/** The answers that a run had after a turn, with the turn that each came from and how old it was then. */
export function answersAt(turns, turn, instance) {
  const found = new Map();
  for (const one of turns) {
    if (one.seq > turn.seq) break;
    const process = one.reply.process?.instance_id ?? instance.instance_id;
    for (const answer of process === instance.instance_id ? one.decision.captured : []) {
      if (answer.process !== instance.name) continue;
      if (answer.how === "taken back") found.delete(answer.field);
      else found.set(answer.field, { ...answer, turn: one });
    }
  }
  return [...found.values()].map((one) => [
    one.field,
    one.how === "left out" ? "(left out)" : shown(one, one.new),
    `turn ${one.turn.seq}`,
    length(Date.parse(turn.at) - Date.parse(one.turn.at)),
  ]);
}
