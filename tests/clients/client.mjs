// The JavaScript client through a real server; `node client.mjs CLIENT URL` ends with 0 when all of it is as it should be.
import assert from "node:assert/strict";
import { createServer } from "node:http";

const [, , file, url] = process.argv;
const { Client, newId, NoAnswer, Refusal } = await import(file);
const person = `js-${newId()}@example.org`;
const START = "start the check-in";

/** What comes of a stream of events before a proxy cuts it. */
const QUIET = {
  "a sign of life": ": still here\n\n",
  nothing: "",
  "an item": 'event: item\ndata: {"seq": 7}\n\n',
};

/** A network on which things go wrong: each entry of `trouble` happens to one request. */
const trouble = [];
const sent = [];
const plain = globalThis.fetch;
globalThis.fetch = async (address, options) => {
  options.headers.set("X-Softrail-Person", person);
  sent.push({ body: options.body && JSON.parse(options.body), last: options.headers.get("Last-Event-ID") });
  const kind = trouble.shift() ?? "";
  if (kind === "no connection") throw new TypeError("fetch failed");
  if (/^\d+$/.test(kind)) {
    const body = JSON.stringify({ error: { code: "stopping", message: "Not now.", details: {} } });
    return new Response(body, { status: Number(kind), headers: { "Retry-After": "0" } });
  }
  if (kind in QUIET) return new Response(QUIET[kind]);
  const answer = await plain(address, options);
  if (kind === "lost") {
    await answer.text();
    throw new TypeError("terminated");
  }
  if (kind.startsWith("after ")) {
    const events = (await answer.text()).split("\n\n").slice(0, Number(kind.slice(6)));
    return new Response(events.map((event) => `${event}\n\n`).join(""));
  }
  return answer;
};
const client = new Client({ url, wait: 0, tries: 4 });
const begin = (...kinds) => {
  sent.length = 0;
  trouble.splice(0, trouble.length, ...kinds);
};
const heard = async (said) => {
  const events = [];
  for await (const event of client.stream(said)) events.push(event);
  return events;
};

const scenarios = {
  async "talking, and looking at what was said"() {
    const first = await client.say(START);
    const second = await client.say({ answers: first.pending.id, value: 7, session_id: first.session_id });
    assert.equal(second.process.progress.done, 1);
    assert.equal((await client.turns(first.session_id)).items.length, 4);
    const end = await client.turns(first.session_id, { before: "4611686018427387904", limit: 1 });
    assert.deepEqual([end.items[0].seq, end.next], [4, "4"]);
    const older = await client.turns(first.session_id, { before: end.next, limit: 2 });
    assert.deepEqual(older.items.map((item) => item.seq), [2, 3]);
    assert.equal((await client.session(first.session_id)).process.state, "active");
    assert.deepEqual(await client.cancel(first.session_id), { cancelled: false });
    await client.erase(first.session_id);
    await assert.rejects(client.session(first.session_id), (error) => error instanceof Refusal && error.status === 404);
  },

  async "a value that does not fit is refused with its path and the reason"() {
    const first = await client.say(START);
    const here = { answers: first.pending.id, session_id: first.session_id };
    sent.length = 0;
    const error = await client.say({ ...here, value: "seven" }).catch((told) => told);
    assert.ok(error instanceof Refusal);
    assert.deepEqual([error.status, error.path, error.reason], [422, "value", "I need a whole number."]);
    assert.equal(sent.length, 1);
    assert.equal((await client.say({ ...here, value: 7 })).seq, 3);
  },

  async "a turn is sent again with its id, and said once"() {
    for (const kind of ["lost", "no connection", "503", "429", "after 0", "after 1"]) {
      begin(kind, kind);
      const reply = await client.say(START);
      assert.equal(sent.length, 3, kind);
      assert.deepEqual(new Set(sent.map((one) => one.body.turn_id)), new Set([reply.turn_id]));
      assert.equal((await client.turns(reply.session_id)).items.length, 2);
    }
  },

  async "who gives up may ask again with the id"() {
    begin("lost", "lost", "lost", "lost");
    const error = await client.say(START).catch((told) => told);
    assert.ok(error instanceof NoAnswer);
    const reply = await client.say({ message: START, turn_id: error.turnId });
    assert.equal((await client.turns(reply.session_id)).items.length, 2);
  },

  async "a refusal is raised at once unless it passes"() {
    for (const [status, tries] of [["409", 1], ["422", 1], ["503", 4], ["429", 4]]) {
      begin(...Array(9).fill(status));
      await assert.rejects(client.say(START), (error) => error instanceof Refusal && error.status === Number(status));
      assert.equal(sent.length, tries);
    }
    begin();
  },

  async "a stream that breaks off is gone on with"() {
    begin("after 1");
    const events = await heard(START);
    assert.equal(events.filter((event) => event.name === "turn.accepted").length, 1);
    assert.equal(events.at(-1).data.companion_message, "How many hours did you sleep?");
    assert.equal(sent[1].last, events[0].id);
  },

  async "a token that expired is renewed once"() {
    begin("401", "", "401", "401");
    let given = 0;
    const known = new Client({ url, token: async () => `token-${(given += 1)}`, wait: 0 });
    await assert.rejects(known.say(START), (error) => error.status === 401);
    assert.equal(given, 2);
  },

  async "a quiet session is followed however often a proxy cuts the stream"() {
    begin(...Array(12).fill("a sign of life"), "an item");
    for await (const event of client.follow("s1")) {
      assert.deepEqual([event.name, event.data], ["item", { seq: 7 }]);
      break;
    }
    assert.equal(sent.length, 13);
  },

  async "a stream that gives no sign of life is given up"() {
    begin(...Array(12).fill("nothing"));
    await assert.rejects(client.follow("s1").next(), (error) => error instanceof NoAnswer);
    assert.equal(sent.length, 4);
  },

  async "a network that is gone and tells nobody is noticed"() {
    begin();
    const silent = { before: 0, after: 0 };
    const hole = createServer((request, response) => {
      if (request.url.endsWith("/s2/events?after=0")) return void (silent.before += 1); // nothing, not even a header
      silent.after += 1;
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(": still here\n\n");
    });
    await new Promise((ready) => hole.listen(0, "127.0.0.1", ready));
    const lost = new Client({ url: `http://127.0.0.1:${hole.address().port}`, wait: 0, tries: 3, timeout: 50 });
    await assert.rejects(lost.follow("s2").next(), (error) => error instanceof NoAnswer);
    assert.equal(silent.before, 3);
    await assert.rejects(lost.say(START), (error) => error instanceof NoAnswer && error.turnId.length === 32);
    assert.equal(silent.after, 3);
    await assert.rejects(lost.sessions(), (error) => error instanceof NoAnswer); // it begins, and never ends
    hole.closeAllConnections();
    hole.close();
  },

  async "leaving stops asking"() {
    const leaving = new AbortController();
    leaving.abort();
    begin();
    await assert.rejects(client.say(START, { signal: leaving.signal }), { name: "AbortError" });
    assert.equal(sent.length, 1);
  },
};

for (const [what, scenario] of Object.entries(scenarios)) {
  try {
    await scenario();
  } catch (error) {
    console.error(what);
    console.error(error);
    process.exitCode = 1;
  }
}
process.exit();
