import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {createServer} from "node:http";
import {createRequire} from "node:module";
import {test} from "node:test";
import {pathToFileURL} from "node:url";
import {gzipSync} from "node:zlib";
import {DodonaError, load} from "dodona";

const {DODONA_MODEL_FILE: file, DODONA_SOURCE: source} = process.env;
const nlp = await load();

function failing(code, message) {
  return error => error instanceof DodonaError && error.name === "DodonaError" && error.code === code && message.test(error.message);
}

test("words, tokens, sentences", async () => {
  const text = "Birds don't sing.\nTime flies like an arrow.", doc = await nlp.parse(text);
  const [first, second] = doc.sentences, [birds, , not] = first.words;
  assert.deepEqual(first.words.map(({id, form, lemma, upos, head, deprel}) => [id, form, lemma, upos, head, deprel]), [
    [1, "Birds", "bird", "NOUN", 4, "nsubj"], [2, "do", "do", "AUX", 4, "aux"], [3, "n't", "not", "PART", 4, "advmod"],
    [4, "sing", "sing", "VERB", 0, "root"], [5, ".", ".", "PUNCT", 4, "punct"]]);
  assert.deepEqual([birds.xpos, birds.feats, first.words[4].feats], ["NNS", {Number: "Plur"}, {}]);
  assert.deepEqual([first.words[3].misc, birds.deps], [{SpaceAfter: "No"}, null]);
  assert.deepEqual(first.tokens.map(({form, words, start, end}) => [form, words.length, text.slice(start, end)]),
    [["Birds", 1, "Birds"], ["don't", 2, "don't"], ["sing", 1, "sing"], [".", 1, "."]]);
  assert.deepEqual([not.start, not.end, not.token.form, not.parent.form], [6, 11, "don't", "sing"]);
  assert.deepEqual([first.root.form, first.root.children.map(({form}) => form)], ["sing", ["Birds", "do", "n't", "."]]);
  assert.deepEqual([doc.text, first.text, second.text, second.id], [text, "Birds don't sing.", "Time flies like an arrow.", "2"]);
  assert.deepEqual([doc.words.length, [...doc].length, [...second].length], [11, 2, 6]);
  assert.equal(doc.toConllu(), first.toConllu() + second.toConllu());
  assert.equal(JSON.parse(JSON.stringify(doc)).sentences[0].tokens[1].words.length, 2);
});

test("empty nodes, comments and white space of CoNLL-U are kept", async () => {
  const row = (id, form, more = "\t_\t_\t_") => `${id}\t${form}\t_\tX\t_\t_${more}\t_\n`;
  const conllu = `# sent_id = a b\n# note = x = y\n${row(1, "Sue")}${row("1.1", "likes", "\t_\t_\t0:root")}${row(2, "#")}${row(3, "_")}\n`;
  const [sentence] = (await nlp.parseConllu(conllu)).sentences;
  assert.deepEqual([sentence.id, sentence.text, sentence.comments.length], ["a b", "Sue # _", 2]);
  assert.deepEqual(sentence.emptyNodes.map(({id, form, deps}) => [id, form, deps]), [["1.1", "likes", "0:root"]]);
  assert.deepEqual(sentence.words.map(({form}) => form), ["Sue", "#", "_"]);
  const crlf = (await nlp.parseConllu(conllu.replaceAll("\n", "\r\n") + conllu)).sentences;
  assert.deepEqual(crlf.map(({words}) => words.length), [3, 3]);
  assert.deepEqual(crlf[0].words[2].misc, {});
});

test("words of a sentence, bytes, what was parsed before, and nothing", async () => {
  assert.equal((await nlp.parse(["#", "Birds", "sing"])).words[2].form, "sing");
  assert.equal((await nlp.parse(new TextEncoder().encode("Köln sings."))).text, "Köln sings.");
  const doc = await nlp.parse("Birds sing. Time flies.");
  assert.equal((await nlp.parse(doc)).toConllu(), doc.toConllu());
  assert.equal((await nlp.parse(doc.sentences[1])).words.length, 3);
  for (const nothing of ["", " \n\n ", "\0"].slice(0, 2)) assert.deepEqual((await nlp.parse(nothing)).sentences, []);
  assert.equal((await nlp.parse("Birds\nsing", {from: "vertical"})).text, "Birds sing");
});

test("options and constraints", async () => {
  const text = "Birds sing in the wind. Time flies.";
  const doc = await nlp.parse(text, {constraints: ["arc 0 root 1", "not-arc 1 5", "span 3 5 none", "leaf 2", "2: arc 0 root 1"]});
  assert.deepEqual(doc.sentences.map(({root}) => root.form), ["Birds", "Time"]);
  assert.equal((await nlp.parse("Birds sing.", {constraints: "arc 0 root 1"})).words[0].head, 0);
  const best = await nlp.parse("Birds sing.", {beam: 4, nbest: 3, scores: true});
  assert.deepEqual(best.sentences.map(({nbest, id}) => [nbest, id]), [[1, "1"], [2, "1"], [3, "1"]]);
  assert.ok(best.sentences[0].score >= best.sentences[1].score && best.words[0].score > 0 && best.words[0].probability > 0);
  assert.deepEqual(best.sentences.map(({words}) => words[1].start), [6, 6, 6]);
  await assert.rejects(nlp.parse("Birds sing.", {constraints: ["arc 1 _ 2", "arc 2 _ 1"]}), failing("data", /cycle through word 1/));
  await assert.rejects(nlp.parse("Birds sing.", {constraints: ["2: leaf 1"]}), failing("data", /the text has 1 sentence$/));
  await assert.rejects(nlp.parse("Birds sing.", {constraints: ["leaves 1"]}), failing("data", /leaves/));
});

test("what cannot be used is refused", async () => {
  await assert.rejects(nlp.parse("Birds sing.", {beem: 3}), failing("argument", /did you mean 'beam'/));
  await assert.rejects(nlp.parse("Birds sing.", {beam: NaN}), failing("argument", /beam: NaN/));
  await assert.rejects(nlp.parse("Birds sing.", {to: "json"}), failing("argument", /no option 'to'/));
  await assert.rejects(nlp.parse("Birds sing.", {nbest: 3}), failing("argument", /nbest/));
  await assert.rejects(nlp.parse(Uint8Array.of(255)), failing("argument", /not UTF-8/));
  await assert.rejects(nlp.parse(["Birds", ""]), failing("argument", /word 2/));
  await assert.rejects(nlp.parseConllu("1\tBirds\n\n"), failing("argument", /expected 10 columns/));
  await assert.rejects(nlp.parse("Birds sing.", {timeout: "soon"}), failing("argument", /milliseconds/));
  await assert.rejects(nlp.parse(7), {name: "TypeError", message: /this is Number/});
  await assert.rejects(nlp.draw(7), {name: "TypeError", message: /this is Number/});
  await assert.rejects(load("klingon"), failing("argument", /no model 'klingon' in the package, which has english-fast/));
  await assert.rejects(load(7), {name: "TypeError"});
  await assert.rejects(load("english-fast", {workers: true}), failing("argument", /'workers'/));
  await assert.rejects(load("./absent.dodona"), failing("file", /absent.dodona: ENOENT/));
  await assert.rejects(load(new Uint8Array(100)), failing("model", /model/));
  await assert.rejects(load(gzipSync(readFileSync(file)).subarray(0, 1000)), failing("model", /damaged/));
  await assert.rejects(load(readFileSync(file).subarray(0, 100000)), failing("model", /./));
});

test("a model from bytes, a path, a file's URL, and a server", async () => {
  const bytes = readFileSync(file), packed = gzipSync(bytes, {level: 1}), trees = (await nlp.parse("Birds sing.")).toConllu();
  writeFileSync("mine.dodona.gz", packed);
  const server = createServer((request, answer) => {
    answer.statusCode = request.url === "/en.dodona.gz" ? 200 : 404;
    answer.end(packed);
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  const host = `http://127.0.0.1:${server.address().port}`;
  try {
    for (const [place, name] of [[bytes, "model"], [packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.length), "model"],
      ["./mine.dodona.gz", "mine"], [pathToFileURL("mine.dodona.gz"), "mine"], [`${host}/en.dodona.gz`, "en"]]) {
      const one = await load(place);
      assert.equal(one.info.name, name);
      assert.equal((await one.parse("Birds sing.")).toConllu(), trees);
      one.close();
    }
    await assert.rejects(load(`${host}/de.dodona`), failing("file", /the server answers 404/));
  } finally {
    server.close();
  }
});

test("what a model is", () => {
  const {name, components, beam, facts, labels} = nlp.info;
  assert.deepEqual([name, components, beam], ["english-fast", ["tokenizer", "tagger", "lemmatizer", "parser"], 1]);
  assert.deepEqual([facts.language, labels.includes("nsubj")], ["en", true]);
});

test("drawings", async () => {
  const doc = await nlp.parse("Birds sing. Time flies."), [, second] = doc.sentences;
  assert.match(await nlp.draw(doc), /nsubj[^]*sentence 2/);
  assert.match(await nlp.draw(second, {format: "svg", width: 400}), /^<svg[^]*flies[^]*<\/svg>\s*$/);
  assert.doesNotMatch(await nlp.draw(second, {tags: false, oneRow: true}), /NOUN/);
  assert.match(await nlp.draw(doc, {format: "dot"}), /digraph/);
  const other = await nlp.parse("Time flies.", {constraints: "arc 0 root 1"});
  assert.match(await nlp.draw(other, {gold: second}), /wrong/);
  await assert.rejects(nlp.draw(doc, {format: "svg"}), failing("data", /one sentence/));
  await assert.rejects(nlp.draw("", {format: "svg"}), failing("data", /no sentence/));
  await assert.rejects(nlp.draw(doc, {gold: second}), failing("data", /./));
  await assert.rejects(nlp.draw(doc, {formt: "svg"}), failing("argument", /'format'/));
});

test("traces", async () => {
  const steps = await nlp.trace("Birds sing."), page = await nlp.trace("Birds sing.", {to: "html"});
  assert.deepEqual([steps[0].transition, steps.at(-1).heads], ["SH", [2, 0, 2]]);
  assert.match(page, /^<!doctype html>/i);
  assert.deepEqual((await nlp.trace("Birds sing.", {constraints: "arc 0 root 1"})).at(-1).heads[0], 0);
});

test("scores against gold trees", async () => {
  const gold = readFileSync(`${source}/examples/demo-test.conllu`, "utf8"), {rule, metrics} = await nlp.evaluate(gold, await nlp.parseConllu(gold));
  assert.match(rule, /CoNLL 2018/);
  assert.deepEqual([metrics.Words.correct, metrics.Words.f1, metrics.LAS.f1 > 0.5 && metrics.LAS.f1 < 1], [142, 1, true]);
  await assert.rejects(nlp.evaluate(gold, "1\tx\n"), failing("argument", /10 columns/));
});

test("a pipe gives each document as soon as it can, and takes no more than it needs", async () => {
  let taken = 0, ended = false;
  async function* texts() {
    try {
      for (;;) yield `Birds sing ${taken++}.`;
    } finally {
      ended = true;
    }
  }
  let count = 0;
  for await (const doc of nlp.pipe(texts())) {
    assert.equal(doc.words[2].form, String(count));
    if (++count === 20) break;
  }
  assert.ok(taken <= 25 && ended);
  let release;
  async function* slow() {
    yield "Birds sing.";
    await new Promise(resolve => release = resolve);
    throw new Error("no more");
  }
  const pipe = nlp.pipe(slow());
  assert.equal((await pipe.next()).value.words.length, 3); // though the next text is still awaited
  release();
  await assert.rejects(pipe.next(), /no more/);
  const bad = nlp.pipe(["Birds sing.", 7, "Time flies."]);
  assert.equal((await bad.next()).value.words.length, 3);
  await assert.rejects(bad.next(), TypeError);
  await assert.rejects(nlp.pipe("Birds sing.").next(), TypeError);
});

test("timeouts and signals", async () => {
  const long = `${"birds sing and ".repeat(20000)}.`;
  await assert.rejects(nlp.parse(long, {beam: 40, timeout: 50}), failing("timeout", /not done within 50 ms/));
  await assert.rejects(nlp.parse("Birds sing.", {signal: AbortSignal.abort(new Error("enough"))}), /enough/);
  assert.equal((await nlp.parse("Birds sing.", {timeout: Infinity})).words.length, 3);
});

test("out of memory and a broken module cost one call", async () => {
  const one = await load(), {grow} = WebAssembly.Memory.prototype, {now} = Date;
  const trees = (await one.parse("Birds sing.")).toConllu(), large = "Birds sing. ".repeat(3 << 20);
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError("no");
  };
  try {
    await assert.rejects(one.parse(large), failing("memory", /^out of memory$/));
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.equal((await one.parse("Birds sing.")).toConllu(), trees);
  performance.mark("before");
  const clock = performance.now;
  performance.now = Date.now = () => {
    if (/wasm/.test(new Error().stack)) throw new Error("the clock has stopped");
    return clock.call(performance);
  };
  try {
    await assert.rejects(one.parse("Birds sing."), failing("crash", /the clock has stopped/));
  } finally {
    delete performance.now;
    Date.now = now;
  }
  assert.equal((await one.parse("Birds sing.")).toConllu(), trees);
  one.close();
});

test("a closed model", async () => {
  const one = await load();
  one.close();
  one.close();
  await assert.rejects(one.parse("Birds sing."), failing("closed", /closed/));
});

test("CommonJS imports it", async () => {
  writeFileSync("common.cjs", "module.exports = import('dodona')");
  assert.equal((await createRequire(import.meta.url)("./common.cjs")).load, load);
});

test("the examples of docs/js.md", async t => {
  t.mock.method(console, "log", () => {}); // what they print would not be TAP
  const page = readFileSync(`${source}/docs/js.md`, "utf8"), words = await nlp.parse("Birds sing.");
  const blocks = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, block]) => block)
    .filter(block => !/vite|arrayBuffer/.test(block));
  assert.ok(blocks.length >= 6);
  Object.assign(globalThis, {nlp, doc: words, gold: words, parsed: words, text: "Birds sing."});
  for (const [number, block] of blocks.entries()) {
    writeFileSync(`example-${number}.mjs`, block);
    await import(pathToFileURL(`example-${number}.mjs`));
  }
});
