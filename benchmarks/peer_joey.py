"""JoeyNMT 2.3.0 as a worker of training.py: its own `train`, its own batches, behind the gate.

    PEERS/joey/bin/python peer_joey.py WORK bahdanau|luong THREADS

`bahdanau` is the model that the toolkits are compared on; `luong` is the same with the bilinear score and without
input feeding. Validation and checkpoints lie beyond the last update, so no segment meets them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from joeynmt.datasets import BaseDataset  # type: ignore[import-not-found]
from joeynmt.training import train  # type: ignore[import-not-found]
from peer_gate import Gate, Work

NEVER = 10**9


def settings(work: Path, attention: str, folder: Path, apart: bool = False) -> dict[str, Any]:
    """JoeyNMT's configuration; `apart`: each language has only the pieces that occur in it, as Eole's have."""

    def side(language: str) -> dict[str, Any]:
        return {
            "lang": language,
            "max_length": 80,
            "level": "bpe",
            "voc_file": str(occurring(work, language) if apart else work / "vocab.txt"),
            "tokenizer_type": "sentencepiece",
            "tokenizer_cfg": {"model_file": str(work / "sp.model")},
        }

    return {
        "name": f"multi30k-{attention}",
        "joeynmt_version": "2.3.0",
        "model_dir": str(folder),
        "use_cuda": False,
        "fp16": False,
        "random_seed": 42,
        "data": {
            "train": str(work / "text" / "train"),
            "dev": str(work / "text" / "val"),
            "dataset_type": "plain",
            "src": side("en"),
            "trg": side("de"),
            "special_symbols": {
                "unk_token": "<unk>",
                "pad_token": "<pad>",
                "bos_token": "<s>",
                "eos_token": "</s>",
                "unk_id": 0,
                "pad_id": 1,
                "bos_id": 2,
                "eos_id": 3,
            },
        },
        "testing": {"beam_size": 5, "batch_size": 64, "batch_type": "sentence", "eval_metrics": ["bleu"]},
        "training": {
            "optimizer": "adamw",
            "learning_rate": 0.001,
            "clip_grad_norm": 1.0,
            "batch_size": 64,
            "batch_type": "sentence",
            "normalization": "tokens",
            "scheduling": "exponential",  # plateau passes an argument that torch has dropped
            "decrease_factor": 0.99,
            "epochs": NEVER,
            "updates": NEVER,
            "validation_freq": NEVER,
            "logging_freq": 100,
            "loss": "crossentropy",
            "label_smoothing": 0.1,
        },
        "model": {
            "initializer": "xavier_uniform",
            "init_gain": 1.0,
            "bias_initializer": "zeros",
            "embed_initializer": "normal",
            "embed_init_weight": 0.1,
            "tied_embeddings": False,
            "tied_softmax": False,
            "encoder": {
                "type": "recurrent",
                "rnn_type": "lstm",
                "embeddings": {"embedding_dim": 256},
                "hidden_size": 256,
                "bidirectional": True,
                "dropout": 0.3,
                "num_layers": 1,
            },
            "decoder": {
                "type": "recurrent",
                "rnn_type": "lstm",
                "embeddings": {"embedding_dim": 256},
                "hidden_size": 512,
                "dropout": 0.3,
                "hidden_dropout": 0.3,
                "num_layers": 1,
                "input_feeding": attention == "bahdanau",
                "init_hidden": "bridge",
                "attention": attention,
            },
        },
    }


def count(work: Work, batch: Any) -> None:
    work.add(batch.src_length.tolist(), batch.trg_mask.sum((1, 2)).tolist())


class Loader:
    """JoeyNMT's loader of training batches, behind the gate, one pass an epoch."""

    def __init__(self, loader: Any, gate: Gate[Any]) -> None:
        self.loader = loader
        self.gate = gate
        self.batch_sampler = loader.batch_sampler

    def __iter__(self) -> Any:
        return self.gate.through(self.loader)


def occurring(work: Path, language: str) -> Path:
    """A file with the pieces of one language, behind the special ones."""
    counted = (work / f"vocab.{language}").read_text(encoding="utf-8").rstrip("\n").split("\n")
    path = work / f"occurring.{language}"
    pieces = ["<unk>", "<pad>", "<s>", "</s>", *(line.split("\t")[0] for line in counted)]
    path.write_text("".join(f"{piece}\n" for piece in dict.fromkeys(pieces)), encoding="utf-8", newline="\n")
    return path


def main() -> None:
    work, attention, threads = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    torch.set_num_threads(threads)
    gate: Gate[Any] = Gate(count)
    make_iter = BaseDataset.make_iter

    def make_gated(dataset: Any, *arguments: Any, **options: Any) -> Any:
        loader = make_iter(dataset, *arguments, **options)
        if dataset.split != "train":
            return loader
        gate.ready(outputs=len((work / "vocab.txt").read_text(encoding="utf-8").splitlines()))
        return Loader(loader, gate)

    BaseDataset.make_iter = make_gated
    folder = work / "runs" / f"joey-{attention}"
    folder.mkdir(parents=True, exist_ok=True)
    train(rank=0, world_size=None, cfg=settings(work, attention, folder), skip_test=True)


if __name__ == "__main__":
    main()
