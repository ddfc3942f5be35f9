// Models as programs use them, on top of an engine that takes requests: in this thread (engine.js) or in a worker
// (remote.js).
import {Doc, Sentence} from "./document.js";
import {DodonaError, argumentError} from "./errors.js";

// Fields of requests that are not options of those who parse.
const OWN_FIELDS = ["data", "to", "model", "sentence", "draw", "width"];
const IN_FLIGHT = 4; // texts of a pipe that are taken before the first of them is done

function typeOf(value) {
  return value === null ? "null" : Array.isArray(value) ? "an array" : value?.constructor?.name ?? typeof value;
}

// ---- what is passed

// Lone surrogates, which UTF-8 does not have, become U+FFFD when a string is encoded.
function checkText(text, who) {
  if (typeof text === "string" || text instanceof Uint8Array) return text;
  throw new TypeError(`${who} takes a string, UTF-8 in a Uint8Array, or the words of a sentence in an array; ` +
    `this is ${typeOf(text)}`);
}

function conlluOfWords(words) {
  const bad = words.findIndex(word => typeof word !== "string" || word === "" || /[\t\n\r]/.test(word));
  if (bad >= 0) throw argumentError(`word ${bad + 1} is empty, has a tab or line end, or is no string`);
  if (words.length === 0) throw argumentError("a sentence needs a word");
  return words.map((word, i) => `${i + 1}\t${word}${"\t_".repeat(8)}\n`).join("") + "\n";
}

// Text as it is sent, and what it is.
function inputOf(what, from, who) {
  if (what instanceof Doc || what instanceof Sentence) return {text: what.toConllu(), from: "conllu"};
  if (Array.isArray(what)) return {text: conlluOfWords(what), from: "conllu"};
  return {text: checkText(what, who), from};
}

function conlluOf(what, who) {
  if (what instanceof Doc || what instanceof Sentence) return what.toConllu();
  if (typeof what === "string") return what;
  throw new TypeError(`${who} takes a document, a sentence, or CoNLL-U in a string; this is ${typeOf(what)}`);
}

function checkOptions({signal, timeout, ...fields}, own = OWN_FIELDS) {
  if (timeout !== undefined && !(timeout >= 0)) throw argumentError("timeout: a number of milliseconds is needed");
  for (const [name, value] of Object.entries(fields)) {
    if (own.includes(name)) throw argumentError(`there is no option '${name}'`);
    if (typeof value === "number" && !Number.isFinite(value)) throw argumentError(`${name}: ${value} is no number`);
  }
  return {signal, timeout: timeout === Infinity ? undefined : timeout, fields};
}

// "oneRow" -> "one_row"
function snake(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) =>
    [name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), value]));
}

// A constraint on a sentence that does not exist would be passed over.
function checkConstraints(constraints, doc) {
  const count = doc.sentences.filter(({nbest}) => !(nbest > 1)).length;
  for (const constraint of [constraints].flat()) {
    const number = Number(/^(\d+):/.exec(constraint)?.[1] ?? 1);
    if (number < 1 || number > count)
      throw new DodonaError(`constraint '${constraint}': the text has ${count} sentence${count === 1 ? "" : "s"}`, "data");
  }
}

// ---- pipes

// It is awaited in its turn, and until then nobody is told.
function quiet(promise) {
  promise.catch(() => {});
  return promise;
}

// What the iterator has next; its failure comes after the texts before it.
async function takeNext(source) {
  try {
    const {done, value} = await source.next();
    return {done: Boolean(done), value: await value};
  } catch (error) {
    return {done: true, failure: quiet(Promise.reject(error))};
  }
}

// ---- a model

export class NLP {
  #engine;
  #closed = false;

  constructor(engine, info) {
    this.#engine = engine;
    this.info = info;
  }

  async #ask(path, text, fields, {signal, timeout}) {
    if (this.#closed) throw new DodonaError("the model is closed", "closed");
    signal?.throwIfAborted();
    return await this.#engine.ask({path, fields: JSON.stringify(fields), text, timeout}, signal);
  }

  async parse(what, options = {}) {
    const {fields, ...rest} = checkOptions(options), {text, from} = inputOf(what, fields.from ?? "text", "parse()");
    const conllu = await this.#ask("parse", text, {...fields, from, to: "conllu"}, rest);
    const doc = new Doc(conllu, from === "text" ? typeof text === "string" ? text : new TextDecoder().decode(text) : null);
    if (fields.constraints) checkConstraints(fields.constraints, doc);
    return doc;
  }

  async parseConllu(what, options = {}) {
    return await this.parse(what, {...options, from: "conllu"});
  }

  // Documents come out as soon as they are parsed, also while the next text is still awaited.
  async *pipe(texts, options = {}) {
    if (typeof texts === "string") throw new TypeError("pipe() takes many texts, not one; parse() takes one");
    const source = (texts[Symbol.asyncIterator] ?? texts[Symbol.iterator])?.call(texts);
    if (!source) throw new TypeError(`pipe() takes an iterable of texts; this is ${typeOf(texts)}`);
    const parsed = [];
    let next = null, ended = false;
    try {
      while (!ended || parsed.length > 0) {
        if (!ended && parsed.length < IN_FLIGHT) next ??= takeNext(source);
        const taken = await Promise.race([parsed[0]?.then(() => null), next].filter(Boolean));
        if (taken) {
          next = null;
          ended = taken.done;
          if (!ended) parsed.push(quiet(this.parse(taken.value, options)));
          else if (taken.failure) parsed.push(taken.failure);
        } else {
          yield await parsed.shift();
        }
      }
    } finally {
      const left = ended ? null : source.return?.();
      if (!next) await left; // else it may wait for the text that nobody wants any more
    }
  }

  async draw(what, options = {}) {
    const {fields, ...rest} = checkOptions(options, []), gold = fields.gold;
    if (gold !== undefined) fields.gold = conlluOf(gold, "gold");
    return await this.#ask("draw", conlluOf(what, "draw()"), snake(fields), rest);
  }

  async trace(what, options = {}) {
    const {fields: {to = "json", ...fields}, ...rest} = checkOptions(options, ["data", "model", "system"]);
    const {text, from} = inputOf(what, fields.from ?? "text", "trace()");
    const answer = await this.#ask("trace", text, {...snake(fields), from, to}, rest);
    return to === "json" ? JSON.parse(answer).steps : answer;
  }

  async evaluate(gold, system, options = {}) {
    const {fields, ...rest} = checkOptions(options, ["gold"]);
    const answer = await this.#ask("evaluate", conlluOf(system, "evaluate()"),
      {...fields, gold: conlluOf(gold, "evaluate()")}, rest);
    const {rule, metrics} = JSON.parse(answer);
    return {rule, metrics: Object.fromEntries(metrics.map(metric => [metric.name, metric]))};
  }

  close() {
    this.#closed = true;
    this.#engine.end();
  }
}

if (Symbol.dispose) NLP.prototype[Symbol.dispose] = NLP.prototype.close;
