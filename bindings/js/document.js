// What was parsed: CoNLL-U, from which sentences, words and tokens are made when they are first asked for.

// Of a column: null where it is `_`.
function cellOf(text) {
  return text === "_" ? null : text;
}

// "Name=Value|Flag" -> {Name: "Value", Flag: ""}
function pairsOf(cell) {
  const pairs = {};
  if (cell === "_") return pairs;
  for (const item of cell.split("|")) {
    const equals = item.indexOf("=");
    const name = equals < 0 ? item : item.slice(0, equals), value = equals < 0 ? "" : item.slice(equals + 1);
    Object.defineProperty(pairs, name, {value, enumerable: true, writable: true, configurable: true});
  }
  return pairs;
}

// A member that is not shown or written.
function hide(object, name, value) {
  Object.defineProperty(object, name, {value});
}

class Node {
  constructor(id, cells, sentence) {
    this.id = id;
    this.form = cells[1];
    this.lemma = cellOf(cells[2]);
    this.upos = cellOf(cells[3]);
    this.xpos = cellOf(cells[4]);
    this.feats = pairsOf(cells[5]);
    this.head = cells[6] === "_" ? null : Number(cells[6]);
    this.deprel = cellOf(cells[7]);
    this.deps = cellOf(cells[8]);
    this.misc = pairsOf(cells[9]);
    hide(this, "sentence", sentence);
  }
}

export class EmptyNode extends Node {}

export class Word extends Node {
  constructor(id, cells, sentence) {
    super(id, cells, sentence);
    this.start = this.end = null; // the token's, which sets them
    if (this.misc.Score !== undefined) this.score = this.misc.Score === "inf" ? Infinity : Number(this.misc.Score);
    if (this.misc.Prob !== undefined) this.probability = Number(this.misc.Prob);
  }

  get token() {
    return this.sentence.tokens.find(({words}) => words.includes(this));
  }

  get parent() {
    return this.head === null ? null : this.sentence.words[this.head - 1] ?? null;
  }

  get children() {
    return this.sentence.words.filter(({head}) => head === this.id);
  }
}

export class Token {
  constructor(form, words, cells) {
    this.form = form;
    this.start = this.end = null;
    this.words = words;
    this.feats = pairsOf(cells[5]);
    this.misc = pairsOf(cells[9]);
  }

  place(start, end) {
    for (const one of [this, ...this.words]) [one.start, one.end] = [start, end];
  }

  toJSON() {
    return {...this, words: this.words.map(({id}) => id)};
  }
}

function commentOf(comments, key) {
  for (const comment of comments) {
    const [, name, value] = /^#\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(comment) ?? [];
    if (name === key) return value;
  }
  return null;
}

// With a space after each token that does not say otherwise.
function joinTokens(tokens) {
  return tokens.map(({form, misc, words}) => {
    const tight = (words.length > 1 ? misc : words[0].misc).SpaceAfter === "No";
    return tight ? form : `${form} `;
  }).join("").trimEnd();
}

export class Sentence {
  #conllu;

  constructor(conllu, position) {
    this.#conllu = conllu;
    const lines = conllu.replace(/^\uFEFF/, "").split(/\r?\n/).filter(line => line !== "");
    this.comments = lines.filter(line => line.startsWith("#") && !/^\d/.test(line));
    this.words = [];
    this.tokens = [];
    this.emptyNodes = [];
    this.#read(lines.slice(this.comments.length));
    this.id = commentOf(this.comments, "sent_id") ?? String(position);
    this.text = commentOf(this.comments, "text") ?? joinTokens(this.tokens);
    const rank = commentOf(this.comments, "nbest"), score = commentOf(this.comments, "score");
    if (rank !== null && score !== null) [this.nbest, this.score] = [Number(rank), Number(score)];
  }

  #read(rows) {
    let range = null; // the cells of a multiword token, and its last word
    for (const row of rows) {
      const cells = row.split("\t"), id = cells[0];
      if (id.includes(".")) {
        this.emptyNodes.push(new EmptyNode(id, cells, this));
      } else if (id.includes("-")) {
        range = {last: Number(id.split("-")[1])};
        this.tokens.push(new Token(cells[1], [], cells));
      } else {
        const word = new Word(Number(id), cells, this);
        this.words.push(word);
        if (range) this.tokens.at(-1).words.push(word);
        else this.tokens.push(new Token(word.form, [word], cells));
        if (range?.last === word.id) range = null;
      }
    }
  }

  get root() {
    return this.words.find(({head}) => head === 0) ?? null;
  }

  toConllu() {
    return this.#conllu;
  }

  [Symbol.iterator]() {
    return this.words[Symbol.iterator]();
  }
}

// ---- places in the text

const SPACE = /[\s\x1c-\x1f\x85]/;

function skipSpace(text, at) {
  while (at < text.length && SPACE.test(text[at])) at++;
  return at;
}

// What stands in a text where a form has U+FFFD.
function isReplaced(unit) {
  return unit === "\0" || /[\ud800-\udfff]/.test(unit);
}

// Where the form ends that begins at a place of the text; -1: it does not. White space within it may be any.
function passForm(text, at, form) {
  for (let i = 0; i < form.length; i++) {
    if (form[i] === text[at]) at++;
    else if (SPACE.test(form[i]) && SPACE.test(text[at] ?? "")) at = skipSpace(text, at);
    else if (form[i] === "\ufffd" && isReplaced(text[at] ?? "")) at++;
    else return -1;
  }
  return at;
}

// Gives tokens their places, as units of UTF-16, until one is not found.
function placeTokens(text, sentences) {
  let at = 0, before = 0; // the tree; of several trees of one sentence each begins where the first did
  for (const {tokens, nbest} of sentences) {
    if (nbest > 1) at = before;
    before = at;
    for (const token of tokens) {
      const start = skipSpace(text, at), end = passForm(text, start, token.form);
      if (end < 0) return;
      token.place(start, end);
      at = end;
    }
  }
}

// ---- documents

function cut(conllu) {
  const pieces = [], end = /\n\r?\n/g;
  let from = 0;
  while (end.exec(conllu)) {
    pieces.push(conllu.slice(from, end.lastIndex));
    from = end.lastIndex;
  }
  if (conllu.slice(from).trim()) pieces.push(conllu.slice(from));
  return pieces;
}

export class Doc {
  #conllu;
  #text;
  #sentences = null;

  // text: null if it was not running text
  constructor(conllu, text) {
    this.#conllu = conllu;
    this.#text = text;
  }

  get sentences() {
    if (!this.#sentences) {
      let position = 0;
      this.#sentences = cut(this.#conllu).map(piece => {
        const sentence = new Sentence(piece, position + 1);
        position += sentence.nbest > 1 ? 0 : 1;
        return sentence;
      });
      this.#text ??= this.#sentences.filter(({nbest}) => !(nbest > 1)).map(({text}) => text).join("\n");
      placeTokens(this.#text, this.#sentences);
    }
    return this.#sentences;
  }

  get text() {
    return this.#text ?? (this.sentences, this.#text);
  }

  get words() {
    return this.sentences.flatMap(({words}) => words);
  }

  toConllu() {
    return this.#conllu;
  }

  toJSON() {
    return {text: this.text, sentences: this.sentences};
  }

  [Symbol.iterator]() {
    return this.sentences[Symbol.iterator]();
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return {text: this.text, sentences: this.sentences};
  }
}
