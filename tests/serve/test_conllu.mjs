// The modules of the page that edit CoNLL-U, without a browser: test_conllu.mjs FOLDER, in TAP.
import assert from "node:assert/strict";
import {copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

// Node.js 18 has not yet what browsers have had since 2023.
const changed = change => function (...how) { const copy = [...this]; copy[change](...how); return copy; };
for (const [name, change] of [["toSpliced", "splice"], ["toSorted", "sort"], ["toReversed", "reverse"]])
  Array.prototype[name] ??= changed(change);

// Node.js takes a module for one by the package around it.
const folder = mkdtempSync(join(tmpdir(), "dodona-"));
process.on("exit", () => rmSync(folder, {recursive: true}));
for (const file of readdirSync(process.argv[2]).filter(name => name.endsWith(".js")))
  copyFileSync(join(process.argv[2], file), join(folder, file));
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
const load = name => import(join(folder, name));
const {Misfit, Sentence, splitFile} = await load("conllu.js");
const {group, merge, split, ungroup} = await load("tokens.js");
const {Treebank, arrange, leastCertain, textOf} = await load("treebank.js");
const {Annotator} = await load("annotator.js");
const {Refusal} = await load("backend.js");
const {trainingOf} = await load("training.js");
const {scoreAll} = await load("doubts.js");

let count = 0, failed = 0;
async function test(name, run) {
  try {
    await run();
    console.log(`ok ${++count} - ${name}`);
  } catch (error) {
    failed++;
    console.log(`not ok ${++count} - ${name}`);
    console.log(`# ${String(error.stack ?? error).replaceAll("\n", "\n# ")}`);
  }
}

// Columns are written with spaces here, spaces in them as ~, and _ at the end is left out.
const rows = text => text.split("\n").map(line => /^\d/.test(line)
  ? [...line.trim().split(/ +/), ...Array(10).fill("_")].slice(0, 10).join("\t").replaceAll("~", " ") : line).join("\n");
const read = text => Sentence.read(rows(text));
const is = (sentence, text) => assert.equal(String(sentence), rows(text));
const refuses = (run, message) => assert.throws(run, error => error instanceof Misfit && message.test(error.message));

const FISH = `# sent_id = 1
# text = Il va du lac.
1 Il il PRON _ _ 2 nsubj
2 va aller VERB _ _ 0 root 0:root
2.1 va _ _ _ _ _ _ 2:dep
3-4 du
3 de de ADP _ _ 5 case 5:case
4 le le DET _ _ 5 det
5 lac lac NOUN _ _ 2 obl 2:obl:de|2.1:obl SpaceAfter=No|Gloss=lake
6 . . PUNCT _ _ 2 punct

`;

// ---- bytes ----

await test("a file is split and joined without loss of a byte", () => {
  const texts = [rows(FISH + FISH), `\n\n${rows(FISH)}\n\n \n${rows(FISH).trim()}`, rows(FISH).replaceAll("\n", "\r\n"),
    `\ufeff${rows(FISH)}`, "# only a comment\n\n", "no columns\n\n\nat all", "", "\n\n", rows(FISH).trimEnd()];
  for (const text of texts) assert.equal(splitFile(text).join(""), text);
  assert.deepEqual(texts.map(text => splitFile(text).length), [2, 2, 1, 1, 1, 2, 0, 1, 1]);
  for (const text of [rows(FISH), rows(FISH).replaceAll("\n", "\r\n"), `\ufeff${rows(FISH)}`, rows(FISH).trimEnd()])
    assert.equal(String(Sentence.read(text)), text);
});

await test("what is not CoNLL-U is refused with a reason", () => {
  refuses(() => Sentence.read("1\ta\n"), /expected 10 columns, found 2/);
  refuses(() => read("1 a\n3 b\n"), /word 3 where word 2 should be/);
  refuses(() => read("1 a _ _ _ _ 7\n"), /“7” cannot be the head of word 1/);
  refuses(() => read("1 a _ _ _ _ 1\n"), /cannot be the head/);
  refuses(() => read("1 a\n# late\n2 b\n"), /comment after the first word/);
  refuses(() => read("2-3 ab\n1 a\n2 b\n3 c\n"), /range 2-3 is out of place/);
  refuses(() => read("1-2 ab\n1 a\n2-3 bc\n2 b\n3 c\n"), /overlaps/);
  refuses(() => read("1-4 ab\n1 a\n2 b\n"), /out of place/);
  refuses(() => read("# nothing\n"), /without words/);
  refuses(() => Sentence.read(rows("1 a\n").replace("_", "")), /empty column/);
});

await test("a changed cell changes its line alone, also with CRLF and a byte order mark", () => {
  for (const text of [rows(FISH), `\ufeff${rows(FISH).replaceAll("\n", "\r\n")}`]) {
    const edited = String(Sentence.read(text).withCells({5: {upos: "PROPN", feats: "", lemma: "Lac Léman"}}));
    assert.equal(edited, text.replace("lac\tlac\tNOUN", "lac\tLac Léman\tPROPN"));
  }
  refuses(() => read(FISH).withCells({1: {upos: "A B"}}), /UPOS has no spaces/);
  refuses(() => read(FISH).withCells({1: {feats: "Sing"}}), /Name=Value/);
});

await test("constraints and the mark stand behind the other comments, and go without a trace", () => {
  const marked = read(FISH).withConstraints(["arc 2 obl 5", "leaf 1"]).withMark(true);
  is(marked, FISH.replace("lac.\n", "lac.\n# constraint = arc 2 obl 5\n# constraint = leaf 1\n# status = corrected\n"));
  assert.deepEqual(marked.constraints, ["arc 2 obl 5", "leaf 1"]);
  assert.equal(marked.isCorrected, true);
  is(marked.withConstraints([]).withMark(false), FISH);
  is(marked.withMark(true).withConstraints(["leaf 1", "arc 2 obl 5"]), String(marked).replaceAll("\t", " "));
  assert.equal(read("1 a\n").withMark(true).alone, rows("# status = corrected\n1 a\n"));
  const crlf = Sentence.read(`\ufeff${rows("1 a\n").replace("\n", "\r\n")}`).withMark(true);
  assert.equal(String(crlf), `\ufeff# status = corrected\r\n${rows("1 a\n").replace("\n", "\r\n")}`);
});

// ---- trees ----

await test("one word gets another head, and no cycle or second root comes of it", () => {
  const place = (sentence, ...ids) => ids.map(id => [sentence.words[id - 1].head, sentence.words[id - 1].deprel]);
  const plain = read(FISH).withArc(5, "nsubj", 1);
  assert.deepEqual(place(plain, 1, 2, 5), [[5, "nsubj"], [0, "root"], [2, "obl"]]);
  const turned = read(FISH).withArc(3, "nmod", 5); // 3 was below 5
  assert.deepEqual(place(turned, 3, 5, 4), [[2, "obl"], [3, "nmod"], [5, "det"]]);
  const root = read(FISH).withArc(0, "root", 5);
  assert.deepEqual(place(root, 5, 2), [[0, "root"], [5, "obl"]]);
  const below = read(FISH).withArc(5, "obj", 2); // the root, below its dependent
  assert.deepEqual(place(below, 5, 2), [[0, "root"], [5, "obj"]]);
});

await test("tags are filled in where they lack, in columns that the sentence has", () => {
  const found = [{id: 1, lemma: "x", upos: "X", xpos: "XX", feats: "A=B"}, {id: 2, lemma: "y", upos: "Y", xpos: "YY", feats: null}];
  is(read("1 a a NOUN\n2 b\n").withTags(found), "1 a a NOUN\n2 b y Y\n");
  is(read("1 a\n2 b\n").withTags(found), "1 a x X XX A=B\n2 b y Y YY\n");
});

// ---- words ----

await test("a word is split into tokens; heads, DEPS, empty nodes, ranges and constraints follow", () => {
  const sentence = read(FISH).withConstraints(["arc 2 obl 5", "not-arc 2 1", "span 1 5 any", "leaf 1"]);
  is(split(sentence, 1, ["I", "l"], true), `# sent_id = 1
# text = Il va du lac.
# constraint = arc 3 obl 6
# constraint = span 1 6 any
1 I _ _ _ _ 3 nsubj _ SpaceAfter=No
2 l
3 va aller VERB _ _ 0 root 0:root
3.1 va _ _ _ _ _ _ 3:dep
4-5 du
4 de de ADP _ _ 6 case 6:case
5 le le DET _ _ 6 det
6 lac lac NOUN _ _ 3 obl 3:obl:de|3.1:obl SpaceAfter=No|Gloss=lake
7 . . PUNCT _ _ 3 punct

`);
  is(split(read("1 ab _ _ _ _ 0 root _ SpaceAfter=No|A=b\n2 c"), 1, ["a", "b"], true),
    "1 a _ _ _ _ 0 root _ SpaceAfter=No\n2 b _ _ _ _ _ _ _ SpaceAfter=No|A=b\n3 c");
  is(split(read("1 ab"), 1, ["a", "b"], true), "1 a _ _ _ _ _ _ _ SpaceAfter=No\n2 b"); // no line end at the end
});

await test("a word is split into the words of one token, and a word of a token into more", () => {
  is(split(read("1 au _ _ _ _ 2 case _ SpaceAfter=No\n2 lac\n"), 1, ["à", "le"], false),
    "1-2 au _ _ _ _ _ _ _ SpaceAfter=No\n1 à _ _ _ _ 3 case\n2 le\n3 lac\n");
  is(split(read("1-2 dus\n1 de\n2 les _ _ _ _ 1 x\n"), 2, ["le", "s"], false),
    "1-3 dus\n1 de\n2 le _ _ _ _ 1 x\n3 s\n");
  is(split(read("1-2 dus\n1 de\n2 les\n"), 1, ["d", "e"], false), "1-3 dus\n1 d\n2 e\n3 les\n");
  refuses(() => split(read("1 ab\n"), 1, ["a", "c"], true), /“ac” is not “ab”/);
  refuses(() => split(read("1 ab\n"), 1, ["ab"], true), /spaces between/);
  refuses(() => split(read("1-2 ab\n1 a\n2 b\n"), 1, ["a", "b"], true), /dissolve/);
});

await test("words are merged: what hung on them hangs on the new one, which hangs where they did", () => {
  is(merge(read("1 New _ _ _ _ 2 compound\n2 York y PROPN _ _ 3 obj 3:obj|1:x SpaceAfter=No|B=c\n3 is _ _ _ _ 0 root\n4 big _ _ _ _ 1 amod\n"), 1, 2),
    "1 New~York _ _ _ _ 2 obj 2:obj B=c|SpaceAfter=No\n2 is _ _ _ _ 0 root\n3 big _ _ _ _ 1 amod\n");
  is(merge(read("1 a _ _ _ _ 3 x _ SpaceAfter=No\n2 b _ _ _ _ 0 root\n3 c _ _ _ _ 2 y\n"), 1, 2), // not below 3, which is below b
    "1 ab _ _ _ _ 0 root\n2 c _ _ _ _ 1 y\n");
  is(merge(read(FISH).withConstraints(["arc 2 obl 5", "not-arc 4 3", "span 3 4 any", "span 3 5 any"]), 3, 4), // a whole token
    FISH.replace("3-4 du\n3 de de ADP _ _ 5 case 5:case\n4 le le DET _ _ 5 det\n5", "3 du _ _ _ _ 4 case 4:case\n4")
      .replace("6 .", "5 .").replace("lac.\n", "lac.\n# constraint = arc 2 obl 4\n# constraint = span 3 4 any\n"));
  is(merge(read(FISH), 3, 5), FISH.replace(/3-4 du\n[^]*5 lac.*/, "3 du~lac _ _ _ _ 2 obl 2:obl:de|2.1:obl Gloss=lake|SpaceAfter=No")
    .replace("6 .", "4 ."));
  is(merge(read("1-3 abc\n1 a\n2 b\n3 c\n"), 1, 2), "1-2 abc\n1 ab\n2 c\n");
  is(merge(read("1-3 abc\n1 a\n2 b\n3 c\n"), 2, 3), "1-2 abc\n1 a\n2 bc\n");
  is(merge(read("1 a\n1.1 e\n2 b\n2.1 f\n3 c _ _ _ _ _ _ 1.1:x|2.1:y"), 1, 2), "1 a~b\n1.1 e\n1.2 f\n2 c _ _ _ _ _ _ 1.1:x|1.2:y");
  refuses(() => merge(read(FISH), 4, 5), /both sides/);
});

await test("words become one token, and tokens again", () => {
  const apart = "# text = abc\n1 a _ _ _ _ 0 root _ SpaceAfter=No|A=b\n2 b _ _ _ _ 1 x _ SpaceAfter=No\n3 c _ _ _ _ 1 y\n";
  const one = "# text = abc\n1-2 ab _ _ _ _ _ _ _ SpaceAfter=No\n1 a _ _ _ _ 0 root _ A=b\n2 b _ _ _ _ 1 x\n3 c _ _ _ _ 1 y\n";
  is(group(read(apart), 1, 2), one);
  is(ungroup(read(one), 2), apart.replace("SpaceAfter=No|A=b", "A=b|SpaceAfter=No"));
  refuses(() => group(read("1 a\n2 b\n"), 1, 2), /space between/);
  refuses(() => group(read(one), 2, 3), /part of a token already/);
  refuses(() => ungroup(read(FISH), 3), /do not spell “du”/);
});

// ---- a treebank ----

const TWO = rows(FISH + FISH.replace("= 1", "= 2").replace("obl", "nmod"));

await test("steps are undone and done again, and what is saved is known", () => {
  const treebank = new Treebank("a.conllu", TWO), first = treebank.entry(0).sentence;
  assert.equal(treebank.change(0, first), false);
  assert.equal(treebank.change(1, treebank.entry(1).sentence.withMark(true)), true);
  treebank.change(0, first.withCells({1: {upos: "X"}}));
  const {text} = treebank;
  assert.deepEqual([treebank.changedWords(0), treebank.changedWords(1), treebank.corrected.length], [1, 0, 1]);
  treebank.saved = treebank.done;
  assert.deepEqual([treebank.undo(), treebank.undo(), treebank.undo(), treebank.text, treebank.isSaved], [0, 1, -1, TWO, false]);
  const kept = new Treebank("a.conllu", TWO, treebank.steps, 1);
  assert.equal(kept.text, TWO.slice(0, kept.texts[0].length) + kept.texts[1]);
  assert.equal(kept.entry(1).sentence.isCorrected, true);
  assert.deepEqual([treebank.redo(), treebank.redo(), treebank.redo(), treebank.text, treebank.isSaved], [1, 0, -1, text, true]);
  treebank.undo();
  treebank.change(0, first.withCells({1: {upos: "Y"}})); // as many steps as were saved, but another one
  assert.deepEqual([treebank.done, treebank.isSaved], [2, false]);
});

await test("sentences are found by text and label, and the least certain come first", () => {
  const treebank = new Treebank("a.conllu", `${TWO}broken\n\n${rows("1 Un\n2 lac\n\n")}`), all = {order: "file", show: "all", find: "", label: ""};
  treebank.change(1, treebank.entry(1).sentence.withMark(true));
  const found = (wanted, doubts = []) => arrange(treebank, {...all, ...wanted}, doubts);
  assert.deepEqual(found({}), [0, 1, 2, 3]);
  assert.deepEqual(found({show: "open"}), [0, 2, 3]);
  assert.deepEqual(found({show: "corrected"}), [1]);
  assert.deepEqual(found({find: " DU lac"}), [0, 1]);
  assert.deepEqual(found({find: "un lac"}), [3]);
  assert.deepEqual(found({label: "nmod"}), [1]);
  assert.deepEqual(found({order: "certainty"}, [0.9, 0.2, , 0.5]), [1, 3, 0, 2]);
  assert.deepEqual(treebank.labels.slice(0, 2), [["case", 2], ["det", 2]]);
  assert.deepEqual([textOf(treebank.texts[0]), textOf(treebank.texts[3])], ["Il va du lac.", "Un lac"]);
  assert.match(treebank.entry(2).reason, /found 1/);
  assert.equal(leastCertain([{score: null}, {score: 2, probability: 0.5}, {probability: 0.7}]), 0.5);
  assert.equal(leastCertain([{score: null}]), Infinity);
});

await test("a sentence that is refused has no score, and the others have theirs", async () => {
  const treebank = new Treebank("a.conllu", `${TWO}broken\n\n${TWO}`), doubts = [];
  let asked = 0;
  await scoreAll(treebank, async data => {
    asked++;
    const some = splitFile(data);
    if (data.includes("sent_id = 2")) throw new Refusal(422, "no");
    return some.map((_, i) => ({words: [{probability: i / 10}]}));
  }, doubts, () => true);
  assert.deepEqual([doubts[0], doubts[1], doubts[2], doubts[3], doubts[4]], [0, undefined, undefined, 0, undefined]);
});

// ---- edits with a parser ----

// A parser that hangs all words on the first, but for what is required.
function annotator(restStays, asked = []) {
  const sentences = async ({data}) => {
    asked.push(data);
    const sentence = Sentence.read(data), words = sentence.words.map(word =>
      ({...word, upos: word.upos ?? "X", head: word.id === 1 ? 0 : 1, deprel: word.id === 1 ? "root" : "dep"}));
    for (const [kind, head, label, id] of sentence.constraints.map(rule => rule.split(" ")))
      if (kind === "arc") Object.assign(words[id - 1], {head: Number(head)}, label === "_" ? {} : {deprel: label});
    if (data.includes("leaf 1")) throw new Refusal(422, "data:1: sentence '1': constraint 'leaf 1': no");
    return [{words}];
  };
  return new Annotator({sentences}, () => ({names: ["m"], labels: ["root", "dep", "obj"]}), () => restStays);
}
const heads = sentence => sentence.words.map(({head}) => head), labels = sentence => sentence.words.map(({deprel}) => deprel);
const FOUR = read("1 a a X _ _ 2 x\n2 b b X _ _ 0 root\n3 c c X _ _ 2 x\n4 d d X _ _ 3 x\n");

await test("the parser redoes the rest, and what was decided holds in each new tree", async () => {
  const one = await annotator(false).constrain(FOUR, "arc 3 obj 2");
  assert.deepEqual([heads(one), labels(one)], [[0, 3, 1, 1], ["root", "obj", "dep", "dep"]]);
  const two = await annotator(false).constrain(one, "arc 2 mine 4"); // a label that the model does not know
  assert.deepEqual([heads(two), labels(two)], [[0, 3, 1, 2], ["root", "obj", "dep", "mine"]]);
  assert.deepEqual(two.constraints, ["arc 3 obj 2", "arc 2 mine 4"]);
  const three = await annotator(false).release(two, "arc 3 obj 2");
  assert.deepEqual(heads(three), [0, 1, 1, 2]);
  await assert.rejects(annotator(false).constrain(two, "leaf 1"), Refusal);
  const tagged = await annotator(false).tag(three, 3, {upos: "VERB"});
  assert.deepEqual([tagged.words[2].upos, heads(tagged)], ["VERB", [0, 1, 1, 2]]);
  assert.deepEqual((await annotator(false).label(two, 3, "y")).constraints, ["arc 3 obj 2", "arc 2 mine 4", "arc 1 y 3"]);
});

await test("the rest stays where that is asked for, and in a corrected sentence", async () => {
  for (const [sentence, how] of [[FOUR, annotator(true)], [FOUR.withMark(true), annotator(false)]]) {
    const arc = await how.constrain(sentence, "arc 4 _ 1");
    assert.deepEqual([heads(arc), labels(arc)], [[4, 0, 2, 3], ["x", "root", "x", "x"]]);
    assert.equal(arc.isCorrected, sentence.isCorrected);
    assert.deepEqual(arc.constraints, sentence.isCorrected ? [] : ["arc 4 x 1"]);
    assert.deepEqual(heads(await how.constrain(sentence, "not-arc 3 4")), [2, 0, 2, 1]);
    assert.deepEqual(heads(await how.split(sentence, 4, ["d", "e"], false)), [2, 0, 2, 3, 1]);
    assert.deepEqual(heads(await how.merge(sentence, 3, 4)), [2, 0, 2]);
    assert.deepEqual(heads(await how.tag(sentence, 3, {upos: "VERB"})), [2, 0, 2, 3]);
  }
});

await test("words whose heads are known stay where a sentence has a part of a tree, and tags are asked for", async () => {
  const asked = [], part = read("1 a a X _ _ 2 x\n2 b\n3 c c X\n");
  const whole = await annotator(false, asked).complete(part);
  assert.deepEqual([heads(whole), whole.words[1].upos], [[2, 1, 1], "X"]);
  assert.equal(asked.length, 2);
  assert.match(asked[1], /^# constraint = arc 2 _ 1\n/);
});

await test("the command that trains goes on from a neural model, and starts from scratch otherwise", () => {
  const tell = components => trainingOf("my file.conllu", {names: ["en"], facts: {scorer: "neural"}, components}).command;
  const end = "--rate 0.0005 --iterations 10 -o 'my file.dodona' 'my file-corrected.conllu'";
  assert.equal(tell(["parser"]), `dodona train --scorer neural --start-from en ${end}`);
  assert.equal(tell(["tagger", "parser"]), `dodona train --scorer neural --start-from en --components-from en ${end}`);
  assert.equal(trainingOf("a.conllu", {names: ["en"], facts: {}}).command, "dodona train -o a.dodona a-corrected.conllu");
});

console.log(`1..${count}`);
process.exitCode = failed ? 1 : 0;
