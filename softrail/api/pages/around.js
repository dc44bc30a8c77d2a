/** What is around the transcript: what is under way, where it may go, how the connection is, who is not let in, the launcher. */
import { html, nothing, repeat } from "./vendor/lit.js";
import { icon } from "./controls.js";

/** What holds the conversation, or waits to be taken up again, and how far it is. */
export function underWay({ talk, texts }) {
  const { process, suspended } = talk.state;
  const holds = process?.state === "active" ? process : null;
  const shown = holds ?? suspended[0] ?? (process?.state === "suspended" ? process : null);
  if (!shown?.title) return nothing;
  const { progress } = shown;
  return html`<p class="under-way">
    <span dir="auto">${shown.title}</span>
    ${holds ? nothing : html`<span>${texts.paused}</span>`}
    ${holds && progress
      ? html`<span>${texts.progress(progress.done, progress.of)}</span>
          <progress aria-label=${shown.title} value=${progress.done} max=${progress.of}></progress>`
      : nothing}
  </p>`;
}

/** The ways on, back and out that work now, but for those that the question has on buttons. */
export function ways({ talk, texts }) {
  const chosen = (talk.state.pending?.choices ?? []).map((choice) => choice.label);
  const open = talk.state.ways.filter((way) => !chosen.includes(way.label));
  if (!open.length) return nothing;
  const under = (way) => talk.outbox.turns.some((turn) => talk.mine(turn) && turn.body.message === way.message);
  // The second click of two goes none, and none is gone a second time before the first was answered.
  const go = (event, way) => event.detail < 2 && !under(way) && talk.say({ message: way.message });
  return html`<div class="ways" role="group" aria-label=${texts.ways}>
    ${repeat(
      open,
      (way) => way.label, // whoever has the focus on one keeps it on that one
      (way) => html`<button type="button" class="quiet" @click=${(event) => go(event, way)}>${way.label}</button>`,
    )}
  </div>`;
}

/** What is not sent, how far long work is, and what other people ask. */
export function notes({ talk, texts }, takeUp) {
  const unsent = talk.unsent.length;
  const offline = navigator.onLine === false;
  const lines = [];
  if (offline) lines.push(texts.offline);
  else if (talk.link === "away" || unsent) lines.push(texts.away);
  else if (talk.link === "connecting") lines.push(texts.connecting);
  if (unsent) lines.push(texts.unsent(unsent));
  if (talk.anew) lines.push(texts.anew);
  const progress = [...talk.progress.values()].filter((one) => one.text && !(one.total && one.done >= one.total));
  return html`<div class="notes">
      <div role="status">${lines.join(" ")} ${progress.map((one) => html`<span dir="auto">${one.text}</span>`)}</div>
      ${unsent && !offline ? html`<button type="button" class="quiet" @click=${() => talk.wake()}>${texts.try_now}</button>` : nothing}
    </div>
    ${talk.asked.filter((one) => one.session_id !== talk.session).map(
      (one) => html`<div class="asked row">
        <p class="grow" dir="auto">${one.state === "offered" ? one.prompt : `${texts.asked_by(one.asked_by)} ${one.prompt}`}</p>
        <button type="button" @click=${(event) => event.detail < 2 && takeUp(one)}>${texts.take_up}</button>
      </div>`,
    )}`;
}

/** On our own page: the form for a key. On another's no key is wanted: whoever comes is known there, or nobody is. */
export function noEntry({ texts, wrong, page, name }, close, unlock) {
  if (!page) {
    return html`<section class="frame" part="frame" aria-label=${name}>
      <div class="row spread">${close}</div>
      <p class="key" role="alert">${texts.no_entry}</p>
    </section>`;
  }
  return html`<form class="key" @submit=${unlock}>
    <h1>${texts.key_title}</h1>
    <p>${texts.key_about}</p>
    <div class="entry">
      <label for="key">${texts.key}</label>
      <input id="key" name="key" type="password" autocomplete="off" required aria-invalid=${wrong ? "true" : nothing}
        aria-describedby=${wrong ? "key-wrong" : nothing} />
      ${wrong ? html`<p class="wrong" id="key-wrong">${wrong}</p>` : nothing}
    </div>
    <button class="main">${texts.open}</button>
  </form>`;
}

/** The button in the corner that a chat with `launcher` is, until it is opened. */
export const launch = ({ texts }, open) =>
  html`<section aria-label=${texts.conversation}>
    <button type="button" class="main icon launch" part="launcher" aria-label=${texts.launch} title=${texts.launch} @click=${open}>${icon("talk")}</button>
  </section>`;

/** The button that makes it that again. */
export const closing = ({ texts }, close) =>
  html`<button type="button" class="quiet icon" aria-label=${texts.close} title=${texts.close} @click=${close}>${icon("close")}</button>`;

// -- in whose language

const LANGUAGES = {
  en: [() => import("./texts/en.js"), () => import("./texts/en.dialogs.js")],
  de: [() => import("./texts/de.js"), () => import("./texts/de.dialogs.js")],
};
const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"]);

const head = (locale) => (locale || "en").split("-")[0].toLowerCase();

/** The words for a locale such as `de-AT`, and the language that they are in. */
export async function textsOf(locale) {
  const language = head(locale) in LANGUAGES ? head(locale) : "en";
  return { words: (await LANGUAGES[language][0]()).default, language };
}

/** What the dialogs say in that language. */
export const moreTexts = async (language) => (await LANGUAGES[language][1]()).default;

/** In which direction a locale is written. */
export const direction = (locale) => (RIGHT_TO_LEFT.has(head(locale)) ? "rtl" : "ltr");
