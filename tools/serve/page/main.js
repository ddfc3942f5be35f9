// The page: a text, its trees, and what is asked of them. See docs/server.md.
import {$, announce, button, element} from "./elements.js";
import {add, carryOver, culprit, describe, explain, fromField, plain, toField} from "./constraints.js";
import {readLink, writeLink} from "./link.js";
import {Card} from "./cards.js";
import {Refusal} from "./backend.js";
import {startAnnotating} from "./annotate.js";
import {certainty} from "./certainty.js";
import {examplesFor} from "./examples.js";
import {openBackend} from "./source.js";
import {showSteps} from "./steps.js";
import {startTheme} from "./theme.js";
import {widthFor} from "./tree.js";

const AUTO = "auto", // in place of a model: the one of the text's language
  PATIENCE = 250, // milliseconds after the last key
  AT_ONCE = 20, // sentences that are drawn before somebody asks for more
  LEAST_BEAM = 8;

const backend = openBackend();
const state = {
  models: [], constraints: [], newest: null, refused: -1, // the constraint that cannot hold
  texts: [], cards: [], shown: AT_ONCE, sure: null, text: null, picked: null, width: 0, then: null,
};

// With "auto" the model is known once a text has been parsed.
const chosen = () => $("model").value === AUTO ? state.picked : $("model").value;
const model = () => state.models.find(({names}) => names.includes(chosen())) ?? state.models[0];
const nbest = () => Number($("nbest").value);

// ---- asking ----

function beamFor(count) {
  return count > 1 ? Math.max(LEAST_BEAM, count, model().beam) : undefined;
}

function request(constraints) {
  const count = nbest();
  return {
    data: $("text").value, model: $("model").value, ...widthFor(state.width = $("trees").clientWidth),
    constraints: constraints.map(toField), ...(count > 1 ? {nbest: count, beam: beamFor(count)} : {}),
  };
}

function groupTrees(sentences) {
  const groups = [];
  for (const one of sentences) {
    if (one.nbest > 1) groups.at(-1).push(one);
    else groups.push([one]);
  }
  return groups;
}

// A new text may have moved or lost the sentences of constraints.
async function keepConstraints() {
  if (state.constraints.length === 0 || state.text === null) return;
  const texts = groupTrees((await backend.parse(request([]))).sentences).map(([tree]) => tree.text);
  const before = state.constraints.length;
  state.constraints = carryOver(state.constraints, texts);
  const lost = before - state.constraints.length;
  if (lost) announce(`${lost} constraint${lost > 1 ? "s were" : " was"} dropped with the sentence`);
}

async function update() {
  if (state.models.length === 0 || $("typing").hidden) return; // and what is told stays
  const text = $("text").value;
  try {
    if (text !== state.text) await keepConstraints();
    writeState();
    const answer = text.trim() ? await backend.parse(request(state.constraints)) : {sentences: []};
    state.picked = answer.model ?? state.picked;
    showFacts();
    state.text = text;
    state.refused = -1;
    state.newest = null;
    showProblem(null);
    showSentences(answer.sentences);
  } catch (problem) {
    if (problem.name !== "AbortError") tell(problem);
  }
}

let timer = 0;
function updateSoon() {
  clearTimeout(timer);
  timer = setTimeout(update, PATIENCE);
}

function writeState() {
  if ($("typing").hidden) return; // a treebank is shown
  writeLink({
    text: $("text").value, model: $("model").value === state.models[0]?.names[0] ? "" : $("model").value,
    nbest: nbest(), colour: $("colour").checked, constraints: state.constraints.map(toField),
  });
}

// ---- showing ----

function tell(problem) {
  if (!(problem instanceof Refusal)) console.error(problem);
  if (problem.status === 401) {
    $("token-part").hidden = false;
    $("token").focus();
  }
  state.refused = problem.status === 422 ? blame(problem.message) : -1;
  state.then = null;
  for (const card of state.cards) card.showConstraints();
  showProblem(problem);
}

// The newest, if it is just being tried: before it, all was well.
function blame(reason) {
  const newest = state.constraints.indexOf(state.newest);
  return newest >= 0 ? newest : culprit(state.constraints, reason);
}

function showProblem(problem) {
  const box = $("problem"), bad = state.constraints[state.refused];
  box.hidden = !problem;
  box.replaceChildren();
  if (!problem) return;
  if (!bad) {
    box.append(problem.message);
    return;
  }
  const words = state.cards[bad.sentence - 1]?.tree.words ?? [];
  const because = explain(problem.message, bad.rule, words);
  box.append(element("strong", {}, "This cannot hold: "), element("q", {}, plain(describe(bad.rule, words))),
    `: ${because}. The trees are those from before. `,
    button("Remove it", () => remove(bad)));
}

const page = {
  asked: number => state.constraints.filter(({sentence}) => sentence === number),
  labels: () => model().labels,
  sure: () => $("colour").checked ? state.sure : null,
  bad: one => one === state.constraints[state.refused],
  hasSteps: () => model().facts.system !== "graph", // which scores arcs, and makes no transitions
  ask,
  remove,
  async showSteps(tree) {
    try {
      showSteps(await backend.trace({data: tree.conllu, model: chosen(), beam: beamFor(nbest())}));
    } catch (problem) {
      if (problem.name !== "AbortError") tell(problem);
    }
  },
};

function ask(one, word) {
  state.constraints = add(state.constraints.filter((_, i) => i !== state.refused), one);
  state.newest = one;
  state.then = () => state.cards[one.sentence - 1]?.focusWord(word);
  update();
}

function remove(one) {
  state.constraints = state.constraints.filter(other => other !== one);
  state.then = () => state.cards[one.sentence - 1]?.focusWord(1);
  update();
}

function headsOf(cards) {
  return cards.map(({tree}) => tree.words.map(({head, deprel}) => `${head}${deprel}`).join(" ")).join("\n");
}

function showSentences(sentences) {
  const before = headsOf(state.cards), groups = groupTrees(sentences);
  state.sure = certainty(sentences);
  state.texts = groups.map(([tree]) => tree.text);
  for (const one of state.constraints) one.text ??= state.texts[one.sentence - 1];
  state.cards = groups.map((trees, i) => new Card(i + 1, trees, page));
  $("trees").replaceChildren();
  $("legend").hidden = !$("colour").checked;
  showMore(0);
  const words = groups.reduce((sum, [{words}]) => sum + words.length, 0);
  const changed = before === headsOf(state.cards) ? "the same trees" : "new trees";
  announce(`${groups.length} sentence${groups.length === 1 ? "" : "s"}, ${words} words: ${changed}`);
  state.then?.();
  state.then = null;
}

function showMore(from) {
  const some = state.cards.slice(from, from + AT_ONCE), left = state.cards.length - from - some.length;
  $("trees").append(...some.map(card => card.element));
  for (const card of some) card.show();
  $("more").hidden = left <= 0;
  $("more").textContent = `Show more (${left})`;
  $("more").onclick = () => showMore(from + AT_ONCE);
}

// ---- controls ----

function showModels() {
  const options = state.models.map(({names, facts}) =>
    element("option", {value: names[0]}, facts.treebank ? `${names[0]} · ${facts.treebank}` : names[0]));
  const languages = new Set(state.models.map(({facts}) => facts.language).filter(Boolean));
  if (languages.size > 1) options.push(element("option", {value: AUTO}, "auto · by the language of the text"));
  $("model").replaceChildren(...options);
}

function showFacts() {
  const {facts, beam} = model(), width = beamFor(nbest()) ?? beam;
  const told = [facts.system, facts.scorer, width > 1 ? `beam of ${width}` : "", facts.licence];
  $("facts").textContent = told.filter(Boolean).join(" · ");
}

function showModel() {
  showFacts();
  $("examples").replaceChildren(...examplesFor(model()).map(one =>
    button(one.name ? `${one.text} (${one.name})` : one.text, () => start(one), {dir: "auto"})));
}

function start({text, constraints = [], ...more}) {
  $("text").value = text.slice(0, $("text").maxLength);
  state.constraints = constraints.map(fromField).filter(Boolean);
  state.text = null;
  const counts = [...$("nbest").options].map(({value}) => Number(value));
  if (more.nbest) $("nbest").value = counts.includes(more.nbest) ? more.nbest : 1;
  if (more.colour !== undefined) $("colour").checked = more.colour;
  if (more.model && [...$("model").options].some(({value}) => value === more.model)) $("model").value = more.model;
  showModel();
  update();
}

async function begin() {
  $("trees").replaceChildren(element("p", {className: "hint"}, "Loading …"));
  try {
    state.models = await backend.models();
  } catch (problem) {
    $("trees").replaceChildren();
    tell(problem);
    return;
  }
  $("token-part").hidden = true;
  showProblem(null);
  showModels();
  const startTyping = () => start(readLink() ?? examplesFor(state.models[0])[0]);
  if (!await startAnnotating({backend, models: state.models, left: startTyping})) startTyping();
}

function listen() {
  $("text").addEventListener("input", updateSoon);
  $("model").addEventListener("change", () => {
    showModel();
    update();
  });
  for (const id of ["nbest", "colour"]) $(id).addEventListener("change", update);
  $("token-part").addEventListener("submit", event => {
    event.preventDefault();
    backend.setToken($("token").value.trim());
    begin();
  });
  addEventListener("hashchange", () => {
    const link = readLink();
    if (link) start(link);
  });
  addEventListener("resize", () => {
    if (Math.abs($("trees").clientWidth - state.width) > 20) updateSoon();
  });
}

startTheme();
listen();
begin();
