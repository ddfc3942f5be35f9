import {parentPort} from "node:worker_threads";
import {serve} from "./remote.js";

serve({post: message => parentPort.postMessage(message), listen: onMessage => parentPort.on("message", onMessage)});
