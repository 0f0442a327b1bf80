"""jumok as a worker of translation.py: what `jumok.load` gives, attention with every translation.

python search_jumok.py WORK MODEL BEAM THREADS
"""

from __future__ import annotations

import sys

import torch
from peer_turns import take_turns

import jumok


def main() -> None:
    model, beam, threads = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(threads)
    translator = jumok.load(model)

    def translated(texts: list[str]) -> list[str]:
        predictions = translator(texts, beam=beam)
        assert all(prediction.attention is not None for prediction in predictions)
        return [prediction.text for prediction in predictions]

    take_turns(translated)


if __name__ == "__main__":
    main()
