// Translate: words appear as they are decoded; what each looked at can be seen, and changed.

import { domainOf, get, listen, look, make, onTheme, option, post, trouble, weightTable } from "/page/parts.js";
import { offer } from "/page/teach.js";
import { say } from "/page/words.js";

const UNSURE = 0.5;

// One model's translation of the text: its words, its picture, and what was changed by hand.
class Column {
  // view: tells whether lines or the matrix are drawn. told: hears of every translation that is done.
  constructor(view, told = () => {}) {
    this.view = view;
    this.heard = told;
    this.name = make("p", { className: "name" });
    this.told = make("p", { className: "told", "aria-live": "polite" });
    this.note = make("p", { className: "note", role: "status" });
    this.was = make("p", { className: "hint" });
    this.figure = make("figure", { tabindex: "0", role: "group" });
    this.readout = make("p", { className: "readout" });
    this.editing = make("div", { className: "edit", hidden: true });
    this.best = make("ol", { className: "best" });
    this.others = make("details", { ontoggle: () => this.showOthers() }, make("summary", {}, say("others")), this.best);
    this.table = make("div", { className: "scroll", tabindex: "0" });
    this.numbers = make("details", { ontoggle: () => this.tabulate() }, make("summary", {}, say("table")), this.table);
    this.root = make("article", { className: "card" }, this.name, this.told, this.was, this.note,
      make("div", { className: "side" }, make("div", {}, this.figure, this.readout), this.editing), this.others, this.numbers);
    this.root.hidden = true;
    this.figure.addEventListener("pointermove", (event) => this.pointed(event));
    this.figure.addEventListener("pointerleave", () => this.drag || this.mark(null));
    this.figure.addEventListener("pointerdown", (event) => this.grab(event));
    window.addEventListener("pointerup", () => this.drop());
    this.figure.addEventListener("keydown", (event) => {
      if (!event.key.startsWith("Arrow") || !this.picture) return;
      event.preventDefault();
      this.mark(this.picture.move(this.place, event.key));
    });
  }

  use(model) {
    this.model = model;
    this.root.hidden = model === null;
    if (model === null) return;
    this.name.replaceChildren(make("b", {}, model.name), model.domain ? make("span", {}, domainOf(model)) : null);
  }

  async run(text, beam, prefix = "") {
    this.turn = null; // a change that is still under way comes too late
    this.waiting?.abort();
    this.waiting = new AbortController();
    Object.assign(this, { text, beam, place: null, kept: {} });
    this.editing.hidden = true;
    this.root.setAttribute("aria-busy", "true");
    const asked = { model: this.model.name, text, beam, prefix };
    try {
      await listen("/api/translate/stream", asked, (name, data) => {
        if (name === "done") this.done(data);
        else if (name === "wrong") trouble(data.error);
        else this.told.textContent = data.text;
      }, this.waiting.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      trouble(error.message);
    }
    this.root.setAttribute("aria-busy", "false");
  }

  // before: the translation that this one is a change of.
  done(found, before = null) {
    this.found = found;
    this.before = before;
    if (!before) this.own = found;
    const map = found.attention;
    const notes = [];
    if (found.unknown.length) notes.push(say("unknown", found.unknown.join(", ")));
    if (!map && found.text) notes.push(say("noAttention"));
    if (!found.finished) notes.push(say("unfinished"));
    const words = this.words();
    if (words.some((word) => word.unsure)) notes.push(say("unsure"));
    this.was.textContent = !before ? "" : words.some((word) => word.changed) || before.text !== found.text ? `${say("before")}: ${before.text}` : say("nothingChanged");
    this.note.textContent = notes.join(" ");
    this.told.replaceChildren(...words.flatMap((word, number) => [number && word.apart ? " " : "", this.button(word, number)]));
    if (!words.length) this.told.textContent = found.text;
    this.best.replaceChildren();
    if (this.others.open) this.showOthers();
    this.draw();
    if (this.numbers.open) this.tabulate();
    this.heard(found);
  }

  // The words of the translation: their tokens, how sure they are, whether a change by hand made them.
  words() {
    const { tokens, token_scores: scores } = this.found;
    const sets = setsOf(this.found);
    const texts = sets.map((places) => joined(tokens, places));
    const stays = this.before ? common(setsOf(this.before).map((places) => joined(this.before.tokens, places)), texts) : null;
    return sets.map((places, number) => ({
      text: texts[number],
      apart: tokens[places[0]].startsWith("▁"),
      first: places[0],
      unsure: Math.exp(Math.min(...places.map((place) => scores[place] ?? 0))) < UNSURE,
      changed: stays !== null && !stays.has(number),
    }));
  }

  button(word, number) {
    const classes = ["word", word.unsure ? "unsure" : "", word.changed ? "changed" : ""].join(" ").trim();
    return make("button", { type: "button", className: classes, "aria-pressed": "false",
      onpointerenter: () => this.mark({ row: number, column: null }),
      onfocus: () => this.mark({ row: number, column: null }),
      onclick: () => this.edit(number) }, word.text);
  }

  draw() {
    const map = this.found?.attention;
    this.picture = null;
    this.figure.hidden = this.numbers.hidden = !map;
    if (!map || !this.figure.clientWidth) return;
    this.seen = viewOf(map, { layer: map.weights.length - 1, head: null, words: true, special: false });
    if (!this.seen.rows.length || !this.seen.columns.length) return;
    const how = look(map, ceiling(largest(this.seen.weights)), this.figure.clientWidth);
    const isLines = this.view() === "lines";
    this.picture = (isLines ? linesPicture : matrixPicture)(this.seen, how);
    this.figure.replaceChildren(this.picture.svg);
    this.figure.style.cursor = isLines ? "" : "ns-resize";
    this.figure.setAttribute("aria-label", `${this.model.name}: ${say(isLines ? "lines" : "matrix")}`);
    this.readout.textContent = say("hintWords");
    if (this.place) this.mark(this.place);
  }

  mark(place) {
    this.place = place;
    this.picture?.mark(place);
    [...this.told.querySelectorAll(".word")].forEach((word, number) => word.setAttribute("aria-pressed", String(place?.row === number)));
    if (!this.seen || !place) { this.readout.textContent = this.picture ? say("hintWords") : ""; return; }
    const { rows, columns, weights } = this.seen;
    const strongest = (list, labels) => list.map((weight, i) => [weight, labels[i]]).sort((a, b) => b[0] - a[0]).slice(0, 4)
      .filter(([weight], i) => i === 0 || weight > 0.02).map(([weight, label]) => `${label} ${weight.toFixed(2)}`).join(", ");
    if (place.column === null) this.readout.textContent = `${rows[place.row]} → ${strongest(weights[place.row] ?? [], columns)}`;
    else if (place.row === null) this.readout.textContent = `${columns[place.column]} ← ${strongest(weights.map((row) => row[place.column]), rows)}`;
    else this.readout.textContent = `${rows[place.row]} → ${columns[place.column]}: ${weights[place.row][place.column].toFixed(3)}`;
  }

  at(event) {
    const corner = this.picture.svg.getBoundingClientRect();
    return this.picture.locate(event.clientX - corner.left, event.clientY - corner.top, event.target);
  }

  pointed(event) {
    if (!this.picture) return;
    if (this.drag) {
      this.pull(this.drag.start + (this.drag.y - event.clientY) / 100);
      return;
    }
    this.mark(this.at(event));
  }

  // A cell of the matrix is taken hold of: up is more, down is less.
  grab(event) {
    if (!this.picture || this.view() === "lines") return;
    const place = this.at(event);
    if (!place || place.row === null || place.column === null) return;
    event.preventDefault();
    this.figure.setPointerCapture(event.pointerId);  // the hand may leave the figure
    this.edit(place.row);
    this.drag = { ...place, y: event.clientY, start: this.seen.weights[place.row][place.column] };
  }

  pull(weight) {
    const { row, column } = this.drag;
    this.seen.weights[row] = moved(this.seen.weights[row], column, weight);
    const how = look(this.found.attention, ceiling(largest(this.seen.weights)), this.figure.clientWidth);
    this.picture = matrixPicture(this.seen, how);
    this.figure.replaceChildren(this.picture.svg);
    this.mark({ row, column });
    this.showWeights(this.seen.weights[row]);
    this.drag.pulled = true;
  }

  drop() {
    if (!this.drag) return;
    const { row, pulled } = this.drag;
    this.drag = null;
    if (pulled) this.again(row, this.seen.weights[row]);
  }

  edit(row) {
    if (!this.found.attention) return;
    this.mark({ row, column: null });
    this.editing.hidden = false;
    const weights = [...this.seen.weights[row]];
    const word = this.seen.rows[row];
    this.heading = make("h2", {}, say("looksAt", word));
    const forced = make("input", { type: "text", "aria-label": say("force"), placeholder: word });
    const send = () => forced.value.trim() && this.force(row, forced.value.trim());
    forced.addEventListener("keydown", (event) => event.key === "Enter" && send());
    this.sliders = this.seen.columns.map((label, column) => make("input", {
      type: "range", min: "0", max: "1", step: "0.01", "aria-label": label,
      oninput: (event) => { this.showWeights(moved(this.shown, column, Number(event.target.value))); },
      onchange: () => this.again(row, this.shown),
    }));
    this.outputs = this.seen.columns.map(() => make("output"));
    const bars = this.seen.columns.flatMap((label, column) => [make("span", {}, label), this.sliders[column], this.outputs[column]]);
    this.editing.replaceChildren(
      this.heading, make("p", { className: "hint" }, say("editHint")),
      make("div", { className: "weights" }, ...bars),
      make("div", { className: "bar" }, make("label", {}, say("force"), forced), make("button", { type: "button", onclick: send }, say("say"))),
      make("div", { className: "bar" },
        make("button", { type: "button", onclick: () => { this.settle(); this.kept = {}; this.done(this.own); this.edit(Math.min(row, this.seen.rows.length - 1)); } }, say("back")),
        make("button", { type: "button", onclick: () => { this.editing.hidden = true; } }, say("close"))));
    this.showWeights(weights);
  }

  showWeights(weights) {
    this.shown = weights;
    weights.forEach((weight, column) => {
      this.sliders[column].value = String(weight);
      this.outputs[column].value = weight.toFixed(2);
    });
  }

  // Told again from a row on, with the weights that were given to it.
  async again(row, weights) {
    const map = this.found.attention;
    const first = this.words()[row].first;
    const places = groups(map.column_words).filter((group) => map.column_words[group[0]] !== -1);
    const full = map.columns.map(() => 0);
    places.forEach((group, column) => group.forEach((place) => { full[place] = weights[column] / group.length; }));
    const earlier = Object.entries(this.kept).filter(([step]) => Number(step) < first); // changes before it stay, later ones are told anew
    this.kept = { ...Object.fromEntries(earlier), [first]: full };
    const asked = { model: this.model.name, text: this.text, beam: this.beam, tokens: this.found.tokens.slice(0, first), weights: this.kept };
    await this.changed(row, () => post("/api/translate/edit", asked));
  }

  async force(row, word) {
    const before = this.words().slice(0, row).map((each, number) => (number && each.apart ? " " : "") + each.text).join("");
    const prefix = `${before} ${word}`.trim();
    this.kept = {};
    await this.changed(row, () => post("/api/translate", { model: this.model.name, texts: [this.text], prefixes: [prefix], beam: this.beam }));
  }

  // Shows what is told instead, unless something newer was asked for meanwhile.
  async changed(row, ask) {
    const turn = (this.turn = {});
    this.root.setAttribute("aria-busy", "true");
    try {
      const found = (await ask()).results[0][0];
      if (turn !== this.turn) return;
      const open = !this.editing.hidden;
      this.done(found, this.own);
      this.editing.hidden = !open;
      if (this.heading && this.seen.rows[row]) this.heading.textContent = say("looksAt", this.seen.rows[row]);
    } catch (error) { trouble(error.message); }
    if (turn === this.turn) this.settle();
  }

  // Nothing is awaited any more.
  settle() {
    this.turn = null;
    this.root.setAttribute("aria-busy", "false");
  }

  async showOthers() {
    if (!this.others.open || !this.text || this.best.children.length) return;
    try {
      const asked = { model: this.model.name, texts: [this.text], beam: Math.max(this.beam, 5), n_best: 5, attention: false };
      const [best] = (await post("/api/translate", asked)).results;
      this.best.replaceChildren(...best.map((one) => make("li", {}, one.text, make("span", { className: "hint" }, `  ${one.rank_score.toFixed(2)}`))));
    } catch (error) { trouble(error.message); }
  }

  tabulate() {
    if (!this.numbers.open || !this.seen) return;
    const map = this.found.attention;
    this.table.replaceChildren(weightTable(this.seen, `${say(map.row_name)} (${say("rows")}) × ${say(map.column_name)} (${say("columns")})`));
  }
}

// The tokens of each word of a translation, the end left out.
function setsOf({ tokens, attention: map }) {
  let word = -1;
  const counted = (token, i) => (token === "<end>" ? -1 : i === 0 || token.startsWith("▁") ? (word += 1) : word);
  const numbers = map ? map.row_words : tokens.map(counted);
  return groups(numbers).filter((places) => numbers[places[0]] !== -1);
}

// Which of the new words stood there before: the places of a longest common subsequence.
function common(before, now) {
  const length = Array.from({ length: before.length + 1 }, () => new Array(now.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      length[i][j] = before[i] === now[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const stays = new Set();
  for (let i = 0, j = 0; i < before.length && j < now.length;) {
    if (before[i] === now[j]) { stays.add(j); i += 1; j += 1; } else if (length[i + 1][j] >= length[i][j + 1]) i += 1; else j += 1;
  }
  return stays;
}

// A row in which one weight is set, and the others share what is left as before.
function moved(weights, column, weight) {
  const set = Math.min(Math.max(weight, 0), 1);
  const rest = weights.reduce((sum, each, i) => sum + (i === column ? 0 : each), 0);
  const even = (1 - set) / Math.max(weights.length - 1, 1);
  return weights.map((each, i) => (i === column ? set : rest > 1e-9 ? (each * (1 - set)) / rest : even));
}

let sentence = ""; // what was translated last, in either tab

export function editTab(panel, models) {
  translateTab(panel, models.filter((one) => one.attention), true);
}

// editing: one model, its matrix, and the weights of a word laid open.
export function translateTab(panel, models, editing = false) {
  if (!models.length) { offer(panel, "translate"); return; }
  let view = editing ? "matrix" : "lines";
  let soon = null; // typing is followed by a translation when it pauses
  const told = () => chip(false);
  const columns = [new Column(() => view, told), new Column(() => view, told)];
  const text = make("textarea", { id: editing ? "edited" : "source", rows: "2", spellcheck: "false", "aria-label": say("text"), placeholder: say("typeHere") });
  const chooser = (chosen, empty) => make("select", { onchange: () => choose() }, ...(empty ? [option("", say("none"))] : []),
    ...models.map((one, i) => option(one.name, one.name, i === chosen)));
  const first = chooser(0, false);
  const beside = editing ? -1 : models.findIndex((one, i) => i && one.attention !== models[0].attention); // with attention, without
  const second = chooser(editing ? -1 : beside > 0 ? beside : models.length > 1 ? 1 : -1, true);
  const prefix = make("input", { type: "text", onchange: () => run() });
  const beam = make("select", { onchange: () => run() }, ...[1, 3, 5, 10].map((width) => option(String(width), String(width), width === 5)));
  const views = ["lines", "matrix"].map((name) => make("button", { type: "button", "aria-pressed": String(name === view),
    onclick: () => { view = name; views.forEach((each, i) => each.setAttribute("aria-pressed", String(["lines", "matrix"][i] === view))); redraw(); } }, say(name)));
  const redraw = () => columns.forEach((column) => column.found && column.model && column.draw());
  const run = () => {
    clearTimeout(soon);
    trouble("");
    chip();
    if (!text.value.trim()) return;
    sentence = text.value.trim();
    for (const column of columns) {
      if (column.model) column.run(sentence, Number(beam.value), prefix.value.trim()).then(() => editing && column.found?.attention && column.editing.hidden && column.edit(0));
    }
  };
  const choose = () => {
    const named = (name) => models.find((one) => one.name === name) ?? null;
    columns[0].use(named(first.value));
    columns[1].use(second.value === first.value ? null : named(second.value));
    run();
  };
  const another = async (greeting) => {
    try {
      const { source } = await get(`/api/sentence?words=9&seed=${Math.floor(Math.random() * 2 ** 31)}`);
      if (greeting === true && text.value) return; // somebody was faster
      text.value = source;
      prefix.value = "";
      run();
    } catch (error) { trouble(error.message); }
  };
  const practice = models.some((one) => one.domain.includes("korean"));
  // The words of the sentence; each offers others that fit in its place.
  const chips = make("p", { className: "chips" });
  const offers = make("p", { className: "chips offers", role: "group", "aria-label": say("fitting"), hidden: true });
  const chip = (fresh = true) => {
    if (fresh) offers.hidden = true;
    const words = text.value.trim().split(/\s+/).filter(Boolean);
    const unlearned = new Set(columns.flatMap((column) => (column.model && column.text === text.value.trim() && column.found?.unknown) || []));
    chips.hidden = !words.length || !(practice || unlearned.size);
    chips.replaceChildren(practice ? make("span", { className: "hint" }, say("exchange")) : "", ...words.map((word, i) => {
      const mark = unlearned.has(word) ? { className: "unlearned", title: say("unlearned") } : {};
      return practice ? make("button", { type: "button", ...mark, onclick: () => fit(words, i) }, word) : make("span", mark, word);
    }));
  };
  const fit = async (words, i) => {
    try {
      const found = await get(`/api/others?${new URLSearchParams({ text: words.join(" "), word: String(i) })}`);
      const put = (other) => { text.value = [...words.slice(0, found.first), other, ...words.slice(found.end)].join(" "); run(); };
      offers.hidden = false;
      offers.replaceChildren(make("span", { className: "hint" }, `${words.slice(found.first, found.end).join(" ")} →`),
        ...(found.words.length ? found.words.map((other) => make("button", { type: "button", onclick: () => put(other) }, other)) : [say("noneFit")]));
    } catch (error) { trouble(error.message); }
  };
  text.addEventListener("input", () => { clearTimeout(soon); soon = setTimeout(run, 600); });
  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); run(); } });
  panel.append(...(editing ? [make("p", { className: "hint" }, say("editTabHint"))] : []),
    text, chips, offers,
    make("div", { className: "bar" },
      make("button", { type: "button", className: "main", onclick: run }, say("translating")),
      practice ? make("button", { type: "button", onclick: another }, say("another")) : null,
      make("label", {}, say("model"), first), models.length > 1 && !editing ? make("label", {}, say("beside"), second) : null,
      make("label", {}, say("beam"), beam), make("span", { role: "group", "aria-label": say("view"), className: "pair" }, ...views),
      make("label", {}, say("begin"), prefix)),
    make("div", { className: "columns" }, ...columns.map((column) => column.root)));
  choose();
  onTheme(redraw);
  let wide = 0;
  new ResizeObserver(() => { if (panel.clientWidth !== wide) { wide = panel.clientWidth; redraw(); } }).observe(panel);
  panel.addEventListener("shown", () => {
    if (sentence && text.value.trim() !== sentence) { text.value = sentence; run(); } else if (!text.value && practice) another(true);
  });
}
