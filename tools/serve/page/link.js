// What is shown, in the address after "#", so that a link shows it to others.

export function writeLink({text, model, nbest, colour, constraints}) {
  const link = new URLSearchParams({text});
  if (model) link.set("model", model);
  if (nbest > 1) link.set("nbest", nbest);
  if (colour) link.set("colour", "1");
  for (const one of constraints) link.append("constraint", one);
  try {
    history.replaceState(null, "", "#" + link);
  } catch { /* some browsers allow only so many of them in a while; the next one will do */ }
}

// null: the address says nothing.
export function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (!link.has("text")) return null;
  return {
    text: link.get("text"), model: link.get("model") ?? "", nbest: Number(link.get("nbest")) || 1,
    colour: link.has("colour"), constraints: link.getAll("constraint"),
  };
}
