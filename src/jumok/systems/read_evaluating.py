"""All figures of a reader: accuracy, F1 by label, errors of numbers, how it looks, whether its looks matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jumok.core.names import unknown
from jumok.data.labelled import LabelledData, LabelledText, open_texts
from jumok.data.pictures import LabelledPictureData, PictureScene, open_labelled_pictures
from jumok.data.sums import SumBatches, SumsData
from jumok.evaluation import Report, Score, pointing
from jumok.evaluation.faithfulness import ErasureRow, erasure, over_sentences
from jumok.evaluation.labels import label_scores
from jumok.evaluation.resampling import interval_of_mean
from jumok.systems.reader import Reader, Reading
from jumok.systems.reading import CLOSE, ReadingRecipe

Numbers = npt.NDArray[np.float64]


class Judged(NamedTuple):
    """What a reader is judged by: sequences, and what is right of each."""

    name: str
    sequences: list[Any]
    right: list[str] | list[float]


@dataclass(frozen=True)
class Looks:
    """How a reader looks, in the mean over what it read.

    entropy: $-\\sum_t p_t \\log_2 p_t$ in bits, 0 where one word gets all. relative_entropy: the same over $\\log_2 T$,
    so that 1 is a look at everything alike. top: the largest weight. needed: how many words have nine tenths of it.
    """

    entropy: float
    relative_entropy: float
    top: float
    needed: float

    @property
    def warning(self) -> str | None:
        """One line where attention is dead, else None."""
        if self.relative_entropy <= 0.98:
            return None
        return f"dead attention: it looks everywhere alike (its entropy is {self.relative_entropy:.0%} of the highest)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, the warning among them."""
        return {**self.__dict__, "warning": self.warning}


def judged_by(recipe: ReadingRecipe, split: str | None, labels: Sequence[str] | None) -> Judged:
    """A split of a recipe: by default test, where there is one, else validation; of generated data that is all."""
    data = recipe.data
    if isinstance(data, SumsData):
        if split not in (None, "validation"):
            raise ValueError(f"--split: {unknown('split', split, ['validation'])}")
        batches = list(SumBatches.held_out(data, 1, recipe.seed))
        series = [batch.inputs[0, : int(batch.lengths[0])].tolist() for batch in batches]
        return Judged(f"validation ({data.problem})", series, [float(batch.targets[0]) for batch in batches])
    known = [name for name in ("train", "validation", "test") if getattr(data, name) is not None]
    name = split or known[-1]
    if name not in known:
        raise ValueError(f"--split: {unknown('split', name, known)}")
    if isinstance(data, LabelledPictureData):
        corpus = open_labelled_pictures(name, data, Path(), None if labels is None else tuple(labels))
        entries = list(corpus.readable() if corpus.skip else corpus)
        return Judged(name, [entry.picture for entry in entries], [entry.captions[0] for entry in entries])
    return _texts(name, data, labels)


def _texts(name: str, data: LabelledData, labels: Sequence[str] | None) -> Judged:
    texts = open_texts(name, data, Path())
    rows: list[LabelledText] = list(texts if labels is None else texts.limited(tuple(labels)))
    right: Any = [row.value if labels is None else row.label for row in rows]
    return Judged(name, [row.text for row in rows], right)


def evaluate(reader: Reader, judged: Judged) -> tuple[Report, Looks | None, list[Reading]]:
    """Read the sequences and score what is told: the figures, how it looked, and the readings."""
    found = reader.read(judged.sequences)
    if reader.labels is None:
        told = np.array([one.value for one in found], np.float64)
        errors = np.abs(told - np.array(judged.right, np.float64))
        scores = [_mean("mean error", errors)]
        if reader.problem is not None:
            scores.append(_mean(f"within {CLOSE}", np.where(errors < CLOSE, 100.0, 0.0)))
        else:
            scores += _explained(told, np.array(judged.right, np.float64))
    else:
        scores = label_scores([one.text for one in found], [str(right) for right in judged.right])
        scores += _pointing(judged.sequences, found)
    return Report(len(found), tuple(scores)), looks_of(found), found


def _pointing(sequences: Sequence[Any], found: Sequence[Reading]) -> list[Score]:
    """On practice pictures, how often the region that was looked at most is one of the thing."""
    there = [one.attention for one in found if one.attention is not None]
    if not there or not all(isinstance(one, PictureScene) for one in sequences):
        return []
    boxes = [tuple(thing.box for thing in one.scene().objects) for one in sequences]
    pointed = pointing(there, [[about] for about in boxes])
    if pointed is None:
        return []
    even = f"% of the weight; {100 * pointed.even:.1f} if it looked everywhere alike"
    return [
        Score("pointing", 100 * pointed.accuracy, "% of pictures"),
        Score("weight inside", 100 * pointed.inside, even),
    ]


def looks_of(readings: Sequence[Reading]) -> Looks | None:
    """How many readings look, by words; those of a single word tell nothing."""
    measured = []
    for reading in readings:
        weights = np.sort([weight for _, weight in reading.words])[::-1]
        if len(weights) < 2 or weights.sum() <= 0:
            continue
        shares = weights / weights.sum()
        entropy = float(-(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum())
        needed = 1 + int(np.searchsorted(shares.cumsum(), 0.9))
        measured.append((entropy, entropy / np.log2(len(shares)), float(shares[0]), needed))
    return Looks(*np.mean(measured, axis=0).tolist()) if measured else None


def faithfulness(reader: Reader, readings: Sequence[Reading], seed: int = 0) -> list[ErasureRow]:
    """How far the probability of the label told falls when the words that were looked at most are erased, beside as
    many words at random (see `jumok.evaluation.erasure`)."""
    erasures = []
    for number, reading in enumerate(readings):
        words = reading.source.split(" ")
        if reading.label is None or reading.attention is None or len(words) < 2:
            continue
        score = partial(reader.scores, label=reading.label)
        erasures.append(erasure(score, words, [weight for _, weight in reading.words], seed=seed + number))
    return over_sentences(erasures)


def _explained(told: Numbers, right: Numbers) -> list[Score]:
    """R2: which share of the variance of what is right is told; 0 is as good as always telling the mean."""
    spread = float(((right - right.mean()) ** 2).sum())
    return [Score("R2", 1 - float(((told - right) ** 2).sum()) / spread, f"n:{len(right)}")] if spread else []


def _mean(name: str, values: Numbers) -> Score:
    low, high = interval_of_mean(values)
    return Score(name, float(values.mean()), f"n:{len(values)}", low, high)
