"""JoeyNMT 2.3.0 as a worker of time_to_quality.py: its own training, with a greedy translation of val every so often.

    PEERS/joey/bin/python quality_joey.py WORK FOLDER EVERY THREADS [UPDATE|short]

A line of JSON for each validation: the updates, the CPU seconds of training up to it (validations and checkpoints not
counted), and the file with the translations. Its checkpoints stay in FOLDER; with UPDATE it goes on from that one, and
counts from there. translation.py asks for a `short` training: small batches, a higher rate, and for each language only
the pieces that occur in it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from joeynmt import training  # type: ignore[import-not-found]
from peer_clock import Clock
from peer_joey import NEVER, settings


def main() -> None:
    work, folder, every, threads = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    more = sys.argv[5:]
    short = more == ["short"]
    torch.set_num_threads(threads)
    clock = Clock(folder)
    validate = training.TrainManager._validate
    predict = training.predict
    found: list[str] = []

    def predicted(*arguments: Any, **options: Any) -> Any:
        prediction = predict(*arguments, **options)
        found[:] = prediction[2]
        return prediction

    def validated(manager: Any, *arguments: Any, **options: Any) -> Any:
        with clock.stopped():
            result = validate(manager, *arguments, **options)
            clock.tell(manager.stats.steps, found)
        return result

    def started(manager: Any, *arguments: Any, **options: Any) -> Any:
        clock.start()
        return learn(manager, *arguments, **options)

    learn = training.TrainManager.train_and_validate
    training.TrainManager.train_and_validate = started
    training.predict = predicted
    training.TrainManager._validate = validated
    recipe = settings(work, "bahdanau", folder, apart=short)
    recipe["training"] |= {"validation_freq": every, "logging_freq": min(100, every), "keep_best_ckpts": 2}
    recipe["training"] |= {"updates": NEVER, "overwrite": True}
    if short:
        recipe["training"] |= {"batch_size": 32, "learning_rate": 0.003}
    elif more:
        recipe["training"]["load_model"] = str(folder / f"{more[0]}.ckpt")
    training.train(rank=0, world_size=None, cfg=recipe, skip_test=True)


if __name__ == "__main__":
    main()
