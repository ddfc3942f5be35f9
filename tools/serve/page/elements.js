// Elements are made here and nowhere else, and all text comes in as text: never as markup.

export const $ = id => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

export function button(text, onclick, properties = {}) {
  return element("button", {type: "button", onclick, ...properties}, text);
}

// A word in a sentence of the page, whatever the direction of its script.
export const bdi = text => element("bdi", {}, text);

// For those who do not see what has changed. The same message twice is said twice.
export function announce(message) {
  const said = $("said");
  said.textContent = "";
  setTimeout(() => { said.textContent = message; }, 50);
}

export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  element("a", {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
