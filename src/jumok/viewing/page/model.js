"use strict";
// What a page shows of a map: the same steps as AttentionMap.select, words and without_special.

const mean = (lists) => lists[0].map((_, i) => lists.reduce((sum, list) => sum + list[i], 0) / lists.length);
const meanOfMatrices = (all) => (all.length === 1 ? all[0] : all[0].map((_, row) => mean(all.map((matrix) => matrix[row]))));

// One matrix of a map; null is the mean over all layers or heads.
function select(map, layer, head) {
  const heads = layer === null ? map.weights.flat() : map.weights[layer];
  const chosen = head === null ? heads : heads.filter((_, i) => i % map.weights[0].length === head);
  return {
    weights: meanOfMatrices(chosen),
    rows: map.rows,
    columns: map.columns,
    rowWords: map.row_words,
    columnWords: map.column_words,
  };
}

// The places of each word's pieces; a special piece is alone.
function groups(words) {
  const found = new Map();
  words.forEach((word, place) => {
    const key = word === -1 ? `special ${place}` : word;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(place);
  });
  return [...found.values()];
}

const joined = (labels, places) => {
  const text = places.map((place) => labels[place]).join("");
  return text.replaceAll("▁", "") || text;
};

// The pieces of a word that tell it: those with a letter or a digit, or all where none has one.
const telling = (labels, places) => {
  const found = places.filter((place) => /[\p{L}\p{N}]/u.test(labels[place]));
  return found.length ? found : places;
};

// Subwords merged to words: columns are summed, rows averaged.
function words(view) {
  const rows = groups(view.rowWords);
  const columns = groups(view.columnWords);
  const summed = view.weights.map((row) => columns.map((places) => places.reduce((sum, i) => sum + row[i], 0)));
  return {
    weights: rows.map((places) => mean(telling(view.rows, places).map((place) => summed[place]))),
    rows: rows.map((places) => joined(view.rows, places)),
    columns: columns.map((places) => joined(view.columns, places)),
    rowWords: rows.map((places) => view.rowWords[places[0]]),
    columnWords: columns.map((places) => view.columnWords[places[0]]),
  };
}

// Without special rows and columns; the rows left sum to what they summed to.
function withoutSpecial(view) {
  const kept = (numbers) => numbers.flatMap((word, i) => (word === -1 ? [] : [i]));
  const rows = kept(view.rowWords);
  const columns = kept(view.columnWords);
  const total = (row) => row.reduce((sum, weight) => sum + weight, 0);
  return {
    weights: rows.map((i) => {
      const left = columns.map((j) => view.weights[i][j]);
      const factor = total(left) > 0 ? total(view.weights[i]) / total(left) : 0;
      return left.map((weight) => weight * factor);
    }),
    rows: rows.map((i) => view.rows[i]),
    columns: columns.map((j) => view.columns[j]),
    rowWords: rows.map((i) => view.rowWords[i]),
    columnWords: columns.map((j) => view.columnWords[j]),
  };
}

// What the reader chose to see of a map.
function viewOf(map, choice) {
  let view = select(map, choice.layer, choice.head);
  if (choice.words) view = words(view);
  if (!choice.special) view = withoutSpecial(view);
  return view;
}

// The top of the scale: the next of 1, 2, 5, 10, ... and their like below 1.
function ceiling(value) {
  if (!(value > 0)) return 1;
  const power = Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map((step) => Number(`${step}e${power}`));
  return steps.find((step) => value <= step * (1 + 1e-6)) ?? steps[3];
}

const largest = (weights) => weights.reduce((top, row) => row.reduce((a, b) => (b > a ? b : a), top), 0);

// A colour between stops at equal distances; `place` is 0 to 1.
function colourAt(stops, place) {
  const at = Math.min(Math.max(place, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const channel = (stop, i) => parseInt(stop.slice(1 + 2 * i, 3 + 2 * i), 16);
  return [0, 1, 2].map((i) => Math.round(channel(stops[low], i) * (low + 1 - at) + channel(stops[low + 1], i) * (at - low)));
}
