/** What `/openapi.json` says, as a page: every route with what goes in, what comes out, and a line to try it. */
import { html, LitElement, nothing } from "./vendor/lit.js";
import { markdown } from "./markdown.js";

const BASE = new URL("../../", import.meta.url);
const DEEPEST = 4; // schemas within schemas

class Docs extends LitElement {
  static properties = { document: { state: true }, wanted: { state: true } };

  constructor() {
    super();
    this.wanted = "";
  }

  createRenderRoot() {
    return this;
  }

  async connectedCallback() {
    super.connectedCallback();
    const response = await fetch(new URL("openapi.json", BASE));
    this.document = await response.json();
    await this.updateComplete;
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }

  render() {
    if (!this.document) return nothing;
    const { info } = this.document;
    const groups = grouped(this.routes);
    return html`<main>
      <h1>${info.title} ${info.version}</h1>
      <p>${info.summary} The same for programs: <a href=${new URL("openapi.json", BASE).href}>openapi.json</a>.</p>
      <label>Search <input type="search" @input=${(event) => (this.wanted = event.target.value.toLowerCase())} /></label>
      ${[...groups].map(([tag, routes]) => html`<section aria-label=${tag}><h2>${tag}</h2>${routes.map((one) => this.route(one))}</section>`)}
    </main>`;
  }

  get routes() {
    const found = [];
    for (const [path, ways] of Object.entries(this.document.paths)) {
      for (const [method, what] of Object.entries(ways)) {
        const words = `${method} ${path} ${what.summary} ${what.description ?? ""}`.toLowerCase();
        if (words.includes(this.wanted)) found.push({ path, method: method.toUpperCase(), what, tag: what.tags?.[0] ?? "More" });
      }
    }
    return found;
  }

  route({ path, method, what }) {
    const body = Object.values(what.requestBody?.content ?? {})[0];
    const id = `${method} ${path}`;
    return html`<details id=${id}>
      <summary><code><b>${method}</b> ${path}</code> <span>${what.summary ?? ""}</span></summary>
      <div>
        ${what.description ? markdown(what.description) : nothing}
        ${what.parameters?.length ? html`<h3>Parameters</h3>${this.table(what.parameters.map((one) => this.parameter(one)))}` : nothing}
        ${body ? html`<h3>Body</h3>${this.fields(body.schema)}` : nothing}
        <h3>Answers</h3>
        ${Object.entries(what.responses).map(([status, answer]) => this.answer(status, answer))}
        <h3>Try it</h3>
        <pre tabindex="0"><code>${this.line(method, path, body)}</code></pre>
      </div>
    </details>`;
  }

  parameter(one) {
    return { name: `${one.name} (${one.in})`, needed: one.required, type: this.type(one.schema), about: one.description ?? one.schema?.description };
  }

  answer(status, answer) {
    const content = Object.values(answer.content ?? {})[0];
    return html`<p><code>${status}</code> ${answer.description}</p>
      ${content?.schema && status < 300 ? this.fields(content.schema) : nothing}`;
  }

  resolved(schema) {
    if (!schema?.$ref) return schema ?? {};
    return schema.$ref.slice(2).split("/").reduce((found, name) => found?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], this.document) ?? {};
  }

  type(given) {
    const schema = this.resolved(given);
    if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(", ");
    if (schema.anyOf) return schema.anyOf.map((one) => this.type(one)).join(" or ");
    if (schema.type === "array") return `list of ${this.type(schema.items)}`;
    if (given?.$ref) return schema.title ?? given.$ref.split("/").at(-1);
    return [schema.type ?? "anything", schema.format].filter(Boolean).join(", ");
  }

  fields(given, depth = 0) {
    const schema = this.inner(given);
    if (!schema.properties || depth > DEEPEST) return html`<p>${this.type(given)}</p>`;
    const needed = schema.required ?? [];
    const rows = Object.entries(schema.properties).map(([name, one]) => {
      const deeper = this.inner(one);
      const about = one.description ?? deeper.description;
      return { name, needed: needed.includes(name), type: this.type(one), about, deeper: deeper.properties && { given: one, depth: depth + 1 } };
    });
    return this.table(rows);
  }

  /** What stands in a list, or in what may be null. */
  inner(given) {
    const schema = this.resolved(given);
    if (schema.type === "array") return this.inner(schema.items);
    const ways = schema.anyOf?.filter((one) => one.type !== "null");
    return ways?.length === 1 ? this.inner(ways[0]) : schema;
  }

  table(rows) {
    return html`<div class="wide" tabindex="0">
      <table>
        <thead>
          <tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, needed, type, about, deeper }) => html`<tr>
              <th scope="row"><code>${name}</code>${needed ? html`<small> needed</small>` : nothing}</th>
              <td>${type}</td>
              <td>
                ${about ? markdown(about) : nothing}
                ${deeper ? html`<details><summary>Its fields</summary>${this.fields(deeper.given, deeper.depth)}</details>` : nothing}
              </td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  line(method, path, body) {
    const address = new URL(path.slice(1), BASE).href;
    const parts = [`curl -s ${method === "GET" ? "" : `-X ${method} `}'${address}'`];
    const schema = this.resolved(body?.schema);
    const example = schema?.examples?.[0] ?? body?.example;
    if (example && typeof example === "object" && !("file" in example)) {
      parts.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`);
    } else if (body && schema?.properties?.file) parts.push("-F file=@FILE");
    return parts.join(" \\\n  ");
  }
}

function grouped(routes) {
  const found = new Map();
  for (const one of routes) found.set(one.tag, [...(found.get(one.tag) ?? []), one]);
  return found;
}

customElements.define("softrail-docs", Docs);
document.body.append(document.createElement("softrail-docs"));
