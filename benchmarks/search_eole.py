"""Eole 0.6.4 as a worker of translation.py: its own engine and batches.

PEERS/eole/bin/python search_eole.py WORK MODEL BEAM THREADS
"""

from __future__ import annotations

import sys
from pathlib import Path

import sentencepiece  # type: ignore[import-not-found]
import torch
from eole.config.run import PredictConfig  # type: ignore[import-not-found]
from eole.inference_engine import InferenceEnginePY  # type: ignore[import-not-found]
from peer_turns import take_turns


class Engine:
    """A trained model that translates sentences cut into pieces."""

    def __init__(self, model: Path, beam: int, batch: int = 64) -> None:
        config = PredictConfig(
            model_path=[str(model)],
            src="-",
            beam_size=beam,
            batch_size=batch,
            batch_type="sents",
            world_size=1,
            gpu_ranks=[],
            compute_dtype="fp32",
        )
        self.engine = InferenceEnginePY(config)

    def translated(self, sentences: list[str]) -> list[str]:
        """The best translation of each, as text."""
        _, _, found = self.engine.infer_list(sentences)
        return ["".join(best[0].split(" ")).replace("\u2581", " ").strip() for best in found]


def main() -> None:
    work, model, beam, threads = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(threads)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(work / "sp.model"))
    engine = Engine(model, beam)
    take_turns(lambda texts: engine.translated([" ".join(text) for text in pieces.encode(texts, out_type=str)]))


if __name__ == "__main__":
    main()
