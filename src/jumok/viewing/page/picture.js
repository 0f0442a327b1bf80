// Captions over their pictures: point at a word, and the picture is lit where the look rested.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const part = (id) => document.getElementById(id);
  const make = (name, values = {}, ...inside) => {
    const made = Object.assign(document.createElement(name), values);
    made.append(...inside);
    return made;
  };
  const STRIP = 112;
  const EACH = 650;
  const LAST = 1800;
  const looks = [];
  let playing = null;

  // The weights of one word, by region: of one layer and head, or the mean over all heads.
  function regionsOf(map, word) {
    const chosen = (id, list) => {
      const value = part(id).value;
      return value === "" ? [list[list.length - 1]] : value === "mean" ? list : [list[Math.min(Number(value), list.length - 1)]];
    };
    const rows = chosen("layer", map.weights).flatMap((layer) => chosen("head", layer)).map((head) => head[word]);
    return rows[0].map((_, place) => rows.reduce((sum, row) => sum + row[place], 0) / rows.length);
  }

  function light(canvas, image, wide, map, word) {
    const how = { smooth: part("smooth").checked, dark: data.dark, even: data.even };
    lightUp(canvas, image, wide, word === null ? null : regionsOf(map, word), map.grid, how);
  }

  function mark(look, word) {
    look.word = word;
    look.buttons.forEach((button, number) => button.setAttribute("aria-pressed", String(number === word)));
    look.panels.forEach((panel, number) => panel.toggleAttribute("data-on", number === word));
    light(look.large, look.image, Math.min(512, look.image.naturalWidth * 3), look.map, word);
    if (word === null) {
      part("readout").textContent = "";
      return;
    }
    const weights = regionsOf(look.map, word);
    const place = weights.indexOf(Math.max(...weights));
    const [row, column] = [Math.floor(place / look.map.grid[1]) + 1, (place % look.map.grid[1]) + 1];
    part("readout").textContent =
      `${look.map.rows[word]}: most at row ${row}, column ${column} of ${look.map.grid.join(" × ")} regions, ${weights[place].toFixed(3)}`;
  }

  function redraw() {
    for (const look of looks) {
      look.panels.forEach((panel, word) => light(panel.querySelector("canvas"), look.image, STRIP, look.map, word));
      mark(look, look.word);
    }
  }

  function built(map, image) {
    const look = { map, image, word: null, large: make("canvas"), buttons: [], panels: [] };
    const caption = make("p", { className: "told" });
    const strip = make("div", { className: "strip" });
    map.rows.forEach((word, number) => {
      const button = make("button", { type: "button", textContent: word });
      const panel = make("figure", {}, make("canvas"), make("figcaption", { textContent: word }));
      for (const one of [button, panel]) {
        one.addEventListener("pointerenter", () => playing || mark(look, number));
        one.addEventListener("click", () => { stop(); mark(look, number); });
      }
      button.addEventListener("focus", () => playing || mark(look, number));
      caption.append(map.glued[number] || number === 0 ? "" : " ", button);
      strip.append(panel);
      look.buttons.push(button);
      look.panels.push(panel);
    });
    caption.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const next = look.buttons[look.buttons.indexOf(document.activeElement) + step];
      if (step && next) { next.focus(); event.preventDefault(); }
    });
    const section = make("section", { className: "look" });
    if (map.title) section.append(make("h2", { textContent: map.title }));
    section.append(look.large, make("div", {}, caption, strip));
    part("maps").append(section);
    looks.push(look);
  }

  function stop() {
    clearTimeout(playing);
    playing = null;
    part("play").textContent = "Play";
  }

  // All captions at once, each word in turn; then the pictures as they are.
  function play(step) {
    const longest = Math.max(...looks.map((look) => look.map.rows.length));
    for (const look of looks) mark(look, step < look.map.rows.length ? step : null);
    playing = step >= longest ? setTimeout(stop, LAST) : setTimeout(() => play(step + 1), EACH);
  }

  function fill(id, label, count, mean) {
    part(label).hidden = count === 1;
    const names = [...Array(count).keys()].map(String);
    part(id).append(...names.map((name) => new Option(name, name)), new Option("mean", "mean"));
    part(id).value = mean ? "mean" : String(count - 1);
    part(id).addEventListener("change", redraw);
  }

  const images = data.pictures.map((content) => {
    const image = new Image();
    image.src = `data:image/${content.startsWith("/9j/") ? "jpeg" : "png"};base64,${content}`;
    return image;
  });
  Promise.all(images.map((image) => image.decode())).then(() => {
    const several = (count) => Math.max(...data.maps.map(count));
    fill("layer", "layers", several((map) => map.weights.length), false);
    fill("head", "heads", several((map) => map.weights[0].length), true);
    part("smooth").addEventListener("change", redraw);
    part("play").addEventListener("click", () => {
      if (playing) { stop(); return; }
      part("play").textContent = "Stop";
      play(0);
    });
    for (const map of data.maps) built(map, images[map.seen]);
    redraw();
  });
})();
