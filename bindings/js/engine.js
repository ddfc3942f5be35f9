// The library in WebAssembly with one model. A call that runs out of memory, or breaks the module, costs that module
// and nothing else: the next call gets a new one.
import createDodona from "./dodona-web.js";
import {DodonaError, refusal} from "./errors.js";

const OK = 200, REST = 50; // milliseconds of work after which others have their turn
const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", {ignoreBOM: true});

function outOfMemory(cause) {
  return new DodonaError("out of memory", "memory", {cause});
}

function instantiate(wasm) {
  return new Promise((resolve, reject) => {
    createDodona({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(wasm, imports).then(instance => done(instance, wasm), reject);
        return {};
      },
      print() {},
      printErr() {},
    }).then(resolve, reject);
  });
}

// Bytes in room that the module gives.
function put(library, bytes) {
  const room = library._web_room(bytes.length);
  if (room === 0) throw outOfMemory();
  library.HEAPU8.set(bytes, room);
  library.HEAPU8[room + bytes.length] = 0;
  return room;
}

function answerOf(library) {
  const at = library._web_answer();
  return decoder.decode(library.HEAPU8.subarray(at, at + library._web_answer_size()));
}

function check(library, status) {
  const answer = answerOf(library);
  if (status !== OK) throw refusal(status, answer);
  return answer;
}

async function startLibrary({wasm, name, model}) {
  const library = await instantiate(wasm);
  library._web_lift_limits();
  const status = library.ccall("web_load", "number", ["string", "number", "number"],
    [name, put(library, model), model.length]);
  if (status === OK) return library;
  const error = refusal(status, answerOf(library));
  throw error.code === "memory" ? error : new DodonaError(error.message, "model");
}

function call(library, {path, fields, text, timeout}) {
  if (path === "models") return check(library, library._web_models());
  const bytes = typeof text === "string" ? encoder.encode(text) : text, room = put(library, bytes);
  const json = put(library, encoder.encode(fields));
  const status = library.ccall("web_ask_text", "number", ["string", "number", "number", "number", "number"],
    [path, json, room, bytes.length, timeout === undefined ? Infinity : timeout / 1000]);
  library._free(json);
  return check(library, status);
}

// An error of JavaScript or WebAssembly in a call, which leaves the module in any state.
function translate(error) {
  if (error instanceof DodonaError) return error;
  if (error instanceof RangeError && /memory|allocation|length/i.test(error.message)) return outOfMemory(error);
  const why = error?.message ?? error;
  return new DodonaError(`the module failed, and the next call gets a new one: ${why}`, "crash", {cause: error});
}

export class Engine {
  #source;
  #library = null; // a promise
  #rested = 0;

  // source: {wasm, name, model}, a compiled module, what messages call the model, and its bytes
  constructor(source) {
    this.#source = source;
  }

  async start() {
    this.#library ??= startLibrary(this.#source);
    try {
      return await this.#library;
    } catch (error) {
      this.#library = null;
      throw translate(error);
    }
  }

  // request: {path, fields, text, timeout}, of which the fields are JSON; the answer is a string.
  async ask(request, signal) {
    await this.#rest();
    signal?.throwIfAborted();
    const library = await this.start(), begun = performance.now();
    try {
      return call(library, request);
    } catch (thrown) {
      const error = translate(thrown);
      if (error.code === "memory" && performance.now() - begun >= request.timeout)
        throw new DodonaError(`not done within ${request.timeout} ms`, "timeout");
      if (error.code === "memory" || error.code === "crash") this.#library = null;
      throw error;
    }
  }

  // So that a program that asks for much at once still gets its events.
  async #rest() {
    if (performance.now() - this.#rested < REST) return;
    await new Promise(resolve => setTimeout(resolve, 0));
    this.#rested = performance.now();
  }

  end() {
    this.#library = null;
  }
}
