// Trees from the library itself, in a worker that answers as the server does.
import {Refusal, backendOver, refusalOf} from "./backend.js";

// A function that returns a vector. Browsers have had them since 2021, Safari since 16.4 (2023).
const VECTORS = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
  10, 8, 1, 6, 0, 65, 0, 253, 15, 11);
const TOO_OLD = "This browser is too old for this page: it lacks the vector instructions of WebAssembly (SIMD). " +
  "All browsers of 2023 and later have them.";

export function openBackend() {
  document.getElementById("interface").remove(); // it is the server's
  return backendOver(globalThis.WebAssembly?.validate(VECTORS) ? askWorker() : refuse);
}

async function refuse() {
  throw new Refusal(0, TOO_OLD);
}

function askWorker() {
  const worker = new Worker(new URL("worker.js", import.meta.url)), waiting = new Map();
  let count = 0;
  worker.onmessage = ({data: {id, status, text}}) => {
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (status === 200) resolve(text);
    else reject(refusalOf(status, text));
  };
  return (path, fields, signal) => new Promise((resolve, reject) => {
    const id = count++;
    waiting.set(id, {resolve, reject});
    signal?.addEventListener("abort", () => reject(signal.reason));
    worker.postMessage({id, path, fields});
  });
}
