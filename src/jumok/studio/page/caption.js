// Caption: a picture, its caption, and where each word looked.

import { DARK, EVEN } from "/page/colours.js";
import { make, option, send, trouble } from "/page/parts.js";
import { say } from "/page/words.js";

const EACH = 650;

export function captionTab(panel, models) {
  if (!models.length) { panel.append(make("p", { className: "hint" }, say("noModel", "caption"))); return; }
  let file = null;
  let image = null;
  let found = null;
  let words = [];
  let playing = null;
  const model = make("select", { onchange: () => run() }, ...models.map((one) => option(one.name, one.name)));
  const prefix = make("input", { type: "text", onchange: () => run() });
  const chooser = make("input", { type: "file", accept: "image/*", className: "unseen", tabindex: "-1", "aria-hidden": "true",
    onchange: () => chooser.files[0] && take(chooser.files[0]) });
  const drop = make("div", { className: "drop",
    ondragover: (event) => { event.preventDefault(); drop.setAttribute("data-over", ""); },
    ondragleave: () => drop.removeAttribute("data-over"),
    ondrop: (event) => { event.preventDefault(); drop.removeAttribute("data-over"); if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]); } },
  make("button", { type: "button", className: "main", onclick: () => chooser.click() }, say("choose")), " ", say("drop"), chooser);
  const practice = models.some((one) => one.domain.includes("scenes"));
  const canvas = make("canvas", { role: "img", "aria-label": say("picture") });
  const told = make("p", { className: "told", "aria-live": "polite" });
  const readout = make("p", { className: "readout" });
  const play = make("button", { type: "button", onclick: () => (playing ? stop() : step(0)) }, say("play"));
  const seen = make("div", { className: "seen", hidden: true }, canvas, make("div", {}, told, readout, make("div", { className: "bar" }, play)));

  async function take(chosen) {
    file = chosen;
    await run();
  }

  async function fresh() {
    try {
      const response = await fetch(`/api/scene?seed=${Math.floor(Math.random() * 2 ** 31)}`);
      if (!response.ok) throw new Error((await response.json()).error);
      await take(await response.blob());
    } catch (error) { trouble(error.message); }
  }

  async function run() {
    if (!file) return;
    stop();
    trouble("");
    try {
      const asked = new URLSearchParams({ model: model.value, prefix: prefix.value });
      [[found]] = (await send(`/api/caption?${asked}`, file)).results;
    } catch (error) { trouble(error.message); return; }
    const map = found.attention;
    const shown = make("img", { alt: "" });
    shown.src = map ? `data:image/png;base64,${map.picture}` : URL.createObjectURL(file);
    await shown.decode();
    image = shown;
    seen.hidden = false;
    words = map ? groups(map.row_words).filter((places) => map.row_words[places[0]] !== -1) : [];
    told.replaceChildren(...words.flatMap((places, number) => [number && map.rows[places[0]].startsWith("▁") ? " " : "",
      make("button", { type: "button", className: "word", "aria-pressed": "false", onpointerenter: () => playing || mark(number),
        onfocus: () => playing || mark(number), onclick: () => { stop(); mark(number); } }, joined(map.rows, places))]));
    if (!words.length) told.textContent = found.text;
    play.hidden = !words.length;
    mark(null);
  }

  function mark(word) {
    [...told.querySelectorAll(".word")].forEach((each, number) => each.setAttribute("aria-pressed", String(number === word)));
    const map = found.attention;
    const wide = Math.min(640, Math.max(256, image.naturalWidth * 2));
    if (word === null || !map) { lightUp(canvas, image, wide, null); readout.textContent = ""; return; }
    const heads = map.weights[map.weights.length - 1];
    const weights = heads[0][0].map((_, region) => words[word].reduce((sum, row) => sum + heads.reduce((all, head) => all + head[row][region], 0), 0)
      / heads.length / words[word].length);
    lightUp(canvas, image, wide, weights, map.grid, { smooth: true, dark: DARK, even: EVEN });
    const most = weights.indexOf(Math.max(...weights));
    readout.textContent = `${joined(map.rows, words[word])} → ${map.columns[most]} (${map.grid.join(" × ")}): ${weights[most].toFixed(3)}`;
  }

  function step(word) {
    play.textContent = say("stop");
    if (word >= words.length) { stop(); mark(null); return; }
    mark(word);
    playing = setTimeout(() => step(word + 1), EACH);
  }

  function stop() {
    clearTimeout(playing);
    playing = null;
    play.textContent = say("play");
  }

  panel.append(drop, make("div", { className: "bar" },
    practice ? make("button", { type: "button", onclick: fresh }, say("drawn")) : null,
    make("label", {}, say("model"), model), make("label", {}, say("begin"), prefix)), seen);
}
