"""jumok as a worker of training.py: its own Trainer, batches and models, behind the same gate as its peers.

    python peer_jumok.py WORK additive|general joint|each THREADS

additive: the model that the toolkits are compared on; general: the bilinear score and no input feeding.
joint: the vocabulary of 8,000 pieces for both sides; each: the pieces that occur on a side, as Eole has them.
The sentences come as the numbers that sentencepiece gave them, so that all train on the same tokens; from there on
it is what `jumok train` does. Evaluation and checkpoints lie beyond the last update, so no segment meets them.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from peer_gate import Gate, Work

from jumok.data import Batch, Batches, BatchSettings, Shards, Tokenizer
from jumok.data.shards import Side
from jumok.models import EncoderDecoder, ModelSettings
from jumok.systems.translation import TranslationTask
from jumok.training import Trainer, TrainingSettings
from jumok.training.denormals import flushed_denormals

NEVER = 10**9
SPECIALS = 4  # of both vocabularies: unknown, padding, start, end
MULTIPLE = 8  # Eole rounds its vocabularies up to it
MODELS = {
    "additive": {"preset": "luong-general", "decoder": {"attention": {"score": "additive", "hidden_size": 512}}},
    "general": {"preset": "luong-general", "decoder": {"input_feeding": False}},
}


@dataclass(frozen=True)
class Numbered:
    """One side of the training data, and how many words its vocabulary has."""

    side: Side
    words: int


def numbered(path: Path, pieces: int | None) -> Numbered:
    """A side as jumok numbers it; without `pieces`, only those that occur have a number."""
    with np.load(path) as arrays:
        ids: npt.NDArray[np.int64] = arrays["ids"]
        lengths: npt.NDArray[np.int64] = arrays["lengths"]
    if pieces is None:
        found, ids = np.unique(ids, return_inverse=True)
        ids = ids + SPECIALS
        pieces = -(-(len(found) + SPECIALS) // MULTIPLE) * MULTIPLE
    else:
        ids = np.where(ids == 0, Tokenizer.UNKNOWN, ids)  # sentencepiece has 0 for it, and 1 for padding
    ends = (lengths + 1).cumsum()
    content = np.full(ends[-1], Tokenizer.END, np.uint16)
    content[np.delete(np.arange(len(content)), ends - 1)] = ids
    return Numbered(Side(content, ends, (lengths + 1).astype(np.uint16)), pieces)


class Gated(Sequence[Batch]):
    """The batches of an epoch, behind the gate."""

    def __init__(self, batches: Batches, gate: Gate[Batch]) -> None:
        self.batches = batches
        self.gate = gate

    def __len__(self) -> int:
        return len(self.batches)

    def __getitem__(self, number: Any) -> Any:
        return self.gate.one(lambda: self.batches[number])


class GatedTask(TranslationTask):
    """What `jumok train` trains, with its batches behind the gate."""

    def __init__(self, model: EncoderDecoder, shards: Shards, gate: Gate[Batch]) -> None:
        super().__init__(model, shards, shards, BatchSettings(size=64, unit="sentences"), seed=42)
        self.gate = gate

    def batches(self, epoch: int) -> Any:
        return Gated(super().batches(epoch), self.gate)


def count(work: Work, batch: Batch) -> None:
    work.add(batch.source_lengths.tolist(), batch.target_lengths.tolist())


def main() -> None:
    work, kind, vocabulary, threads = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    torch.manual_seed(42)
    gate: Gate[Batch] = Gate(count)
    pieces = len((work / "vocab.txt").read_text(encoding="utf-8").splitlines()) if vocabulary == "joint" else None
    source, target = (numbered(work / f"ids.{side}.npz", pieces) for side in ("en", "de"))
    folder = work / "runs" / f"jumok-{kind}-{vocabulary}"
    shutil.rmtree(folder, ignore_errors=True)
    shards = Shards(folder, source.side, target.side, np.arange(len(source.side.ends)), too_long=0)
    settings = ModelSettings.model_validate({**MODELS[kind], "dropout": 0.3, "label_smoothing": 0.1})
    model = EncoderDecoder(settings, source.words, target.words)
    training = TrainingSettings(
        updates=NEVER,
        evaluate_every=NEVER,
        checkpoint_minutes=None,
        learning_rate=0.001,
        clip=1.0,
        device="cpu",
        threads=threads,
    )
    gate.ready(outputs=target.words, parameters=sum(parameter.numel() for parameter in model.parameters()))
    Trainer(GatedTask(model, shards, gate), training, folder, seed=42).run()


if __name__ == "__main__":
    with flushed_denormals():  # as `jumok train` begins
        main()
