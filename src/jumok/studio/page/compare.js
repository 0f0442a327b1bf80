// Compare: scores by the length of sentences, of the models that are chosen.

import { drawing, make, post, trouble } from "/page/parts.js";
import { offer } from "/page/teach.js";
import { say } from "/page/words.js";

export function compareTab(panel, models) {
  if (!models.length) { offer(panel, "compare"); return; }
  const boxes = models.map((one, i) => make("input", { type: "checkbox", value: one.name, checked: i < 2 }));
  const figure = make("figure", { tabindex: "0" });
  const told = make("p", { className: "hint", "aria-live": "polite" }, say("compareHint"));
  const table = make("div", { className: "scroll", tabindex: "0" });
  const go = make("button", { type: "button", className: "main", onclick: run }, say("comparing"));

  async function run() {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    if (!chosen.length) return;
    trouble("");
    go.disabled = true;
    told.textContent = say("busy");
    try {
      const found = await post("/api/compare", { models: chosen });
      told.textContent = say("compared", found.data.replace("practice: ", ""), found.sentences);
      figure.replaceChildren(drawing(found.svg));
      const lengths = found.rows[chosen[0]].map((row) => row.length);
      const cell = (row) => make("td", {}, row.low === null ? row.bleu.toFixed(1) : `${row.bleu.toFixed(1)} (${row.low.toFixed(1)}–${row.high.toFixed(1)})`);
      table.replaceChildren(make("table", {}, make("caption", {}, "BLEU"),
        make("thead", {}, make("tr", {}, make("td"), ...lengths.map((length) => make("th", { scope: "col" }, length)))),
        make("tbody", {}, ...chosen.map((name) => make("tr", {}, make("th", { scope: "row" }, name), ...found.rows[name].map(cell))))));
    } catch (error) {
      told.textContent = "";
      trouble(error.message);
    }
    go.disabled = false;
  }

  panel.append(make("div", { className: "bar", role: "group", "aria-label": say("model") },
    ...models.map((one, i) => make("label", {}, boxes[i], one.name)), go), told, figure, table);
}
