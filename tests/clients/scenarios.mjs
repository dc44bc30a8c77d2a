// What every client goes through; `node scenarios.mjs CLIENT URL` ends with 0 when all of it is as it should be.
import assert from "node:assert/strict";
import { fresh } from "./kit.mjs";

const [, , name, url] = process.argv;
const installed = ["assistant-ui", "copilotkit"].find((one) => name.startsWith(one)) ?? "."; // some have a folder of their own
const { CLIENTS } = await import(`./${installed}/clients.mjs`);
const server = { url, person: `${name.replaceAll(".", "-")}-${fresh()}@example.org` };
const headers = { "X-Softrail-Person": server.person };
const open = (thread = fresh()) => CLIENTS[name](server, thread);
const send = async (method, path) => (await fetch(url + path, { method, headers })).json();
const get = (path) => send("GET", path);
const said = async (state) => (await get(`/sessions/${state.session_id}/turns?limit=200`)).items;
/** A chat that any page finds again: its thread is a session. */
const lasting = async () => open((await send("POST", "/sessions")).id);
const release = () => fetch(`${url}/release`, { method: "POST" });
/** A click on a button of the open question. */
const press = ({ page, state: { pending } }, label) => {
  page.softrail = { answers: pending.id };
  return page.say(pending.choices.find((choice) => choice.label === label).label);
};
/** Returns once a turn of the session has said its first words, by whichever way they go. */
const answering = async (session) => {
  for (let told = ""; !told.includes("One moment."); ) {
    const stream = await fetch(`${url}/api/chat/${session}/stream`, { headers });
    const pieces = stream.status === 200 ? stream.body.pipeThrough(new TextDecoderStream()) : [];
    for await (const piece of pieces) if ((told += piece).includes("One moment.")) break;
  }
};
const standing = ({ pending, process, suspended, ways }) => ({ pending, process, suspended, ways });
const START = "start the check-in";
const SLOW = "do the slow thing";

const scenarios = {
  async "a process with a refused answer, to its end"() {
    const client = open();
    assert.equal((await client.say(START)).text, "How many hours did you sleep?");
    const refused = await client.say("100");
    assert.equal(refused.state.pending.prompt, "How many hours did you sleep?");
    assert.equal(refused.state.process.progress.done, 0);
    assert.equal((await client.say("7")).state.process.progress.done, 1);
    const done = await client.say("skip");
    assert.equal(done.state.last.side_effects[0].kind, "check_in_saved");
    assert.equal(done.state.pending, null);
  },

  async "cancel while a question is open, and resume"() {
    const client = open();
    await client.say(START);
    const left = await client.say("cancel");
    assert.deepEqual(left.state.suspended.map((one) => one.name), ["check_in"]);
    assert.ok(left.state.ways.some((way) => way.message === "resume"));
    assert.equal((await client.say("resume")).state.process.state, "active");
  },

  async "a retry is said once, and its answer is the same"() {
    const client = open();
    const first = await client.say(START);
    const again = await client.retry();
    assert.equal(again.text, first.text);
    assert.deepEqual(again.state.last, first.state.last);
    assert.equal((await said(first.state)).length, 2);
  },

  async "a reload shows what was said, and what is asked with buttons that work"() {
    const client = await lasting();
    const first = await client.say("order lunch");
    const asked = await client.reload();
    assert.deepEqual(asked.texts, ["order lunch", first.text]);
    assert.deepEqual(standing(asked.state), standing(first.state));
    const second = await press(asked, "salad");
    const again = await asked.page.reload();
    assert.deepEqual(again.texts, ["order lunch", first.text, "salad", second.text]);
    const done = await press(again, "Looks good");
    assert.equal(done.state.last.side_effects[0].kind, "lunch_saved");
    assert.deepEqual((await client.reload()).texts, (await said(done.state)).map((item) => item.content));
  },

  async "leaving in mid-answer, and going on with it"() {
    const client = await lasting();
    const first = await client.say("a thing");
    await client.leaveInAnswer(SLOW);
    const { texts, state } = await client.reload(() => void release());
    assert.deepEqual(texts, ["a thing", first.text, SLOW, "One moment.\n\nAll done."]);
    assert.equal((await said(state)).length, 4);
  },

  async "a turn that is stopped in mid-answer says so, and what it said before is gone"() {
    const client = await lasting();
    const { state } = await client.say("a thing");
    const saying = client.say(SLOW);
    await answering(state.session_id);
    await send("POST", `/sessions/${state.session_id}/cancel`);
    const stopped = await saying;
    assert.equal(stopped.error, undefined);
    assert.equal(stopped.text, "I stopped that before it was finished; nothing was changed.");
    assert.equal((await client.say("a thing")).error, undefined);
    assert.equal((await said(state)).length, 6);
  },

  async "eight messages at once"() {
    const words = Array.from({ length: 8 }, (_, n) => `thing ${n}`);
    const client = open();
    const one = await client.say(...words);
    assert.equal(one.error, undefined);
    const first = await said((await client.say("the end")).state);
    const people = first.filter((item) => item.role === "operator").map((item) => item.content);
    assert.deepEqual(people, [...words, "the end"]);
    const pages = words.map(() => client.another());
    await Promise.all(pages.map((page, n) => page.say(`page ${n}`)));
    const all = await said((await client.say("all")).state);
    const later = all.filter((item) => item.role === "operator").map((item) => item.content);
    assert.deepEqual(later.slice(9, -1).toSorted(), words.map((_, n) => `page ${n}`));
    assert.deepEqual(all.map((item) => item.seq), all.map((_, n) => n + 1));
  },

  async "an old button from another tab"() {
    const client = open();
    const old = (await client.say(START)).state.pending.id;
    const tab = open(client.thread);
    await tab.say("7");
    tab.softrail = { answers: old };
    const late = await tab.say("8");
    assert.match(late.text, /no longer open/);
    assert.deepEqual(late.state.last.side_effects, []);
    assert.equal(late.state.process.progress.done, 1);
  },
};

// A run in which nothing is said finds a thread by any name.
const threads = {
  async "a reload of a thread that the client has named"() {
    const client = open();
    const first = await client.say(START);
    const { texts, state } = await client.reload();
    assert.deepEqual(texts, [START, first.text]);
    assert.deepEqual(state, first.state);
  },
};

const interrupts = {
  async "a question as an interrupt: answered, answered again, answered late"() {
    const client = open();
    client.softrail = { interrupts: true };
    const [asked] = (await client.say(START)).interrupts;
    assert.equal(asked.reason, "input_required");
    assert.deepEqual([asked.responseSchema.type, asked.responseSchema.maximum], ["integer", 24]);
    const taken = await client.resume(asked, 7);
    assert.equal(taken.state.process.progress.done, 1);
    const [next] = taken.interrupts;
    const tab = client.another();
    const before = await said(taken.state);
    assert.deepEqual((await tab.resume(asked, 7)).state.last, taken.state.last);
    assert.equal((await tab.resume(asked, 8)).error, "question_closed");
    assert.equal((await tab.resume(asked, undefined, "cancelled")).error, "question_closed");
    assert.deepEqual(await said(taken.state), before); // a stale answer says nothing and changes nothing
    assert.equal((await get(`/sessions/${taken.state.session_id}`)).pending.id, next.id);
    assert.equal((await client.resume(next, undefined, "cancelled")).state.suspended.length, 1);
  },

  async "an answer to an interrupt that does not fit is refused with the reason, and the interrupt stays open"() {
    const client = open();
    client.softrail = { interrupts: true };
    const [asked] = (await client.say(START)).interrupts;
    const before = await said(client.agent.state);
    const refused = await client.resume(asked, 100).catch((told) => told);
    assert.match(refused.message, /422.*"field":"value"/);
    assert.deepEqual(await said(client.agent.state), before);
    assert.equal((await client.resume(asked, 7)).state.process.progress.done, 1);
  },

  async "an interrupt that is left with words"() {
    const client = open();
    client.softrail = { interrupts: true };
    const [asked] = (await client.say(START)).interrupts;
    client.agent.addMessage({ id: fresh(), role: "user", content: "cancel" });
    const left = await client.resume(asked, undefined, "cancelled");
    assert.equal(left.state.suspended.length, 1);
    assert.equal((await said(left.state)).at(-2).content, "cancel");
  },
};

// CopilotKit's box takes words while an answer is on its way, and sends all of them in the moment when it is there.
const inAnswer = {
  async "eight typed while an answer is on its way are said once each, and a reload shows them all"() {
    const client = open();
    const { state } = await client.say("hello");
    const words = Array.from({ length: 8 }, (_, n) => `typed ${n}`);
    await client.typeInAnswer("do the slow thing", words);
    await release();
    let items = [];
    while (items.length < 20) {
      await new Promise((done) => setTimeout(done, 20));
      items = await said(state);
    }
    const people = items.filter((item) => item.role === "operator").map((item) => item.content);
    assert.deepEqual(people.slice(0, 2), ["hello", "do the slow thing"]);
    assert.deepEqual(people.slice(2).toSorted(), words);
    assert.deepEqual((await client.reload()).texts, items.map((item) => item.content));
  },
};

const agui = { ...threads, ...interrupts };
const also = { "ag-ui-1.0.0": agui, "ag-ui-0.0.59": agui, "assistant-ui-ag-ui": threads, copilotkit: { ...threads, ...inAnswer } };
const all = { ...scenarios, ...also[name] };
for (const [what, scenario] of Object.entries(all)) {
  try {
    await scenario();
  } catch (error) {
    console.error(`${name}: ${what}`);
    console.error(error);
    process.exitCode = 1;
  }
}
console.log(`${name}: ${Object.keys(all).length} scenarios`);
process.exit();
