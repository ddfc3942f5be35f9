// Light or dark: as the reader's system has it, unless the reader chooses.
import {$} from "./elements.js";

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

// Storage can be forbidden; then the choice lasts as long as the page.
function stored(value) {
  try {
    if (value === undefined) return localStorage.getItem("theme");
    localStorage.setItem("theme", value);
  } catch { /* not vital */ }
  return null;
}

export function shownTheme() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : prefersDark.matches ? "dark" : "light";
}

function set(theme) {
  document.documentElement.dataset.theme = $("theme").value = theme;
}

export function startTheme() {
  const before = stored();
  set(["light", "dark"].includes(before) ? before : "auto");
  $("theme").addEventListener("change", () => {
    set($("theme").value);
    stored($("theme").value);
  });
}
