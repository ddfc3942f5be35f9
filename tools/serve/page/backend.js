// All that the page asks of a parser. A backend is an object with these three; they throw a Refusal.
//
//   models()          [{names, beam, facts, labels, components}], the first is the default
//   parse(request)    sentences as in docs/json.md, each with `conllu` and `svg`; request has
//                     data, model, constraints, nbest, beam, width
//   trace(request)    what the explorer shows of one sentence, see tools/explorer.h; request has
//                     data (CoNLL-U), model, beam
//
// It can be a server, as here, or the library itself in a worker.

export class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

async function read(answer) {
  if (answer.ok) return answer;
  const text = await answer.text();
  let reason = text.trim();
  try {
    reason = JSON.parse(text).reason;
  } catch { /* a proxy may answer anything */ }
  throw new Refusal(answer.status, reason || `the server answers ${answer.status}`);
}

async function reach(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "The server cannot be reached.");
  }
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

export function serverBackend(base = "api/v1/") {
  let token = "";
  const parses = latestOnly(), traces = latestOnly();

  const headers = () => token ? {Authorization: `Bearer ${token}`} : {};
  const post = async (path, signal, fields) => read(await reach(base + path, {
    method: "POST", signal, headers: {"Content-Type": "application/json", ...headers()}, body: JSON.stringify(fields),
  }));

  return {
    setToken(value) { token = value; },

    async models() {
      const answer = await read(await reach(base + "models", {headers: headers()}));
      return (await answer.json()).models;
    },

    async parse(request) {
      const answer = await post("parse", parses(), {...request, scores: true, draw: true});
      return (await answer.json()).sentences;
    },

    // Nothing in the data has a "<" (tools/output.h), so the first one after it ends it.
    async trace(request) {
      const answer = await post("trace", traces(), {...request, from: "conllu", gold: "no", to: "html"});
      const [, data] = /<script type="application\/json" id="data">([^<]*)</.exec(await answer.text());
      return JSON.parse(data);
    },
  };
}
