// What can be asked of the words that are chosen: one, or a head and a dependent.
import {bdi, button, element} from "./elements.js";
import {constraints} from "./constraints.js";

function labelChoice(labels, current) {
  const options = labels.toSorted().map(label => element("option", {value: label}, label));
  const any = element("option", {value: ""}, "any label");
  const select = element("select", {"aria-label": "label of the arc"}, any, ...options);
  select.value = labels.includes(current) ? current : "";
  return select;
}

function spanChoice() {
  return element("select", {"aria-label": "kind of span"},
    element("option", {value: "any"}, "as one subtree"),
    element("option", {value: "root"}, "… only its root has dependents outside"),
    element("option", {value: "none"}, "… no dependents outside"));
}

export const row = (...children) => element("div", {className: "asks"}, ...children);

function askOfOne(word, words, ask) {
  const rest = [
    button("is the root", () => ask(constraints.arc(0, "", word.id))),
    button("is not the root", () => ask(constraints.notArc(0, word.id))),
    button("has no dependents", () => ask(constraints.leaf(word.id))),
  ];
  if (word.head > 0) {
    const head = words[word.head - 1];
    rest.push(button(`does not depend on “${head.form}”`, () => ask(constraints.notArc(head.id, word.id))));
  }
  return [
    element("p", {}, "Choose a second word, which depends on ", bdi(word.form), ", or ask that ", bdi(word.form)),
    row(...rest),
  ];
}

function askOfArc(head, word, labels, ask, swap) {
  const label = labelChoice(labels, word.head === head.id ? word.deprel : "");
  return row(
    element("span", {className: "pair"}, bdi(head.form), " → ", bdi(word.form)),
    button("⇄", swap, {"aria-label": `swap: make ${word.form} the head`, title: "swap head and dependent"}),
    label,
    button("Force this arc", () => ask(constraints.arc(head.id, label.value, word.id)), {className: "main"}),
    button("Forbid it", () => ask(constraints.notArc(head.id, word.id))));
}

function askOfSpan(one, other, ask) {
  const [first, last] = one.id < other.id ? [one, other] : [other, one], mode = spanChoice();
  return row(
    element("span", {className: "pair"}, bdi(first.form), " … ", bdi(last.form)),
    mode,
    button("Force this span", () => ask(constraints.span(first.id, last.id, mode.value))));
}

// `chosen` is [id] or [head, dependent]; ask(rule) adds a constraint.
export function showChoice(box, chosen, words, labels, {ask, swap, cancel}) {
  box.hidden = chosen.length === 0;
  box.replaceChildren();
  if (box.hidden) return;
  const [one, other] = chosen.map(id => words[id - 1]);
  if (other) box.append(askOfArc(one, other, labels, ask, swap), askOfSpan(one, other, ask));
  else box.append(...askOfOne(one, words, ask));
  box.append(button("×", cancel, {className: "close", "aria-label": "choose no word"}));
}
