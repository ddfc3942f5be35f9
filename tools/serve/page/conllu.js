// CoNLL-U as it is written: a file in sentences, a sentence in lines, and edits that change no other byte of
// it. A sentence is never changed: an edit returns another one, or throws a Misfit, which says why not.

export const COLUMNS = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"];
export const [ID, FORM, , UPOS, , , HEAD, DEPREL, DEPS, MISC] = COLUMNS.keys();
const MAY_HAVE_SPACES = new Set(["form", "lemma", "misc"]);
export const CONSTRAINT = /^#\s*constraint\s*=\s*(.*?)\s*$/;
const MARK = "# status = corrected", TEXT = /^#\s*text\s*=\s?(.*)$/;

// What a text of one sentence says, without reading all of it.
export const isCorrected = text => /^# status = corrected\r?$/m.test(text);

export class Misfit extends Error {}

export const hasSpace = ({cells}) => !cells[MISC].split("|").includes("SpaceAfter=No");

// ---- reading and writing ----

// The file's sentences, each with the empty lines around it: joined they are the file.
export function splitFile(text) {
  const pieces = [];
  let from = 0, words = false, ended = false;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at) + 1 || text.length, empty = text.slice(at, end).trim() === "";
    if (!empty && ended) {
      pieces.push(text.slice(from, at));
      [from, words, ended] = [at, false, false];
    }
    if (empty) ended = words;
    else words = true;
    at = end;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

// A byte order mark is a line of its own, without an end.
function splitLines(text) {
  const lines = text.match(/^\ufeff|[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map(whole => {
    const eol = /\r?\n$/.exec(whole)?.[0] ?? "";
    return {text: whole.slice(0, whole.length - eol.length), eol};
  });
}

function kindOf(id) {
  if (/^[1-9]\d*$/.test(id)) return "word";
  if (/^[1-9]\d*-[1-9]\d*$/.test(id)) return "range";
  if (/^\d+\.[1-9]\d*$/.test(id)) return "empty";
  throw new Misfit(`“${id}” is not the number of a word, range or empty node`);
}

function readLine({text, eol}) {
  if (text.trim() === "") return {kind: "blank", text, eol};
  if (text.startsWith("#")) return {kind: "comment", text, eol};
  const cells = text.split("\t");
  if (cells.length !== COLUMNS.length) throw new Misfit(`expected 10 columns, found ${cells.length}`);
  if (cells.includes("")) throw new Misfit("an empty column; a missing value is written _");
  return {kind: kindOf(cells[ID]), id: cells[ID], cells, eol};
}

function checkWord(line, number, count) {
  const head = line.cells[HEAD];
  if (Number(line.id) !== number) throw new Misfit(`word ${line.id} where word ${number} should be`);
  if (head !== "_" && !(/^\d+$/.test(head) && Number(head) <= count && Number(head) !== number))
    throw new Misfit(`“${head}” cannot be the head of word ${number}`);
}

function bindRange(line, words, last) {
  const [from, to] = line.id.split("-").map(Number);
  if (from >= to || to > words.length || from !== last + 1) throw new Misfit(`the range ${line.id} is out of place`);
  Object.assign(line, {first: words[from - 1], last: words[to - 1]});
}

function checkLines(lines) {
  const words = lines.filter(({kind}) => kind === "word");
  if (words.length === 0) throw new Misfit("a sentence without words");
  words.forEach((line, i) => checkWord(line, i + 1, words.length));
  let last = 0, begun = false, covered = 0;
  for (const line of lines) {
    if (line.kind === "comment" && begun) throw new Misfit("a comment after the first word");
    if (line.kind === "range" && last < covered) throw new Misfit(`the range ${line.id} overlaps another`);
    if (line.kind === "word") last = Number(line.id);
    if (line.kind === "range") {
      bindRange(line, words, last);
      covered = Number(line.last.id);
    }
    begun ||= line.kind !== "comment" && line.kind !== "blank";
  }
  return lines;
}

export const written = line => (line.cells ? line.cells.join("\t") : line.text) + line.eol;
const valueOf = cell => cell === "_" ? null : cell;

export class Sentence {
  constructor(lines) { this.lines = lines; }

  static read(text) {
    return new Sentence(checkLines(splitLines(text).map(readLine)));
  }

  toString() { return this.lines.map(written).join(""); }

  // Without what stands around it in the file.
  get alone() {
    return this.lines.filter(({kind}) => kind !== "blank").map(line => `${written({...line, eol: ""})}\n`).join("");
  }

  // As in docs/input.md#json.
  get words() {
    return this.rows.map(({cells}) => {
      const word = Object.fromEntries(COLUMNS.map((name, i) => [name, valueOf(cells[i])]));
      return {...word, id: Number(cells[ID]), form: cells[FORM], head: cells[HEAD] === "_" ? null : Number(cells[HEAD])};
    });
  }

  get rows() { return this.lines.filter(({kind}) => kind === "word"); }
  get comments() { return this.lines.filter(({kind}) => kind === "comment").map(({text}) => text); }

  get text() {
    const told = this.comments.map(text => TEXT.exec(text)).find(Boolean);
    return told ? told[1] : this.tokens.map(({form, space}) => form + (space ? " " : "")).join("").trim();
  }

  get sentId() {
    return this.comments.map(text => /^#\s*sent_id\s*=\s*(.*?)\s*$/.exec(text)).find(Boolean)?.[1] ?? null;
  }

  // What stands in the text: {line, form, space, first, last}; the last two are words' lines.
  get tokens() {
    const tokens = [];
    let until = 0;
    for (const line of this.lines) {
      if (line.kind === "range") until = Number(line.last.id);
      else if (line.kind !== "word" || Number(line.id) <= until) continue;
      tokens.push({line, form: line.cells[FORM], space: hasSpace(line), first: line.first ?? line, last: line.last ?? line});
    }
    return tokens;
  }

  get constraints() { return this.comments.map(text => CONSTRAINT.exec(text)?.[1]).filter(Boolean); }
  get isCorrected() { return this.comments.includes(MARK); }
  get lacksTags() { // of some words: a parser tags a sentence without any by itself
    const tagged = this.rows.filter(({cells}) => cells[UPOS] !== "_").length;
    return tagged > 0 && tagged < this.rows.length;
  }
  get hasTree() { return this.rows.every(({cells}) => cells[HEAD] !== "_"); }

  // ---- comments ----

  // Comments that are added stand behind the others.
  withComments(keep, added) {
    const lines = this.lines.filter(line => line.kind !== "comment" || keep(line.text));
    const at = lines.findIndex(({kind}) => kind !== "comment" && kind !== "blank"), {eol} = this.rows[0];
    const fresh = added.map(text => ({kind: "comment", text, eol: eol || "\n"}));
    return new Sentence(lines.toSpliced(at, 0, ...fresh));
  }

  withConstraints(rules) {
    const left = [...rules], same = text => {
      const found = CONSTRAINT.exec(text), at = found ? left.indexOf(found[1]) : -1;
      if (at >= 0) left.splice(at, 1);
      return !found || at >= 0;
    };
    const kept = this.withComments(same, []);
    return left.length ? kept.withComments(() => true, left.map(rule => `# constraint = ${rule}`)) : kept;
  }

  withMark(corrected) {
    if (corrected === this.isCorrected) return this;
    return this.withComments(text => text !== MARK, corrected ? [MARK] : []);
  }

  // ---- cells ----

  // {3: {upos: "VERB"}}, where null and "" are written _
  withCells(changes) {
    return new Sentence(this.lines.map(line => {
      const change = line.kind === "word" && changes[line.id];
      return change ? {...line, cells: line.cells.map((cell, i) => cellFor(COLUMNS[i], change[COLUMNS[i]], cell))} : line;
    })).bound();
  }

  // Heads and labels as a parser found them, of words for which `taken` holds.
  withTree(words, taken = () => true) {
    const place = ({head, deprel}) => ({head, deprel});
    return this.withCells(Object.fromEntries(words.filter(taken).map(word => [word.id, place(word)])));
  }

  withoutHeads(which = () => true) {
    return this.withTree(this.words.map(({id}) => ({id, head: null, deprel: null})), which);
  }

  // Tags and lemmas for words that have no UPOS, in columns that the sentence has.
  withTags(words) {
    const own = this.words, untagged = own.every(({upos}) => upos === null);
    const columns = ["lemma", "upos", "xpos", "feats"].filter(name => untagged || own.some(word => word[name] !== null));
    return this.withCells(Object.fromEntries(words.filter(({id}) => own[id - 1].upos === null).map(word =>
      [word.id, Object.fromEntries(columns.filter(name => own[word.id - 1][name] === null).map(name => [name, word[name]]))])));
  }

  // The word alone gets another head. If that hangs below the word, it takes the word's old place; a new root
  // takes the old one below it.
  withArc(head, deprel, id) {
    const words = this.words, word = words[id - 1], changes = {[id]: {head, deprel}};
    if (head > 0 && isBelow(words, head, id)) changes[head] = {head: word.head, deprel: word.deprel};
    for (const other of words)
      if (head === 0 && other.head === 0 && other.id !== id)
        changes[other.id] = {head: id, deprel: (word.head !== 0 && word.deprel) || "dep"};
    return this.withCells(changes);
  }

  // Ranges point to lines, which an edit may have replaced.
  bound() {
    const rows = new Map(this.rows.map(line => [line.id, line]));
    for (const [i, line] of this.lines.entries())
      if (line.kind === "range") this.lines[i] = {...line, first: rows.get(line.first.id), last: rows.get(line.last.id)};
    return this;
  }
}

// ---- below the edits ----

function cellFor(column, value, old) {
  if (value === undefined) return old;
  const text = String(value ?? "").trim().replace(/[\t\r\n]+/g, " ") || "_";
  if (/\s/.test(text) && !MAY_HAVE_SPACES.has(column)) throw new Misfit(`${column.toUpperCase()} has no spaces`);
  if (column === "feats" && text !== "_" && !/^[^=|\s]+=[^=|\s]+(\|[^=|\s]+=[^=|\s]+)*$/.test(text))
    throw new Misfit("FEATS is written Name=Value|Name=Value");
  return text;
}

export function isBelow(words, id, above) {
  for (let steps = 0; id > 0 && steps <= words.length; steps++) {
    if (id === above) return true;
    id = words[id - 1].head ?? 0;
  }
  return false;
}
