// The page: what the reader chooses, and what is drawn for it.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const part = (id) => document.getElementById(id);
  const night = matchMedia("(prefers-color-scheme: dark)");
  const picked = (name) => document.querySelector(`input[name="${name}"]:checked`).value;
  let map = data.maps[0];
  let view = null;
  let top = 1;
  let picture = null;
  let place = null;
  let drawnAt = 0; // the width of the page then

  const themes = {
    light: { ink: "#1f2933", soft: "#66727f", line: "#e3e8ee", frame: "#9aa5b1", accent: "#1c5fa6", stops: data.light },
    dark: { ink: "#e4e9ef", soft: "#9aa7b5", line: "#29323b", frame: "#52606d", accent: "#83b8e8", stops: data.dark },
  };
  // Palettes that begin with the paper's colour need lines between their cells.
  const blank = { light: "#ffffff", dark: "#181c22" };

  function lookFor(theme, width) {
    const { stops } = themes[theme];
    return {
      ...themes[theme],
      lines: stops[0] === blank[theme],
      swap: part("swap").checked,
      threshold: (top * part("threshold").value) / 100,
      rowName: shown(map.row_name),
      columnName: shown(map.column_name),
      top,
      width,
    };
  }

  const draw = (look) => (picked("view") === "lines" ? linesPicture(view, look) : matrixPicture(view, look));

  function redraw() {
    const figure = part("picture");
    part("least").value = ((top * part("threshold").value) / 100).toFixed(top < 0.2 ? 4 : 2);
    part("swaps").hidden = picked("view") === "lines";
    if (!view.rows.length || !view.columns.length) {
      picture = null;
      figure.textContent = "Nothing to show: only special pieces are left.";
      return;
    }
    drawnAt = figure.clientWidth;
    picture = draw(lookFor(night.matches ? "dark" : "light", drawnAt));
    figure.replaceChildren(picture.svg);
    if (place) mark(place);
  }

  // Another map, layer, head, unit: the matrix itself changes.
  function review() {
    const number = (id) => (part(id).value === "mean" ? null : Number(part(id).value));
    view = viewOf(map, {
      layer: number("layer"),
      head: number("head"),
      words: part("units").hidden || picked("unit") === "words",
      special: part("special").checked,
    });
    top = data.top ?? ceiling(largest(view.weights));
    mark(null);
    if (part("numbers").open) tabulate();
    redraw();
  }

  function choose() {
    map = data.maps[Number(part("map").value)];
    const fill = (id, label, count, chosen) => {
      part(label).hidden = count === 1;
      const names = [...Array(count).keys()].map(String);
      part(id).replaceChildren(...[...names, "mean"].map((name) => new Option(name, name, false, name === chosen)));
    };
    fill("layer", "layers", map.weights.length, String(map.weights.length - 1));
    fill("head", "heads", map.weights[0].length, map.weights[0].length === 1 ? "0" : "mean");
    const merges = [["rows", "row_words"], ["columns", "column_words"]].some(
      ([labels, numbers]) => groups(map[numbers]).length < map[labels].length || map[labels].some((label) => label.includes("▁")),
    );
    part("units").hidden = !merges;
    part("specials").hidden = ![...map.row_words, ...map.column_words].includes(-1);
    part("title").textContent = map.title ? shown(map.title) : data.maps.length > 1 ? `Map ${Number(part("map").value) + 1}` : document.title;
    part("picture").setAttribute("aria-label", `${shown(map.row_name)} by ${shown(map.column_name)}; the arrow keys move`);
    review();
  }

  // What a place says, in one line.
  function sentence({ row, column }) {
    const strongest = (weights, labels) =>
      weights.map((weight, i) => ({ weight, label: shown(labels[i]) }))
        .sort((a, b) => b.weight - a.weight).slice(0, 5).filter(({ weight }, i) => i === 0 || weight >= 0.02 * top)
        .map(({ weight, label }) => `${label} ${weight.toFixed(3)}`).join(", ");
    if (column === null) return `${shown(view.rows[row])} → ${strongest(view.weights[row], view.columns)}`;
    if (row === null) return `${shown(view.columns[column])} ← ${strongest(view.weights.map((weights) => weights[column]), view.rows)}`;
    return `${shown(view.rows[row])} → ${shown(view.columns[column])}: ${view.weights[row][column].toFixed(3)}`;
  }

  function mark(at) {
    place = at;
    picture?.mark(at);
    part("readout").textContent = at ? sentence(at) : "";
  }

  function tabulate() {
    const small = view.rows.length * view.columns.length <= 40000;
    const make = (name, text, attributes = {}) => Object.assign(document.createElement(name), { textContent: text, ...attributes });
    const heads = small ? view.columns.map(shown) : ["the strongest five"];
    const cells = (weights) => (small ? weights.map((weight) => weight.toFixed(3)) : [weights.map((weight, i) => [weight, i])
      .sort((a, b) => b[0] - a[0]).slice(0, 5).map(([weight, i]) => `${shown(view.columns[i])} ${weight.toFixed(3)}`).join(", ")]);
    const table = document.createElement("table");
    const line = document.createElement("tr");
    line.append(document.createElement("td"), ...heads.map((head) => make("th", head, { scope: "col" })));
    table.createTHead().append(line);
    const body = table.createTBody();
    view.weights.forEach((weights, row) => {
      const entry = body.insertRow();
      entry.append(make("th", shown(view.rows[row]), { scope: "row" }), ...cells(weights).map((text) => make("td", text)));
    });
    table.prepend(make("caption", `${shown(map.row_name)} (rows) by ${shown(map.column_name)} (columns)`));
    part("table").replaceChildren(table);
  }

  async function copy() {
    if (!picture) return;
    const text = new XMLSerializer().serializeToString(draw({ ...lookFor("light", 900), background: "#ffffff" }).svg);
    let told = "Copied";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(field);
      field.select();
      told = document.execCommand("copy") ? "Copied" : "Copying is not allowed here";
      field.remove();
    }
    part("copy").textContent = told;
    setTimeout(() => { part("copy").textContent = "Copy as SVG"; }, 1600);
  }

  const pointed = (event) => {
    if (!picture) return;
    const corner = picture.svg.getBoundingClientRect();
    mark(picture.locate(event.clientX - corner.left, event.clientY - corner.top, event.target));
  };
  part("picture").addEventListener("pointermove", pointed);
  part("picture").addEventListener("pointerdown", pointed);
  part("picture").addEventListener("pointerleave", (event) => event.pointerType === "mouse" && mark(null));
  part("picture").addEventListener("keydown", (event) => {
    if (event.key === "Escape") mark(null);
    if (!event.key.startsWith("Arrow") || !picture) return;
    event.preventDefault();
    mark(picture.move(place, event.key));
  });
  part("numbers").addEventListener("toggle", () => part("numbers").open && tabulate());
  part("copy").addEventListener("click", copy);
  part("map").addEventListener("change", choose);
  for (const id of ["layer", "head", "special"]) part(id).addEventListener("change", review);
  part("units").addEventListener("change", review);
  part("swap").addEventListener("change", redraw);
  part("threshold").addEventListener("input", redraw);
  document.querySelectorAll('input[name="view"]').forEach((input) => input.addEventListener("change", () => { mark(null); redraw(); }));
  night.addEventListener("change", redraw);
  new ResizeObserver(() => part("picture").clientWidth !== drawnAt && redraw()).observe(part("picture"));

  part("swap").checked = data.swap;
  if (data.lines) document.querySelector('input[name="view"][value="lines"]').checked = true;
  part("chooser").hidden = data.maps.length === 1;
  part("map").append(...data.maps.map((each, i) => new Option(each.title ? shown(each.title) : `Map ${i + 1}`, String(i))));
  choose();
})();
