// Where there is no model: an offer to train some, with what the training says.

import { get, listen, make, trouble } from "/page/parts.js";
import { language, say } from "/page/words.js";

const TEACHES = { translate: "translation", caption: "captioning", compare: "translation" };

export function offer(panel, kind) {
  panel.append(make("p", { className: "hint" }, say("noModel")));
  const what = TEACHES[kind];
  if (!what) return;
  panel.append(make("p", { className: "hint" }, say("meanwhile")));
  const told = make("pre", { className: "lines", hidden: true, tabindex: "0", "aria-live": "off" });
  const progress = make("progress", { max: 1, value: 0, "aria-label": say("teach") });
  const phase = make("span", { className: "hint", role: "status" });
  const going = make("div", { className: "bar", hidden: true }, progress, phase);

  async function teach() {
    begin.disabled = true;
    told.hidden = going.hidden = false;
    phase.textContent = say("teaching");
    try {
      await listen("/api/demo", { what, fast: true, language }, (name, data) => {
        if (name === "done") location.reload();
        else if (name === "wrong") trouble(data.error);
        else {
          const [, done, all] = /([\d,]+)\/([\d,]+)/.exec(data.text) ?? [];
          if (all) progress.value = Number(done.replaceAll(",", "")) / Number(all.replaceAll(",", ""));
          if (/^\d\. /.test(data.text.trim())) phase.textContent = `${data.text.trim()}. ${say("teaching")}`;
          told.textContent = `${told.textContent}\n${data.text}`.split("\n").slice(-60).join("\n").trimStart();
        }
        told.scrollTop = told.scrollHeight;
      });
    } catch (error) { trouble(error.message); }
    begin.disabled = false;
  }

  const begin = make("button", { type: "button", className: "main", onclick: teach }, say("teach"));
  panel.append(make("p", {}, begin), going, told);
  panel.addEventListener("shown", async () => {
    try { if (!begin.disabled && (await get("/api/demo")).learning === what) await teach(); } catch (error) { trouble(error.message); }
  });
}
