// Caption: a picture, its caption, and where each word looked.

import { DARK, EVEN } from "/page/colours.js";
import { domainOf, get, make, option, post, send, trouble, weightTable } from "/page/parts.js";
import { offer } from "/page/teach.js";
import { language, say } from "/page/words.js";

const EACH = 650;

export function captionTab(panel, models) {
  if (!models.length) { offer(panel, "caption"); return; }
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
  const gold = make("p", { className: "hint" });
  const unlike = make("p", { className: "note", role: "status" });
  const table = make("div", { className: "scroll", tabindex: "0" });
  const numbers = make("details", { ontoggle: () => tabulate() }, make("summary", {}, say("table")), table);
  const domain = make("span", { className: "hint" });
  const handles = make("div", { className: "bar", role: "group", "aria-label": say("things") });
  const frame = make("i", { className: "frame", hidden: true });
  const board = make("div", { className: "board" }, canvas, frame);
  const seen = make("div", { className: "seen", hidden: true }, board,
    make("div", {}, unlike, told, readout, make("div", { className: "bar" }, play), handles, gold, numbers));
  let scene = null;
  let held = null;
  let wanted = 0; // which picture was asked for last
  let asking = 0; // what comes back late does not replace what was asked after it

  async function take(chosen, drawn = null) {
    wanted += 1;
    file = chosen;
    scene = drawn;
    showThings();
    await run();
  }

  async function show(drawn) {
    const bytes = Uint8Array.from(atob(drawn.picture), (letter) => letter.charCodeAt(0));
    await take(new Blob([bytes], { type: "image/png" }), drawn);
  }

  // A drawing, unless another picture was wanted while it was on its way.
  async function showUnlessLate(draw) {
    const mine = (wanted += 1);
    try {
      const drawn = await draw();
      if (mine === wanted) await show(drawn);
    } catch (error) { trouble(error.message); }
  }

  async function fresh() {
    await showUnlessLate(() => get(`/api/scene?seed=${Math.floor(Math.random() * 2 ** 31)}`));
  }

  // A thing of a practice picture goes elsewhere, and the caption follows.
  async function move(thing, x, y) {
    const within = (value) => Math.min(Math.max(value, 0), 1);
    await showUnlessLate(() => post("/api/scene", { scene: scene.scene, thing, x: within(x), y: within(y) }));
    handles.children[thing]?.focus();
  }

  function showThings() {
    gold.textContent = scene ? `${say("really")}: ${language === "ko" ? scene.korean : scene.english}` : "";
    handles.replaceChildren(...(scene?.things ?? []).map((thing, number) => make("button", { type: "button", title: say("moveHint"),
      onkeydown: (event) => {
        const by = { ArrowLeft: [-0.08, 0], ArrowRight: [0.08, 0], ArrowUp: [0, -0.08], ArrowDown: [0, 0.08] }[event.key];
        if (!by) return;
        event.preventDefault();
        move(number, thing.x + by[0], thing.y + by[1]);
      } }, language === "ko" ? thing.korean : thing.english)));
    canvas.style.cursor = scene ? "grab" : "";
  }

  const at = (event) => {
    const corner = canvas.getBoundingClientRect();
    return [(event.clientX - corner.left) / corner.width, (event.clientY - corner.top) / corner.height];
  };
  // What the box shows, to go along with the hand.
  function cutOut([left, top, right, bottom]) {
    const [x, y, across, down] = [left * canvas.width, top * canvas.height, (right - left) * canvas.width, (bottom - top) * canvas.height];
    const cut = make("canvas", { width: Math.max(Math.round(across), 1), height: Math.max(Math.round(down), 1) });
    cut.getContext("2d").drawImage(canvas, x, y, across, down, 0, 0, cut.width, cut.height);
    return cut.toDataURL();
  }

  canvas.addEventListener("pointerdown", (event) => {
    const [x, y] = at(event);
    const inside = ({ box: [left, top, right, bottom] }) => x >= left && x <= right && y >= top && y <= bottom;
    const number = (scene?.things ?? []).findLastIndex(inside);
    if (number < 0) return;
    event.preventDefault();
    const thing = scene.things[number];
    held = { number, x: thing.x - x, y: thing.y - y, box: thing.box, seen: cutOut(thing.box) };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = at(event);
    const [left, top, right, bottom] = held.box;
    frame.hidden = false;
    frame.style.cssText = `left:${100 * (x + held.x - (right - left) / 2)}%;top:${100 * (y + held.y - (bottom - top) / 2)}%;`
      + `width:${100 * (right - left)}%;height:${100 * (bottom - top)}%;background-image:url(${held.seen})`;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!held) return;
    const [x, y] = at(event);
    const { number, x: dx, y: dy } = held;
    held = null;
    frame.hidden = true;
    move(number, x + dx, y + dy);
  });

  async function run() {
    if (!file) return;
    const mine = (asking += 1);
    stop();
    trouble("");
    unlike.textContent = "";
    domain.textContent = domainOf(models.find((one) => one.name === model.value));
    try {
      const asked = new URLSearchParams({ model: model.value, prefix: prefix.value });
      [[found]] = (await send(`/api/caption?${asked}`, file)).results;
      if (mine !== asking) return;
    } catch (error) { trouble(error.message); return; }
    if (!scene) compareWithTraining(mine);
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
    play.hidden = numbers.hidden = !words.length;
    tabulate();
    mark(null);
  }

  // A model says something of every picture: whether it knows such ones is told beside it.
  async function compareWithTraining(mine) {
    try {
      const { unlike: strange } = await send(`/api/likeness?${new URLSearchParams({ model: model.value })}`, file);
      if (mine === asking && strange) unlike.textContent = say("unlike");
    } catch (error) { trouble(error.message); }
  }

  // The weight of each region for a word: the mean of its tokens and of the last layer's heads.
  function weightsOf(word) {
    const heads = found.attention.weights[found.attention.weights.length - 1];
    const pieces = telling(found.attention.rows, words[word]);
    return heads[0][0].map((_, region) => pieces.reduce((sum, row) => sum + heads.reduce((all, head) => all + head[row][region], 0), 0)
      / heads.length / pieces.length);
  }

  function tabulate() {
    if (!numbers.open || !found?.attention) return;
    const { rows, columns, grid } = found.attention;
    const view = { rows: words.map((places) => joined(rows, places)), columns, weights: words.map((_, word) => weightsOf(word)) };
    table.replaceChildren(weightTable(view, say("regions", ...grid)));
  }

  function mark(word) {
    [...told.querySelectorAll(".word")].forEach((each, number) => each.setAttribute("aria-pressed", String(number === word)));
    const map = found.attention;
    const wide = Math.min(640, Math.max(256, image.naturalWidth * 2));
    if (word === null || !map) { lightUp(canvas, image, wide, null); readout.textContent = ""; return; }
    const weights = weightsOf(word);
    lightUp(canvas, image, wide, weights, map.grid, { smooth: true, dark: DARK, even: EVEN });
    const most = weights.indexOf(Math.max(...weights));
    const [row, column] = [Math.floor(most / map.grid[1]) + 1, (most % map.grid[1]) + 1];
    readout.textContent = `${joined(map.rows, words[word])} → ${say("region", row, column, ...map.grid)}: ${weights[most].toFixed(3)}`;
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
    make("label", {}, say("model"), model), make("label", {}, say("begin"), prefix), domain), seen);
  panel.addEventListener("shown", () => { if (!file && practice) fresh(); });
}
