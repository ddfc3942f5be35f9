// The library, in a worker, so that the page never waits for it. Asked with {id, path, fields}, it answers with
// {id, status, text}, which are those of `dodona serve`.
"use strict";
importScripts("dodona-web.js");

async function fetchModel() {
  const packed = await fetch("model.packed");
  if (!packed.ok) throw new Error("the model cannot be fetched");
  const whole = new Response(packed.body.pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await whole.arrayBuffer());
}

async function load() {
  const [library, model, name] = await Promise.all([
    createDodona(), fetchModel(), fetch("model.name").then(answer => answer.text())]);
  const room = library._web_room(model.length);
  library.HEAPU8.set(model, room);
  const status = library.ccall("web_load", "number", ["string", "number", "number"],
    [name.trim(), room, model.length]);
  if (status !== 200) throw new Error(JSON.parse(answerOf(library)).reason);
  return library;
}

function ask(library, path, fields) {
  if (path === "models") return library.ccall("web_models", "number");
  const bytes = new TextEncoder().encode(JSON.stringify(fields)), room = library._malloc(bytes.length + 1);
  library.HEAPU8.set(bytes, room);
  library.HEAPU8[room + bytes.length] = 0;
  return library.ccall("web_ask", "number", ["string", "number", "number"], [path, room, bytes.length]);
}

function answerOf(library) {
  const at = library._web_answer();
  return new TextDecoder().decode(library.HEAPU8.subarray(at, at + library._web_answer_size()));
}

const loaded = load();
onmessage = async ({data: {id, path, fields}}) => {
  try {
    const library = await loaded, status = ask(library, path, fields);
    postMessage({id, status, text: answerOf(library)});
  } catch (error) {
    postMessage({id, status: 503, text: JSON.stringify({reason: error.message})});
  }
};
