"use strict";
// A picture lit where a look rested, and grey elsewhere.

// How bright each pixel is: the weight over the top, straight lines between the centres of regions.
function brightness(weights, [rows, columns], width, height, { smooth, even }) {
  const top = Math.max(...weights, even / weights.length);
  const at = (row, column) => weights[Math.min(Math.max(row, 0), rows - 1) * columns + Math.min(Math.max(column, 0), columns - 1)] / top;
  const shares = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const down = ((y + 0.5) / height) * rows - 0.5;
    for (let x = 0; x < width; x += 1) {
      const across = ((x + 0.5) / width) * columns - 0.5;
      if (!smooth) {
        shares[y * width + x] = at(Math.round(down), Math.round(across));
        continue;
      }
      const [row, column] = [Math.floor(down), Math.floor(across)];
      const [v, u] = [down - row, across - column];
      shares[y * width + x] =
        (1 - v) * ((1 - u) * at(row, column) + u * at(row, column + 1)) +
        v * ((1 - u) * at(row + 1, column) + u * at(row + 1, column + 1));
    }
  }
  return shares;
}

// Draws the picture, `wide` pixels wide; with weights (one a region), lit by them.
function lightUp(canvas, image, wide, weights, grid, how) {
  canvas.width = wide;
  canvas.height = Math.max(1, Math.round((wide * image.naturalHeight) / image.naturalWidth));
  const paper = canvas.getContext("2d", { willReadFrequently: true });
  paper.drawImage(image, 0, 0, canvas.width, canvas.height);
  if (weights === null) return;
  const shares = brightness(weights, grid, canvas.width, canvas.height, how);
  const pixels = paper.getImageData(0, 0, canvas.width, canvas.height);
  for (let place = 0; place < shares.length; place += 1) {
    const [red, green, blue] = [0, 1, 2].map((channel) => pixels.data[4 * place + channel]);
    const grey = how.dark * (0.299 * red + 0.587 * green + 0.114 * blue);
    [red, green, blue].forEach((value, channel) => {
      pixels.data[4 * place + channel] = value * shares[place] + grey * (1 - shares[place]);
    });
  }
  paper.putImageData(pixels, 0, 0);
}
