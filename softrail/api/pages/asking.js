/** Requests with a key or a token, and event streams. */

const TIMEOUT = 45_000; // milliseconds; where nothing happens a stream gives a sign of life every 15 seconds

/** The server answered, and said no. */
export class Refusal extends Error {
  /** @param {number} status @param {{code?: string, message?: string, details?: any}} error @param {number} after seconds */
  constructor(status, error, after) {
    super(error.message || `${status}`);
    this.status = status;
    this.code = error.code || "";
    this.after = after;
    const { field = "", reason = "" } = error.details?.fields?.[0] ?? {};
    this.path = field; // of the first field that is not usable
    this.reason = reason;
  }

  /** Whether the same request may be taken later. */
  get passes() {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** A request that is given up when nothing is heard of it for too long: a network may be gone and tell nobody. */
class Call {
  /** @param {AbortSignal} [signal] @param {number} [timeout] milliseconds */
  constructor(signal, timeout = TIMEOUT) {
    this.timeout = timeout;
    this.ending = new AbortController();
    const end = () => this.ending.abort(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true, signal: this.ending.signal });
  }

  /** What is promised. Raises TypeError, as `fetch` does for a bad network, where it does not come. */
  async soon(promised) {
    let timer;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new TypeError("Nothing was heard for too long.")), this.timeout);
    });
    try {
      return await Promise.race([promised, late]);
    } catch (error) {
      this.over();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Nothing more of it is wanted. */
  over() {
    this.ending.abort();
  }
}

/** Asks the server at `base`, an address that ends with a slash, with a key, or with what `token` gives. */
export class Asking {
  constructor(base, { key = "", token = null, timeout = TIMEOUT } = {}) {
    this.base = base;
    this.key = key;
    this.token = token;
    this.timeout = timeout;
    this.kept = null; // what `token` gave last, or is about to give
  }

  /**
   * What is sent to say who asks; "" where the browser does by itself, or nobody need. Raises Refusal where there is nobody.
   * @param {Call} [call]
   */
  async credential(call) {
    if (!this.token) return this.key;
    const asked = (this.kept ??= Promise.resolve(this.token()));
    try {
      const given = await (call ? call.soon(asked) : asked);
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
   * @param {string} method @param {string} path @param {{body?: any, signal?: AbortSignal, headers?: HeadersInit, call?: Call}} [how]
   */
  async ask(method, path, { body, signal, headers, call } = {}) {
    const sent = new Headers(headers);
    let content = body;
    if (body !== undefined && !(body instanceof FormData)) {
      sent.set("Content-Type", "application/json");
      content = JSON.stringify(body);
    }
    for (let renewed = false; ; renewed = true) {
      const asked = await this.credential(call);
      const { kept } = this;
      if (asked) sent.set("Authorization", `Bearer ${asked}`);
      const how = { method, headers: sent, body: content, signal: call ? call.ending.signal : signal, cache: "no-store" };
      const promised = fetch(new URL(path, this.base), /** @type {RequestInit} */ (how));
      const response = await (call ? call.soon(promised) : promised);
      if (response.ok) return response;
      if (response.status !== 401 || !this.token || renewed) throw await refusal(response);
      if (this.kept === kept) this.kept = null; // another, once for all who ask now
    }
  }

  /** What the server answers, as JSON; null where it answers nothing. What is only read is given up when it takes too long. */
  async json(method, path, body) {
    const call = method === "GET" ? new Call(undefined, this.timeout) : undefined;
    const response = await this.ask(method, path, { body, call });
    if (response.status === 204) return null;
    return call ? call.soon(response.json()) : response.json();
  }

  /**
   * The events of a stream, as `{name, data, id}`, until it ends; `alive` hears of every sign of life.
   * @param {string} method @param {string} path
   * @param {{body?: any, signal?: AbortSignal, headers?: HeadersInit, alive?: () => void}} [how]
   */
  async *events(method, path, { alive, ...options } = {}) {
    const call = new Call(options.signal, this.timeout);
    const response = await this.ask(method, path, { ...options, call });
    const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
    let kept = "";
    try {
      for (;;) {
        const { value, done } = await call.soon(reader.read());
        if (done) return;
        alive?.();
        const blocks = (kept + value).split("\n\n");
        kept = blocks.pop() ?? "";
        for (const block of blocks) {
          const event = parsed(block);
          if (event) yield event;
        }
      }
    } finally {
      call.over();
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
