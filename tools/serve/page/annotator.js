// Edits of a sentence that a parser completes: what was decided holds, and the parser does the rest. They
// return another sentence, or throw a Refusal or a Misfit.
import {add} from "./constraints.js";
import {Refusal} from "./backend.js";
import {group, merge, split, ungroup} from "./tokens.js";

const ruleOf = text => text.split(/\s+/);

function withRule(rules, rule) {
  return add(rules.map(one => ({sentence: 1, rule: one})), {sentence: 1, rule}).map(one => one.rule);
}

// Of an arc and a forbidden one; what else is asked for is the parser's to judge.
function holdsIn(words, rule) {
  const [kind, head, a, b] = ruleOf(rule);
  if (kind === "arc") return words[b - 1].head === Number(head) && (a === "_" || words[b - 1].deprel === a);
  return kind !== "not-arc" || words[a - 1].head !== Number(head);
}

export class Annotator {
  // model() has the names and labels of the model that is asked; restStays() says whether an edit leaves the
  // rest of the tree as it is. It always does in a sentence that is marked as corrected.
  constructor(backend, model, restStays) { Object.assign(this, {backend, model, restStays}); }

  async ask(data, more = {}) {
    return (await this.backend.sentences({data, model: this.model().names[0], ...more}))[0].words;
  }

  // A label that the model does not know is left open, and set afterwards.
  fit(rule) {
    const [kind, head, label, word] = ruleOf(rule);
    return kind === "arc" && !this.model().labels.includes(label) ? `arc ${head} _ ${word}` : rule;
  }

  // Words as the parser sees them: heads that are known hold, as all constraints do.
  async suggest(sentence) {
    const known = sentence.words.filter(({head}) => head !== null)
      .map(({id, head, deprel}) => `arc ${head} ${deprel ?? "_"} ${id}`);
    const rules = [...sentence.constraints, ...known];
    const words = await this.ask(sentence.withConstraints(rules.map(rule => this.fit(rule))).alone);
    for (const [kind, head, label, id] of sentence.constraints.map(ruleOf))
      if (kind === "arc" && label !== "_" && words[id - 1].head === Number(head)) words[id - 1].deprel = label;
    return words;
  }

  // What the parser alone would make of it, under its constraints.
  opinion(sentence) { return this.suggest(sentence.withoutHeads()); }

  // Tags and heads where there are none.
  async complete(sentence) {
    const tagged = sentence.lacksTags ? sentence.withTags(await this.ask(sentence.alone, {tag: true})) : sentence;
    const words = await this.suggest(tagged), own = tagged.words;
    return tagged.withTags(words).withTree(words, ({id}) => own[id - 1].head === null);
  }

  // The tree again; it was not looked at yet.
  redo(sentence) { return this.complete(sentence.withMark(false).withoutHeads()); }

  keepsRest(sentence) { return sentence.isCorrected || this.restStays(); }

  // ---- edits ----

  constrain(sentence, rule) {
    const rules = withRule(sentence.constraints, rule), [kind, head, label, word] = ruleOf(rule);
    if (!this.keepsRest(sentence) || kind === "span" || kind === "leaf") return this.redo(sentence.withConstraints(rules));
    if (kind === "arc") return this.attach(sentence, Number(head), label, Number(word));
    return this.complete(sentence.withConstraints(rules).withoutHeads(({id}) => id === Number(label)));
  }

  attach(sentence, head, label, id) {
    const {deprel} = sentence.words[id - 1], kept = deprel && deprel !== "root" ? deprel : "dep";
    const chosen = label !== "_" ? label : head === 0 ? "root" : kept;
    return this.decided(sentence.withArc(head, chosen, id), `arc ${head} ${chosen} ${id}`);
  }

  // What the tree was made to be is asked for from now on, and what it has ceased to be is not.
  decided(sentence, rule) {
    if (sentence.isCorrected) return sentence;
    const {words} = sentence;
    return sentence.withConstraints(withRule(sentence.constraints, rule).filter(one => holdsIn(words, one)));
  }

  async release(sentence, rule) {
    const without = sentence.withConstraints(sentence.constraints.filter(one => one !== rule));
    return this.keepsRest(sentence) ? without : this.redo(without);
  }

  async label(sentence, id, label) {
    const {head} = sentence.words[id - 1];
    return this.decided(sentence.withCells({[id]: {deprel: label}}), `arc ${head} ${label} ${id}`);
  }

  // A lemma changes nothing else.
  async tag(sentence, id, cells) {
    const edited = sentence.withCells({[id]: cells}), now = edited.words[id - 1], before = sentence.words[id - 1];
    const same = ["upos", "xpos", "feats"].every(name => now[name] === before[name]);
    return same || this.keepsRest(sentence) ? edited : this.redo(edited);
  }

  split(sentence, id, forms, apart) { return this.retokenize(sentence, split(sentence, id, forms, apart), id); }
  merge(sentence, first, last) { return this.retokenize(sentence, merge(sentence, first, last), first); }
  async group(sentence, first, last) { return group(sentence, first, last); }
  async ungroup(sentence, id) { return ungroup(sentence, id); }

  // Where the parser cannot keep the rest, as it builds no such trees, new words depend on the first of them.
  async retokenize(sentence, changed, first) {
    if (!this.keepsRest(sentence)) return this.redo(changed);
    try {
      return await this.complete(changed);
    } catch (problem) {
      if (!(problem instanceof Refusal) || problem.status !== 422) throw problem;
      return changed.withTree(changed.words.map(({id}) => ({id, head: first, deprel: "dep"})),
        ({id}) => changed.words[id - 1].head === null);
    }
  }
}
