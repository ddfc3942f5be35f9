// A treebank on the page: opened, corrected sentence by sentence, kept in the browser, and saved. See
// docs/server.md#annotating-a-treebank.
import {$, announce, element, save} from "./elements.js";
import {Annotator} from "./annotator.js";
import {Desk} from "./desk.js";
import {Misfit} from "./conllu.js";
import {Refusal} from "./backend.js";
import {Treebank, arrange} from "./treebank.js";
import {certainty} from "./certainty.js";
import {explain, plain, describe} from "./constraints.js";
import {keepStep, keepWhole, recall, takeLock} from "./keep.js";
import {readTreebank} from "./open.js";
import {scoreAll} from "./doubts.js";
import {fillSettings, readSettings, setting} from "./settings.js";
import {showList, showPlace} from "./list.js";
import {showTraining} from "./training.js";
import {isPhone, widthFor} from "./tree.js";

const ADDRESS = "#treebank";

let backend, models, desk, annotator;
const state = {
  treebank: null, number: 0, view: [], labels: [], doubts: [], scoring: null, // what is being scored, an object
  shown: null, svg: null, opinion: null, turn: 0, showing: Promise.resolve(), work: Promise.resolve(),
  busy: 0, kept: true,
};

const model = () => models.find(({names}) => names[0] === setting("model").value) ?? models[0];
const place = () => ({number: state.number, settings: readSettings()});

// ---- problems ----

function showProblem(problem, words = []) {
  $("tb-problem").hidden = !problem;
  if (!problem) return;
  if (!(problem instanceof Refusal || problem instanceof Misfit)) console.error(problem);
  const rule = /constraint '(.*?)': /s.exec(problem.message)?.[1];
  $("tb-problem").textContent = rule === undefined ? problem.message
    : `This cannot hold: ${plain(describe(rule, words))}: ${explain(problem.message, rule, words)}. Nothing was changed.`;
}

// How much is still to be done, for those who wait for it.
function busy(change) {
  state.busy += change;
  $("treebank").dataset.busy = state.busy;
}

async function during(work) {
  busy(1);
  try {
    return await work;
  } finally {
    busy(-1);
  }
}

// One after the other, each with what the one before has left.
function enqueue(work) {
  state.work = state.work.then(() => state.showing).then(work).catch(problem => showProblem(problem, state.shown?.words));
  return during(state.work);
}

// ---- keeping ----

async function keep(how) {
  try {
    await during(how(state.treebank, place()));
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
  state.showing = during(showNow(number, focus, ++state.turn));
  showWhere();
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

function showWhere() {
  showPlace(state);
  showList(state, go);
}

function arrangeAnew() {
  state.view = arrange(state.treebank, readSettings(), state.doubts);
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
    showWhere();
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
    showWhere();
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

function work(treebank, {number = 0, settings = {}} = {}) {
  Object.assign(state, {treebank, shown: null});
  forgetScores();
  showProblem(null);
  fillSettings(treebank, models, settings);
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
    undo: () => stepBack("undo"), redo: () => stepBack("redo"), save: saveFile, train: () => showTraining(state.treebank, model()), close: leave,
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
  $("tb-settings").open = !isPhone();
  if (location.hash === ADDRESS && await continueWork()) return true;
  const kept = await recallKept();
  $("continue").hidden = !kept;
  if (kept) $("continue").textContent = `Continue with ${kept.name}`;
  return false;
}
