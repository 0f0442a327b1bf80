"""A graph classifier: which side each member of a karate club took, and at whom each one looked.

python examples/classify_nodes.py [FOLDER]  # the model goes into FOLDER; some seconds
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import jumok
from jumok.data.graphs import karate


def main(folder: Path, **changes: Any) -> jumok.systems.GraphPrediction:
    if not (folder / "model.safetensors").exists():
        jumok.train("karate", folder, set=changes)
    classifier = jumok.load(folder)

    prediction = classifier(karate())
    print("right, of those that it was not told:", f"{prediction.accuracy('test'):.0%}")
    for name in ("9", "10"):
        told = prediction[name]
        print(f"member {told.name}: {told.label} ({told.probability:.2f}), really with {told.known}")
    look = prediction.attention.layers[-1]
    print("weights:", tuple(look.weights.shape), "one for each edge and head, in the order of the graph's edges")
    prediction.attention.save(folder / "club.svg")
    return prediction


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/karate"))
