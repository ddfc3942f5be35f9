import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {after, test} from "node:test";
import {DodonaError, load} from "dodona";

const here = await load(), nlp = await load("english-fast", {worker: true});
after(() => nlp.close());
const LONG = `${"birds sing and ".repeat(60000)}.`;

test("the same trees, errors and drawings", async () => {
  const text = "Birds don't sing. Time flies like an arrow.", doc = await nlp.parse(text);
  assert.equal(doc.toConllu(), (await here.parse(text)).toConllu());
  assert.deepEqual(nlp.info, here.info);
  assert.equal(await nlp.draw(doc), await here.draw(doc));
  await assert.rejects(nlp.parse("Birds sing.", {constraints: ["arc 1 _ 2", "arc 2 _ 1"]}),
    error => error instanceof DodonaError && error.code === "data" && /cycle/.test(error.message));
  await assert.rejects(load(new Uint8Array(100), {worker: true}), {name: "DodonaError", code: "model"});
});

test("this thread goes on meanwhile", async () => {
  let ticks = 0;
  const clock = setInterval(() => ticks++, 1);
  await nlp.parse("Time flies like an arrow. ".repeat(500));
  clearInterval(clock);
  assert.ok(ticks > 5);
});

test("an aborted call ends at once, one that waits is dropped, and others are answered", async () => {
  const running = new AbortController(), waiting = new AbortController();
  const first = nlp.parse(LONG, {beam: 40, signal: running.signal});
  const second = nlp.parse(LONG, {beam: 40, signal: waiting.signal}), third = nlp.parse("Birds sing.");
  waiting.abort(new Error("not needed"));
  setTimeout(() => running.abort(), 100);
  await assert.rejects(second, /not needed/);
  await assert.rejects(first, {name: "AbortError"});
  assert.equal((await third).words.length, 3);
  await assert.rejects(nlp.parse(LONG, {beam: 40, signal: AbortSignal.timeout(100)}), {name: "TimeoutError"});
  await assert.rejects(nlp.parse(LONG, {beam: 40, timeout: 100}), {name: "DodonaError", code: "timeout"});
  assert.equal((await nlp.parse("Birds sing.")).words.length, 3);
});

test("a pipe", async () => {
  const texts = Array.from({length: 50}, (_, i) => `Birds sing ${i}.`), forms = [];
  for await (const doc of nlp.pipe(texts)) forms.push(doc.words[2].form);
  assert.deepEqual(forms, texts.map((_, i) => String(i)));
});

test("closing rejects what waits", async () => {
  const one = await load(readFileSync(process.env.DODONA_MODEL_FILE), {worker: true}), parsed = one.parse(LONG, {beam: 40});
  one.close();
  await assert.rejects(parsed, {name: "DodonaError", code: "closed"});
});

test("a model that is not closed does not keep the process", () => {
  const told = execFileSync(process.execPath, ["--input-type=module", "-e", `
    import {load} from "dodona";
    const nlp = await load("english-fast", {worker: true});
    console.log((await nlp.parse("Birds sing.")).words.length);`], {encoding: "utf8", timeout: 300000});
  assert.equal(told, "3\n");
});

test("a worker that dies costs one call", async () => {
  const {Worker} = await import("node:worker_threads"), {postMessage} = Worker.prototype;
  const one = await load("english-fast", {worker: true});
  Worker.prototype.postMessage = function () {
    this.terminate();
  };
  try {
    await assert.rejects(one.parse("Birds sing."), {name: "DodonaError", code: "crash", message: /the worker failed: it has ended/});
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
  assert.equal((await one.parse("Birds sing.")).words.length, 3);
  one.close();
});
