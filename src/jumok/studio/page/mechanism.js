// Mechanism: one look, a step at a time; the address keeps its numbers.

import { make, option, post, trouble } from "/page/parts.js";
import { say } from "/page/words.js";

const DICTIONARY = {
  query: [0.1, 0.9],
  keys: [["computer", [1, 0.1], [9]], ["dog", [0.2, 0.9], [2]], ["cat", [0.1, 1], [3]]],
  score: "dot", normalize: "softmax", temperature: 1, centre: null, select: "soft",
};
const SCORES = ["dot", "scaled_dot", "cosine", "general", "additive", "concat", "gaussian", "boxcar", "epanechnikov"];
const EQUATIONS = {
  dot: "eᵢ = q · kᵢ", scaled_dot: "eᵢ = q · kᵢ / √d", cosine: "eᵢ = q · kᵢ / (|q| |kᵢ|)", general: "eᵢ = q · W kᵢ",
  additive: "eᵢ = v · tanh(W q + U kᵢ)", concat: "eᵢ = v · tanh(W [q; kᵢ])", gaussian: "eᵢ = exp(−|q − kᵢ|² / 2)",
  boxcar: "eᵢ = 1 if |q − kᵢ| < 1", epanechnikov: "eᵢ = max(1 − |q − kᵢ|, 0)",
};
const NORMALIZED = {
  softmax: "αᵢ = exp(eᵢ / τ) / Σⱼ exp(eⱼ / τ)", sparsemax: "α = argmin |α − e / τ|²  on the simplex",
  entmax15: "αᵢ = max(eᵢ / 2τ − θ, 0)²", sum: "αᵢ = eᵢ / Σⱼ eⱼ",
};

export function mechanismTab(panel) {
  let state = structuredClone(DICTIONARY);
  let steps = 5;
  let seed = 0;
  let draws = 1;
  const inputs = make("div", { className: "vectors" });
  const stages = make("div", { className: "stages" });
  const choose = (names, field, said = (name) => name) => make("select", { onchange: (event) => {
    state[field] = event.target.value;
    draws = 1;
    look();
  } }, ...names.map((name) => option(name, said(name))));
  const score = choose(SCORES, "score");
  const normalize = choose(Object.keys(NORMALIZED), "normalize");
  const select = choose(["soft", "hard"], "select", say);
  const temperature = make("input", { type: "range", min: "-2", max: "2", step: "0.05", oninput: (event) => {
    state.temperature = Number((10 ** Number(event.target.value)).toPrecision(3));
    look();
  } });
  const warmth = make("output");
  const around = make("select", { onchange: (event) => { state.centre = event.target.value === "" ? null : Number(event.target.value); look(); } });
  const again = make("button", { type: "button", onclick: () => { seed += 1; draws = Math.min(draws * 2 + 1, 1000); look(); } }, say("drawAgain"));

  const numbers = (text) => {
    const found = text.split(/[\s,]+/).filter(Boolean).map(Number);
    if (!found.length || found.some((number) => !Number.isFinite(number))) throw new Error(`${text || "…"}: 1, 0.5, …`);
    return found;
  };
  const vector = (value, label, set) => make("input", { type: "text", value: value.join(", "), "aria-label": label, inputmode: "decimal",
    onchange: (event) => { try { set(numbers(event.target.value)); look(); } catch (error) { trouble(error.message); } } });

  function fields() {
    inputs.replaceChildren(make("span", {}, say("query")), vector(state.query, say("query"), (value) => { state.query = value; }), make("span"),
      make("span", { className: "hint" }, say("name")), make("span", { className: "hint" }, say("keys")), make("span", { className: "hint" }, say("values")),
      ...state.keys.flatMap((entry, i) => [
        make("input", { type: "text", value: entry[0], "aria-label": `${say("name")} ${i + 1}`, onchange: (event) => { entry[0] = event.target.value; look(); } }),
        vector(entry[1], `${say("keys")} ${i + 1}`, (value) => { entry[1] = value; }),
        vector(entry[2], `${say("values")} ${i + 1}`, (value) => { entry[2] = value; }),
      ]));
    score.value = state.score;
    normalize.value = state.normalize;
    select.value = state.select;
    temperature.value = String(Math.log10(state.temperature));
    around.replaceChildren(option("", say("everywhere"), state.centre === null),
      ...state.keys.map((entry, i) => option(String(i), say("around", i + 1), state.centre === i)));
  }

  function bars(values, top, marks = null, text = (value) => value.toFixed(3)) {
    return make("div", { className: "bars" }, ...values.flatMap((value, i) => {
      const bar = make("i", { className: value < 0 ? "below" : "" });
      bar.style.width = `${Math.min((100 * Math.abs(value)) / top, 100)}%`;
      const of = make("span", { className: "of" }, bar);
      if (marks) {
        const mark = make("b");
        mark.style.left = `${(100 * marks[i]) / top}%`;
        of.append(mark);
      }
      return [make("span", {}, state.keys[i][0] || String(i + 1)), of, make("span", { className: "number" }, text(value))];
    }));
  }

  async function look() {
    warmth.value = String(state.temperature);
    trouble("");
    const asked = { query: state.query, keys: state.keys.map((entry) => entry[1]), values: state.keys.map((entry) => entry[2]), score: state.score,
      normalize: state.normalize, temperature: state.temperature, centre: state.centre, select: state.select, draws, seed };
    history.replaceState(null, "", `#mechanism?${encodeURIComponent(JSON.stringify(state))}`);
    try {
      const found = await post("/api/mechanism", asked);
      const most = Math.max(...found.scores.map(Math.abs), 1e-9);
      const hard = state.select === "hard";
      const vectorText = (vector) => `(${vector.map((number) => Number(number.toFixed(3))).join(", ")})`;
      const drawn = hard ? [bars(found.counts.map((count) => count / draws), 1, found.probabilities, (share) => String(Math.round(share * draws))),
        make("p", { className: "hint" }, say("draws", draws))] : [bars(found.weights, 1), make("p", { className: "hint" }, say("sameEachTime"))];
      const list = [
        ["stage1", EQUATIONS[state.score], [bars(found.scores, most)]],
        ["stage2", NORMALIZED[state.normalize], [bars(found.probabilities, 1)]],
        ["stage3", hard ? "i ~ α,  wᵢ = 1" : "wᵢ = αᵢ", drawn],
        ["stage4", "wᵢ vᵢ", [make("div", { className: "bars" }, ...found.weighted.flatMap((value, i) => [make("span", {}, state.keys[i][0]),
          make("span", {}, `${found.weights[i].toFixed(3)} × ${vectorText(state.keys[i][2])}`), make("span", { className: "number" }, vectorText(value))]))]],
        ["stage5", "c = Σᵢ wᵢ vᵢ", [make("p", { className: "told" }, vectorText(found.context))]],
      ];
      stages.replaceChildren(...list.map(([name, equation, inside], number) => {
        const stage = make("section", { className: "stage card", "aria-label": say(name) }, make("h2", {}, say(name)), make("p", { className: "equation" }, equation), ...inside);
        if (number >= steps) stage.hidden = true;
        return stage;
      }));
      again.hidden = !hard;
    } catch (error) { trouble(error.message); }
  }

  const go = (count) => { steps = Math.min(Math.max(count, 1), 5); look(); };
  panel.append(make("p", { className: "hint" }, say("mechanismHint")), inputs,
    make("div", { className: "bar" },
      make("button", { type: "button", onclick: () => { state = structuredClone(DICTIONARY); fields(); look(); } }, say("dictionary")),
      make("button", { type: "button", onclick: () => { state.keys.push(["", state.keys[0][1].map(() => 0), state.keys[0][2].map(() => 0)]); fields(); look(); } }, say("addKey")),
      make("label", {}, say("score"), score), make("label", {}, say("normalize"), normalize),
      make("label", {}, say("temperature"), temperature, warmth), make("label", {}, say("window"), around), make("label", {}, say("select"), select)),
    make("div", { className: "bar" }, make("button", { type: "button", onclick: () => go(1) }, say("first")),
      make("button", { type: "button", className: "main", onclick: () => go(steps + 1) }, say("next")),
      make("button", { type: "button", onclick: () => go(5) }, say("all")), again),
    stages, make("p", { className: "hint" }, say("copied")));
  panel.addEventListener("shown", (event) => {
    try { if (event.detail) state = { ...structuredClone(DICTIONARY), ...JSON.parse(decodeURIComponent(event.detail)) }; } catch { /* an address that was cut: the dictionary */ }
    fields();
    look();
  });
}
