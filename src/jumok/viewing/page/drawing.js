// Pictures of a view. Each gives its svg, the place under the pointer, and a way to mark a row and a column.

const NAMESPACE = "http://www.w3.org/2000/svg";
const FONTS = "Pretendard, 'Noto Sans KR', 'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic', NanumGothic, system-ui, sans-serif";
const LINE = 1.15;
const MOST_CELLS = 10000;
const MOST_LINES = 4000;

function element(name, attributes, text) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function paper(width, height, look, about) {
  const pad = look.background ? 12 : 0;
  const size = { width: Math.ceil(width) + 2 * pad, height: Math.ceil(height) + 2 * pad };
  const box = `${-pad} ${-pad} ${size.width} ${size.height}`;
  const svg = element("svg", { ...size, viewBox: box, role: "img", "aria-label": about, "font-family": FONTS, fill: look.ink });
  if (look.background) svg.append(element("rect", { x: -pad, y: -pad, ...size, fill: look.background }));
  return svg;
}

const ruler = document.createElement("canvas").getContext("2d");
const measured = (text, size, weight = 400) => {
  ruler.font = `${weight} ${size}px ${FONTS}`;
  return ruler.measureText(text).width;
};
const widest = (texts, size) => texts.reduce((most, text) => Math.max(most, measured(text, size)), 0);

// A label on one line, without letters that cannot be seen.
function shown(label) {
  if (label === " ") return "␣";
  return label.replace(/[\n\r]/g, "⏎").replaceAll("\t", "⇥").replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "�");
}

function shortened(text, size, limit) {
  if (measured(text, size) <= limit) return text;
  const letters = [...text];
  while (letters.length && measured(`${letters.join("")}…`, size) > limit) letters.pop();
  return `${letters.join("")}…`;
}

const rgb = (colour) => `rgb(${colour.join(",")})`;

// Every how many labels there is room for one.
const stepFor = (cell, needed) => [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * cell >= needed) ?? 1000;

function matrixPicture(view, look) {
  const [down, across] = (look.swap ? [view.columns, view.rows] : [view.rows, view.columns]).map((side) => side.map(shown));
  const [downName, acrossName] = look.swap ? [look.columnName, look.rowName] : [look.rowName, look.columnName];
  const weightAt = (i, j) => (look.swap ? view.weights[j][i] : view.weights[i][j]);
  const size = (count) => Math.min(40, Math.max(640 / count, Math.min(13.5, 900 / count)));

  // Sizes: cells shrink to fit the page, down to where labels still have room; then the picture scrolls.
  let width = size(Math.max(across.length, 1));
  let height = size(Math.max(down.length, 1));
  if (Math.min(width, height) >= 12) width = height = Math.min(width, height);
  const square = width === height;
  const lettersOf = () => Math.min(14, Math.max(10, 0.55 * Math.min(width, height)));
  const longest = Math.min(16 * lettersOf(), look.width * 0.34);
  const left = Math.ceil(Math.max(Math.min(widest(down, lettersOf()), longest), measured(`${downName} ↓`, 12))) + 10;
  width = Math.max(Math.min(width, (look.width - left - 24) / across.length), Math.min(width, 14));
  if (square) height = Math.min(height, Math.max(width, 18));
  const letters = lettersOf();
  const fits = across.every((label) => measured(label, letters) <= width - 4);
  const slant = fits ? 0 : width * Math.SQRT1_2 >= LINE * letters ? 45 : 60;
  const lean = (slant * Math.PI) / 180;
  const step = { down: stepFor(height, LINE * letters), across: stepFor(width, fits ? 0 : (LINE * letters) / Math.sin(lean)) };
  const labels = {
    down: down.map((label, i) => (i % step.down ? null : shortened(label, letters, longest))),
    across: across.map((label, j) => (j % step.across ? null : shortened(label, letters, 16 * letters))),
  };
  const reach = labels.across.map((label, j) => (label === null ? 0 : (j + 0.75) * width + measured(label, letters, 600) * Math.cos(lean)));
  const rise = fits ? 0 : Math.sin(lean) * Math.max(0, ...labels.across.map((label) => (label === null ? 0 : measured(label, letters, 600))));
  const top = Math.ceil(18 + rise + letters + 4);
  const inner = { width: width * across.length, height: height * down.length };
  const right = fits ? 0 : Math.max(0, Math.max(0, ...reach) - inner.width);
  const svg = paper(Math.max(left + inner.width + right + 2, left + 170), top + inner.height + 40, look,
    `${downName} by ${acrossName}, ${down.length} × ${across.length} weights`);

  svg.append(element("text", { x: left - 8, y: top - 6 - Math.max(0, (letters - height) / 2), "font-size": 12, "text-anchor": "end", fill: look.soft }, `${downName} ↓`));
  svg.append(element("text", { x: left, y: 12, "font-size": 12, fill: look.soft }, `${acrossName} →`));
  const texts = { down: [], across: [] };
  labels.down.forEach((label, i) => {
    if (label === null) return;
    const y = top + (i + 0.5) * height + 0.35 * letters;
    svg.append((texts.down[i] = element("text", { x: left - 8, y, "font-size": letters, "text-anchor": "end" }, label)));
  });
  labels.across.forEach((label, j) => {
    if (label === null) return;
    const x = left + (j + 0.5) * width + (fits ? 0 : 0.25 * letters);
    const turn = fits ? { "text-anchor": "middle" } : { transform: `rotate(${-slant} ${x} ${top - 6})` };
    svg.append((texts.across[j] = element("text", { x, y: top - 6, "font-size": letters, ...turn }, label)));
  });

  const share = (weight) => (weight >= look.threshold ? weight / look.top : 0);
  if (down.length * across.length > MOST_CELLS) {
    svg.append(imageOf(down.length, across.length, look.stops, (i, j) => share(weightAt(i, j)), { x: left, y: top, ...inner }));
  } else {
    const plain = look.lines && Math.min(width, height) >= 8 ? { stroke: look.line, "stroke-width": width >= 20 ? 1 : 0.5 } : { "shape-rendering": "crispEdges" };
    const cells = element("g", plain);
    for (let i = 0; i < down.length; i += 1) {
      for (let j = 0; j < across.length; j += 1) {
        cells.append(element("rect", { x: left + j * width, y: top + i * height, width, height, fill: rgb(colourAt(look.stops, share(weightAt(i, j)))) }));
      }
    }
    svg.append(cells);
  }
  svg.append(element("rect", { x: left, y: top, ...inner, fill: "none", stroke: look.frame }));
  svg.append(scale(left, top + inner.height + 18, look));
  const bands = element("g", { fill: "none", stroke: look.accent, "stroke-width": 1.5, "pointer-events": "none" });
  svg.append(bands);

  const turned = ({ i, j }) => (look.swap ? { row: j, column: i } : { row: i, column: j });
  return {
    svg,
    locate(x, y) {
      const i = Math.floor((y - top) / height);
      const j = Math.floor((x - left) / width);
      const inDown = i >= 0 && i < down.length;
      if (y < top && y > 16) {
        const foot = Math.floor((x - left - (fits ? 0 : (top - 6 - y) / Math.tan(lean))) / width);
        return foot >= 0 && foot < across.length ? turned({ i: null, j: foot }) : null;
      }
      if (inDown && x < left) return turned({ i, j: null });
      return inDown && j >= 0 && j < across.length ? turned({ i, j }) : null;
    },
    mark(place) {
      const { row, column } = place ?? { row: null, column: null };
      const [i, j] = look.swap ? [column, row] : [row, column];
      bands.replaceChildren();
      if (i !== null) bands.append(element("rect", { x: left, y: top + i * height, width: inner.width, height, opacity: j === null ? 1 : 0.45 }));
      if (j !== null) bands.append(element("rect", { x: left + j * width, y: top, width, height: inner.height, opacity: i === null ? 1 : 0.45 }));
      if (i !== null && j !== null) {
        const cell = { x: left + j * width, y: top + i * height, width, height };
        bands.append(element("rect", { ...cell, "stroke-width": 2 }));
      }
      texts.down.forEach((text, at) => text.setAttribute("font-weight", at === i ? 600 : 400));
      texts.across.forEach((text, at) => text.setAttribute("font-weight", at === j ? 600 : 400));
    },
    move(place, key) {
      const at = place ?? { row: 0, column: 0 };
      const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
      const [rows, columns] = look.swap ? [by[1], by[0]] : by;
      return place === null ? at : { row: within((at.row ?? 0) + rows, view.rows.length), column: within((at.column ?? 0) + columns, view.columns.length) };
    },
  };
}

const within = (place, count) => Math.min(Math.max(place, 0), count - 1);

// Cells too many to draw one by one, as an image; colours come from a table, since there may be millions.
function imageOf(height, width, stops, share, where) {
  const shades = 1024;
  const table = Uint8Array.from(Array.from({ length: shades }, (_, i) => colourAt(stops, i / (shades - 1))).flat());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(width, height);
  for (let i = 0; i < height; i += 1) {
    for (let j = 0; j < width; j += 1) {
      const from = 3 * Math.round(Math.min(Math.max(share(i, j), 0), 1) * (shades - 1));
      const to = 4 * (i * width + j);
      pixels.data[to] = table[from];
      pixels.data[to + 1] = table[from + 1];
      pixels.data[to + 2] = table[from + 2];
      pixels.data[to + 3] = 255;
    }
  }
  context.putImageData(pixels, 0, 0);
  return element("image", { ...where, href: canvas.toDataURL(), preserveAspectRatio: "none", style: "image-rendering:pixelated" });
}

function scale(x, y, look) {
  const drawn = element("g", { "font-size": 11 });
  drawn.append(element("text", { x, y: y + 8, fill: look.soft }, "0"));
  drawn.append(element("rect", { x: x + 11, y: y - 1, width: 122, height: 10, fill: look.frame, "shape-rendering": "crispEdges" }));
  for (let step = 0; step < 30; step += 1) {
    const fill = rgb(colourAt(look.stops, step / 29));
    drawn.append(element("rect", { x: x + 12 + 4 * step, y, width: 4, height: 8, fill, "shape-rendering": "crispEdges" }));
  }
  drawn.append(element("text", { x: x + 138, y: y + 8, fill: look.soft }, String(look.top)));
  return drawn;
}

// Lines between the sentences: what was looked at above, what came out below; side by side where that is too wide.
function linesPicture(view, look) {
  const source = view.columns.map(shown);
  const target = view.rows.map(shown);
  const many = Math.max(source.length, target.length) > 60;
  const letters = many ? 11 : 15;
  const words = (texts) => texts.reduce((sum, text) => sum + measured(text, letters, 600), 0);
  const span = (texts, gap) => words(texts) + gap * (texts.length - 1);
  const upright = Math.max(span(source, 14), span(target, 14)) > look.width - 24;
  const [ends, svg] = upright ? sideBySide() : oneAbove();

  function oneAbove() {
    const full = Math.min(look.width - 24, Math.max(span(source, 36), span(target, 36), 240));
    const tall = Math.min(220, Math.max(110, 0.3 * full));
    const place = (texts, y, side) => {
      const gap = Math.min(52, (full - words(texts)) / Math.max(texts.length - 1, 1));
      let x = 12 + (full - span(texts, gap)) / 2;
      return texts.map((text) => {
        const width = measured(text, letters, 600);
        const at = { x: x + width / 2, y, text, anchor: "middle", box: { x: x - gap / 2, y: y - 20, width: width + gap, height: 28 } };
        x += width + gap;
        return { ...at, foot: { x: at.x, y: side === "source" ? y + 9 : y - 18 } };
      });
    };
    const drawn = paper(full + 24, tall + 94, look, `Lines from ${look.rowName} to ${look.columnName}`);
    drawn.append(element("text", { x: 4, y: 12, "font-size": 12, fill: look.soft }, look.columnName));
    drawn.append(element("text", { x: 4, y: tall + 88, "font-size": 12, fill: look.soft }, look.rowName));
    return [{ source: place(source, 42, "source"), target: place(target, 42 + tall + 20, "target") }, drawn];
  }

  function sideBySide() {
    const pitch = many ? 16 : 26;
    const tall = pitch * Math.max(source.length, target.length);
    const most = look.width * 0.36;
    const sides = { source: Math.min(most, widest(source, letters) * 1.06), target: Math.min(most, widest(target, letters) * 1.06) };
    const full = Math.min(look.width, sides.source + sides.target + 340);
    const place = (texts, side) => {
      const apart = tall / texts.length;
      const x = side === "source" ? sides.source + 2 : full - sides.target - 2;
      return texts.map((text, i) => {
        const y = 24 + (i + 0.5) * apart;
        const box = { x: side === "source" ? 0 : x - 6, y: y - apart / 2, width: sides[side] + 8, height: apart };
        const foot = { x: side === "source" ? x + 7 : x - 7, y };
        return { x, y: y + 0.35 * letters, text: shortened(text, letters, sides[side]), anchor: side === "source" ? "end" : "start", box, foot };
      });
    };
    const drawn = paper(full, tall + 30, look, `Lines from ${look.rowName} to ${look.columnName}`);
    drawn.append(element("text", { x: sides.source + 2, y: 12, "font-size": 12, "text-anchor": "end", fill: look.soft }, look.columnName));
    drawn.append(element("text", { x: full - sides.target - 2, y: 12, "font-size": 12, fill: look.soft }, look.rowName));
    return [{ source: place(source, "source"), target: place(target, "target") }, drawn];
  }

  const least = Math.max(look.threshold, 0.02 * look.top);
  const found = view.weights.flatMap((weights, row) => weights.flatMap((weight, column) => (weight >= least ? [{ row, column, weight }] : [])));
  const strongest = found.sort((a, b) => b.weight - a.weight).slice(0, MOST_LINES).reverse();
  const bundle = element("g", { fill: "none", stroke: look.accent, "stroke-linecap": "round" });
  const lines = strongest.map((link) => {
    const [a, b] = [ends.source[link.column].foot, ends.target[link.row].foot];
    const bend = upright ? [`${(a.x + b.x) / 2} ${a.y}`, `${(a.x + b.x) / 2} ${b.y}`] : [`${a.x} ${(a.y + b.y) / 2}`, `${b.x} ${(a.y + b.y) / 2}`];
    const share = Math.min(link.weight / look.top, 1);
    const path = element("path", {
      d: `M${a.x} ${a.y}C${bend[0]} ${bend[1]} ${b.x} ${b.y}`,
      "stroke-width": (0.6 + (many ? 3 : 7) * share).toFixed(2),
      "stroke-opacity": (0.15 + 0.75 * share).toFixed(2),
      "data-row": link.row,
      "data-column": link.column,
    });
    bundle.append(path);
    return { ...link, path };
  });
  svg.append(bundle);
  const texts = Object.fromEntries(Object.entries(ends).map(([side, list]) => [side, list.map((end, i) => {
    const name = side === "source" ? "data-column" : "data-row";
    const text = element("text", { x: end.x, y: end.y, "font-size": letters, "text-anchor": end.anchor }, end.text);
    svg.append(text, element("rect", { ...end.box, fill: "transparent", [name]: i }));
    return text;
  })]));

  return {
    svg,
    locate(x, y, at) {
      const hit = at?.closest?.("[data-row],[data-column]");
      const number = (name) => (hit.hasAttribute(name) ? Number(hit.getAttribute(name)) : null);
      return hit ? { row: number("data-row"), column: number("data-column") } : null;
    },
    mark(place) {
      const { row, column } = place ?? { row: null, column: null };
      const touched = (link) => (row === null || link.row === row) && (column === null || link.column === column);
      const bold = { source: new Set([column]), target: new Set([row]) };
      for (const link of lines) {
        link.path.setAttribute("opacity", touched(link) ? 1 : 0.12);
        if (place && touched(link) && link.weight >= 0.1 * look.top) {
          bold.source.add(link.column);
          bold.target.add(link.row);
        }
      }
      for (const [side, list] of Object.entries(texts)) {
        list.forEach((text, i) => {
          text.setAttribute("font-weight", place && bold[side].has(i) ? 600 : 400);
          text.setAttribute("opacity", !place || bold[side].has(i) ? 1 : 0.45);
        });
      }
    },
    move(place, key) {
      const [back, on, toSource, toTarget] = upright
        ? ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]
        : ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
      const inTarget = place === null || place.row !== null;
      const at = place === null ? 0 : inTarget ? place.row : place.column;
      const step = key === back ? -1 : key === on ? 1 : 0;
      const side = key === toSource ? false : key === toTarget ? true : inTarget;
      const next = within(at + (place === null ? 0 : step), side ? target.length : source.length);
      return side ? { row: next, column: null } : { row: null, column: next };
    },
  };
}
