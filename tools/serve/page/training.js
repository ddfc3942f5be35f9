// How a model is trained on what was corrected: what `dodona train` is to be told.
import {$, save} from "./elements.js";

const quoted = name => /^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

// {file, command, hint, serve} for a treebank of that name, and the model whose trees were corrected.
export function trainingOf(treebank, {names: [name], facts, components}) {
  const stem = treebank.replace(/\.conllu?$/, ""), file = `${stem}-corrected.conllu`, made = quoted(`${stem}.dodona`);
  const serve = `dodona serve -m ${made}`;
  if (facts.scorer !== "neural") return {
    file, serve, command: `dodona train -o ${made} ${quoted(file)}`,
    hint: "It learns from these sentences alone; name other treebanks after the file to learn from them, too.",
  };
  const more = components.some(one => one !== "parser") ? ` --components-from ${quoted(name)}` : "";
  return {
    file, serve,
    command: `dodona train --scorer neural --start-from ${quoted(name)}${more} --rate 0.0005 --iterations 10 ` +
      `-o ${made} ${quoted(file)}`,
    hint: `It continues from ${name}` + (more && ", and keeps its tokenizer, tagger and lemmatizer") + ". Write the path of " +
      `its file if "dodona models" does not list it. With --dev and another treebank the best iteration is kept.`,
  };
}

export function showTraining(treebank, model) {
  const {file, command, hint, serve} = trainingOf(treebank.name, model), {corrected} = treebank, count = corrected.length;
  $("tb-train-file").textContent = `Save the ${count} corrected sentence${count === 1 ? "" : "s"} as ${file}`;
  $("tb-train-file").disabled = count === 0;
  $("tb-train-file").onclick = () => save(file, "text/plain", corrected.join(""));
  $("tb-train-command").textContent = command;
  $("tb-train-hint").textContent = hint;
  $("tb-train-serve").textContent = serve;
  $("tb-training").showModal();
}
