// What stands in the text, in other tokens and words: words are split, merged, and grouped as one token. All
// nodes are numbered again, and so are heads, DEPS and constraints. The characters of the text stay.
import {CONSTRAINT, DEPREL, DEPS, FORM, HEAD, ID, MISC, Misfit, Sentence, hasSpace, isBelow, written} from "./conllu.js";

const SPACELESS = "SpaceAfter=No";

// ---- edits ----

// One word into words of these forms: `apart`, as tokens of their own, which must spell what was there, or else
// as the words of one token.
export function split(sentence, id, forms, apart) {
  const lines = copied(sentence), at = lines.findIndex(line => line.kind === "word" && line.id === String(id));
  const old = lines[at], range = lines.find(line => covers(line, id));
  if (forms.length < 2) throw new Misfit("write the new words with spaces between them");
  if (apart && range) throw new Misfit("the word is part of a token; dissolve the token first");
  if (apart && forms.join("") !== old.cells[FORM])
    throw new Misfit(`“${forms.join("")}” is not “${old.cells[FORM]}”; only the words of one token may be spelt otherwise`);
  const parts = forms.map((form, i) => newPart(old, form, i === 0));
  if (apart) for (const {cells} of parts.slice(0, -1)) cells[MISC] = SPACELESS;
  if (apart || range) parts.at(-1).cells[MISC] = old.cells[MISC];
  if (range?.first === old) range.first = parts[0];
  if (range?.last === old) range.last = parts.at(-1);
  const token = apart || range ? [] : [newRange(parts, old.cells[FORM], old.cells[MISC])];
  return renumber(lines.toSpliced(at, 1, ...token, ...parts), new Map(), [String(id)]);
}

// Words first to last into one.
export function merge(sentence, first, last) {
  const lines = copied(sentence), chosen = between(lines, first, last);
  const ranges = lines.filter(line => chosen.some(({id}) => covers(line, Number(id))));
  const whole = ranges.every(range => chosen.includes(range.first) && chosen.includes(range.last));
  const inside = !whole && ranges.length === 1 && covers(ranges[0], first) && covers(ranges[0], last) ? ranges[0] : null;
  if (!whole && !inside) throw new Misfit("a token has words on both sides of the border; choose all of its words");
  const spelt = inside ? chosen : spokenLines(sentence, first, last);
  const merged = {...chosen[0], eol: chosen.at(-1).eol, cells: mergeCells(sentence, chosen, spelt, inside !== null)};
  if (inside?.first === chosen[0]) inside.first = merged;
  if (inside?.last === chosen.at(-1)) inside.last = merged;
  const gone = line => chosen.includes(line) || !inside && ranges.includes(line);
  const left = lines.flatMap(line => line === chosen[0] ? [merged] : gone(line) ? [] : [line]);
  const ids = chosen.map(({id}) => id);
  return renumber(left, new Map(ids.map(id => [id, merged])), ids);
}

// Words first to last, between which there is no space, become those of one token.
export function group(sentence, first, last) {
  const lines = copied(sentence), chosen = between(lines, first, last), end = chosen.at(-1);
  if (lines.some(line => chosen.some(({id}) => covers(line, Number(id)))))
    throw new Misfit("some of the words are part of a token already");
  if (chosen.slice(0, -1).some(hasSpace)) throw new Misfit("there is a space between the words, and a token has none");
  const range = newRange(chosen, chosen.map(({cells}) => cells[FORM]).join(""), hasSpace(end) ? "_" : SPACELESS);
  for (const {cells} of chosen) cells[MISC] = without(cells[MISC], SPACELESS);
  return renumber(lines.toSpliced(lines.indexOf(chosen[0]), 0, range), new Map(), []);
}

// The words of the token that the word is part of become tokens.
export function ungroup(sentence, id) {
  const lines = copied(sentence), range = lines.find(line => covers(line, id));
  const chosen = between(lines, Number(range.first.id), Number(range.last.id));
  if (chosen.map(({cells}) => cells[FORM]).join("") !== range.cells[FORM])
    throw new Misfit(`the words do not spell “${range.cells[FORM]}”, which stands in the text`);
  for (const {cells} of chosen.slice(0, -1)) cells[MISC] = together(cells[MISC], SPACELESS);
  chosen.at(-1).cells[MISC] = together(chosen.at(-1).cells[MISC], range.cells[MISC]);
  return renumber(lines.filter(line => line !== range), new Map(), []);
}

export const isGrouped = (sentence, id) => sentence.lines.some(line => covers(line, id));

// ---- lines ----

const covers = (line, id) => line.kind === "range" && Number(line.first.id) <= id && id <= Number(line.last.id);
const without = (misc, item) => misc.split("|").filter(one => one !== item && one !== "_").join("|") || "_";
const together = (...lists) => [...new Set(lists.join("|").split("|").filter(one => one !== "_"))].join("|") || "_";

function between(lines, first, last) {
  return lines.filter(line => line.kind === "word" && first <= Number(line.id) && Number(line.id) <= last);
}

// Lines that may be changed.
function copied({lines}) {
  const copies = new Map(lines.map(line => [line, line.cells ? {...line, cells: [...line.cells]} : line]));
  for (const copy of copies.values())
    if (copy.kind === "range") Object.assign(copy, {first: copies.get(copy.first), last: copies.get(copy.last)});
  return [...copies.values()];
}

function spokenLines(sentence, first, last) {
  return sentence.tokens.filter(token => first <= Number(token.first.id) && Number(token.last.id) <= last)
    .map(({line}) => line);
}

// Without what is no longer known of it; the first part keeps the place of the old word in the tree.
function newPart({cells: old, id, eol}, form, first) {
  const place = first ? [old[HEAD], old[DEPREL], old[DEPS]] : ["_", "_", "_"];
  return {kind: "word", id: first ? id : null, cells: ["", form, "_", "_", "_", "_", ...place, "_"], eol};
}

function newRange(words, form, misc) {
  const cells = ["", form, "_", "_", "_", "_", "_", "_", "_", misc];
  return {kind: "range", cells, eol: words[0].eol, first: words[0], last: words.at(-1)};
}

// It hangs where the highest of them hung.
function mergeCells(sentence, chosen, spelt, inside) {
  const {words} = sentence, end = spelt.at(-1);
  const top = chosen.find(({cells}) => !chosen.some(({id}) => isBelow(words, Number(cells[HEAD]), Number(id)))) ?? chosen[0];
  const form = spelt.map(line => line.cells[FORM] + (!inside && line !== end && hasSpace(line) ? " " : "")).join("");
  const misc = together(...[...chosen, ...spelt].map(({cells}) => without(cells[MISC], SPACELESS)));
  return ["", form, "_", "_", "_", "_", top.cells[HEAD], top.cells[DEPREL],
    together(...chosen.map(({cells}) => cells[DEPS])), hasSpace(end) ? misc : together(misc, SPACELESS)];
}

// ---- numbers ----

// `merged` maps numbers that are gone to lines; of words that are `unsure` constraints say nothing any more.
function renumber(lines, merged, unsure) {
  const now = new Map([["0", "0"]]);
  let word = 0, empty = 0;
  for (const line of lines) {
    if (line.kind === "word") [line.now, empty] = [String(++word), 0];
    if (line.kind === "empty") line.now = `${word}.${++empty}`;
    if (line.now && line.id) now.set(line.id, line.now);
  }
  for (const [id, line] of merged) now.set(id, line.now);
  for (const line of lines.slice(0, -1)) if (line.cells) line.eol ||= "\n"; // the file may end without one
  return Sentence.read(lines.map(line => renumberLine(line, now, unsure)).join(""));
}

function renumberLine(line, now, unsure) {
  if (line.kind === "comment") return renumberComment(line, now, unsure);
  const {cells} = line;
  if (line.kind === "range") cells[ID] = `${line.first.now}-${line.last.now}`;
  if (line.now) {
    cells[ID] = line.now;
    cells[HEAD] = now.get(cells[HEAD]) ?? cells[HEAD];
    cells[DEPS] = renumberDependencies(cells[DEPS], line.now, now);
  }
  return written(line);
}

function renumberDependencies(deps, own, now) {
  if (deps === "_") return deps;
  const items = deps.split("|").map(item => item.replace(/^[^:]*/, id => now.get(id) ?? id));
  return together(...items.filter(item => !item.startsWith(`${own}:`)));
}

function renumberComment(line, now, unsure) {
  const rule = CONSTRAINT.exec(line.text)?.[1], changed = rule && renumberRule(rule, now, unsure);
  if (changed === rule) return written(line);
  return changed === null ? "" : written({...line, text: `# constraint = ${changed}`});
}

// null: it was about a word that is no more.
function renumberRule(rule, now, unsure) {
  const words = rule.split(/\s+/), at = {arc: [1, 3], "not-arc": [1, 2], span: [1, 2], leaf: [1]}[words[0]] ?? [];
  if (words[0] !== "span" && at.some(i => unsure.includes(words[i]))) return null;
  for (const i of at) words[i] = now.get(words[i]) ?? words[i];
  if (words[0] === "span" && words[1] === words[2]) return null;
  return words.join(" ");
}
