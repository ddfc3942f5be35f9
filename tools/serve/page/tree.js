// The drawing of a tree, as the server made it, with words and arcs that can be chosen.
import {element} from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";

// Pixels, of drawings and of the cards around them; the widest is the server's own bound.
const NARROWEST = 300, WIDEST = 100000, MARGINS = 32, FRAME = 18;
const PHONE = matchMedia("(max-width: 640px)");

export const isPhone = () => PHONE.matches;

// The field `width` of a request: drawings are broken into rows that fit. On a phone they are not, as rows of two
// or three words cannot be read; there one scrolls.
export function widthFor(room) {
  return {width: isPhone() ? WIDEST : Math.max(NARROWEST, room - MARGINS - FRAME)};
}

// Its style stands in page.css, which also knows the reader's choice of light or dark; left in the drawing, it
// would be refused, as are all styles that do not come from the server's files. Texts in it are escaped.
function readDrawing(svg) {
  const bare = svg.replace(/<style>[^<]*<\/style>/, "");
  const parsed = new DOMParser().parseFromString(bare, "image/svg+xml");
  if (parsed.querySelector("parsererror")) throw new Error("the drawing cannot be read");
  return document.importNode(parsed.documentElement, true);
}

function nameOf(word, words) {
  if (word.head === null) return `${word.form}, ${word.upos ?? "no tag"}`;
  const head = word.head === 0 ? "root of the sentence" : `${word.deprel} of ${words[word.head - 1].form}`;
  return `${word.form}, ${word.upos ?? "no tag"}, ${head}`;
}

// Something to hit around the word, and to colour when it is chosen.
function addGround(group) {
  const {x, y, width, height} = group.getBBox(), ground = document.createElementNS(SVG, "rect");
  for (const [key, value] of Object.entries({
    class: "ground", x: x - 6, y: y - 3, width: width + 12, height: height + 6, rx: 6,
  })) ground.setAttribute(key, value);
  group.prepend(ground);
}

function setTitle(group, text) {
  let title = group.querySelector("title");
  if (!title) group.append(title = document.createElementNS(SVG, "title"));
  title.textContent = text;
}

function prepareWord(group, word, words, sure, call) {
  const certain = sure?.(word);
  group.dataset.word = word.id;
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-pressed", "false");
  group.setAttribute("aria-label", nameOf(word, words) + (certain ? `, ${certain.text}` : ""));
  if (certain) {
    group.dataset.sure = certain.level;
    setTitle(group, `${group.querySelector("title").textContent}\n${certain.text}`);
  }
  group.addEventListener("click", () => call(word.id));
  addGround(group);
}

function prepareArc(group, words, sure, call) {
  const head = Number(group.dataset.head), id = Number(group.dataset.dependent);
  const word = words[id - 1], reach = group.querySelector(".line").cloneNode();
  reach.setAttribute("class", "reach");
  group.append(reach);
  const certain = word.head === head && sure?.(word);
  if (certain) {
    group.dataset.sure = certain.level;
    setTitle(group, certain.text);
  }
  group.addEventListener("click", () => call(head, id));
}

// One stop of the Tab key for the whole sentence; arrows go from word to word.
function letArrowsMove(svg, groups) {
  const backwards = svg.getAttribute("direction") === "rtl";
  const moves = {ArrowRight: backwards ? -1 : 1, ArrowLeft: backwards ? 1 : -1, Home: -Infinity, End: Infinity};
  groups[0]?.setAttribute("tabindex", "0");
  svg.addEventListener("focusin", ({target}) => {
    if (groups.includes(target)) for (const one of groups) one.setAttribute("tabindex", one === target ? "0" : "-1");
  });
  svg.addEventListener("keydown", event => {
    const at = groups.indexOf(event.target), move = moves[event.key];
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const chooses = event.key === "Enter" || event.key === " ";
    if (chooses) event.target.dispatchEvent(new MouseEvent("click", {bubbles: true}));
    else if (move) groups[Math.min(Math.max(at + move, 0), groups.length - 1)].focus();
    else return;
    event.preventDefault();
  });
}

// Into the box, which must be part of the page, as widths are measured. `sure` is null where certainty is
// not to be shown; onWord(id) and onArc(head, id) are called with what is chosen.
export function showTree(box, tree, sure, {onWord, onArc}) {
  const svg = readDrawing(tree.svg), {words} = tree;
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `Tree of: ${tree.text}. Arrow keys go from word to word, Enter chooses one.`);
  svg.querySelector("title")?.remove();
  svg.classList.toggle("coloured", Boolean(sure));
  box.replaceChildren(svg);
  const groups = [...svg.querySelectorAll("g.word")].filter(group => !group.querySelector(".empty"));
  groups.forEach((group, i) => prepareWord(group, words[i], words, sure, onWord));
  const arcs = svg.querySelectorAll("g.arc[data-dependent]:not(.enhanced)");
  for (const group of arcs) prepareArc(group, words, sure, onArc);
  letArrowsMove(svg, groups);
  if (svg.getAttribute("direction") === "rtl") box.scrollLeft = box.scrollWidth; // where the sentence begins
}

// In place of a tree that is too large to be drawn: what the drawing would show.
export function showTable(box, {words}) {
  const row = (kind, cells) => element("tr", {}, ...cells.map(cell => element(kind, {}, String(cell ?? "_"))));
  const rows = words.map(word => row("td", [word.id, word.form, word.upos, word.head, word.deprel]));
  box.replaceChildren(element("p", {}, "This tree is too large to be drawn."),
    element("details", {}, element("summary", {}, "Show it as a table"),
      element("table", {}, row("th", ["ID", "FORM", "UPOS", "HEAD", "DEPREL"]), ...rows)));
}

export function markChosen(box, ids) {
  for (const group of box.querySelectorAll("g.word"))
    group.setAttribute("aria-pressed", ids.includes(Number(group.dataset.word)));
}
