// The package in Node.js.
import {readFile} from "node:fs/promises";
import {pathToFileURL} from "node:url";
import {Worker} from "node:worker_threads";
import {makeLoad} from "./load.js";

async function read(url) {
  if (url.protocol === "file:") return new Uint8Array(await readFile(url));
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

function locate(place) {
  return /^[a-z][a-z0-9+.-]+:/i.test(place) ? new URL(place) : pathToFileURL(place);
}

// It does not keep the process alive while it has nothing to do. Options of node may be for its main script alone, such
// as --input-type.
function openWorker(onMessage, onError) {
  const worker = new Worker(new URL("./worker-node.js", import.meta.url), {execArgv: []});
  worker.on("message", onMessage);
  worker.on("error", onError);
  worker.on("exit", () => onError(new Error("it has ended")));
  return {
    post: message => worker.postMessage(message),
    end: () => void worker.terminate(),
    hold: () => worker.ref(),
    release: () => worker.unref(),
  };
}

export {DodonaError} from "./errors.js";
export const load = makeLoad({read, locate, openWorker});
