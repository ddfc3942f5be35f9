// From the name, place or bytes of a model to the model. What Node.js and browsers do differently is in a platform:
// {locate(string) -> URL, read(url) -> bytes, openWorker(onMessage, onError)}.
import {Engine} from "./engine.js";
import {DodonaError, argumentError} from "./errors.js";
import {models} from "./models.js";
import {NLP} from "./nlp.js";
import {RemoteEngine} from "./remote.js";

const DEFAULT = "english-fast";
// A function that returns a vector. Browsers have had them since 2021, Safari since 16.4 (2023).
const VECTORS = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
  10, 8, 1, 6, 0, 65, 0, 253, 15, 11);

// ---- bytes

function bytesOf(value) {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return null;
}

async function unpack(bytes) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    const whole = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
    return new Uint8Array(await whole.arrayBuffer());
  } catch (cause) {
    throw new DodonaError("the model is damaged: it cannot be decompressed", "model", {cause});
  }
}

async function read(platform, url) {
  try {
    return await platform.read(url);
  } catch (cause) {
    throw new DodonaError(`${url}: ${cause.message}`, "file", {cause});
  }
}

// "https://host/folder/de.dodona.gz" -> "de"
function nameOf(url) {
  return decodeURIComponent(url.pathname).split("/").at(-1).replace(/\.gz$/, "").replace(/\.dodona$/, "") || "model";
}

function placeOf(model, platform) {
  if (model instanceof URL) return model;
  if (typeof model !== "string")
    throw new TypeError("load() takes the name, URL, path or bytes of a model");
  if (Object.hasOwn(models, model)) return models[model]();
  if (/[/\\.]/.test(model)) return platform.locate(model);
  throw argumentError(`there is no model '${model}' in the package, which has ${Object.keys(models).join(", ")}; ` +
    "others are loaded by a URL, a path such as ./de.dodona, or their bytes");
}

async function modelOf(model, platform) {
  const given = bytesOf(model);
  if (given) return {name: "model", model: await unpack(given)};
  const url = placeOf(model, platform);
  return {name: nameOf(url), model: await unpack(await read(platform, url))};
}

// ---- the module

let compiled = null; // a promise, of the module that comes with the package

async function compile(bytes) {
  if (!WebAssembly.validate(VECTORS))
    throw new DodonaError("this browser lacks the vector instructions of WebAssembly (SIMD), which those of 2023 and " +
      "later have", "unsupported");
  return await WebAssembly.compile(bytes);
}

async function moduleOf(wasm, platform) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm !== undefined) return await compile(bytesOf(wasm) ?? await read(platform, placeOf(wasm, platform)));
  compiled ??= read(platform, new URL("./dodona-web.wasm", import.meta.url)).then(compile);
  try {
    return await compiled;
  } catch (error) {
    compiled = null;
    throw error;
  }
}

// ---- a model

async function infoOf(engine) {
  const answer = await engine.ask({path: "models", fields: "{}", text: ""});
  const [{names: [name], beam, facts, labels}] = JSON.parse(answer).models;
  return {name, components: facts.components.split(" "), beam, facts, labels};
}

export function makeLoad(platform) {
  return async function load(model = DEFAULT, {worker = false, signal, wasm, ...others} = {}) {
    const [unknown] = Object.keys(others);
    if (unknown) throw argumentError(`load() has no option '${unknown}'`);
    signal?.throwIfAborted();
    const [source, compiledModule] = await Promise.all([modelOf(model, platform), moduleOf(wasm, platform)]);
    signal?.throwIfAborted();
    const whole = {...source, wasm: compiledModule};
    const engine = worker ? new RemoteEngine(platform.openWorker, whole) : new Engine(whole);
    const end = () => engine.end();
    signal?.addEventListener("abort", end);
    try {
      await engine.start();
      return new NLP(engine, await infoOf(engine));
    } catch (error) {
      engine.end();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", end);
    }
  };
}
