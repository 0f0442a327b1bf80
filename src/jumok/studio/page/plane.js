// The map W: keys, the query and what W makes of it, in the plane that the two queries span.

import { get, make, option, post, trouble } from "/page/parts.js";
import { say } from "/page/words.js";

const WIDE = 460;
const HIGH = 340;
const AROUND = 34;

const svg = (name, values = {}, ...inside) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, String(value));
  made.append(...inside);
  return made;
};
const bare = (token) => token.replace(/^▁/, "") || token;
const widthOf = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u1100" ? 13 : 7.2), 0);

// One step: dots are keys, larger where the look rests; arrows are the query and the turned query.
function drawn(step, columns) {
  const arrows = [step.turned, ...(step.query ? [step.query] : [])];
  const reach = Math.max(...step.keys.flat().map(Math.abs), 1e-9);
  const shown = arrows.map(([x, y]) => [x, y].map((each) => (each * reach) / Math.max(Math.hypot(x, y), 1e-9))); // their directions only
  const all = [[0, 0], ...step.keys, ...shown];
  const [low, high] = [0, 1].map((axis) => [Math.min(...all.map((at) => at[axis])), Math.max(...all.map((at) => at[axis]))]).reduce(([l, h], [a, b]) => [[...l, a], [...h, b]], [[], []]);
  const scale = Math.min((WIDE - 2 * AROUND - 40) / Math.max(high[0] - low[0], 1e-9), (HIGH - 2 * AROUND) / Math.max(high[1] - low[1], 1e-9));
  const tall = Math.max((high[1] - low[1]) * scale + 2 * AROUND, 200);
  const place = ([x, y]) => [WIDE / 2 + (x - (low[0] + high[0]) / 2) * scale, tall / 2 - (y - (low[1] + high[1]) / 2) * scale];
  const [x0, y0] = place([0, 0]);
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${tall}`, class: "plane", role: "img" });
  picture.append(svg("line", { x1: 0, y1: y0, x2: WIDE, y2: y0, class: "axis" }), svg("line", { x1: x0, y1: 0, x2: x0, y2: tall, class: "axis" }));
  const taken = [];
  const free = (box) => box[0] >= 2 && box[2] <= WIDE - 2 && box[1] >= 2 && box[3] <= tall - 2
    && taken.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
  const write = (text, x, y, kind, gap = 9) => {
    const wide = widthOf(text);
    const spots = [[x + gap, y + 4], [x - gap - wide, y + 4], [x - wide / 2, y - gap - 3], [x - wide / 2, y + gap + 12],
      [x + gap, y - gap - 3], [x + gap, y + gap + 12], [x - gap - wide, y - gap - 3], [x - gap - wide, y + gap + 12]];
    const [left, base] = spots.find(([l, b]) => free([l, b - 12, l + wide, b + 3])) ?? spots[0];
    taken.push([left, base - 12, left + wide, base + 3]);
    picture.append(svg("text", { x: left, y: base, class: kind }, text));
  };
  const tips = shown.map(place);
  tips.forEach(([x, y], which) => {
    const kind = which ? "raw" : "turned";
    const turn = Math.atan2(y - y0, x - x0);
    const wing = (by) => `${x - 11 * Math.cos(turn + by)},${y - 11 * Math.sin(turn + by)}`;
    picture.append(svg("line", { x1: x0, y1: y0, x2: x, y2: y, class: `arrow ${kind}` }), svg("polygon", { points: `${x},${y} ${wing(0.4)} ${wing(-0.4)}`, class: kind }));
    taken.push([x - 6, y - 6, x + 6, y + 6]);
  });
  const order = step.keys.map((_, i) => i).sort((a, b) => step.weights[b] - step.weights[a]);
  for (const i of order) {
    const [x, y] = place(step.keys[i]);
    const size = 3.5 + 9 * Math.sqrt(step.weights[i]);
    if (step.weights[i] > 0.1) picture.append(svg("line", { x1: x, y1: y, x2: x, y2: y0, class: "foot" })); // how far it reaches along the turned query
    picture.append(svg("circle", { cx: x, cy: y, r: size, class: step.weights[i] > 0.1 ? "key seen-key" : "key" }));
    taken.push([x - size, y - size, x + size, y + size]);
  }
  const names = step.query ? [say("turnedQuery"), say("rawQuery")] : [say("query")];
  tips.forEach(([x, y], which) => write(names[which], x, y, which ? "raw" : "turned", 12));
  for (const i of order) write(bare(columns[i]), ...place(step.keys[i]), step.weights[i] > 0.1 ? "strong" : "", 5 + 9 * Math.sqrt(step.weights[i]));
  return picture;
}

class Card {
  constructor() {
    this.name = make("p", { className: "name" });
    this.words = make("p", { className: "told" });
    this.figure = make("figure");
    this.table = make("div", { className: "scroll", tabindex: "0" });
    this.numbers = make("details", {}, make("summary", {}, say("planeTable")), this.table);
    this.root = make("article", { className: "card" }, this.name, this.words, this.figure, this.numbers);
    this.root.hidden = true;
  }

  async show(model, text) {
    this.root.hidden = !model;
    if (!model) return;
    const found = await post("/api/plane", { model, text });
    this.found = found;
    this.name.replaceChildren(make("b", {}, model), make("span", {}, found.score === "general" ? "e = q · W k" : "e = q · k"));
    const steps = found.steps.map((step, i) => [step, i]).filter(([step]) => !step.token.startsWith("<"));
    this.words.replaceChildren(...steps.flatMap(([step, i], number) => [number && step.token.startsWith("▁") ? " " : "",
      make("button", { type: "button", className: "word", "aria-pressed": "false", "data-step": String(i),
        onpointerenter: () => this.mark(i), onfocus: () => this.mark(i), onclick: () => this.mark(i) }, bare(step.token))]));
    this.mark(steps[Math.min(1, steps.length - 1)]?.[1] ?? 0);
  }

  mark(at) {
    const { steps, columns, score } = this.found;
    const step = score === "dot" ? { ...steps[at], query: null } : steps[at];
    for (const word of this.words.querySelectorAll(".word")) word.setAttribute("aria-pressed", String(word.dataset.step === String(at)));
    const picture = drawn(step, columns);
    const best = step.weights.indexOf(Math.max(...step.weights));
    picture.setAttribute("aria-label", `${bare(step.token)} → ${bare(columns[best])} ${step.weights[best].toFixed(2)}`);
    this.figure.replaceChildren(picture);
    const raw = step.query ? step.raw_scores : null;
    const head = ["keys", ...(raw ? ["rawScore"] : []), raw ? "turnedScore" : "score", "weight"];
    this.table.replaceChildren(make("table", {}, make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, say(name))))),
      make("tbody", {}, ...columns.map((column, i) => make("tr", {}, make("th", { scope: "row" }, bare(column)),
        ...(raw ? [make("td", {}, raw[i].toFixed(2))] : []), make("td", {}, step.scores[i].toFixed(2)), make("td", {}, step.weights[i].toFixed(3)))))));
  }
}

export function planeOf(models) {
  const able = models.filter((one) => one.plane);
  const root = make("section", { className: "apart", "aria-labelledby": "plane-title" }, make("h2", { id: "plane-title" }, say("planeTitle")),
    make("p", { className: "hint" }, say("planeHint")));
  if (!able.length) {
    root.append(make("p", { className: "hint" }, say("noPlane")), make("pre", { className: "lines", tabindex: "0" },
      ["luong-general", "luong-dot"].map((name) => `jumok train korean --set model.preset=${name} --out runs/${name}`).join("\n")));
    return root;
  }
  const cards = [new Card(), new Card()];
  const text = make("input", { type: "text", "aria-label": say("text"), placeholder: say("typeHere") });
  const chooser = (chosen, empty) => make("select", { onchange: () => run() }, ...(empty ? [option("", say("none"))] : []),
    ...able.map((one) => option(one.name, one.name, one === chosen)));
  const general = able.find((one) => one.plane === "general") ?? able[0];
  const first = chooser(general, false);
  const second = chooser(able.find((one) => one.plane !== general.plane) ?? able.find((one) => one !== general), true);
  const run = async () => {
    if (!text.value.trim()) return;
    trouble("");
    try { await Promise.all([first, second].map((select, i) => cards[i].show(i && select.value === first.value ? "" : select.value, text.value.trim()))); } catch (error) { trouble(error.message); }
  };
  const another = async () => {
    try {
      text.value = (await get(`/api/sentence?words=6&seed=${Math.floor(Math.random() * 2 ** 31)}`)).source;
      await run();
    } catch (error) { trouble(error.message); }
  };
  const practice = able.some((one) => one.domain.includes("korean"));
  text.addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && run());
  root.append(make("div", { className: "bar" }, make("label", {}, say("text"), text),
    make("button", { type: "button", className: "main", onclick: run }, say("drawPlane")),
    practice ? make("button", { type: "button", onclick: another }, say("another")) : null,
    make("label", {}, say("model"), first), able.length > 1 ? make("label", {}, say("beside"), second) : null),
  make("div", { className: "columns" }, ...cards.map((card) => card.root)));
  return root;
}
