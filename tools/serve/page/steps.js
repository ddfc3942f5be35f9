// The explorer of `dodona trace`, in a frame that is shut off from this page and is sent what it shows.
import {$} from "./elements.js";
import {shownTheme} from "./theme.js";

let parses = null, loaded = false;

function send() {
  if (loaded && parses) $("explorer").contentWindow.postMessage({theme: shownTheme(), parses}, "*");
}

export function showSteps(given) {
  parses = given;
  const frame = $("explorer");
  $("steps").showModal();
  frame.focus();
  if (loaded) {
    send();
    return;
  }
  frame.addEventListener("load", () => {
    loaded = true;
    send();
  });
  frame.src = "page/explorer.html";
}

$("steps-close").addEventListener("click", () => $("steps").close());
