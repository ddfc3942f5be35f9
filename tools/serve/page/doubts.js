// How certain the parser is of each sentence of a treebank: they are parsed in the background, some at a time.
import {Refusal} from "./backend.js";
import {leastCertain} from "./treebank.js";

const LINES = 1000; // about so many in a request, so that others have their turn

function takeBatch(treebank, from) {
  const batch = [];
  let lines = 0, to = from;
  for (; to < treebank.size && (to === from || lines < LINES); to++) {
    const {sentence} = treebank.entry(to);
    if (!sentence) continue;
    batch.push({number: to, data: `${sentence.alone}\n`});
    lines += sentence.lines.length;
  }
  return {batch, to};
}

// A sentence that is refused, for its length or its constraints, does not take the others with it.
async function score(batch, parse, doubts) {
  if (batch.length === 0) return;
  try {
    const sentences = await parse(batch.map(({data}) => data).join(""));
    batch.forEach(({number}, i) => { doubts[number] = leastCertain(sentences[i].words); });
  } catch (problem) {
    if (!(problem instanceof Refusal) || ![400, 413, 422].includes(problem.status)) throw problem;
    if (batch.length === 1) return;
    const half = batch.length >> 1;
    await score(batch.slice(0, half), parse, doubts);
    await score(batch.slice(half), parse, doubts);
  }
}

// Fills `doubts`, by numbers of sentences; tell(how many) is called now and then, and stops it by false.
export async function scoreAll(treebank, parse, doubts, tell) {
  for (let from = 0; from < treebank.size;) {
    const {batch, to} = takeBatch(treebank, from);
    await score(batch, parse, doubts);
    from = to;
    if (tell(from) === false) return;
  }
}
