"""Eole 0.6.4 as a worker of time_to_quality.py: its own training, with a greedy translation of val every so often.

    PEERS/eole/bin/python quality_eole.py WORK FOLDER EVERY THREADS [UPDATE|short]

A line of JSON for each checkpoint: the updates, the CPU seconds of training up to it (checkpoints and translations not
counted), and the file with the translations. Its checkpoints stay in FOLDER; with UPDATE it goes on from that one, and
counts from there. translation.py asks for a `short` training: small batches and a higher rate.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from eole import train_single  # type: ignore[import-not-found]
from eole.config.run import TrainConfig  # type: ignore[import-not-found]
from eole.models.model_saver import TrainingModelSaver  # type: ignore[import-not-found]
from eole.trainer import Trainer  # type: ignore[import-not-found]
from peer_clock import Clock
from peer_eole import settings
from search_eole import Engine


def main() -> None:
    work, folder, every, threads = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(threads)
    clock = Clock(folder)
    sentences = (work / "pieces" / "val.en").read_text(encoding="utf-8").rstrip("\n").split("\n")
    save = TrainingModelSaver.save

    def saved(saver: Any, step: int, *arguments: Any, **options: Any) -> None:
        with clock.stopped():
            save(saver, step, *arguments, **options)
            clock.tell(step, Engine(folder / f"step_{step}", beam=1).translated(sentences))

    def started(trainer: Any, *arguments: Any, **options: Any) -> Any:
        clock.start()
        return learn(trainer, *arguments, **options)

    learn = Trainer.train
    Trainer.train = started
    TrainingModelSaver.save = saved
    recipe = settings(work, folder)
    recipe["training"] |= {"save_checkpoint_steps": every, "keep_checkpoint": 2}
    more = sys.argv[5:]
    if more == ["short"]:
        recipe["training"] |= {"batch_size": 32, "learning_rate": 0.003}
    elif more:
        recipe["training"]["train_from"] = str(folder / f"step_{more[0]}")
    config = TrainConfig(**recipe)
    config._validate_vocab_config()
    train_single.main(config, device_id=-1)


if __name__ == "__main__":
    main()
