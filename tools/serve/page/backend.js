// All that the page asks of a parser. A backend is an object with these; they throw a Refusal.
//
//   models()          [{names, beam, facts, labels, components}], the first is the default
//   parse(request)    {model, sentences}, as in docs/input.md, each with `conllu` and `svg`; request has
//                     data, model, constraints, nbest, beam, width
//   sentences(request), conllu(request)
//                     the sentences alone, without drawings, or as CoNLL-U; request has data, model, tag
//   draw(request)     the drawing of a tree; request has data (CoNLL-U), width
//   trace(request)    what the explorer shows of one sentence, see tools/explorer.h; request has
//                     data (CoNLL-U), model, beam
//
// What is below them, ask, is a server, as here, or the library itself in a worker (tools/web).

export class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

// What a server answers below /api/, or something before it that knows nothing of JSON.
export function refusalOf(status, text) {
  let reason = text.trim();
  try {
    reason = JSON.parse(text).reason;
  } catch { /* a proxy may answer anything */ }
  return new Refusal(status, reason || `the server answers ${status}`);
}

// Of two requests of a kind only the later one counts.
function latestOnly() {
  let last = new AbortController();
  return () => {
    last.abort();
    last = new AbortController();
    return last.signal;
  };
}

// ask(path, fields, signal) has the answer's text, or throws; fields are null where there are none.
export function backendOver(ask) {
  const parses = latestOnly(), traces = latestOnly();
  return {
    async models() {
      return JSON.parse(await ask("models", null)).models;
    },

    async parse(request) {
      return JSON.parse(await ask("parse", {...request, scores: true, draw: true}, parses()));
    },

    async sentences(request) {
      return JSON.parse(await ask("parse", {...request, scores: true})).sentences;
    },

    conllu: request => ask("parse", {...request, to: "conllu"}),
    draw: request => ask("draw", request),

    // Nothing in the data has a "<" (tools/output.h), so the first one after it ends it.
    async trace(request) {
      const page = await ask("trace", {...request, from: "conllu", gold: "no", to: "html"}, traces());
      return JSON.parse(/<script type="application\/json" id="data">([^<]*)</.exec(page)[1]);
    },
  };
}

async function reach(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "The server cannot be reached.");
  }
}

export function serverBackend(base = "api/v1/") {
  let token = "";
  const backend = backendOver(async (path, fields, signal) => {
    const headers = token ? {Authorization: `Bearer ${token}`} : {};
    const post = {method: "POST", signal, body: JSON.stringify(fields)};
    const options = fields ? {...post, headers: {...headers, "Content-Type": "application/json"}} : {headers};
    const answer = await reach(base + path, options), text = await answer.text();
    if (!answer.ok) throw refusalOf(answer.status, text);
    return text;
  });
  return {...backend, setToken(value) { token = value; }};
}
