// The tree so far, as SVG. Every arc that the parse builds, and every gold arc, has its place from
// the beginning, so that nothing moves from step to step.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const LEVEL = 25, PORT = 11, GAP = 18, MARGIN = 14, LOWEST = 9;

function make(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

const ruler = document.createElement("canvas").getContext("2d");
function widthOf(text, size, weight = 400) {
  ruler.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(ruler.measureText(text).width);
}

// Two labels, of which one is wrong, are bold.
function labelWidth(label) {
  return widthOf(label, 12, label.includes(" (") ? 600 : 400);
}

function arcKey(head, word) {
  return head + ">" + word;
}

// The gold label of a word, if its head is the gold one and its label is not: "" otherwise. Labels of
// lifted arcs have parts, of which the first is the arc's own.
function rightLabel(sentence, word, head, label) {
  const gold = sentence.gold && sentence.gold[word - 1];
  if (!gold || gold[0] !== head || !gold[1] || gold[1] === "_") return "";
  return gold[1] === label.split("\t")[0] ? "" : gold[1];
}

// A wrong label of a right arc stands beside the right one.
function shownLabel(sentence, word, head, label) {
  const right = label ? rightLabel(sentence, word, head, label) : "";
  return right ? `${label} (${right})` : label;
}

// Arcs by key: {head, word, width of the widest label}.
function allArcs(sentence) {
  const arcs = new Map();
  function add(head, word, label) {
    if (head < 0) return;
    const key = arcKey(head, word);
    if (!arcs.has(key)) arcs.set(key, {head, word, width: 0});
    arcs.get(key).width = Math.max(arcs.get(key).width, labelWidth(label || ""));
  }
  for (const step of sentence.steps) {
    for (const [word, head, label] of step.d) add(head, word, shownLabel(sentence, word, head, label));
    if (!step.m) continue;
    const [, head, word] = step.m[step.c];
    if (word > 0) add(head, word, shownLabel(sentence, word, head, step.l));
  }
  if (sentence.gold) sentence.gold.forEach(([head, label], i) => add(head, i + 1, label));
  for (const arc of arcs.values()) {
    arc.left = arc.head === 0 ? arc.word : Math.min(arc.head, arc.word);
    arc.right = arc.head === 0 ? arc.word : Math.max(arc.head, arc.word);
  }
  return arcs;
}

// The same rules as in src/draw/layout.h.
function layOut(sentence) {
  const n = sentence.words.length, arcs = allArcs(sentence);
  const slots = [null];
  for (let word = 1; word <= n; word++)
    slots.push({lefts: 0, stems: 0, rights: 0, outer: 0, inner: 0, middle: 0, ends: []});
  const order = [...arcs.values()].sort((a, b) => (a.right - a.left) - (b.right - b.left));
  for (const arc of order) {
    if (arc.left === arc.right) slots[arc.left].stems++;
    else slots[arc.left].rights++, slots[arc.right].lefts++;
  }
  for (const arc of order) {
    const left = slots[arc.left], right = slots[arc.right];
    if (arc.left === arc.right) {
      arc.leftPort = arc.rightPort = left.lefts + left.middle++;
    } else {
      arc.leftPort = left.lefts + left.stems + left.rights - 1 - left.inner++;
      arc.rightPort = right.outer++;
      right.ends.push(arc);
    }
  }
  placeWords(sentence, slots, order);
  raise(n, order);
  const levels = order.reduce((most, arc) => Math.max(most, arc.level), 0);
  return {arcs, slots, levels, width: slots[n].x + slots[n].width,
          rtl: /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(sentence.words.map(w => w[0]).join(""))};
}

function placeWords(sentence, slots, order) {
  for (let word = 1; word < slots.length; word++) {
    const slot = slots[word], [form, tag] = sentence.words[word - 1];
    slot.span = Math.max(0, (slot.lefts + slot.stems + slot.rights - 1) * PORT);
    slot.width = Math.max(widthOf(form, 17), widthOf(tag, 11), slot.span);
  }
  for (const arc of order) {
    const slot = slots[arc.left];
    if (arc.left === arc.right)
      slot.width = Math.max(slot.width, Math.abs(2 * arc.leftPort * PORT - slot.span) + arc.width);
  }
  for (let word = 1; word < slots.length; word++) {
    const slot = slots[word], before = slots[word - 1];
    slot.port = (slot.width - slot.span) / 2;
    slot.x = before ? before.x + before.width + GAP : 0;
    for (const arc of slot.ends) {
      const from = slots[arc.left].x + slots[arc.left].port + arc.leftPort * PORT;
      slot.x = Math.max(slot.x, from + arc.width + 26 - slot.port - arc.rightPort * PORT);
    }
  }
}

function raise(n, order) {
  const heights = new Array(n + 2).fill(0);
  for (const arc of order) {
    if (arc.left === arc.right) continue;
    let level = 0;
    for (let gap = arc.left; gap < arc.right; gap++) level = Math.max(level, heights[gap]);
    arc.level = level + 1;
    heights.fill(arc.level, arc.left, arc.right);
  }
  for (const arc of order) {
    if (arc.left !== arc.right) continue;
    arc.level = Math.max(heights[arc.left - 1], heights[arc.left]) + 1;
    heights[arc.left - 1] = heights[arc.left] = arc.level;
  }
}

function drawArc(parent, layout, base, arc, label, classes) {
  const portX = (word, port) => {
    const slot = layout.slots[word], x = slot.x + slot.port + port * PORT;
    return MARGIN + (layout.rtl ? layout.width - x : x);
  };
  const group = make(parent, "g", {class: "arc " + classes});
  const top = base - LOWEST - LEVEL * arc.level;
  const [x1, x2] = [portX(arc.left, arc.leftPort), portX(arc.right, arc.rightPort)].sort((a, b) => a - b);
  const middle = (x1 + x2) / 2, half = label ? labelWidth(label) / 2 + 4 : 0;
  let tip = x1;
  if (arc.left === arc.right) {
    make(group, "path", {class: "line", d: `M${x1} ${top + (label ? 12 : 0)}V${base}`});
  } else {
    const turn = Math.max(1, Math.min(40, middle - half - x1));
    make(group, "path", {class: "line", d:
      `M${x1} ${base}V${top + LEVEL}A${turn} ${LEVEL} 0 0 1 ${x1 + turn} ${top}H${middle - half}` +
      `M${middle + half} ${top}H${x2 - turn}A${turn} ${LEVEL} 0 0 1 ${x2} ${top + LEVEL}V${base}`});
    if ((arc.word > arc.head) !== layout.rtl) tip = x2;
  }
  make(group, "path", {class: "tip", d: `M${tip} ${base + 1}l-4 -8q4 2 8 0z`});
  if (label) make(group, "text", {class: "label", x: middle, y: top + 4}, label);
}

// `arcs` are [head, word, label, classes]; `places` names where each word is.
function drawTree(parent, sentence, layout, arcs, places) {
  const base = MARGIN + LOWEST + layout.levels * LEVEL;
  const width = layout.width + 2 * MARGIN, height = base + 56;
  const svg = make(parent, "svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img"});
  if (layout.rtl) svg.setAttribute("direction", "rtl");
  sentence.words.forEach(([form, tag], i) => {
    const slot = layout.slots[i + 1];
    const x = MARGIN + (layout.rtl ? layout.width - slot.x - slot.width : slot.x);
    const group = make(svg, "g", {class: "word " + places[i + 1]});
    make(group, "text", {class: "form", x: x + slot.width / 2, y: base + 22}, form);
    make(group, "text", {class: "tag", x: x + slot.width / 2, y: base + 38}, tag);
    make(group, "path", {class: "place", d: `M${x + 1} ${base + 47}h${slot.width - 2}`});
  });
  for (const [head, word, label, classes] of arcs)
    drawArc(svg, layout, base, layout.arcs.get(arcKey(head, word)), label, classes);
  return svg;
}
