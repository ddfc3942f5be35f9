// Dodona: dependency parsing in WebAssembly. The guide is docs/js.md in Dodona's source.

/** Where a model is: a name in the package, a URL, a path (Node.js), or the bytes of its file, also in gzip. */
export type ModelSource = string | URL | ArrayBuffer | ArrayBufferView;

export interface LoadOptions {
  /** Parse in a worker, so that this thread never waits. */
  worker?: boolean;
  /** Gives up loading. */
  signal?: AbortSignal;
  /** dodona-web.wasm, where a bundler does not find it by itself. */
  wasm?: string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module;
}

/** Loads a model; "english-fast" comes with the package and is the default. */
export function load(model?: ModelSource, options?: LoadOptions): Promise<NLP>;

/**
 * argument: an option, or malformed CoNLL-U; data: what cannot be done, such as constraints that are malformed or
 * contradict each other; limit: too large for this call; model, file: the model's bytes, and getting them; memory,
 * timeout, crash, closed, unsupported: as they are named. After memory and crash the model can still be used.
 */
export type ErrorCode = "argument" | "data" | "limit" | "model" | "file" | "memory" | "timeout" | "crash" | "closed" |
  "unsupported";

export class DodonaError extends Error {
  readonly name: "DodonaError";
  readonly code: ErrorCode;
}

// ---- what is parsed

/** Running text, as a string or in UTF-8, or the words of one sentence. */
export type Text = string | Uint8Array | readonly string[];

type Rule =
  | `arc ${number} ${string} ${number}`
  | `not-arc ${number} ${number}`
  | `span ${number} ${number} ${"any" | "root" | "none"}`
  | `leaf ${number}`;
/** What the tree must obey: "arc 3 nsubj 2" of the first sentence, "2: leaf 4" of the second. */
export type Constraint = Rule | `${number}: ${Rule}`;

export interface CallOptions {
  /** With a worker it also ends a call that has begun. */
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
}

interface InputOptions {
  /** What the model need not find in plain text. */
  given?: "auto" | "text" | "sentences" | "tokens" | "words";
  /** Where paragraphs end: at an empty line, or at each line end. */
  paragraphs?: "auto" | "blank" | "line";
  /** Add TokenRange=START:END, in code points, to MISC. */
  ranges?: boolean;
  /** What each tree must obey. */
  constraints?: Constraint | readonly Constraint[];
  /** Build only trees that keep two rules of Universal Dependencies; default: as the model says. */
  tidy?: boolean;
  /** Derivations kept in the beam, 1 to 1000; default: the model's. */
  beam?: number;
}

export interface ParseOptions extends InputOptions, CallOptions {
  /** What the text is; default: text. */
  from?: "auto" | "text" | "conllu" | "vertical" | "horizontal" | "jsonl";
  /** Of JSON lines: the fields that have text and id. */
  field?: string;
  id?: string;
  /** Replace tags and lemmas in the input by the model's. */
  tag?: boolean;
  /** Add each word's margin and, if the model knows it, probability. */
  scores?: boolean;
  /** Up to so many trees of each sentence, at most `beam`, the best first. */
  nbest?: number;
}

export interface NLP {
  readonly info: ModelInfo;
  /** Tokens, tags, lemmas and trees. */
  parse(text: Text | Doc | Sentence, options?: ParseOptions): Promise<Doc>;
  /** Trees for CoNLL-U, and tags and lemmas where it has none. */
  parseConllu(conllu: string | Uint8Array | Doc | Sentence, options?: Omit<ParseOptions, "from">): Promise<Doc>;
  /** A document for each text, in order; texts are taken as they are needed. */
  pipe(texts: Iterable<Text> | AsyncIterable<Text>, options?: ParseOptions): AsyncGenerator<Doc, void, void>;
  /** A drawing of trees, as `dodona draw` makes it; SVG is of one sentence. */
  draw(trees: Sentence | Doc | string, options?: DrawOptions): Promise<string>;
  /** How the parser finds a tree, step by step; with `to: "html"` a page to step through. */
  trace(text: Text | Doc | Sentence, options: TraceOptions & {to: "html"}): Promise<string>;
  trace(text: Text | Doc | Sentence, options?: TraceOptions & {to?: "json"}): Promise<TraceStep[]>;
  /** Scores trees against gold trees. */
  evaluate(gold: Doc | Sentence | string, system: Doc | Sentence | string, options?: EvaluateOptions): Promise<Evaluation>;
  /** Frees the model and ends its worker; calls that are not done are rejected. */
  close(): void;
}

export interface ModelInfo {
  readonly name: string;
  readonly components: readonly ("tokenizer" | "tagger" | "lemmatizer" | "parser")[];
  readonly beam: number;
  /** What `dodona info` prints: language, licence, system and so on. */
  readonly facts: Readonly<Record<string, string>>;
  readonly labels: readonly string[];
}

// ---- documents

export interface Doc extends Iterable<Sentence> {
  /** The text that was parsed, or that of the sentences where it was CoNLL-U. */
  readonly text: string;
  readonly sentences: readonly Sentence[];
  /** Of all sentences. */
  readonly words: readonly Word[];
  /** Every byte as `dodona parse` writes it. */
  toConllu(): string;
  toJSON(): object;
}

export interface Sentence extends Iterable<Word> {
  readonly id: string;
  readonly text: string;
  readonly words: readonly Word[];
  readonly tokens: readonly Token[];
  readonly emptyNodes: readonly EmptyNode[];
  /** Lines of CoNLL-U, from their # on. */
  readonly comments: readonly string[];
  readonly root: Word | null;
  /** With the option `nbest`: the rank of the tree, from 1, and its score. */
  readonly nbest?: number;
  readonly score?: number;
  toConllu(): string;
}

/** Name and value; an item that has no value has "". */
export type Features = Readonly<Record<string, string>>;

interface Node {
  readonly form: string;
  readonly lemma: string | null;
  readonly upos: string | null;
  readonly xpos: string | null;
  readonly feats: Features;
  /** The id of the head, 0 for the root, null if it is unknown. */
  readonly head: number | null;
  readonly deprel: string | null;
  readonly deps: string | null;
  readonly misc: Features;
  readonly sentence: Sentence;
}

/** A node of the tree. */
export interface Word extends Node {
  /** From 1. */
  readonly id: number;
  /** Its token's place in `doc.text`, so that `doc.text.slice(start, end)` is its form; null if it is not found. */
  readonly start: number | null;
  readonly end: number | null;
  /** With the option `scores`: the margin; Infinity if there was nothing to decide. */
  readonly score?: number;
  /** Likewise, if the model knows it: how probable it is that head and label are right. */
  readonly probability?: number;
  readonly token: Token;
  readonly parent: Word | null;
  readonly children: readonly Word[];
}

/** A node of an enhanced graph that is no word; its id is such as "3.1". */
export interface EmptyNode extends Node {
  readonly id: string;
}

/** A stretch of the text: a word, or a multiword token. */
export interface Token {
  readonly form: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly words: readonly Word[];
  readonly feats: Features;
  readonly misc: Features;
}

// ---- drawings, traces, scores

export interface DrawOptions extends CallOptions {
  /** Default: text. */
  format?: "text" | "svg" | "html" | "tikz" | "dot";
  /** Columns, or pixels of SVG and HTML, at which rows are broken. */
  width?: number;
  oneRow?: boolean;
  direction?: "auto" | "ltr" | "rtl";
  tags?: boolean;
  constraints?: boolean;
  title?: boolean;
  colour?: boolean;
  enhanced?: boolean;
  /** Trees of the same words, from which differences are marked. */
  gold?: Sentence | Doc | string;
}

export interface TraceOptions extends InputOptions, CallOptions {
  from?: ParseOptions["from"];
  to?: "json" | "html";
  /** Which sentence, from 1; default: all. */
  sentence?: number;
  /** Compare with the trees of CoNLL-U. */
  gold?: "auto" | "no" | "yes";
  loss?: string;
}

/** One configuration and the transition taken there, as `dodona trace --to json` writes it. */
export interface TraceStep {
  readonly sent: string;
  readonly n: number;
  readonly step: number;
  readonly stack?: readonly number[];
  readonly left?: readonly number[];
  readonly passed?: readonly number[];
  readonly buffer: readonly number[];
  readonly transition?: string;
  readonly label?: string;
  readonly head?: number;
  readonly dependent?: number;
  readonly margin?: number | null;
  /** At the end: of every word. */
  readonly heads?: readonly number[];
  readonly [more: string]: unknown;
}

export interface EvaluateOptions extends CallOptions {
  /** Default: conll2018. */
  rule?: "conll2018" | "conllx";
  /** Count punctuation; default: yes. */
  punct?: boolean;
}

export interface Evaluation {
  /** What is counted, in a sentence. */
  readonly rule: string;
  /** By name: LAS, UAS, UPOS, Words and so on. */
  readonly metrics: Readonly<Record<string, Metric>>;
}

export interface Metric {
  readonly name: string;
  readonly correct: number;
  readonly gold: number;
  readonly system: number;
  /** From 0 to 1. */
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly aligned?: number;
  readonly alignedAccuracy?: number;
}
