"""An answerer with a memory: a story, a question, and which sentences each hop looked at.

python examples/answer.py [FOLDER]          # the model goes into FOLDER; a minute the first time
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jumok

STORY = ["Nora went to the attic.", "Owen went to the cellar.", "Nora took the map.", "Nora went to the library."]


def main(folder: Path, **changes: Any) -> jumok.systems.Answer:
    if not (folder / "model.safetensors").exists():
        jumok.train("stories", folder, set=changes)
    answerer = jumok.load(folder)

    answer = answerer(STORY, "Where is Nora?")
    print(answer.text, f"({answer.probability:.0%})")
    for hop, weights in zip(answer.attention.rows, answer.attention.matrix, strict=True):
        most = weights.argmax()
        print(f"  {hop}: {answer.attention.columns[most]} ({weights[most]:.2f})")
    answer.attention.save(folder / "hops.svg", form="story")
    return answer


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/stories"))
