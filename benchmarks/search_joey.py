"""JoeyNMT 2.3.0 as a worker of translation.py: its own `predict` and batches; with a beam it returns no attention.

PEERS/joey/bin/python search_joey.py WORK MODEL BEAM THREADS
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from joeynmt.config import parse_global_args  # type: ignore[import-not-found]
from joeynmt.prediction import predict, prepare  # type: ignore[import-not-found]
from peer_joey import settings
from peer_turns import take_turns


def main() -> None:
    work, model_folder, beam, threads = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(threads)
    recipe = settings(work, "bahdanau", model_folder, apart=True)
    recipe["testing"] |= {"beam_size": beam, "load_model": str(model_folder / "latest.ckpt")}
    arguments = parse_global_args(recipe, rank=0, mode="translate")
    model, _, _, data = prepare(arguments, rank=0, mode="translate")

    def translated(texts: list[str]) -> list[str]:
        data.reset_cache()
        for text in texts:
            data.set_item(text)
        _, _, found, *_ = predict(
            model=model,
            data=data,
            compute_loss=False,
            device=arguments.device,
            rank=0,
            n_gpu=arguments.n_gpu,
            normalization="none",
            num_workers=0,
            args=arguments.test,
            autocast=arguments.autocast,
        )
        return list(found)

    take_turns(translated)


if __name__ == "__main__":
    main()
