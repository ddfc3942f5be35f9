// The package in browsers.
import {makeLoad} from "./load.js";

async function read(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

function locate(place) {
  return new URL(place, globalThis.document?.baseURI ?? globalThis.location?.href);
}

function openWorker(onMessage, onError) {
  const worker = new Worker(new URL("./worker-browser.js", import.meta.url), {type: "module"});
  worker.onmessage = ({data}) => onMessage(data);
  worker.onerror = event => onError(new Error(event.message || "its script cannot be loaded"));
  worker.onmessageerror = () => onError(new Error("a message cannot be read"));
  return {
    post: message => worker.postMessage(message),
    end: () => worker.terminate(),
    hold() {},
    release() {},
  };
}

export {DodonaError} from "./errors.js";
export const load = makeLoad({read, locate, openWorker});
