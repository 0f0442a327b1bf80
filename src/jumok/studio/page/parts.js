// Small things that every tab needs.

import { LIGHT, NIGHT } from "/page/colours.js";
import { say } from "/page/words.js";

// An element with attributes, listeners (onclick, ...) and what stands in it.
export function make(name, values = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(values)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key === "className" ? "class" : key, value);
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined));
  return made;
}

export function trouble(text) {
  const place = document.getElementById("trouble");
  place.textContent = text;
  clearTimeout(trouble.timer);
  if (text) trouble.timer = setTimeout(() => { place.textContent = ""; }, 8000);
}

async function answered(response) {
  if (response.ok) return response;
  let line = `${response.status} ${response.statusText}`;
  try { line = (await response.json()).error ?? line; } catch { /* no JSON: the status says it */ }
  throw new Error(line);
}

export const get = async (path) => (await answered(await fetch(path))).json();
export const post = async (path, data, signal) => (await answered(await fetch(path, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data), signal,
}))).json();
export const send = async (path, body) => (await answered(await fetch(path, { method: "POST", body }))).json();

// Server-sent events of a POST: calls `each(name, data)` as they come.
export async function listen(path, data, each, signal) {
  const response = await answered(await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data), signal,
  }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    held += value;
    const blocks = held.split("\n\n");
    held = blocks.pop();
    for (const block of blocks) {
      const [first, second] = block.split("\n");
      each(first.replace("event: ", ""), JSON.parse(second.replace("data: ", "")));
    }
  }
}

const night = matchMedia("(prefers-color-scheme: dark)");
export const onTheme = (act) => night.addEventListener("change", act);

// How maps are drawn, by day and by night.
export function look(map, top, width) {
  const dark = night.matches;
  return {
    ink: dark ? "#e6ebf1" : "#1b2530", soft: dark ? "#a3afbc" : "#566270", line: dark ? "#29323b" : "#e3e8ee",
    frame: dark ? "#52606d" : "#9aa5b1", accent: dark ? "#83b8e8" : "#1c5fa6", stops: dark ? NIGHT : LIGHT,
    lines: true, swap: false, threshold: 0, rowName: say(map.row_name), columnName: say(map.column_name), top, width,
  };
}

export function weightTable(view, caption) {
  const head = make("tr", {}, make("td"), ...view.columns.map((label) => make("th", { scope: "col" }, label)));
  const rows = view.weights.map((weights, row) => make("tr", {}, make("th", { scope: "row" }, view.rows[row]),
    ...weights.map((weight) => make("td", {}, weight.toFixed(3)))));
  return make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...rows));
}

// What a model was trained on, in the reader's language.
export function domainOf({ domain }) {
  const [kind, name] = domain.split(": ");
  if (kind !== "practice") return say("domain", domain);
  return say(name === "scenes" ? "practicePictures" : "practiceOf", name);
}

export const option = (value, text, selected = false) => make("option", { value, selected }, text);

// What the server writes into pictures, and how the page says it.
const IN_PICTURES = { "how much the node beside it looks that way": "graphLegend", "BLEU by length": "byLength", words: "lengthInWords" };

// A picture that the server drew, as elements; its text was escaped there.
export function drawing(svg) {
  const found = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  for (const text of found.querySelectorAll("text")) {
    const name = IN_PICTURES[text.textContent];
    if (name) text.textContent = say(name);
  }
  return document.importNode(found, true);
}
