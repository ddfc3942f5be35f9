// The sentence of a treebank that is worked on: its tree, and what can be done to the words that are chosen.
import {bdi, button, element} from "./elements.js";
import {chip} from "./cards.js";
import {isGrouped} from "./tokens.js";
import {markChosen, showTable, showTree} from "./tree.js";
import {row, showChoice} from "./choice.js";

const UPOS = ["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
  "SCONJ", "SYM", "VERB", "X"];
const TAGS = ["upos", "xpos", "feats", "lemma"];

// Enter takes the first of those that are left, or, if there is none, what was typed.
function labelPicker(labels, current, choose) {
  const list = element("div", {className: "labels", role: "group", "aria-label": "labels"});
  const search = element("input", {type: "search", id: "label-search", placeholder: "search, or a new label",
    autocomplete: "off", spellcheck: false, "aria-label": "search for a label"});
  const left = () => labels.filter(label => label.includes(search.value.trim()));
  const fill = () => list.replaceChildren(...left().map(label =>
    button(label, () => choose(label), {"aria-pressed": String(label === current)})));
  search.addEventListener("input", fill);
  search.addEventListener("keydown", event => {
    const wanted = search.value.trim();
    if (event.key !== "Enter" || !wanted) return;
    choose(labels.includes(wanted) ? wanted : left().sort((a, b) => a.indexOf(wanted) - b.indexOf(wanted))[0] ?? wanted);
  });
  fill();
  return element("div", {className: "picker"}, element("label", {}, "Label ", search), list);
}

function tagForm(word, tag) {
  const inputs = TAGS.map(name => element("input", {name, value: word[name] ?? "", autocomplete: "off", spellcheck: false,
    ...(name === "upos" ? {id: "upos"} : {}), dir: name === "lemma" ? "auto" : "ltr"}));
  inputs[0].setAttribute("list", "upos-list");
  const form = element("form", {className: "asks tags"},
    ...TAGS.map((name, i) => element("label", {className: name}, `${name.toUpperCase()} `, inputs[i])),
    element("datalist", {id: "upos-list"}, ...UPOS.map(value => element("option", {value}))),
    element("button", {}, "Set tags"));
  form.addEventListener("submit", event => {
    event.preventDefault();
    tag(Object.fromEntries(inputs.map(({name, value}) => [name, value])));
  });
  return form;
}

function splitRow(word, grouped, does) {
  const input = element("input", {id: "split", value: word.form, autocomplete: "off", spellcheck: false, dir: "auto",
    "aria-label": "the new words, with spaces between them"});
  const forms = () => input.value.trim().split(/\s+/);
  const buttons = grouped
    ? [button("Split the word", () => does.split(forms(), false)), button("Dissolve the token", does.ungroup)]
    : [button("Split into tokens", () => does.split(forms(), true)),
      button("Split into words of one token", () => does.split(forms(), false))];
  return row(element("label", {}, "With spaces between the parts ", input), ...buttons);
}

export class Desk {
  // `bench` has labels(), asked(sentence), sure(), edit(name, ...arguments) and release(rule).
  constructor(box, bench) {
    this.bench = bench;
    this.chosen = [];
    this.box = element("div", {className: "tree"});
    this.note = element("p", {className: "hint note"});
    this.panel = element("div", {className: "choice", role: "group", "aria-label": "the chosen words", hidden: true});
    this.list = element("ul", {className: "chips", "aria-label": "constraints"});
    box.append(this.box, this.note, this.panel, this.list);
    box.addEventListener("keydown", event => {
      if (event.key === "Escape" && this.chosen.length) this.choose([], true);
    });
  }

  // `svg` is null where there is no drawing of it, `opinion` where the parser's is not known.
  show(sentence, svg, opinion, focus) {
    this.sentence = sentence;
    this.words = sentence.words;
    this.chosen = [];
    const tree = {svg, words: this.words, text: sentence.text};
    if (svg) showTree(this.box, tree, this.bench.sure(), {onWord: id => this.chooseWord(id), onArc: (head, id) => this.chooseArc(head, id)});
    else showTable(this.box, tree);
    this.note.textContent = opinion ? this.compare(opinion) : "";
    this.list.hidden = sentence.constraints.length === 0;
    this.list.replaceChildren(...sentence.constraints.map(rule =>
      chip({rule}, this.words, false, () => this.bench.release(rule))));
    this.showChoice();
    if (focus) this.focusWord(Math.min(focus, this.words.length));
  }

  showMalformed(text, reason) {
    this.box.replaceChildren(element("p", {}, `This is not CoNLL-U: ${reason}. It stays as it is.`), element("pre", {}, text));
    this.note.textContent = "";
    this.panel.hidden = this.list.hidden = true;
  }

  compare(opinion) {
    const other = this.words.filter(({id, head, deprel}) => opinion[id - 1].head !== head || opinion[id - 1].deprel !== deprel);
    if (other.length === 0) return "The parser has the same tree.";
    const told = other.slice(0, 5).map(({id, form}) => {
      const {head, deprel} = opinion[id - 1];
      return head === 0 ? `${form} is the root` : `${this.words[head - 1].form} → ${form}, ${deprel}`;
    });
    return `The parser has ${told.join("; ")}${other.length > 5 ? `; and ${other.length - 5} more` : ""}.`;
  }

  showChoice() {
    const {bench, chosen, words} = this, edit = (...what) => bench.edit(chosen.at(-1), ...what);
    markChosen(this.box, chosen);
    showChoice(this.panel, chosen, words, bench.labels(), {
      ask: rule => edit("constrain", rule),
      swap: () => this.choose(chosen.toReversed()),
      cancel: () => this.choose([], true),
    });
    if (chosen.length === 1) this.panel.append(...this.askOfWord(words[chosen[0] - 1], edit));
    if (chosen.length === 2) this.panel.append(this.askOfWords(chosen.toSorted((a, b) => a - b), edit));
  }

  askOfWord(word, edit) {
    const labels = this.bench.labels().toSorted();
    return [
      ...(word.head === null ? [] : [labelPicker(labels, word.deprel, label => edit("label", word.id, label))]),
      tagForm(word, cells => edit("tag", word.id, cells)),
      splitRow(word, isGrouped(this.sentence, word.id), {
        split: (forms, apart) => edit("split", word.id, forms, apart),
        ungroup: () => edit("ungroup", word.id),
      }),
    ];
  }

  askOfWords([first, last], edit) {
    const [a, b] = [first, last].map(id => bdi(this.words[id - 1].form));
    return row(element("span", {className: "pair"}, a, " … ", b),
      button("Merge into one word", () => edit("merge", first, last)),
      button("Make one token of them", () => edit("group", first, last)));
  }

  choose(chosen, back = false) {
    const word = this.chosen.at(-1);
    this.chosen = chosen;
    this.showChoice();
    if (back) this.focusWord(word);
  }

  chooseWord(id) {
    if (this.chosen.length !== 1) this.choose([id]);
    else this.choose(this.chosen[0] === id ? [] : [this.chosen[0], id]);
  }

  chooseArc(head, id) { this.choose(head === 0 ? [id] : [head, id]); }

  focusWord(id) {
    this.box.querySelector(`g.word[data-word="${Number(id)}"]`)?.focus();
  }
}
