// What goes wrong has a code, for programs, and the library's message, for people.
const CODES = {400: "argument", 404: "argument", 413: "limit", 422: "data", 500: "model", 503: "memory"};

export class DodonaError extends Error {
  constructor(message, code, options) {
    super(message, options);
    this.code = code;
  }

  get name() {
    return "DodonaError";
  }
}

export function argumentError(message) {
  return new DodonaError(message, "argument");
}

// Of an answer that is none: {status, reason}.
export function refusal(status, answer) {
  return new DodonaError(JSON.parse(answer).reason, CODES[status] ?? "model");
}
