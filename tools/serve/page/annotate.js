// A treebank on the page: opened, corrected sentence by sentence, kept in the browser, and saved. See
// docs/server.md#annotating-a-treebank.
import {$, announce, button, element, save} from "./elements.js";
import {Annotator} from "./annotator.js";
import {Desk} from "./desk.js";
import {Misfit, isCorrected} from "./conllu.js";
import {Refusal} from "./backend.js";
import {Treebank, arrange, textOf} from "./treebank.js";
import {certainty} from "./certainty.js";
import {explain, plain, describe} from "./constraints.js";
import {keepStep, keepWhole, recall, takeLock} from "./keep.js";
import {readTreebank} from "./open.js";
import {scoreAll} from "./doubts.js";
import {trainingOf} from "./training.js";
import {widthFor} from "./tree.js";

const ADDRESS = "#treebank", LISTED = 40, BEFORE = 5;
const SETTINGS = ["order", "show", "find", "label", "rest", "model"];

let backend, models, desk, annotator;
const state = {
  treebank: null, number: 0, view: [], labels: [], doubts: [], scoring: null, // what is being scored, an object
  shown: null, svg: null, opinion: null, turn: 0, showing: Promise.resolve(), work: Promise.resolve(), kept: true,
};

const setting = name => $(`tb-${name}`);
const model = () => models.find(({names}) => names[0] === setting("model").value) ?? models[0];
const place = () => ({number: state.number, settings: Object.fromEntries(SETTINGS.map(name => [name, setting(name).value]))});

// ---- problems ----

function showProblem(problem, words = []) {
  $("tb-problem").hidden = !problem;
  if (!problem) return;
  if (!(problem instanceof Refusal || problem instanceof Misfit)) console.error(problem);
  const rule = /constraint '(.*?)': /s.exec(problem.message)?.[1];
  $("tb-problem").textContent = rule === undefined ? problem.message
    : `This cannot hold: ${plain(describe(rule, words))}: ${explain(problem.message, rule, words)}. Nothing was changed.`;
}

// One after the other, each with what the one before has left.
function enqueue(work) {
  state.work = state.work.then(() => state.showing).then(work).catch(problem => showProblem(problem, state.shown?.words));
  return state.work;
}

// ---- keeping ----

async function keep(how) {
  try {
    await how(state.treebank, place());
    state.kept = true;
  } catch {
    state.kept = false;
  }
  $("tb-kept").textContent = state.kept
    ? "Your work is kept in this browser, also when you close the page. Save it as a file when you are done."
    : "This browser keeps nothing: your work is lost when you close the page, unless you save it first.";
  $("tb-kept").classList.toggle("bad", !state.kept);
}

// ---- the sentence ----

async function draw(sentence) {
  try {
    return await backend.draw({data: sentence.alone, ...widthFor($("treebank").clientWidth)});
  } catch (problem) {
    if (problem instanceof Refusal && problem.status === 422) return null; // too large
    throw problem;
  }
}

async function look(sentence) {
  const [shown, opinion] = await Promise.allSettled([
    sentence.hasTree ? sentence : annotator.complete(sentence), annotator.opinion(sentence)]);
  return {
    shown: shown.value ?? sentence, opinion: opinion.value ?? null, problem: shown.reason ?? opinion.reason ?? null,
  };
}

function show(number, focus) {
  state.number = number;
  state.showing = showNow(number, focus, ++state.turn);
  showPlace();
  showList();
  return state.showing;
}

async function showNow(number, focus, turn) {
  const {sentence, reason, text} = state.treebank.entry(number);
  if (!sentence) {
    Object.assign(state, {shown: null, opinion: null});
    desk.showMalformed(text, reason);
    return;
  }
  try {
    const {shown, opinion, problem} = await look(sentence), svg = await draw(shown);
    if (turn !== state.turn) return;
    Object.assign(state, {shown, opinion, svg});
    showProblem(problem, sentence.words);
    desk.show(shown, svg, opinion, focus);
    announce(`Sentence ${number + 1}: ${sentence.text}`);
  } catch (problem) {
    if (turn === state.turn) showProblem(problem, sentence.words);
  }
}

// Of the words that are as the parser has them.
function sure() {
  if (!$("tb-colour").checked || !state.opinion) return null;
  const {opinion, shown} = state, sure = certainty([{words: opinion}]), own = shown.words;
  return ({id}) => opinion[id - 1].head === own[id - 1].head ? sure(opinion[id - 1]) : null;
}

// ---- where one is ----

function showPlace() {
  const {treebank, number, view} = state, {sentence, text} = treebank.entry(number), at = view.indexOf(number);
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

function listItem(number) {
  const text = state.treebank.texts[number], doubt = state.doubts[number];
  const made = button("", () => go(number), {"aria-current": String(number === state.number)});
  made.append(element("span", {className: "number"}, String(number + 1)),
    element("span", {className: "mark"}, isCorrected(text) ? "✓" : ""),
    element("span", {className: "doubt"}, Number.isFinite(doubt) ? String(Number(doubt.toPrecision(2))) : ""),
    element("bdi", {}, textOf(text)));
  return element("li", {}, made);
}

function showList() {
  const {treebank, view, number} = state, from = Math.max(0, view.indexOf(number) - BEFORE);
  $("tb-list").replaceChildren(...view.slice(from, from + LISTED).map(listItem));
  $("tb-found").textContent = view.length === treebank.size ? ""
    : view.length ? `${view.length} of ${treebank.size} sentences` : "No sentence is like that.";
}

function arrangeAnew() {
  const wanted = Object.fromEntries(["order", "show", "find", "label"].map(name => [name, setting(name).value]));
  state.view = arrange(state.treebank, wanted, state.doubts);
}

function go(number) {
  if (number === undefined) return;
  show(number);
  keep(keepStep);
}

// The one behind this one, or before it; from a sentence that is not among them, the first.
function goBy(step) {
  const at = state.view.indexOf(state.number);
  go(at < 0 ? state.view[0] : state.view[at + step]);
}

function rearrange() {
  arrangeAnew();
  if (setting("order").value === "certainty") score();
  if (state.view.length && !state.view.includes(state.number)) go(state.view[0]);
  else {
    showPlace();
    showList();
    keep(keepStep);
  }
}

// ---- certainty ----

async function score() {
  if (state.scoring) return;
  const mine = state.scoring = {}, {treebank, doubts, number: began} = state, {size} = treebank, [name] = model().names;
  const tell = count => {
    $("tb-scoring").textContent = count < size ? `Parsing ${count} of ${size} …` : "";
    return state.scoring === mine;
  };
  try {
    tell(0);
    await scoreAll(treebank, data => backend.sentences({data, model: name}), doubts, tell);
    if (state.scoring !== mine) return;
    arrangeAnew();
    if (state.number === began) go(state.view[0]);
    showPlace();
    showList();
  } catch (problem) {
    showProblem(problem);
    state.scoring = null;
  }
}

function forgetScores() {
  Object.assign(state, {doubts: [], scoring: null});
  $("tb-scoring").textContent = "";
}

// ---- edits ----

async function store(number, sentence, focus) {
  if (!state.treebank.change(number, sentence)) return;
  await keep(keepStep);
  await show(number, focus);
}

function edit(focus, kind, ...what) {
  const {number} = state;
  return enqueue(async () => {
    if (number !== state.number || !state.shown) return;
    $("tb-card").setAttribute("aria-busy", "true");
    try {
      await store(number, await annotator[kind](state.shown, ...what), focus);
    } finally {
      $("tb-card").removeAttribute("aria-busy");
    }
  });
}

function reparse() {
  return edit(0, "redo");
}

// As it is shown, with what the parser made of it, and on to the next one.
function accept(takesBack) {
  const {number} = state;
  return enqueue(async () => {
    const {shown, treebank, view} = state;
    if (number !== state.number || !shown) return;
    if (shown.isCorrected && takesBack) return store(number, shown.withMark(false));
    const next = view[view.indexOf(number) + 1];
    if (!shown.isCorrected && treebank.change(number, shown.withConstraints([]).withMark(true))) {
      if (setting("show").value !== "all") arrangeAnew();
      if (next === undefined) announce("Accepted; this was the last one");
      await keep(keepStep);
    }
    await show(next ?? number);
  });
}

function stepBack(how) {
  return enqueue(async () => {
    const number = state.treebank[how]();
    if (number < 0) return;
    await keep(keepStep);
    await show(number);
  });
}

// ---- files ----

const DEFAULTS = () => ({order: "file", show: "all", find: "", label: "", rest: "parser", model: models[0].names[0]});

function fillSettings(treebank, settings) {
  $("tb-model").replaceChildren(...models.map(({names}) => element("option", {value: names[0]}, names[0])));
  $("tb-label").replaceChildren(element("option", {value: ""}, "any"),
    ...treebank.labels.map(([label, count]) => element("option", {value: label}, `${label} (${count})`)));
  for (const [name, value] of Object.entries(DEFAULTS())) {
    setting(name).value = settings[name] ?? value;
    if (setting(name).selectedIndex === -1) setting(name).value = value; // a model that is served no more
  }
}

function work(treebank, {number = 0, settings = {}} = {}) {
  Object.assign(state, {treebank, shown: null});
  forgetScores();
  showProblem(null);
  fillSettings(treebank, settings);
  showMode(true);
  arrangeAnew();
  if (setting("order").value === "certainty") score();
  return show(Math.min(number, treebank.size - 1));
}

const ELSEWHERE = "A treebank is being worked on in another tab of this browser. Close that tab first.";

const lossOf = (before, file) =>
  `Your work on ${before.name} was not saved as a file. It is lost if you open ${file.name} now. Open it?`;

async function openFile(file) {
  try {
    const before = state.treebank ?? await recallSaved(), [name] = model().names;
    if (!await takeLock()) throw new Misfit(ELSEWHERE);
    if (before && !before.isSaved && !confirm(lossOf(before, file))) return;
    const {name: own, text} = await readTreebank(file, data => backend.conllu({data, model: name}));
    await work(new Treebank(own, text));
    await keep(keepWhole);
  } catch (problem) {
    tellOpening(problem);
  }
}

function tellOpening(problem) {
  if (!(problem instanceof Refusal || problem instanceof Misfit)) console.error(problem);
  $("open-problem").textContent = problem?.message ?? "";
  $("open-problem").hidden = !problem;
}

// null: there is none, or the browser keeps nothing.
async function recallKept() {
  try {
    return await recall();
  } catch {
    return null;
  }
}

function revive({name, text, steps, done, saved}) {
  const treebank = new Treebank(name, text, steps, done);
  treebank.saved = saved;
  return treebank;
}

// What would be lost.
async function recallSaved() {
  const kept = await recallKept();
  return kept && revive(kept);
}

async function continueWork() {
  const kept = await recallKept();
  if (!kept) return false;
  if (!await takeLock()) {
    tellOpening(new Misfit(ELSEWHERE));
    return false;
  }
  await work(revive(kept), kept.place);
  await keep(keepStep);
  return true;
}

function saveFile() {
  const {treebank} = state;
  save(treebank.name, "text/plain", treebank.text);
  treebank.saved = treebank.done;
  keep(keepStep);
  announce(`${treebank.name} saved`);
}

function showTraining() {
  const {treebank} = state, {file, command, hint, serve} = trainingOf(treebank.name, model()), {corrected} = treebank;
  $("tb-train-file").textContent = `Save the ${corrected.length} corrected sentence${corrected.length === 1 ? "" : "s"} as ${file}`;
  $("tb-train-file").disabled = corrected.length === 0;
  $("tb-train-file").onclick = () => save(file, "text/plain", corrected.join(""));
  $("tb-train-command").textContent = command;
  $("tb-train-hint").textContent = hint;
  $("tb-train-serve").textContent = serve;
  $("tb-training").showModal();
}

// ---- the page ----

function showMode(treebank) {
  $("treebank").hidden = !treebank;
  $("typing").hidden = treebank;
  $("open-problem").hidden = true;
  $("continue").hidden = treebank;
  if (treebank) history.replaceState(null, "", ADDRESS);
}

async function leave() {
  await state.work;
  showMode(false);
  history.replaceState(null, "", location.pathname);
  $("continue").textContent = `Continue with ${state.treebank.name}`;
  Object.assign(state, {treebank: null, turn: state.turn + 1});
  forgetScores();
  state.left();
}

const KEYS = {
  n: () => goBy(1), p: () => goBy(-1), a: () => accept(false), u: () => stepBack("undo"), r: () => stepBack("redo"),
  s: reparse, l: () => $("label-search")?.focus(), t: () => $("upos")?.focus(), m: () => $("split")?.focus(),
};

function onKey(event) {
  if ($("treebank").hidden || event.altKey || $("tb-training").open) return;
  const typing = event.target.closest("input, textarea, select"), command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  let does = null;
  if (command && key === "enter") does = KEYS.a;
  else if (command && !typing && key === "z") does = event.shiftKey ? KEYS.r : KEYS.u;
  else if (command && !typing && key === "y") does = KEYS.r;
  else if (!command && !typing) does = KEYS[key];
  if (!does) return;
  event.preventDefault();
  does();
}

let waiting = 0;
function rearrangeSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(rearrange, 250);
}

function listen() {
  const clicks = {
    undo: () => stepBack("undo"), redo: () => stepBack("redo"), save: saveFile, train: showTraining, close: leave,
    previous: () => goBy(-1), next: () => goBy(1), accept: () => accept(true), reparse,
    "train-close": () => $("tb-training").close(),
  };
  for (const [name, does] of Object.entries(clicks)) $(`tb-${name}`).addEventListener("click", does);
  for (const name of ["order", "show", "label"]) setting(name).addEventListener("change", rearrange);
  setting("find").addEventListener("input", rearrangeSoon);
  setting("rest").addEventListener("change", () => keep(keepStep));
  setting("model").addEventListener("change", () => {
    forgetScores();
    rearrange();
    show(state.number);
  });
  $("tb-colour").addEventListener("change", () => show(state.number));
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", () => {
    const [file] = $("file").files;
    $("file").value = ""; // so that the same file can be opened again
    if (file) openFile(file);
  });
  $("continue").addEventListener("click", continueWork);
  addEventListener("keydown", onKey);
  addEventListener("beforeunload", event => {
    if (state.treebank && !state.kept && !state.treebank.isSaved) event.preventDefault();
  });
}

// Whether it has opened the treebank of last time; left() is called when it is closed.
export async function startAnnotating(given) {
  const first = !backend;
  ({backend, models} = given);
  state.left = given.left;
  if (first) {
    annotator = new Annotator(backend, model, () => setting("rest").value === "stays");
    desk = new Desk($("tb-desk"), {
      labels: () => [...new Set([...model().labels, ...state.treebank.labels.map(([label]) => label)])], sure, edit,
      release: rule => edit(0, "release", rule),
    });
    listen();
  }
  $("open").hidden = false;
  if (location.hash === ADDRESS && await continueWork()) return true;
  const kept = await recallKept();
  $("continue").hidden = !kept;
  if (kept) $("continue").textContent = `Continue with ${kept.name}`;
  return false;
}
