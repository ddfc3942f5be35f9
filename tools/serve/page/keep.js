// The treebank as it is worked on, kept in the browser (IndexedDB): the file as it was opened, and every step
// since then. One treebank at a time, in one tab at a time.

const BASE = "dodona", FILE = "treebank", STEPS = "steps", LOCK = "dodona-treebank";

function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

let opened = null;
function openBase() {
  opened ??= (async () => {
    const request = indexedDB.open(BASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(FILE);
      request.result.createObjectStore(STEPS);
    };
    return finished(request);
  })();
  return opened;
}

async function write(work) {
  const transaction = (await openBase()).transaction([FILE, STEPS], "readwrite");
  work(transaction.objectStore(FILE), transaction.objectStore(STEPS));
  await committed(transaction);
}

const stateOf = ({done, saved}, place) => ({done, saved, place});

// Each rejects where the browser keeps nothing, or has no room.
export function keepWhole(treebank, place) {
  const {name, original, steps} = treebank;
  return write((file, kept) => {
    file.clear();
    kept.clear();
    file.put({name, text: original.join("")}, "file");
    file.put(stateOf(treebank, place), "state");
    steps.forEach((step, i) => kept.put(step, i));
  });
}

// After the step before `done`, or an undo or redo; `place` is what the page shows of it.
export function keepStep(treebank, place) {
  return write((file, kept) => {
    const {steps, done} = treebank;
    file.put(stateOf(treebank, place), "state");
    if (done > 0) kept.put(steps[done - 1], done - 1);
    kept.delete(IDBKeyRange.lowerBound(steps.length));
  });
}

// {name, text, steps, done, saved, place}, or null.
export async function recall() {
  const transaction = (await openBase()).transaction([FILE, STEPS]);
  const file = transaction.objectStore(FILE), kept = transaction.objectStore(STEPS);
  const [treebank, state, steps] = await Promise.all([file.get("file"), file.get("state"), kept.getAll()].map(finished));
  return treebank ? {...treebank, ...state, steps} : null;
}

// Whether this tab may work on it; held until the tab is closed. Pages without a secure origin have no locks.
let held = false;
export async function takeLock() {
  if (held || !navigator.locks) return true;
  return new Promise(resolve => {
    navigator.locks.request(LOCK, {ifAvailable: true}, lock => {
      held = lock !== null;
      resolve(held);
      return held ? new Promise(() => {}) : undefined;
    });
  });
}
