// What is chosen for a treebank: which sentences are shown, in which order, and how they are edited.
import {$, element} from "./elements.js";

const defaults = models => ({order: "file", show: "all", find: "", label: "", rest: "parser", model: models[0].names[0]});

export const setting = name => $(`tb-${name}`);

export function readSettings() {
  return Object.fromEntries(["order", "show", "find", "label", "rest", "model"].map(name => [name, setting(name).value]));
}

export function fillSettings(treebank, models, chosen) {
  setting("model").replaceChildren(...models.map(({names}) => element("option", {value: names[0]}, names[0])));
  setting("label").replaceChildren(element("option", {value: ""}, "any"),
    ...treebank.labels.map(([label, count]) => element("option", {value: label}, `${label} (${count})`)));
  for (const [name, value] of Object.entries(defaults(models))) {
    setting(name).value = chosen[name] ?? value;
    if (setting(name).selectedIndex === -1) setting(name).value = value; // a model that is not served any more
  }
}
