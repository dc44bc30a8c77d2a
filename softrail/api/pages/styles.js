/** How the conversation looks, from its colours to its frame. A page around it may set the custom properties. */
import { css } from "./vendor/lit.js";

export const styles = css`
  :host {
    --ink: var(--softrail-ink, #1c2126);
    --faint: var(--softrail-faint, #59636e);
    --paper: var(--softrail-paper, #fff);
    --ground: var(--softrail-ground, #f4f5f7);
    --line: var(--softrail-line, #d5dae0);
    --edge: #7a858f;
    --accent: var(--softrail-accent, #0b5d66);
    --on-accent: var(--softrail-on-accent, #fff);
    --mine: var(--softrail-mine, #dceff0);
    --bad: #a32020;
    display: block;
    height: 100%;
    color-scheme: light dark;
    color: var(--ink);
    background: var(--ground);
    font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --ink: var(--softrail-ink, #e7eaed);
      --faint: var(--softrail-faint, #a3adb7);
      --paper: var(--softrail-paper, #1f252b);
      --ground: var(--softrail-ground, #14181c);
      --line: var(--softrail-line, #38424c);
      --edge: #77838e;
      --accent: var(--softrail-accent, #6cc7cf);
      --on-accent: var(--softrail-on-accent, #06282c);
      --mine: var(--softrail-mine, #17424a);
      --bad: #ff9d93;
    }
  }
  @media (prefers-contrast: more) {
    :host {
      --faint: var(--ink);
      --line: currentColor;
      --edge: currentColor;
    }
  }
  :host([launcher]) {
    position: fixed;
    inset-block-end: 1rem;
    inset-inline-end: 1rem;
    z-index: var(--softrail-layer, 1000);
    height: auto;
    background: none;
  }
  :host([launcher]) .frame {
    width: min(24rem, calc(100vw - 2rem));
    height: min(40rem, calc(100dvh - 2rem));
    background: var(--ground);
    border: 1px solid var(--line);
    border-radius: 1rem;
    overflow: hidden;
    box-shadow: 0 0.5rem 2rem #0004;
  }
  .launch {
    width: 3.5rem;
    height: 3.5rem;
    border-radius: 50%;
  }
  * {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
  .frame {
    display: flex;
    flex-direction: column;
    height: 100%;
    min-height: 0;
  }
  .apart {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  header,
  footer {
    background: var(--paper);
    flex: none;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding: 0.375rem max(0.5rem, env(safe-area-inset-right)) 0.375rem max(0.5rem, env(safe-area-inset-left));
    border-bottom: 1px solid var(--line);
  }
  header .where {
    flex: 1;
    min-width: 0;
  }
  h1,
  h2,
  h3 {
    font-size: 1.0625rem;
    margin: 0;
    line-height: 1.3;
  }
  h2 {
    font-size: 1.25rem;
  }
  :host([dir="rtl"]) h1 {
    text-align: right;
  }
  h1 {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .under-way {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    color: var(--faint);
    font-size: 0.875rem;
    margin: 0;
  }
  .under-way span:first-child::first-letter {
    text-transform: uppercase;
  }
  .under-way span:first-child {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    display: inline-block;
  }
  .under-way span + span {
    flex: none;
  }
  progress {
    width: 4.5rem;
    height: 0.375rem;
    accent-color: var(--accent);
    flex: none;
  }
  .log {
    position: relative; /* what is in it apart from all sight scrolls with it, not with the page around */
    flex: 1;
    min-height: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 1rem max(0.75rem, env(safe-area-inset-right)) 1rem max(0.75rem, env(safe-area-inset-left));
  }
  softrail-question {
    display: block;
  }
  .log > *,
  footer > * {
    max-width: 46rem;
    margin-inline: auto;
  }
  .log > ol {
    list-style: none;
    padding: 0;
    margin-block: 0;
  }
  .welcome {
    text-align: center;
    padding: 14vh 1rem 0.5rem;
  }
  .welcome p {
    color: var(--faint);
    margin: 0.5rem auto;
    max-width: 26rem;
  }
  .welcome ~ softrail-question .choices {
    justify-content: center;
  }
  .item {
    display: flex;
    align-items: flex-start;
    gap: 0.25rem;
    margin-block: 0.5rem;
  }
  .person {
    flex-direction: column;
    align-items: flex-end;
  }
  .words {
    min-width: 0;
    overflow-wrap: anywhere;
    border: 1px solid transparent;
  }
  .person .words {
    background: var(--mine);
    padding: 0.5rem 0.875rem;
    border-radius: 1.125rem 1.125rem 0.25rem;
    max-width: min(85%, 34rem);
    white-space: pre-wrap;
  }
  .person.waiting .words {
    border: 1px dashed var(--edge);
    background: none;
  }
  .person .note {
    justify-content: flex-end;
    font-size: 0.875rem;
    color: var(--faint);
  }
  .answer .words {
    background: var(--paper);
    border-color: var(--line);
    padding: 0.5rem 0.875rem;
    border-radius: 1.125rem 1.125rem 1.125rem 0.25rem;
    max-width: min(100% - 3rem, 40rem);
  }
  .words p,
  .words li,
  .words span {
    white-space: pre-line;
  }
  .words p,
  .words ul,
  .words ol,
  .words pre,
  .words blockquote {
    margin: 0.375rem 0;
  }
  .words > :first-child {
    margin-top: 0;
  }
  .words > :last-child {
    margin-bottom: 0;
  }
  .words ul,
  .words ol {
    padding-inline-start: 1.375rem;
  }
  .words ul {
    list-style: disc;
  }
  .words .heading {
    font-weight: 650;
  }
  .words .where {
    color: var(--faint);
  }
  .words a {
    color: var(--accent);
  }
  .words pre,
  .wide {
    overflow-x: auto;
  }
  code {
    font: 0.9em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  }
  blockquote {
    border-inline-start: 0.25rem solid var(--line);
    padding-inline-start: 0.75rem;
  }
  blockquote blockquote blockquote blockquote {
    border: 0;
    padding: 0;
  }
  table {
    border-collapse: collapse;
  }
  th,
  td {
    border: 1px solid var(--line);
    padding: 0.25rem 0.5rem;
    text-align: start;
  }
  .effects {
    list-style: none !important;
    padding: 0.375rem 0 0 !important;
    margin: 0.375rem 0 0 !important;
    border-top: 1px solid var(--line);
    font-size: 0.9375rem;
  }
  .dots::before {
    content: "• • •";
    color: var(--faint);
    letter-spacing: 0.1em;
    animation: breathe 1.4s ease-in-out infinite;
  }
  @keyframes breathe {
    50% {
      opacity: 0.35;
    }
  }
  footer {
    border-top: 1px solid var(--line);
    padding: 0.5rem max(0.5rem, env(safe-area-inset-right)) max(0.5rem, env(safe-area-inset-bottom)) max(0.5rem, env(safe-area-inset-left));
  }
  .notes {
    color: var(--faint);
    font-size: 0.9375rem;
  }
  .notes > div {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 0.5rem;
    padding: 0 0.25rem 0.25rem;
  }
  .composer {
    display: flex;
    gap: 0.5rem;
    align-items: flex-end;
  }
  .composer textarea {
    resize: none;
    max-height: min(9.5rem, 40dvh);
    border-radius: 1.375rem;
    line-height: 1.5;
    overflow-y: auto;
  }
  .composer .icon {
    border-radius: 50%;
    width: 2.75rem;
  }
  .stop {
    animation: late 0.5s step-end;
  }
  @keyframes late {
    from {
      visibility: hidden;
    }
  }
  @media (forced-colors: active) {
    .words,
    .main,
    .quiet {
      border: 1px solid ButtonBorder !important;
    }
    .ways {
      gap: 0.5rem;
    }
    progress {
      forced-color-adjust: none;
    }
  }
  @media (max-width: 26rem) {
    progress {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .dots::before {
      animation: none;
    }
  }
`;
