// Trees from the library itself, in a worker that answers as the server does.
import {backendOver, refusalOf} from "./backend.js";

export function openBackend() {
  const worker = new Worker(new URL("worker.js", import.meta.url)), waiting = new Map();
  let count = 0;
  worker.onmessage = ({data: {id, status, text}}) => {
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (status === 200) resolve(text);
    else reject(refusalOf(status, text));
  };
  document.getElementById("interface").remove(); // it is the server's
  return backendOver((path, fields, signal) => new Promise((resolve, reject) => {
    const id = count++;
    waiting.set(id, {resolve, reject});
    signal?.addEventListener("abort", () => reject(signal.reason));
    worker.postMessage({id, path, fields});
  }));
}
