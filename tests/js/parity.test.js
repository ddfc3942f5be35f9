// Trees are those of the program, byte for byte.
import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {test} from "node:test";
import {load} from "dodona";

const {DODONA: program, DODONA_SOURCE: source, DODONA_MODEL_FILE: model} = process.env;
const treebanks = ["bench/everyday.conllu", "examples/demo-train.conllu", "examples/demo-test.conllu"]
  .map(name => readFileSync(`${source}/${name}`, "utf8"));
const sentences = treebanks.flatMap(treebank => [...treebank.matchAll(/^# text = (.*)$/mg)].map(([, text]) => text));
const nlp = await load();

function run(text, ...options) {
  return execFileSync(program, ["parse", "--quiet", "--model", model, ...options], {input: text, encoding: "utf8", maxBuffer: 1 << 30});
}

function tokensOf(doc) {
  return doc.sentences.flatMap(({tokens}) => tokens);
}

for (const [what, options, ...flags] of [
  ["sentences, a line each", {given: "sentences"}, "--given=sentences"],
  ["running text", {paragraphs: "blank"}, "--paragraphs=blank"],
  ["scores, ranges and a beam", {scores: true, ranges: true, beam: 4}, "--scores", "--ranges", "--beam=4"],
  ["several trees", {beam: 4, nbest: 2, tidy: false}, "--beam=4", "--nbest=2", "--no-tidy"],
]) {
  test(`${sentences.length} sentences: ${what}`, async () => {
    const text = sentences.join("\n") + "\n", doc = await nlp.parse(text, options);
    assert.ok(sentences.length > 300);
    assert.equal(doc.toConllu(), run(text, "--from=text", ...flags));
    for (const {form, start, end} of tokensOf(doc)) assert.equal(text.slice(start, end), form);
  });
}

test("treebanks, with their tags and with the model's", async () => {
  for (const treebank of treebanks) {
    assert.equal((await nlp.parseConllu(treebank)).toConllu(), run(treebank, "--from=conllu"));
    assert.equal((await nlp.parseConllu(treebank, {tag: true})).toConllu(), run(treebank, "--from=conllu", "--tag"));
  }
});

test("a text whose trees take megabytes; words in a second of the processor", async t => {
  const text = `${sentences.join(" ")}\n\n`.repeat(8), before = process.cpuUsage(), doc = await nlp.parse(text);
  const {user, system} = process.cpuUsage(before), words = doc.toConllu().match(/^\d+\t/mg).length;
  assert.ok(doc.toConllu().length > 1 << 20);
  writeFileSync("text", text);
  const time = ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", program, "parse", "--quiet", "--model", model, "--from=text", "-o", "trees", "text"];
  const seconds = spawnSync("bash", time, {encoding: "utf8"}).stderr.trim().split(" ").map(Number);
  assert.equal(doc.toConllu(), readFileSync("trees", "utf8"));
  t.diagnostic(`${words} words: ${Math.round(words / (user + system) * 1e6)} here, ` +
    `${Math.round(words / (seconds[0] + seconds[1]))} by the program, its start included`);
});

test("places are the units of UTF-16 of the code points that the program counts", async () => {
  const text = "\ufeffThe 🦉 owl\u00a0sees  a\u0085naïve\r\n𝒳-ray.\tIt’s 10 000 €.\n\nBirds\u200b sing.\0 Yes\ud800 no.";
  const doc = await nlp.parse(text, {ranges: true}), points = [];
  for (const [count, point] of [...text].entries()) for (let i = 0; i < point.length; i++) points.push(count);
  points.push([...text].length);
  let found = 0;
  for (const {start, end, words, misc} of tokensOf(doc)) {
    const {TokenRange: range} = words.length > 1 ? misc : words[0].misc;
    if (start === null) continue;
    found++;
    assert.equal(`${points[start]}:${points[end]}`, range);
  }
  assert.equal(found, tokensOf(doc).length);
});
