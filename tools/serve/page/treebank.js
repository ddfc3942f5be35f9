// A treebank that is being corrected: its sentences as they are now and as they were in the file, what was
// done, so that it can be undone, and which sentences are shown in which order.
import {Misfit, Sentence, isCorrected, splitFile} from "./conllu.js";

const LABELS = /^\d+\t(?:[^\t\n]*\t){6}([^\t\n]+)\t/gm;

function readOrExplain(text) {
  try {
    return {text, sentence: Sentence.read(text), reason: null};
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return {text, sentence: null, reason: error.message};
  }
}

export class Treebank {
  // `steps` are {number, before, after}, texts of one sentence; the first `done` of them hold.
  constructor(name, text, steps = [], done = steps.length) {
    const original = splitFile(text);
    Object.assign(this, {name, original, texts: [...original], steps, done: 0, saved: 0});
    while (this.done < done) this.redo();
  }

  get size() { return this.texts.length; }
  get text() { return this.texts.join(""); }
  get corrected() { return this.texts.filter(isCorrected); }
  get isSaved() { return this.saved === this.done; }

  // {sentence, reason}: a sentence that is not CoNLL-U has a reason, and stays as it is. Only the newest is kept,
  // as a large treebank would take a lot of memory.
  entry(number) {
    const text = this.texts[number];
    if (this.newest?.text !== text) this.newest = readOrExplain(text);
    return this.newest;
  }

  // Whether anything was done.
  change(number, sentence) {
    const before = this.texts[number], after = String(sentence);
    if (before === after) return false;
    if (this.saved > this.done) this.saved = -1; // what was saved cannot be reached any more
    this.steps.splice(this.done, Infinity, {number, before, after});
    this.redo();
    return true;
  }

  // The number of the sentence that has changed; -1: there is nothing to undo.
  undo() {
    if (this.done === 0) return -1;
    const {number, before} = this.steps[--this.done];
    this.texts[number] = before;
    return number;
  }

  redo() {
    if (this.done === this.steps.length) return -1;
    const {number, after} = this.steps[this.done++];
    this.texts[number] = after;
    return number;
  }

  // How many words, counted by their lines, are not as in the file.
  changedWords(number) {
    const before = new Set(this.original[number].split(/\r?\n/));
    return this.entry(number).sentence.rows.filter(({cells}) => !before.has(cells.join("\t"))).length;
  }

  // [label, how many words have it], the most frequent first.
  get labels() {
    const counts = new Map();
    for (const [, label] of this.text.matchAll(LABELS)) counts.set(label, (counts.get(label) ?? 0) + 1);
    counts.delete("_");
    return [...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  }
}

// ---- which sentences, in which order ----

const isAsked = {all: () => true, open: text => !isCorrected(text), corrected: isCorrected};

// As is written in the file, or, where it is not, the forms with spaces between them.
export function textOf(text) {
  const told = /^#\s*text\s*=[ \t]?(.*?)\r?$/m.exec(text);
  return told ? told[1] : [...text.matchAll(/^\d+\t([^\t\n]+)\t/gm)].map(([, form]) => form).join(" ");
}

function fits(text, {show, find, label}) {
  return isAsked[show](text) && textOf(text).toLowerCase().includes(find.trim().toLowerCase()) &&
    (!label || [...text.matchAll(LABELS)].some(([, found]) => found === label));
}

// Numbers of sentences. `doubts` has for some of them how certain their least certain arc is; those of which
// nothing is known come last.
export function arrange(treebank, wanted, doubts) {
  const numbers = [...treebank.texts.keys()].filter(i => fits(treebank.texts[i], wanted));
  if (wanted.order !== "certainty") return numbers;
  const doubt = i => doubts[i] ?? Infinity;
  return numbers.toSorted((i, j) => doubt(i) === doubt(j) ? i - j : doubt(i) - doubt(j));
}

// How certain the least certain head is, by probability if the model knows it, else by margin.
export function leastCertain(words) {
  const known = words.map(({probability, score}) => probability ?? score).filter(Number.isFinite);
  return known.length ? Math.min(...known) : Infinity;
}
