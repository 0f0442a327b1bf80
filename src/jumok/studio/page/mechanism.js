// Mechanism: looks, a step at a time; the address keeps its numbers.

import { make, option, post, trouble } from "/page/parts.js";
import { planeOf } from "/page/plane.js";
import { say } from "/page/words.js";

const DICTIONARY = {
  queries: [[0.1, 0.9]],
  keys: [["computer", [1, 0.1], [9]], ["dog", [0.2, 0.9], [2]], ["cat", [0.1, 1], [3]]],
  score: "dot", normalize: "softmax", temperature: 1, window: "none", width: 1, select: "soft", k: 2, shown: 0, steps: 6, draws: 1, seed: 0,
};
const EQUATIONS = {
  dot: "eᵢ = q · kᵢ", scaled_dot: "eᵢ = q · kᵢ / √d", cosine: "eᵢ = q · kᵢ / (|q| |kᵢ|)", general: "eᵢ = q · W kᵢ",
  additive: "eᵢ = v · tanh(W q + U kᵢ)", concat: "eᵢ = v · tanh(W [q; kᵢ])", location: "e = W q", gaussian: "eᵢ = exp(−|q − kᵢ|² / 2)",
  boxcar: "eᵢ = 1 if |q − kᵢ| ≤ 1, else 0", epanechnikov: "eᵢ = max(1 − |q − kᵢ|², 0)", constant: "eᵢ = 1",
};
const NORMALIZED = {
  softmax: "αᵢ = exp(eᵢ / τ) / Σⱼ exp(eⱼ / τ)", sparsemax: "α = argmin |α − e / τ|²,  αᵢ ≥ 0,  Σᵢ αᵢ = 1",
  entmax15: "αᵢ = max(eᵢ / 2τ − θ, 0)²,  Σᵢ αᵢ = 1", sum: "αᵢ = eᵢ^(1/τ) / Σⱼ eⱼ^(1/τ)",
};
const WINDOWED = { none: "", local_m: ",  |i − t| ≤ D", local_p: ",  |i − p| ≤ D,  p = S σ(v · tanh(W q)),  × exp(−2 (i − p)² / D²)" };
const SELECTED = {
  soft: "wᵢ = αᵢ", hard: "i ~ α,  wᵢ = 1", straight_through: "i ~ α,  wᵢ = 1,  ∂w = ∂α", gumbel: "w = softmax(log α + g),  gᵢ ~ Gumbel",
  top_k: "wᵢ = αᵢ / Σ α  of the k largest",
};
const LEARNED = ["general", "additive", "concat", "location"];
const DRAWN = ["hard", "straight_through", "gumbel"];
const STAGES = 6;
const MOST = { queries: 8, keys: 50, draws: 1000 };

export function mechanismTab(panel, _, models) {
  let state = structuredClone(DICTIONARY);
  let asking = 0; // what comes back late does not replace what was asked after it
  const inputs = make("div", { className: "inputs" });
  const stages = make("div", { className: "stages" });
  const choose = (names, field, said = (name) => name) => make("select", { onchange: (event) => {
    state[field] = event.target.value;
    state.draws = 1;
    look();
  } }, ...names.map((name) => option(name, said(name))));
  const whole = (field, least) => make("input", { type: "number", min: String(least), max: "50", step: "1", onchange: (event) => {
    state[field] = Math.min(Math.max(Math.round(Number(event.target.value) || 0), least), 50);
    event.target.value = String(state[field]);
    look();
  } });
  const score = choose(Object.keys(EQUATIONS), "score");
  const normalize = choose(Object.keys(NORMALIZED), "normalize");
  const around = choose(Object.keys(WINDOWED), "window", (name) => (name === "none" ? say("everywhere") : name));
  const select = choose(Object.keys(SELECTED), "select", (name) => say(`select_${name}`));
  const width = whole("width", 1);
  const k = whole("k", 1);
  const widthLabel = make("label", {}, say("width"), width);
  const kLabel = make("label", {}, "k", k);
  const temperature = make("input", { type: "range", min: "-2", max: "2", step: "0.05", oninput: (event) => {
    state.temperature = Number((10 ** Number(event.target.value)).toPrecision(3));
    look();
  } });
  const warmth = make("output");
  const draw = (more) => () => { state.draws = Math.min(state.draws + more, MOST.draws); look(); };
  const drawing = make("div", { className: "bar" },
    make("button", { type: "button", onclick: draw(1) }, say("drawAgain")),
    make("button", { type: "button", onclick: draw(100) }, say("drawMany")),
    make("button", { type: "button", onclick: () => { state.draws = 1; state.seed += 1; look(); } }, say("drawAfresh")));

  const numbers = (text) => {
    const found = text.split(/[\s,]+/).filter(Boolean).map(Number);
    if (!found.length || found.some((number) => !Number.isFinite(number))) throw new Error(say("noNumbers", text.trim()));
    return found;
  };
  const vector = (value, label, set) => make("input", { type: "text", value: value.join(", "), "aria-label": label, inputmode: "text",
    onchange: (event) => { try { set(numbers(event.target.value)); look(); } catch (error) { trouble(error.message); } } });
  const drop = (list, i, label) => make("button", { type: "button", className: "quiet", "aria-label": label, disabled: list.length < 2, onclick: () => {
    list.splice(i, 1);
    state.shown = Math.min(state.shown, state.queries.length - 1);
    refresh();
  } }, "×");
  const head = (name) => make("span", { className: "hint", "aria-hidden": "true" }, say(name));
  const refresh = () => { fields(); look(); };

  function fields() {
    const queries = state.queries.flatMap((query, i) => {
      const show = make("input", { type: "radio", name: "shown-query", checked: state.shown === i, "aria-label": say("showQuery", i + 1),
        onchange: () => { state.shown = i; look(); } });
      return [make("label", { className: "which" }, show, `q${state.queries.length > 1 ? i + 1 : ""}`),
        vector(query, `${say("query")} ${i + 1}`, (value) => { state.queries[i] = value; }), drop(state.queries, i, say("without", `q${i + 1}`))];
    });
    const keys = state.keys.flatMap((entry, i) => [
      make("input", { type: "text", value: entry[0], "aria-label": `${say("name")} ${i + 1}`, onchange: (event) => { entry[0] = event.target.value; look(); } }),
      vector(entry[1], `${say("keys")} ${i + 1}`, (value) => { entry[1] = value; }),
      vector(entry[2], `${say("values")} ${i + 1}`, (value) => { entry[2] = value; }),
      drop(state.keys, i, say("without", entry[0] || String(i + 1))),
    ]);
    const more = (list, most, made, name) => make("button", { type: "button", disabled: list.length >= most, onclick: () => { list.push(made()); refresh(); } }, say(name));
    inputs.replaceChildren(
      make("div", {}, make("h2", {}, say("queries")), make("div", { className: "queries" }, ...queries),
        more(state.queries, MOST.queries, () => state.queries[0].map(() => 0), "addQuery")),
      make("div", {}, make("h2", {}, say("keysAndValues")), make("div", { className: "vectors" }, head("name"), head("keys"), head("values"), make("span"), ...keys),
        more(state.keys, MOST.keys, () => ["", state.keys[0][1].map(() => 0), state.keys[0][2].map(() => 0)], "addKey")));
    for (const [field, control] of Object.entries({ score, normalize, window: around, select, width, k })) control.value = String(state[field]);
    temperature.value = String(Math.log10(state.temperature));
  }

  const label = (i) => state.keys[i]?.[0] || `k${i + 1}`;
  const text = (vector) => `(${vector.map((number) => Number(number.toFixed(3))).join(", ")})`;

  // A vector as small columns: up is above zero, down below.
  function columns(vector, [top, below]) {
    return make("span", { className: below ? "columns-of both" : "columns-of", "aria-hidden": "true" }, ...vector.map((number) => {
      const bar = make("i", { className: number < 0 ? "below" : "" });
      bar.style.height = `${Math.min(((below ? 50 : 100) * Math.abs(number)) / top, 100)}%`;
      return make("span", {}, bar);
    }));
  }

  function bars(values, top, { marks = null, allowed = null, said = (value) => value.toFixed(3) } = {}) {
    return make("div", { className: "bars" }, ...values.flatMap((value, i) => {
      const bar = make("i", { className: value < 0 ? "below" : "" });
      bar.style.width = `${Math.min((100 * Math.abs(value)) / top, 100)}%`;
      const of = make("span", { className: "of" }, bar);
      if (marks) {
        const mark = make("b");
        mark.style.left = `${Math.min((100 * marks[i]) / top, 100)}%`;
        of.append(mark);
      }
      const out = allowed && !allowed[i];
      return [make("span", { className: out ? "out" : "" }, label(i), out ? make("small", {}, ` ${say("outside")}`) : null), of,
        make("span", { className: "number" }, said(value))];
    }));
  }

  const largestOf = (vectors) => Math.max(...vectors.flat().map(Math.abs), 1e-9);

  // What stands in each stage, for the query that is shown.
  function list(found) {
    const t = state.shown;
    const query = state.queries[t];
    const [scores, allowed, probabilities, weights, weighted, context] = ["scores", "allowed", "probabilities", "weights", "weighted", "context"].map((name) => found[name][t]);
    const drawn = DRAWN.includes(state.select);
    const told = drawn
      ? [bars(found.counts[t].map((count) => count / state.draws), 1, { marks: probabilities, said: (share) => String(Math.round(share * state.draws)) }),
        make("p", { className: "hint" }, say(state.select === "gumbel" ? "drawsGumbel" : "draws", state.draws)), drawing,
        make("p", {}, say("lastDraw", found.choice && found.choice[t] >= 0 ? label(found.choice[t]) : text(weights)))]
      : [bars(weights, 1), make("p", { className: "hint" }, say(state.select === "soft" ? "sameEachTime" : "keepsK", state.k))];
    const scaleOf = (vectors) => [largestOf(vectors), vectors.flat().some((number) => number < 0)];
    const tops = [[query, ...state.keys.map((entry) => entry[1])], state.keys.map((entry) => entry[2]), [...weighted, context]].map(scaleOf);
    const table = (rows) => make("table", { className: "rows" }, make("tbody", {}, ...rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell))))));
    return [
      ["stage0", "q,  kᵢ,  vᵢ", [table([["q", columns(query, tops[0]), text(query), "", "", ""],
        ...state.keys.map((entry, i) => [label(i), columns(entry[1], tops[0]), text(entry[1]), "→", columns(entry[2], tops[1]), text(entry[2])])])]],
      ["stage1", EQUATIONS[state.score], [bars(scores, largestOf([scores]), { allowed }), LEARNED.includes(state.score) ? make("p", { className: "hint" }, say("byChance")) : null]],
      ["stage2", NORMALIZED[state.normalize] + WINDOWED[state.window], [bars(probabilities, 1, { allowed })]],
      ["stage3", SELECTED[state.select], told],
      ["stage4", "wᵢ vᵢ", [table(weighted.map((value, i) => [label(i), `${weights[i].toFixed(3)} × ${text(state.keys[i][2])}`, "=", columns(value, tops[2]), text(value)]))]],
      ["stage5", "c = Σᵢ wᵢ vᵢ", [make("p", { className: "told" }, columns(context, tops[2]), " ", text(context))]],
    ];
  }

  // All queries at once, as the matrix that the other tabs show.
  function everyQuery(found) {
    const cell = (weight) => {
      const made = make("td", {}, weight.toFixed(3));
      made.style.setProperty("--share", `${Math.round(Math.min(weight, 1) * 45)}%`);
      return made;
    };
    return make("section", { className: "stage card", "aria-label": say("everyQuery") }, make("h2", {}, say("everyQuery")),
      make("div", { className: "scroll", tabindex: "0" }, make("table", { className: "shaded" },
        make("thead", {}, make("tr", {}, make("td"), ...state.keys.map((_key, i) => make("th", { scope: "col" }, label(i))), make("th", { scope: "col" }, say("context")))),
        make("tbody", {}, ...found.weights.map((row, t) => make("tr", {}, make("th", { scope: "row" }, `q${t + 1} ${text(state.queries[t])}`),
          ...row.map(cell), make("td", {}, text(found.context[t]))))))));
  }

  async function look() {
    const mine = (asking += 1);
    warmth.value = String(state.temperature);
    widthLabel.hidden = state.window === "none";
    kLabel.hidden = state.select !== "top_k";
    next.disabled = all.disabled = state.steps >= STAGES;
    trouble("");
    const { queries, score: by, normalize: norm, temperature: warm, window: where, width: wide, select: how, k: best, draws, seed } = state;
    const asked = { queries, keys: state.keys.map((entry) => entry[1]), values: state.keys.map((entry) => entry[2]), score: by, normalize: norm,
      temperature: warm, window: where, width: wide, select: how, k: best, draws, seed };
    history.replaceState(null, "", `#mechanism?${encodeURIComponent(JSON.stringify(state))}`);
    try {
      const found = await post("/api/mechanism", asked);
      if (mine !== asking) return;
      stages.replaceChildren(...list(found).slice(0, state.steps).map(([name, equation, inside]) => make("section", { className: "stage card", "aria-label": say(name) },
        make("h2", {}, say(name)), make("p", { className: "equation" }, equation), ...inside)),
      ...(queries.length > 1 && state.steps >= STAGES ? [everyQuery(found)] : []));
    } catch (error) { trouble(error.message); }
  }

  const go = (count) => {
    state.steps = Math.min(Math.max(count, 1), STAGES);
    look().then(() => stages.children[state.steps - 1]?.scrollIntoView({ block: "nearest" }));
  };
  const first = make("button", { type: "button", onclick: () => go(1) }, say("first"));
  const next = make("button", { type: "button", className: "main", onclick: () => go(state.steps + 1) }, say("next"));
  const all = make("button", { type: "button", onclick: () => go(STAGES) }, say("all"));
  const copy = make("button", { type: "button", onclick: async () => {
    try { await navigator.clipboard.writeText(location.href); copy.textContent = say("copiedNow"); } catch { copy.textContent = say("copyByHand"); }
    setTimeout(() => { copy.textContent = say("copyLink"); }, 2500);
  } }, say("copyLink"));
  panel.append(make("p", { className: "hint" }, say("mechanismHint")), inputs,
    make("div", { className: "bar" },
      make("label", {}, say("score"), score), make("label", {}, say("normalize"), normalize),
      make("label", {}, say("temperature"), temperature, warmth), make("label", {}, say("window"), around), widthLabel,
      make("label", {}, say("select"), select), kLabel),
    make("div", { className: "bar" }, first, next, all,
      make("button", { type: "button", onclick: () => { state = structuredClone(DICTIONARY); refresh(); } }, say("dictionary")), copy),
    stages, planeOf(models));
  panel.addEventListener("shown", (event) => {
    try { if (event.detail) state = { ...structuredClone(DICTIONARY), ...JSON.parse(decodeURIComponent(event.detail)) }; } catch { /* an address that was cut: the dictionary */ }
    refresh();
  });
}
