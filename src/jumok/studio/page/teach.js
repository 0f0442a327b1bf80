// Where there is no model: an offer to train some, with what the training says.

import { listen, make, trouble } from "/page/parts.js";
import { language, say } from "/page/words.js";

export function offer(panel, kind) {
  panel.append(make("p", { className: "hint" }, say("noModel", kind)));
  const what = { translate: "translation", caption: "captioning", compare: "translation" }[kind];
  if (!what) return;
  const told = make("pre", { className: "lines", hidden: true, tabindex: "0", "aria-live": "off" });
  const begin = make("button", { type: "button", className: "main", onclick: async () => {
    begin.disabled = true;
    told.hidden = false;
    try {
      await listen("/api/demo", { what, fast: true, language }, (name, data) => {
        if (name === "done") location.reload();
        else if (name === "wrong") trouble(data.error);
        else told.textContent = `${told.textContent}\n${data.text}`.split("\n").slice(-60).join("\n");
        told.scrollTop = told.scrollHeight;
      });
    } catch (error) { trouble(error.message); }
    begin.disabled = false;
  } }, say("teach"));
  panel.append(make("p", {}, begin), told);
}
