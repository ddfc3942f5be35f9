// A sentence: its tree or trees, what can be done with them, and its constraints.
import {announce, bdi, button, element, save} from "./elements.js";
import {describe, plain} from "./constraints.js";
import {markChosen, showTable, showTree} from "./tree.js";
import {showChoice} from "./choice.js";

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("CoNLL-U copied");
    return true;
  } catch { // not over plain HTTP from elsewhere, nor without leave
    save("tree.conllu", "text/x-conllu", text);
    return false;
  }
}

function copyButton(tree) {
  const made = button("Copy CoNLL-U", async () => {
    made.textContent = await copy(tree().conllu) ? "Copied" : "Saved";
    setTimeout(() => { made.textContent = "Copy CoNLL-U"; }, 1500);
  });
  return made;
}

export function chip(one, words, bad, remove) {
  const pieces = describe(one.rule, words);
  const shown = pieces.map(piece => piece.word === undefined ? piece : bdi(piece.word));
  return element("li", {className: bad ? "bad" : ""}, element("span", {}, ...shown),
    button("×", remove, {"aria-label": `remove the constraint: ${plain(pieces)}`, title: "remove"}));
}

export class Card {
  // `page` has asked(number), labels(), sure(), bad(one), hasSteps(), ask, remove, showSteps.
  constructor(number, trees, page) {
    Object.assign(this, {number, trees, page, rank: 0, chosen: []});
    this.box = element("div", {className: "tree"});
    this.panel = element("div",
      {className: "choice", role: "group", "aria-label": "constraints on the chosen words", hidden: true});
    this.list = element("ul", {className: "chips", "aria-label": "constraints"});
    this.count = element("span", {className: "rank"});
    this.element = element("article", {className: "card", "aria-label": `sentence ${number}`},
      element("header", {}, element("h2", {}, `Sentence ${number}`), ...this.rankButtons(), this.tools()),
      this.box, this.panel, this.list);
    this.element.addEventListener("keydown", event => {
      if (event.key === "Escape" && this.chosen.length) this.choose([], true);
    });
  }

  get tree() { return this.trees[this.rank]; }

  tools() {
    this.drawn = button("Save SVG", () => save(`sentence-${this.number}.svg`, "image/svg+xml", this.tree.svg));
    const steps = button("Step through", () => this.page.showSteps(this.tree));
    steps.hidden = !this.page.hasSteps();
    return element("div", {className: "tools"}, steps, copyButton(() => this.tree), this.drawn);
  }

  rankButtons() {
    if (this.trees.length < 2) return [];
    this.back = button("‹", () => this.showRank(this.rank - 1), {"aria-label": "better tree"});
    this.forward = button("›", () => this.showRank(this.rank + 1), {"aria-label": "next best tree"});
    return [element("div", {className: "ranks", role: "group", "aria-label": "n-best trees"},
      this.back, this.count, this.forward)];
  }

  showRank(rank) {
    this.rank = rank;
    this.chosen = [];
    this.show();
    announce(this.count.textContent);
  }

  // The card must be in the page.
  show() {
    const {tree} = this;
    const calls = {onWord: id => this.chooseWord(id), onArc: (head, id) => this.chooseArc(head, id)};
    if (tree.svg) showTree(this.box, tree, this.page.sure(), calls);
    else showTable(this.box, tree);
    this.drawn.disabled = !tree.svg;
    if (this.back) {
      this.count.textContent = `tree ${this.rank + 1} of ${this.trees.length}, score ${tree.score.toFixed(1)}`;
      this.back.disabled = this.rank === 0;
      this.forward.disabled = this.rank === this.trees.length - 1;
    }
    this.showConstraints();
    this.showChoice();
  }

  showConstraints() {
    const own = this.page.asked(this.number);
    this.list.hidden = own.length === 0;
    this.list.replaceChildren(...own.map(one =>
      chip(one, this.tree.words, this.page.bad(one), () => this.page.remove(one))));
  }

  showChoice() {
    markChosen(this.box, this.chosen);
    showChoice(this.panel, this.chosen, this.tree.words, this.page.labels(), {
      ask: rule => this.ask(rule),
      swap: () => this.choose(this.chosen.toReversed()),
      cancel: () => this.choose([], true),
    });
  }

  choose(chosen, back = false) {
    const word = this.chosen.at(-1);
    this.chosen = chosen;
    this.showChoice();
    if (back) this.focusWord(word);
    else this.tellChoice(chosen.map(id => this.tree.words[id - 1].form));
  }

  tellChoice([one, other]) {
    if (other) announce(`${one} to ${other}: force or forbid the arc, or force the span`);
    else if (one) announce(`${one} chosen; choose a second word`);
  }

  chooseWord(id) {
    if (this.chosen.length !== 1) this.choose([id]);
    else this.choose(this.chosen[0] === id ? [] : [this.chosen[0], id]);
  }

  chooseArc(head, id) { this.choose(head === 0 ? [id] : [head, id]); }

  ask(rule) {
    this.page.ask({sentence: this.number, rule, text: this.trees[0].text}, this.chosen.at(-1));
  }

  focusWord(id) {
    this.box.querySelector(`g.word[data-word="${Number(id)}"]`)?.focus();
  }
}
