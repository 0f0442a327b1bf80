"""Prepares Multi30k for every worker of training.py; runs in a peer's environment, which has sentencepiece.

    PEERS/joey/bin/python peer_data.py DATA WORK

DATA holds train.en, train.de, val.en and val.de, one sentence a line. WORK gets the same sentences as text with
single spaces (`text/`), a joint BPE of 8,000 pieces (`sp.model`, `vocab.txt`), the sentences cut into pieces
(`pieces/`) with the pieces of each side and how often they occur (`vocab.en`, `vocab.de`), and the training pairs as
numbers (`ids.en.npz`, `ids.de.npz`), so that all toolkits train on the same tokens.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import sentencepiece  # type: ignore[import-not-found]

SIDES = ("en", "de")
PIECES = 8_000


def lines(path: Path) -> list[str]:
    """The sentences of a file, cut at newlines only, with single spaces."""
    return [" ".join(line.split()) for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]


def write_lines(path: Path, sentences: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{sentence}\n" for sentence in sentences), encoding="utf-8", newline="\n")


def prepare(data: Path, work: Path) -> None:
    text = {(part, side): lines(data / f"{part}.{side}") for part in ("train", "val") for side in SIDES}
    for (part, side), sentences in text.items():
        write_lines(work / "text" / f"{part}.{side}", sentences)
    sentencepiece.SentencePieceTrainer.train(
        input=[str(work / "text" / f"train.{side}") for side in SIDES],
        model_prefix=str(work / "sp"),
        model_type="bpe",
        vocab_size=PIECES,
        character_coverage=1.0,
        unk_id=0,
        pad_id=1,
        bos_id=2,
        eos_id=3,
        minloglevel=1,
    )
    model = sentencepiece.SentencePieceProcessor(model_file=str(work / "sp.model"))
    write_lines(work / "vocab.txt", [model.id_to_piece(number) for number in range(len(model))])
    for (part, side), sentences in text.items():
        pieces = model.encode(sentences, out_type=str)
        write_lines(work / "pieces" / f"{part}.{side}", [" ".join(sentence) for sentence in pieces])
        if part == "train":
            counts = Counter(piece for sentence in pieces for piece in sentence).most_common()
            write_lines(work / f"vocab.{side}", [f"{piece}\t{count}" for piece, count in counts])
    for side in SIDES:
        numbers = model.encode(text["train", side])
        np.savez(
            work / f"ids.{side}.npz",  # written last: that all are there says that the rest is
            ids=np.concatenate([np.asarray(sentence, np.int64) for sentence in numbers]),
            lengths=np.asarray([len(sentence) for sentence in numbers], np.int64),
        )


if __name__ == "__main__":
    prepare(Path(sys.argv[1]), Path(sys.argv[2]))
