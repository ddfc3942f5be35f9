// Constraints as docs/constraints.md has them, each with the number of its sentence, from 1, and that
// sentence's text, by which it is found again when the text around it changes.

export const constraints = {
  arc: (head, label, word) => `arc ${head} ${label || "_"} ${word}`,
  notArc: (head, word) => `not-arc ${head} ${word}`,
  span: (first, last, mode) => `span ${first} ${last} ${mode}`,
  leaf: word => `leaf ${word}`,
};

// What a constraint says, as pieces of text and {word}.
export function describe(rule, words) {
  const [kind, a, b, c] = rule.split(" ");
  const word = id => id === "0" ? "root" : {word: words[id - 1]?.form ?? id, id};
  if (kind === "arc") {
    if (a === "0") return [word(c), b === "_" || b === "root" ? " is the root" : ` is the root, ${b}`];
    return [word(a), " → ", word(c), b === "_" ? "" : `, ${b}`];
  }
  if (kind === "not-arc")
    return a === "0" ? [word(b), " is not the root"] : ["no ", word(a), " → ", word(b)];
  if (kind === "leaf") return [word(a), " has no dependents"];
  const outside = {any: "", root: ", only its root has dependents outside", none: ", with no dependents outside"}[c];
  return [word(a), " … ", word(b), " is one subtree", outside];
}

export const plain = pieces => pieces.map(piece => piece.word ?? piece).join("");

// "2: leaf 7" <-> {sentence: 2, rule: "leaf 7"}
export const toField = ({sentence, rule}) => `${sentence}: ${rule}`;

export function fromField(field) {
  const found = /^(\d+): (.+)$/s.exec(field);
  return found && {sentence: Number(found[1]), rule: found[2]};
}

// Two constraints on one arc cannot both be meant: the later one counts.
function excludes(rule, other) {
  const arcOf = text => {
    const [kind, a, b, c] = text.split(" ");
    return kind === "arc" ? `${a} ${c}` : kind === "not-arc" ? `${a} ${b}` : text;
  };
  return arcOf(rule) === arcOf(other);
}

export function add(list, one) {
  return [...list.filter(other => other.sentence !== one.sentence || !excludes(one.rule, other.rule)), one];
}

// Those whose sentence is still in the text, with the number that it has now.
export function carryOver(list, texts) {
  return list.flatMap(one => {
    if (one.text === undefined || texts[one.sentence - 1] === one.text) return [one];
    const at = texts.indexOf(one.text);
    return at < 0 ? [] : [{...one, sentence: at + 1}];
  });
}

// Which of them a refusal is about; -1: none, or it cannot be seen.
export function culprit(list, reason) {
  const found = /sentence '(\d+)': constraint '(.*?)': /s.exec(reason);
  if (!found) return -1;
  const exact = list.findIndex(one => one.rule === found[2] && one.sentence === Number(found[1]));
  return exact >= 0 ? exact : list.findIndex(one => one.rule === found[2]);
}

// A refusal's reason, with words in place of their numbers, and without what is said already.
export function explain(reason, rule, words) {
  const bare = reason.replace(/^\w+:\d+: sentence '.*?': constraint /s, "").replace(`'${rule}': `, "");
  return bare.replace(/'((?:arc|not-arc|span|leaf) .*?)'/gs, (_, other) => `“${plain(describe(other, words))}”`);
}
