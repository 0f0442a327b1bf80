"""A captioner of drawn pictures, and where each word looked.

python examples/caption.py [FOLDER]         # the model goes into FOLDER; about an hour the first time
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jumok
from jumok.data.scenes import Scenes


def main(folder: Path, **changes: Any) -> jumok.systems.Prediction:
    if not (folder / "model.safetensors").exists():
        jumok.train("scenes", folder, set=changes)
    captioner = jumok.load(folder)

    scene = Scenes(seed=7).scene(3)  # a path of your own photo does as well
    scene.picture().save(folder / "picture.png")
    prediction = captioner(folder / "picture.png", beam=5)
    print("it says: ", prediction.text)
    print("it shows:", scene.english)
    prediction.attention.save(folder / "look.png")  # one panel a word; .gif follows the words

    rows, columns = prediction.attention.grid
    for word, weights in zip(prediction.attention.rows, prediction.attention.matrix, strict=True):
        row, column = divmod(int(weights.argmax()), columns)
        print(f"  {word:12} looked most at row {row + 1} of {rows}, column {column + 1} of {columns}")
    return prediction


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/scenes"))
