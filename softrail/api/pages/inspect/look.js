/** How the inspector looks; colours, buttons and fields are those of the chat page. */
import { css } from "../vendor/lit.js";

export const look = css`
  :host {
    height: auto;
    min-height: 100%;
  }
  header {
    flex-wrap: wrap;
    padding: 0.5rem 0.75rem;
  }
  header a,
  .link {
    color: var(--accent);
  }
  .columns {
    display: grid;
    gap: 0.75rem;
    padding: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
  }
  .panel {
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 1rem;
    padding: 0.75rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .stack {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .panel h2,
  .panel h3 {
    margin: 0 0 0.5rem;
  }
  .panel h3 {
    margin-top: 1rem;
  }
  .list {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .row + .list {
    margin-top: 0.75rem;
  }
  .list > li {
    border-top: 1px solid var(--line);
    padding: 0.25rem 0;
  }
  .pick {
    display: grid;
    width: 100%;
    border-color: transparent;
    background: none;
  }
  .pick[aria-current="true"] {
    border-color: var(--accent);
    background: var(--mine);
  }
  .pick > small,
  .pick > span {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    min-width: 0;
  }
  .pick[aria-current="true"] small {
    color: inherit;
  }
  .bad {
    color: var(--bad);
  }
  .search {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    margin-bottom: 0.5rem;
  }
  .search label,
  .entry label {
    font-size: 0.875rem;
  }
  .search .whole {
    grid-column: 1 / -1;
  }
  .search input:not([type="checkbox"]),
  .search select,
  .short input {
    width: 100%;
    min-height: 2.75rem;
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--edge);
    border-radius: 0.75rem;
    background: var(--paper);
  }
  .short {
    width: 8rem;
    font-size: 0.875rem;
  }
  table {
    width: 100%;
    font-size: 0.875rem;
  }
  th,
  td {
    vertical-align: top;
    overflow-wrap: anywhere;
    min-width: 6rem;
  }
  th {
    overflow-wrap: normal;
  }
  td .quiet {
    padding-inline: 0;
    white-space: nowrap;
  }
  td.number,
  th.number {
    text-align: end;
    white-space: nowrap;
    min-width: 3rem;
  }
  pre {
    margin: 0.25rem 0;
    padding: 0.5rem 0.75rem;
    overflow: auto;
    max-height: 24rem;
    background: var(--ground);
    border: 1px solid var(--line);
    border-radius: 0.5rem;
    white-space: pre-wrap;
    font: 0.875rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  }
  summary {
    cursor: pointer;
    min-height: 2.75rem;
    padding: 0.5rem 0;
  }
  .sides {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
  }
  .said {
    white-space: pre-line;
    margin: 0.25rem 0;
    padding: 0.5rem 0.75rem;
    border-inline-start: 0.25rem solid var(--line);
  }
  .said.mine {
    border-color: var(--accent);
  }
  .graph {
    display: block;
    min-width: 30rem;
    max-width: 100%;
    height: auto;
    margin-inline: auto;
  }
  .panel .row .quiet {
    padding-inline: 0.5rem;
  }
  .panel form.row {
    margin-block: 0.5rem;
  }
  dl {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.125rem 0.75rem;
    margin: 0.5rem 0;
  }
  dt {
    color: var(--faint);
  }
  dd {
    margin: 0;
  }
  @media (min-width: 62rem) {
    .columns {
      grid-template-columns: 18rem 20rem minmax(0, 1fr);
    }
    .columns > .panel {
      position: sticky;
      top: 0.75rem;
      max-height: calc(100vh - 1.5rem);
      overflow: auto;
    }
  }
  @media (max-width: 61.99rem) {
    .open > .sessions-panel {
      display: none;
    }
  }
`;
