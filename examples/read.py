"""A reader: the label of a text by attention alone, and the weight of each word.

python examples/read.py [FOLDER]            # the model goes into FOLDER; half a minute the first time
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jumok


def main(folder: Path, **changes: Any) -> list[jumok.systems.Reading]:
    if not (folder / "model.safetensors").exists():
        jumok.train("classify", folder, set=changes)  # past, present or future
    reader = jumok.load(folder)

    readings = reader(["나는 어제 공원에서 고양이를 봤다.", "어제 읽은 책을 내일 팔 것이다."])
    for reading in readings:
        print(reading.label, f"{reading.probability:.2f}", *(f"{word} {weight:.2f}" for word, weight in reading.words))
    readings[0].attention.save(folder / "look.svg")
    return list(readings)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/classify"))
