/** Markdown as elements. It is read by a lexer, and every word becomes text: HTML in it is never parsed. */
import { html } from "./vendor/lit.js";
import { Lexer } from "./vendor/marked.js";

const DEEPEST = 20; // elements within elements; what is deeper is shown as it was written
const LONGEST = 60_000; // characters; longer texts are shown as they are
const SAFE = new Set(["http:", "https:", "mailto:"]);

/** Where a file is that an answer gives. */
export const FILE = /\/(?:sessions\/[0-9a-f-]{36}\/(?:artifacts\/[0-9a-f-]{36}|facts\/[0-9a-f-]{36}\.csv)|artifacts\/[0-9a-f-]{36}\/download)(?![\w/-])/g;

/** The elements of a text. */
export function markdown(text) {
  const tokens = lexed(text);
  return tokens ? tokens.map((token) => block(token, 0)) : html`<p>${text}</p>`;
}

function lexed(text) {
  if (text.length > LONGEST) return null;
  try {
    return new Lexer({ gfm: true }).lex(apart(text));
  } catch {
    return null;
  }
}

/** A line that stands at the margin behind a list is no part of its last item: Markdown takes it for one. */
function apart(text) {
  let [list, code] = [false, ""];
  const made = [];
  for (const line of text.split("\n")) {
    const fence = /^ *(```|~~~)/.exec(line)?.[1] ?? "";
    if (fence && (!code || code === fence)) code = code ? "" : fence;
    const item = /^ *([-*+]|\d{1,9}[.)]) /.test(line);
    if (list && !code && !item && /^\S/.test(line)) made.push("");
    list = !code && !fence && (item || (list && /^\s+\S/.test(line)));
    made.push(line);
  }
  return made.join("\n");
}

/** The same as words alone, for whoever listens: where a file is, is nothing to be heard. */
export function spoken(text) {
  const heard = text.replace(new RegExp(`[,:]?\\s?${FILE.source}`, "g"), "");
  return (lexed(heard) ?? [{ text: heard }]).map(words).join("\n").trim();
}

/** Words as they are, in a text that is read as Markdown. */
export const literal = (name) => name.replace(/\s+/g, " ").replace(/[!-/:-@[-`{-~]/g, "\\$&");

function words(token) {
  if (token.type === "list") return token.items.map(words).join("\n");
  if (token.type === "table") {
    return [token.header, ...token.rows].map((row) => row.map(words).join(", ")).join("\n");
  }
  if (token.type === "html") return token.raw;
  if (token.type === "br") return "\n";
  return token.tokens?.length ? token.tokens.map(words).join("") : (token.text ?? "");
}

function block(token, depth) {
  if (depth > DEEPEST) return html`<p>${token.raw}</p>`;
  const deeper = (tokens) => tokens.map((one) => block(one, depth + 1));
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "code":
      return html`<pre tabindex="0"><code>${token.text}</code></pre>`;
    case "heading":
      return html`<p class="heading">${inline(token.tokens, depth)}</p>`;
    case "hr":
      return html`<hr />`;
    case "blockquote":
      return html`<blockquote>${deeper(token.tokens)}</blockquote>`;
    case "list":
      return token.ordered
        ? html`<ol start=${token.start || 1}>${token.items.map((one) => item(one, depth))}</ol>`
        : html`<ul>${token.items.map((one) => item(one, depth))}</ul>`;
    case "table":
      return table(token, depth);
    case "paragraph":
      return html`<p>${inline(token.tokens, depth)}</p>`;
    case "text":
      return token.tokens ? html`<span>${inline(token.tokens, depth)}</span>` : html`<p>${token.text}</p>`;
    default:
      return html`<p>${token.raw}</p>`;
  }
}

function item(token, depth) {
  const box = token.task ? (token.checked ? "☑ " : "☐ ") : "";
  const inside = token.tokens.filter((one) => one.type !== "checkbox");
  return html`<li>${box}${inside.map((one) => block(one, depth + 1))}</li>`;
}

function table(token, depth) {
  const cell = (one) => inline(one.tokens, depth);
  return html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          ${token.header.map((one) => html`<th scope="col">${cell(one)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${token.rows.map((row) => html`<tr>${row.map((one) => html`<td>${cell(one)}</td>`)}</tr>`)}
      </tbody>
    </table>
  </div>`;
}

function inline(tokens, depth) {
  return (tokens ?? []).map((token) => {
    if (depth > DEEPEST) return token.raw;
    const inside = () => inline(token.tokens, depth + 1);
    switch (token.type) {
      case "strong":
        return html`<strong>${inside()}</strong>`;
      case "em":
        return html`<em>${inside()}</em>`;
      case "del":
        return html`<del>${inside()}</del>`;
      case "codespan":
        return html`<code>${token.text}</code>`;
      case "br":
        return html`<br />`;
      case "link":
        return link(token, inside);
      case "image":
        return token.text; // nothing is fetched for it
      case "text":
        return token.tokens ? inside() : token.text;
      case "escape":
        return token.text;
      default:
        return token.raw;
    }
  });
}

/** A link says where it leads. An address that merely stands in a text is not made one: it may be somebody's words. */
function link(token, inside) {
  let to;
  try {
    to = new URL(token.href);
  } catch {
    return token.raw;
  }
  if (!SAFE.has(to.protocol) || !/^[[<]/.test(token.raw)) return token.raw;
  const where = to.host && to.host !== token.text ? html` <span class="where">(${to.host})</span>` : "";
  return html`<a href=${to.href} target="_blank" rel="noopener noreferrer nofollow">${inside()}</a>${where}`;
}
