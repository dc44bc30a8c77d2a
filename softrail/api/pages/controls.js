/** How buttons, fields and dialogs look. */
import { css, html } from "./vendor/lit.js";

const ICONS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  new: "M12 5v14M5 12h14",
  send: "M12 19V5M5 12l7-7 7 7",
  attach: "M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7",
  stop: "M7 7h10v10H7z",
  talk: "M4 5h16v11H10l-5 4v-4H4z",
  rename: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  erase: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  close: "M6 6l12 12M18 6L6 18",
  why: "M9.5 9a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.5v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0",
};

/** A sign of a button, which is named beside it. */
export const icon = (name) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]}></path></svg>`;

export const controls = css`
  button,
  input,
  textarea,
  select {
    font: inherit;
    color: inherit;
  }
  /* What the page itself says may be in a language of the other direction than the locale's. */
  button,
  label,
  legend,
  small,
  h1,
  h2,
  h3,
  .note,
  .notes div,
  .under-way span,
  .welcome p,
  .key p,
  .wrong,
  .grow {
    unicode-bidi: plaintext;
  }
  button {
    min-height: 2.75rem;
    min-width: 2.75rem;
    border-radius: 0.75rem;
    border: 1px solid var(--edge);
    background: var(--paper);
    padding: 0.375rem 0.875rem;
    cursor: pointer;
    text-align: start;
    overflow-wrap: anywhere;
  }
  button:disabled {
    opacity: 0.6;
    cursor: default;
  }
  button:hover:not(:disabled) {
    border-color: var(--accent);
  }
  .main {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
    text-align: center;
  }
  .quiet {
    background: none;
    border-color: transparent;
    color: var(--accent);
  }
  .danger {
    border-color: var(--bad);
    color: var(--bad);
    background: none;
  }
  .icon {
    display: inline-grid;
    place-items: center;
    padding: 0;
    flex: none;
  }
  .icon svg {
    width: 1.375rem;
    height: 1.375rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .why {
    color: var(--faint);
  }
  .why svg {
    width: 1.125rem;
    height: 1.125rem;
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .log:focus-visible {
    outline-offset: -3px;
  }
  .composer textarea:focus-visible {
    outline-width: 2px;
    outline-offset: -1px;
  }
  .question,
  .ways,
  .asked {
    margin-block: 0.5rem;
  }
  .choices,
  .ways,
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  .choices {
    align-items: stretch;
  }
  .choices button {
    border-color: var(--accent);
    color: var(--accent);
    font-weight: 600;
  }
  .choices small {
    display: block;
    font-weight: 400;
    color: var(--faint);
  }
  .ways {
    gap: 0 0.25rem;
    margin-inline: auto;
  }
  .ways button {
    font-size: 0.9375rem;
  }
  .ways button,
  .question > .quiet {
    padding-inline: 0.5rem;
  }
  .question form .quiet {
    padding-inline: 0.375rem;
  }
  .question form {
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 1rem;
    padding: 0.75rem 0.875rem;
    margin-block: 0.5rem;
    max-width: 34rem;
  }
  .entry {
    display: grid;
    gap: 0.25rem;
    margin-bottom: 0.75rem;
  }
  .entry label,
  legend {
    font-weight: 600;
  }
  fieldset {
    border: 0;
    padding: 0;
    margin: 0;
  }
  .check {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-height: 2.75rem;
    font-weight: 400 !important;
  }
  .check input {
    width: 1.375rem;
    height: 1.375rem;
    accent-color: var(--accent);
  }
  .entry input:not([type="checkbox"]),
  .entry select,
  .entry textarea,
  textarea,
  .grow input,
  .key input {
    width: 100%;
    min-height: 2.75rem;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--edge);
    border-radius: 0.75rem;
    background: var(--paper);
  }
  ::file-selector-button {
    font: inherit;
    color: inherit;
    background: var(--mine);
    border: 1px solid var(--edge);
    border-radius: 0.5rem;
    margin-inline-end: 0.75rem;
  }
  small {
    color: var(--faint);
  }
  .wrong {
    color: var(--bad);
    margin: 0.25rem 0;
  }
  .sending:empty {
    display: none;
  }
  [aria-invalid="true"] {
    border-color: var(--bad) !important;
  }
  dialog {
    border: 1px solid var(--line);
    border-radius: 1rem;
    color: inherit;
    background: var(--paper);
    width: min(32rem, calc(100vw - 1.5rem));
    max-height: calc(100dvh - 1.5rem);
    padding: 1rem;
    overflow: auto;
  }
  dialog::backdrop {
    background: #0008;
  }
  .drawer {
    margin: 0;
    margin-inline-end: auto;
    height: 100dvh;
    max-height: none;
    width: min(24rem, calc(100vw - 2rem));
    border-radius: 0;
    border-width: 0;
    border-inline-end-width: 1px;
  }
  .spread {
    justify-content: space-between;
    margin-bottom: 0.5rem;
  }
  .grow {
    flex: 1 1 9rem;
    margin: 0;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .wide-button {
    width: 100%;
  }
  .sessions,
  .files,
  .reasons {
    padding: 0;
    list-style: none;
    margin: 0.75rem 0;
  }
  .reasons li {
    padding: 0.25rem 0;
    white-space: pre-line;
    overflow-wrap: anywhere;
  }
  .sessions > li {
    border-top: 1px solid var(--line);
    padding: 0.25rem 0;
  }
  .sessions .row {
    padding: 0.25rem 0.5rem 0.5rem;
  }
  .sessions .grow {
    flex-basis: 100%;
  }
  .line {
    display: flex;
    align-items: center;
  }
  .session {
    display: grid;
    flex: 1;
    min-width: 0;
    border-color: transparent;
    padding-inline: 0.5rem;
  }
  .here .session {
    background: var(--mine);
  }
  .here .session * {
    color: inherit;
  }
  .session span {
    color: var(--faint);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .key {
    max-width: 26rem;
    margin: 12vh auto;
    padding: 1.25rem;
  }
`;
