import {
  load, DodonaError, type Constraint, type Doc, type ErrorCode, type Evaluation, type NLP, type Sentence, type Token,
  type TraceStep, type Word,
} from "dodona";

const nlp: NLP = await load("english-fast", {worker: true, signal: AbortSignal.timeout(1000)});
await load();
await load(new URL("https://example.org/de.dodona.gz"), {wasm: new ArrayBuffer(8)});
await load(new Uint8Array(8));
const rules: Constraint[] = ["arc 3 nsubj 2", "2: not-arc 1 2", "span 1 2 any", "leaf 3"];
const doc: Doc = await nlp.parse("Birds sing.", {
  constraints: rules, beam: 4, nbest: 2, scores: true, tidy: true, given: "sentences", paragraphs: "line", timeout: 100,
});
for (const sentence of doc) {
  const root: Word | null = sentence.root, score: number | undefined = sentence.score;
  for (const {id, form, lemma, feats, head, start, score: margin} of sentence) {
    const all: [number, string, string | null, string | undefined, number | null, number | null, number | undefined] =
      [id, form, lemma, feats["Number"], head, start, margin];
    console.log(all, root?.children.length, score);
  }
}
const tokens: Token[] = doc.sentences.flatMap((sentence: Sentence) => [...sentence.tokens]);
await nlp.parse(["Birds", "sing"]);
await nlp.parseConllu(doc.toConllu(), {tag: true});
for await (const one of nlp.pipe((async function* () { yield "Birds sing."; })(), {beam: 2})) console.log(one.text, tokens);
const svg: string = await nlp.draw(doc.sentences[0]!, {format: "svg", oneRow: true, gold: doc});
const steps: TraceStep[] = await nlp.trace("Birds sing."), page: string = await nlp.trace("Birds sing.", {to: "html"});
const evaluation: Evaluation = await nlp.evaluate("", doc, {punct: false});
console.log(svg, steps, page, evaluation.metrics["LAS"]?.f1, nlp.info.facts["licence"]);
try {
  nlp.close();
} catch (error) {
  if (error instanceof DodonaError) {
    const code: ErrorCode = error.code;
    console.log(code);
  }
}
