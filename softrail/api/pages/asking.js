/** Requests with a key or a token, and event streams. */

/** The server answered, and said no. */
export class Refusal extends Error {
  /** @param {number} status @param {{code?: string, message?: string}} error @param {number} after seconds */
  constructor(status, error, after) {
    super(error.message || `${status}`);
    this.status = status;
    this.code = error.code || "";
    this.after = after;
  }

  /** Whether the same request may be taken later. */
  get passes() {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** Asks the server at `base`, an address that ends with a slash, with a key, or with what `token` gives. */
export class Asking {
  constructor(base, { key = "", token = null } = {}) {
    this.base = base;
    this.key = key;
    this.token = token;
    this.kept = null; // what `token` gave last, or is about to give
  }

  /** What is sent to say who asks; "" where the browser does by itself, or nobody need. Raises Refusal where there is nobody. */
  async credential() {
    if (!this.token) return this.key;
    const asked = (this.kept ??= Promise.resolve(this.token()));
    try {
      const given = await asked;
      if (given) return given;
    } catch (error) {
      if (this.kept === asked) this.kept = null; // the page's own server did not answer: it is asked again
      throw error;
    }
    this.kept = null;
    throw new Refusal(401, { code: "unauthorized", message: "There is no token." }, 0);
  }

  /**
   * The response to a request; raises Refusal for any that is not fine.
   * @param {string} method @param {string} path @param {{body?: any, signal?: AbortSignal, headers?: HeadersInit}} [how]
   */
  async ask(method, path, { body, signal, headers } = {}) {
    const sent = new Headers(headers);
    let content = body;
    if (body !== undefined && !(body instanceof FormData)) {
      sent.set("Content-Type", "application/json");
      content = JSON.stringify(body);
    }
    for (let renewed = false; ; renewed = true) {
      const asked = await this.credential();
      const { kept } = this;
      if (asked) sent.set("Authorization", `Bearer ${asked}`);
      const response = await fetch(new URL(path, this.base), { method, headers: sent, body: content, signal, cache: "no-store" });
      if (response.ok) return response;
      if (response.status !== 401 || !this.token || renewed) throw await refusal(response);
      if (this.kept === kept) this.kept = null; // another, once for all who ask now
    }
  }

  /** What the server answers, as JSON; null where it answers nothing. */
  async json(method, path, body) {
    const response = await this.ask(method, path, { body });
    return response.status === 204 ? null : response.json();
  }

  /** The events of a stream, as `{name, data, id}`, until it ends. */
  async *events(method, path, options) {
    const response = await this.ask(method, path, options);
    const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
    let kept = "";
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const blocks = (kept + value).split("\n\n");
        kept = blocks.pop() ?? "";
        for (const block of blocks) {
          const event = parsed(block);
          if (event) yield event;
        }
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}

async function refusal(response) {
  let error = {};
  try {
    error = (await response.json()).error ?? {};
  } catch {
    // Something between the page and the server answered, in words of its own.
  }
  return new Refusal(response.status, error, Number(response.headers.get("Retry-After")) || 0);
}

function parsed(block) {
  const event = { name: "message", id: "" };
  const data = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name === "event") event.name = value;
    else if (name === "data") data.push(value);
    else if (name === "id") event.id = value;
  }
  if (!data.length) return null;
  return { ...event, data: JSON.parse(data.join("\n")) };
}

/** A new id. `crypto.randomUUID` is there on secure pages alone, and a phone in the same network has none. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The path of something by its id. */
export const at = (strings, ...ids) => String.raw({ raw: strings }, ...ids.map(encodeURIComponent));
