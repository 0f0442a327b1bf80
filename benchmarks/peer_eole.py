"""Eole 0.6.4 as a worker of training.py: its own `train_single`, its own batches, behind the gate.

    PEERS/eole/bin/python peer_eole.py WORK THREADS

The model that the toolkits are compared on, with the pieces that occur on each side as vocabularies, which is what
`eole build_vocab` makes of the same files. Its bucket, 262,144 pairs, holds this corpus nine times over: padding
stays under 1 %, and copies of a pair within a batch are left out, so that the mean sentence has 14.7 target tokens
in place of 15.8. A bucket of one epoch has the mean of the corpus and pads 5.5 %. It is left as Eole has it.
Validation and checkpoints lie beyond the last update, so no segment meets them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from eole import train_single  # type: ignore[import-not-found]
from eole.config.run import TrainConfig  # type: ignore[import-not-found]
from eole.constants import CorpusTask, DefaultTokens  # type: ignore[import-not-found]
from peer_gate import Gate, Work

NEVER = 10**9


def settings(work: Path, folder: Path) -> dict[str, Any]:
    def pair(part: str) -> dict[str, str]:
        return {"path_src": str(work / "pieces" / f"{part}.en"), "path_tgt": str(work / "pieces" / f"{part}.de")}

    return {
        "src_vocab": str(work / "vocab.en"),
        "tgt_vocab": str(work / "vocab.de"),
        "src_vocab_size": 8000,
        "tgt_vocab_size": 8000,
        "share_vocab": False,
        "overwrite": True,
        "seed": 42,
        "report_every": 100,
        "data": {"corpus_1": pair("train"), "valid": pair("val")},
        "model": {
            "architecture": "rnn",
            "rnn_type": "LSTM",
            "hidden_size": 512,
            "embeddings": {"src_word_vec_size": 256, "tgt_word_vec_size": 256},
            "encoder": {"encoder_type": "brnn", "layers": 1},
            "decoder": {"decoder_type": "rnn", "layers": 1, "global_attention": "mlp"},
        },
        "training": {
            "model_path": str(folder),
            "world_size": 0,
            "gpu_ranks": [],
            "num_workers": 0,
            "batch_size": 64,
            "batch_type": "sents",
            "normalization": "tokens",
            "optim": "adamw",
            "learning_rate": 0.001,
            "label_smoothing": 0.1,
            "dropout": [0.3],
            "train_steps": NEVER,
            "valid_steps": NEVER,
            "save_checkpoint_steps": NEVER,
            "compute_dtype": "fp32",
        },
    }


def main() -> None:
    work, threads = Path(sys.argv[1]), int(sys.argv[2])
    build = train_single.build_dynamic_dataset_iter

    def build_gated(config: Any, transforms: Any, vocabs: Any, task: str, **options: Any) -> Any:
        batches = build(config, transforms, vocabs, task=task, **options)
        if task != CorpusTask.TRAIN:
            return batches
        padding = vocabs["tgt"][DefaultTokens.PAD]

        def count(work: Work, item: Any) -> None:
            batch, _ = item
            work.add(batch["srclen"].tolist(), batch["tgt"][:, 1:].ne(padding).sum(1).tolist())

        gate: Gate[Any] = Gate(count)
        gate.ready(outputs=len(vocabs["tgt"]))
        return gate.through(batches)

    train_single.build_dynamic_dataset_iter = build_gated
    torch.set_num_threads(threads)
    config = TrainConfig(**settings(work, work / "runs" / "eole"))
    config._validate_vocab_config()
    train_single.main(config, device_id=-1)


if __name__ == "__main__":
    main()
