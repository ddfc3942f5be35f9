// Where one is in a treebank: the sentence's title, and a list of those around it.
import {$, button, element} from "./elements.js";
import {isCorrected} from "./conllu.js";
import {textOf} from "./treebank.js";

const LISTED = 40, BEFORE = 5; // sentences in the list, and of these before the one that is shown

export function showPlace({treebank, number, view}) {
  const {sentence, text} = treebank.entry(number), at = view.indexOf(number);
  const changed = sentence ? treebank.changedWords(number) : 0, corrected = isCorrected(text);
  const marks = [corrected ? "corrected" : "", changed ? `${changed} word${changed > 1 ? "s" : ""} not as in the file` : ""];
  $("tb-name").textContent = treebank.name;
  $("tb-progress").textContent = `${treebank.corrected.length} of ${treebank.size} corrected`;
  $("tb-title").textContent = `Sentence ${number + 1} of ${treebank.size}${sentence?.sentId ? ` · ${sentence.sentId}` : ""}`;
  $("tb-mark").textContent = marks.filter(Boolean).join(" · ");
  $("tb-accept").textContent = corrected ? "Not correct after all" : "Accept";
  $("tb-accept").disabled = !sentence;
  $("tb-undo").disabled = treebank.done === 0;
  $("tb-redo").disabled = treebank.done === treebank.steps.length;
  $("tb-previous").disabled = at <= 0;
  $("tb-next").disabled = view.length === 0 || at === view.length - 1;
}

function listItem(one, {treebank, number, doubts}, go) {
  const text = treebank.texts[one], doubt = doubts[one];
  const made = button("", () => go(one), {"aria-current": String(one === number)});
  made.append(element("span", {className: "number"}, String(one + 1)),
    element("span", {className: "mark"}, isCorrected(text) ? "✓" : ""),
    element("span", {className: "doubt"}, Number.isFinite(doubt) ? String(Number(doubt.toPrecision(2))) : ""),
    element("bdi", {}, textOf(text)));
  return element("li", {}, made);
}

export function showList(state, go) {
  const {treebank, view, number} = state, from = Math.max(0, view.indexOf(number) - BEFORE);
  $("tb-list").replaceChildren(...view.slice(from, from + LISTED).map(one => listItem(one, state, go)));
  $("tb-found").textContent = view.length === treebank.size ? ""
    : view.length ? `${view.length} of ${treebank.size} sentences` : "No sentence is like that.";
}
