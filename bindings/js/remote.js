// An engine in a worker. Requests wait here, not there, so that one that is aborted before its turn is dropped; one
// that is being worked on is ended together with the worker, and the next request starts another.
import {Engine} from "./engine.js";
import {DodonaError} from "./errors.js";

// ---- in the worker

// port: {post(message), listen(onMessage)}
export function serve(port) {
  let engine = null;
  port.listen(async ({source, request}) => {
    try {
      if (source) engine = new Engine(source);
      port.post({answer: source ? void await engine.start() : await engine.ask(request)});
    } catch ({message, code}) {
      port.post({error: {message, code}});
    }
  });
}

// ---- in the thread that asks

export class RemoteEngine {
  #open;
  #source;
  #worker = null;
  #waiting = []; // the first is being worked on

  // open(onMessage, onError) starts a worker: {post(message), end(), hold(), release()}
  constructor(open, source) {
    this.#open = open;
    this.#source = source;
  }

  start() {
    return this.#queue({source: this.#source});
  }

  ask(request, signal) {
    return this.#queue({request}, signal);
  }

  #queue(message, signal) {
    return new Promise((resolve, reject) => {
      const one = {message, resolve, reject, done() {}};
      if (signal) {
        const abort = () => this.#abort(one, signal.reason);
        signal.addEventListener("abort", abort);
        one.done = () => signal.removeEventListener("abort", abort);
      }
      this.#waiting.push(one);
      if (this.#waiting.length === 1) this.#next();
    });
  }

  #next() {
    if (this.#waiting.length === 0) return this.#worker?.release();
    try {
      if (!this.#worker) this.#begin();
      this.#worker.hold();
      this.#worker.post(this.#waiting[0].message);
    } catch (error) {
      this.#fail(error);
    }
  }

  // A worker, which has to load the model before anything else.
  #begin() {
    const worker = this.#open(answer => worker === this.#worker && this.#take(answer),
      error => worker === this.#worker && this.#fail(error));
    this.#worker = worker;
    if (!this.#waiting[0].message.source)
      this.#waiting.unshift({
        message: {source: this.#source}, resolve() {}, reject: error => this.#settle("reject", error), done() {},
      });
  }

  #take({answer, error}) {
    if (error) this.#settle("reject", new DodonaError(error.message, error.code));
    else this.#settle("resolve", answer);
    this.#next();
  }

  #settle(how, what) {
    const one = this.#waiting.shift();
    one?.done();
    one?.[how](what);
  }

  // The worker itself has failed.
  #fail(cause) {
    this.#end();
    this.#settle("reject", new DodonaError(`the worker failed: ${cause?.message ?? cause}`, "crash", {cause}));
    this.#next();
  }

  #abort(one, reason) {
    const at = this.#waiting.indexOf(one);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    one.done();
    one.reject(reason);
    if (at > 0) return;
    this.#end();
    this.#next();
  }

  #end() {
    this.#worker?.end();
    this.#worker = null;
  }

  end() {
    this.#end();
    while (this.#waiting.length > 0) this.#settle("reject", new DodonaError("the model is closed", "closed"));
  }
}
