// How a model is trained on what was corrected: what `dodona train` is to be told.

const quoted = name => /^[\w.+-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

// {file, command, hint, serve} for a treebank of that name, and the model whose trees were corrected.
export function trainingOf(treebank, {names: [name], facts}) {
  const stem = treebank.replace(/\.conllu?$/, ""), file = `${stem}-corrected.conllu`, made = quoted(`${stem}.dodona`);
  const serve = `dodona serve -m ${made}`;
  if (facts.scorer !== "neural") return {
    file, serve, command: `dodona train -o ${made} ${quoted(file)}`,
    hint: "It learns from these sentences alone; name other treebanks behind the file, to learn from them too.",
  };
  return {
    file, serve,
    command: `dodona train --scorer neural --start-from ${quoted(name)} --components-from ${quoted(name)} ` +
      `--rate 0.0005 --iterations 10 -o ${made} ${quoted(file)}`,
    hint: `It goes on from ${name}, of which it takes tokenizer, tagger and lemmatizer. With --dev and another ` +
      "treebank the best iteration is kept. To learn tags too, train a new model: see dodona-train(1).",
  };
}
