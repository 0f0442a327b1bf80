// Graph: its nodes by what they are said to be, and how much each looks at the others.

import { drawing, get, make, option, trouble } from "/page/parts.js";
import { say } from "/page/words.js";

export function graphTab(panel, models) {
  if (!models.length) { panel.append(make("p", { className: "hint" }, say("noModel", "graph"))); return; }
  const model = make("select", { onchange: () => { node.value = ""; show(); } }, ...models.map((one) => option(one.name, one.name)));
  const names = make("datalist", { id: "nodes" });
  const node = make("input", { type: "text", list: "nodes", onchange: () => show() });
  const layer = make("select", { onchange: () => show() });
  const figure = make("figure", { tabindex: "0" });
  const told = make("p", { className: "hint", "aria-live": "polite" });
  const table = make("div", { className: "scroll", tabindex: "0" });
  let begun = false;

  async function show() {
    trouble("");
    const asked = new URLSearchParams({ model: model.value });
    if (node.value.trim()) asked.set("node", node.value.trim());
    if (layer.value) asked.set("layer", layer.value);
    try {
      const found = await get(`/api/graph?${asked}`);
      figure.replaceChildren(drawing(found.svg));
      if (names.children.length !== found.names.length) names.replaceChildren(...found.names.map((name) => option(name, name)));
      if (layer.children.length !== found.layers) {
        layer.replaceChildren(...Array.from({ length: found.layers }, (_, i) => option(String(i), String(i), i === found.layers - 1)));
      }
      told.textContent = found.accuracy === null ? "" : say("right", (100 * found.accuracy).toFixed(1));
      table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...["node", "label", "sure", "known"].map((name) => make("th", { scope: "col" }, say(name))))),
        make("tbody", {}, ...found.nodes.map((one) => make("tr", {}, make("th", { scope: "row" }, one.name), make("td", {}, one.label),
          make("td", {}, one.probability.toFixed(2)), make("td", {}, one.known ?? ""))))));
    } catch (error) { trouble(error.message); }
  }

  panel.append(make("p", { className: "hint" }, say("graphHint")), make("div", { className: "bar" }, make("label", {}, say("model"), model),
    make("label", {}, say("node"), node, names), make("label", {}, say("layer"), layer)), figure, told,
  make("details", {}, make("summary", {}, say("asTable")), table));
  panel.addEventListener("shown", () => { if (!begun) { begun = true; show(); } });
}
