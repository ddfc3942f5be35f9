// Steps through the parses in #data; see tools/explorer.h for what is in it. Where #data is empty, the page
// stands in a frame of another one, which sends it.
"use strict";

let data;
const $ = id => document.getElementById(id);
const state = {sentence: 0, step: 0, gold: false, layouts: []};

function element(parent, name, classes, text) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

// [[1, 3], [7, 7]] are 1 2 3 7.
function unroll(runs) {
  const nodes = [];
  for (const [first, last] of runs) for (let node = first; node <= last; node++) nodes.push(node);
  return nodes;
}

const current = () => data.sentences[state.sentence];
const formOf = node => node === 0 ? "ROOT" : current().words[node - 1][0];

function isMistake(step) {
  return Boolean(step.m) && (step.w || (step.o !== undefined && step.m[step.c][3] > 0));
}

// Each word by itself, so that words of right-to-left scripts do not turn the arrow's sense around.
function appendArc(parent, head, word) {
  element(parent, "bdi", "", formOf(head));
  parent.append(" → ");
  element(parent, "bdi", "", formOf(word));
}

// ---- stack and buffer ----

const SHOWN = 40;

function showNodes(id, runs, fromEnd) {
  const box = $(id), nodes = unroll(runs);
  box.replaceChildren();
  if (nodes.length === 0) element(box, "span", "none", "–");
  const hidden = Math.max(0, nodes.length - SHOWN);
  if (hidden && fromEnd) element(box, "span", "more", `${hidden} more`);
  for (const node of fromEnd ? nodes.slice(hidden) : nodes.slice(0, SHOWN)) {
    const chip = element(box, "span", "node");
    element(chip, "bdi", "", formOf(node));
    if (node > 0) element(chip, "sub", "", node);
  }
  if (hidden && !fromEnd) element(box, "span", "more", `${hidden} more`);
}

// ---- transitions ----

function showMoves(step) {
  const body = $("moves");
  body.replaceChildren();
  const moves = step.m || [], costs = step.o !== undefined;
  const least = costs ? Math.min(...moves.map(move => move[3])) : null;
  moves.forEach(([name, head, word, cost, score, label], i) => {
    const chosen = i === step.c;
    const row = element(body, "tr", chosen ? "chosen" + (isMistake(step) ? " bad" : "") : "");
    element(row, "td");
    element(row, "td", "name", name);
    const arc = element(row, "td");
    if (word > 0) appendArc(arc, head, word);
    element(row, "td", "", chosen ? step.l : label);
    element(row, "td", "score", score === null ? "" : score.toFixed(2));
    element(row, "td", costs ? "cost " + (cost > 0 ? "some" : "zero") : "cost", costs ? cost : "");
    const marks = element(row, "td");
    if (chosen) element(marks, "span", "badge is-chosen", "chosen");
    if (costs && cost === least) element(marks, "span", "badge best", "best");
  });
  $("loss").textContent = costs ? `loss ${step.o}` : current().why ? `no costs: ${current().why}` : "";
  $("cost-name").textContent = costs ? "cost" : "";
  $("score-name").textContent = moves.some(move => move[4] !== null) ? "score" : "";
  $("moves").parentElement.hidden = moves.length === 0;
}

// What is wrong with the label of the arc that is about to be built.
function labelFault(step, head, word) {
  const right = rightLabel(current(), word, head, step.l);
  return right ? `arc right, label wrong: gold ${right}` : "label wrong";
}

function describe(step) {
  const status = $("status"), count = current().steps.length - 1;
  status.replaceChildren(`step ${state.step} of ${count}: `);
  if (!step.m) {
    status.append("the end");
    return;
  }
  const [name, head, word, cost] = step.m[step.c];
  element(status, "strong", "", name);
  if (word > 0) {
    status.append(` ${step.l}, `);
    appendArc(status, head, word);
  }
  if (step.r >= 0) {
    status.append(" in place of ");
    element(status, "bdi", "", formOf(step.r));
  }
  if (step.g !== undefined) status.append(step.g === null ? ", nothing to decide" : `, margin ${step.g.toFixed(2)}`);
  if (!isMistake(step)) return;
  const what = [];
  if (cost > 0) what.push(`cost ${cost}`);
  if (step.w) what.push(labelFault(step, head, word));
  if (state.step === current().mistake) what.push("the first mistake");
  status.append(": ");
  element(status, "span", "bad", what.join(", "));
}

function showEnd(step) {
  const end = $("end"), {right} = current();
  end.replaceChildren();
  if (step.m) return;
  end.append(right ? `${right[0]} of ${right[2]} heads right, ${right[1]} of them with the right label` : "The tree is finished.");
  if (current().mistake < 0) return;
  end.append("; ");
  element(end, "span", "bad", `first mistake in step ${current().mistake}`);
}

// ---- the tree ----

// Heads and labels before a step: what the steps up to it changed.
function arcsAt(index) {
  const heads = new Map();
  for (const step of current().steps.slice(0, index + 1))
    for (const [word, head, label] of step.d) heads.set(word, [head, label]);
  return heads;
}

function isWrong(word, head) {
  const gold = current().gold;
  return Boolean(gold) && gold[word - 1][0] >= 0 && gold[word - 1][0] !== head;
}

function placesAt(step) {
  const places = new Array(current().words.length + 1).fill("done");
  for (const [name, runs] of [["stack", step.s], ["passed", step.p || []], ["buffer", step.b]])
    for (const node of unroll(runs)) places[node] = name;
  return places;
}

function showTree(step) {
  const arcs = [], heads = arcsAt(state.step), sentence = current();
  const building = step.m && step.m[step.c][2] > 0 ? step.m[step.c] : null;
  const isBuilt = (word, head) => Boolean(building) && building[2] === word && building[1] === head;
  const push = (word, head, label, classes) => {
    const fault = isWrong(word, head) ? " wrong" : rightLabel(sentence, word, head, label) ? " mislabelled" : "";
    arcs.push([head, word, shownLabel(sentence, word, head, label), classes + fault]);
  };
  if (state.gold && sentence.gold)
    sentence.gold.forEach(([head, label], i) => {
      const there = heads.has(i + 1) && heads.get(i + 1)[0] === head;
      if (head >= 0 && !there && !isBuilt(i + 1, head)) arcs.push([head, i + 1, label, "gold"]);
    });
  for (const [word, [head, label]] of heads)
    if (head >= 0 && !isBuilt(word, head)) push(word, head, label, "");
  if (building) push(building[2], building[1], step.l, "new");
  const box = $("tree"), scroll = box.scrollLeft;
  const layout = state.layouts[state.sentence] ||= layOut(sentence);
  box.replaceChildren();
  drawTree(box, sentence, layout, arcs, placesAt(step));
  box.scrollLeft = scroll;
  keepInView(box, layout, step);
}

// The front of the buffer stays visible in sentences that are wider than the page.
function keepInView(box, layout, step) {
  const front = unroll(step.b).find(node => node > 0) || layout.slots.length - 1;
  const slot = layout.slots[front];
  const x = layout.rtl ? layout.width - slot.x - slot.width : slot.x;
  const visible = x > box.scrollLeft + 80 && x + slot.width < box.scrollLeft + box.clientWidth - 80;
  if (!visible) box.scrollLeft = x - box.clientWidth / 2;
}

// ---- going about ----

function show() {
  const sentence = current(), step = sentence.steps && sentence.steps[state.step];
  document.body.dataset.sentence = state.sentence;
  document.body.dataset.step = state.step;
  $("sentence").value = state.sentence;
  $("before").disabled = state.sentence === 0;
  $("behind").disabled = state.sentence === data.sentences.length - 1;
  $("state").hidden = $("moves").parentElement.hidden = !step;
  $("mistake").disabled = !step || sentence.mistake < 0;
  for (const id of ["first", "back"]) $(id).disabled = !step || state.step === 0;
  for (const id of ["last", "forward"]) $(id).disabled = !step || state.step === sentence.steps.length - 1;
  try { history.replaceState(null, "", `#${state.sentence + 1}.${state.step}`); } catch { /* not vital */ }
  if (!step) {
    $("tree").replaceChildren("This sentence was skipped: " + sentence.skipped);
    for (const id of ["status", "end", "loss"]) $(id).replaceChildren();
    return;
  }
  $("step").value = state.step;
  showNodes("stack", step.s, true);
  showNodes("passed", step.p || [], true);
  showNodes("buffer", step.b, false);
  $("passed-part").hidden = $("passed-legend").hidden = !step.p;
  $("stack-name").textContent = step.p ? "left" : "stack";
  $("stack-legend").textContent = step.p ? "left of the focus" : "on the stack";
  showMoves(step);
  describe(step);
  showEnd(step);
  showTree(step);
}

function goTo(step) {
  const {steps} = current();
  if (!steps) return;
  state.step = Math.min(Math.max(step, 0), steps.length - 1);
  show();
}

// Before it each configuration has one permissible transition only, such as the shift of the first word.
function firstChoice({steps}) {
  return Math.max(0, steps.findIndex(({m}) => m && m.length > 1));
}

function choose(sentence, step) {
  if (sentence < 0 || sentence >= data.sentences.length) return;
  state.sentence = sentence;
  state.step = 0;
  const {steps} = current(), marks = $("marks");
  marks.replaceChildren();
  $("step").disabled = !steps;
  $("step").max = steps ? steps.length - 1 : 0;
  if (steps)
    steps.forEach((each, i) => {
      if (isMistake(each)) element(marks, "i").style.left = `${100 * i / (steps.length - 1)}%`;
    });
  if (steps) goTo(step ?? firstChoice(current()));
  else show();
}

function toMistake() {
  if (current().mistake >= 0) goTo(current().mistake);
}

function toggleGold(on) {
  state.gold = $("gold").checked = on;
  show();
}

const keys = {
  ArrowLeft: () => goTo(state.step - 1),
  ArrowRight: () => goTo(state.step + 1),
  Home: () => goTo(0),
  End: () => goTo(Infinity),
  m: toMistake,
  g: () => toggleGold(!state.gold),
  n: () => choose(state.sentence + 1),
  p: () => choose(state.sentence - 1),
};

document.addEventListener("keydown", event => {
  const action = event.ctrlKey || event.altKey || event.metaKey ? null : keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
$("first").onclick = keys.Home;
$("back").onclick = keys.ArrowLeft;
$("forward").onclick = keys.ArrowRight;
$("last").onclick = keys.End;
$("mistake").onclick = toMistake;
$("before").onclick = keys.p;
$("behind").onclick = keys.n;
$("gold").onchange = () => toggleGold($("gold").checked);
$("step").oninput = () => goTo(Number($("step").value));
$("sentence").onchange = () => choose(Number($("sentence").value));

function begin(given, hash = "") {
  data = given;
  $("system").textContent = data.system;
  $("source").textContent = data.source;
  $("sentence").replaceChildren();
  data.sentences.forEach((sentence, i) => {
    const about = sentence.steps ? sentence.words.map(word => word[0]).join(" ").slice(0, 60) : "skipped";
    const option = element($("sentence"), "option", "", `${i + 1}. ${sentence.id}: ${about}` + (sentence.mistake >= 0 ? " ✗" : ""));
    option.value = i;
  });
  if (data.sentences.length === 0) {
    $("tree").textContent = "There are no sentences.";
  } else {
    const [sentence, step] = hash.slice(1).split(".").map(Number);
    choose(sentence >= 1 && sentence <= data.sentences.length ? sentence - 1 : 0, Number.isInteger(step) ? step : undefined);
  }
}

// Light or dark as the page around has it, whatever the reader's system prefers.
const darkRule = [...document.styleSheets[0].cssRules].find(rule => rule.media);

function setTheme(theme) {
  darkRule.media.mediaText = theme === "dark" ? "all" : "not all";
}

if ($("data").textContent) begin(JSON.parse($("data").textContent), location.hash);
else addEventListener("message", ({source, data: {theme, parses}}) => {
  if (source !== parent) return;
  setTheme(theme);
  if (parses) begin(parses);
});
