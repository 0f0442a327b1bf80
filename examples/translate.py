"""A translator, and what it looked at: trained, asked, drawn, scored, and made to look elsewhere.

python examples/translate.py [FOLDER]       # the model goes into FOLDER; some minutes the first time
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jumok


def main(folder: Path, **changes: Any) -> jumok.systems.Prediction:
    if not (folder / "model.safetensors").exists():
        jumok.train("korean", folder, set=changes)
    translator = jumok.load(folder)

    prediction = translator("나는 어제 공원에서 고양이를 봤다.", beam=5)
    print(prediction.text, f"(log probability {prediction.score:.2f})")
    for word, looked in zip(prediction.attention.words().rows, prediction.attention.words().matrix, strict=True):
        most = looked.argmax()
        print(f"  {word:12} looked most at {prediction.attention.words().columns[most]} ({looked[most]:.2f})")
    prediction.attention.save(folder / "look.svg")  # or .html, .png, .pdf, .gif, .json

    for other in translator.n_best(["비가 왔다."], n_best=3)[0]:
        print(f"{other.score:8.2f} {other.text}")
    (given,) = translator.score(["비가 왔다."], ["It rained."])
    print(f"'It rained.' has {given.score:.2f}")

    words = len(prediction.attention.columns)
    first = [1.0] + [0.0] * (words - 1)  # the third word must look at the first one
    print("made to look elsewhere:", translator.edited("나는 어제 공원에서 고양이를 봤다.", {2: first}).text)
    return prediction


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/korean"))
