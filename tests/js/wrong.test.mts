import {load} from "dodona";

const nlp = await load();
await load(7); // wrong
await load("english-fast", {workers: true}); // wrong
await nlp.parse(7); // wrong
await nlp.parse("", {beem: 3}); // wrong
await nlp.parse("", {given: "letters"}); // wrong
await nlp.parse("", {constraints: ["arc 3 nsubj"]}); // wrong
await nlp.parse("", {constraints: ["leaf 3", "span 1 2 all"]}); // wrong
await nlp.draw("", {format: "png"}); // wrong
for (const doc of nlp.pipe([])) console.log(doc); // wrong
const doc = await nlp.parse("");
doc.sentences[0].words[0].lemma.length; // wrong
doc.text = ""; // wrong
const page: string = await nlp.trace("", {to: "json"}); // wrong
console.log(page);
