"""Does attention look where the translation comes from? The alignment error rate (Och & Ney 2003)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from jumok.evaluation.pharaoh import Gold, Links
from jumok.evaluation.resampling import Numbers, middle, resampled
from jumok.viewing.map import AttentionMap

Pairs = Collection[tuple[int, int]]
Labels = Callable[[str], str] | Sequence[Sequence[str]]
"""A label for each target word: a function of the word, or a list for each sentence."""


@dataclass(frozen=True)
class AlignmentScore:
    """How well links agree with gold links, over all sentences.

    error_rate: $1 - (|A \\cap S| + |A \\cap P|) / (|A| + |S|)$, 0 being perfect.
    precision: the share of links that are possible.
    recall: the share of sure links that were found.
    hit_rate: the share of target words with gold links of which at least one was found.
    low, high: the 95 % bootstrap interval of the error rate.
    """

    error_rate: float
    precision: float
    recall: float
    hit_rate: float
    links: int
    sentences: int
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return dict(self.__dict__)


@dataclass(frozen=True)
class AttentionAlignment:
    """The alignment score of attention, as it is and moved by words, and by the label of the target words."""

    shifts: Mapping[int, AlignmentScore]
    labels: Mapping[str, AlignmentScore] = field(default_factory=dict)
    """At the best shift."""

    @property
    def best_shift(self) -> int:
        """The shift of the lowest error; of equals the smallest."""
        return min(self.shifts, key=lambda shift: (self.shifts[shift].error_rate, abs(shift)))

    @property
    def best(self) -> AlignmentScore:
        """The score at the best shift."""
        return self.shifts[self.best_shift]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "best_shift": self.best_shift,
            "shifts": {str(shift): score.to_dict() for shift, score in self.shifts.items()},
            "labels": {label: score.to_dict() for label, score in self.labels.items()},
        }


def alignment_error_rate(
    links: Sequence[Pairs], sure: Sequence[Pairs], possible: Sequence[Pairs] | None = None
) -> AlignmentScore:
    """The error of links beside gold links, over all sentences (Och & Ney 2003).

    Each is a list with the links of every sentence, (source word, target word), counted from 0. Sure links are
    possible ones, too. Of nothing to find, and of nothing found, all is right.

    >>> score = alignment_error_rate([{(0, 0), (1, 2)}], sure=[{(0, 0)}], possible=[{(1, 1)}])
    >>> round(score.error_rate, 3), score.precision, score.recall
    (0.333, 0.5, 1.0)
    """
    return _score(_counts(links, sure, possible))


def attention_links(look: AttentionMap, threshold: float | None = None, shift: int = 0) -> Links:
    """The links that attention makes, (source word, target word): of each target word to what it looked at most.

    Subwords are merged to words and special pieces are left out. With a `threshold` every source word that gets so
    much is linked. With `shift=1` a word is given the look of the next word (the last one that of the end), with
    `shift=-1` that of the word before.
    """
    words = _shifted(look.select().words(), shift).without_special()
    return frozenset(
        (words.column_words[column], words.row_words[row]) for row, column in words.links(threshold=threshold)
    )


def attention_alignment(
    looks: Sequence[AttentionMap],
    sure: Sequence[Pairs],
    possible: Sequence[Pairs] | None = None,
    threshold: float | None = None,
    shifts: Sequence[int] = (0, 1, -1),
    by: Labels | None = None,
) -> AttentionAlignment:
    """The alignment error rate of attention, at each shift of `attention_links`, and by label where `by` gives some.

    A decoder whose state asks before it has read the last word, and one that asks after, may look at the same word one
    word apart; so all shifts are tried and told.
    """
    if len(looks) != len(sure):
        raise ValueError(f"{len(looks):,} attention maps, but {len(sure):,} gold alignments: give one for each")
    if not shifts:
        raise ValueError("shifts is empty: give at least 0")
    for gold in (sure, possible or ()):
        for number, (look, links) in enumerate(zip(looks, gold, strict=False), start=1):
            _check_fits(number, look, links)
    found = {shift: [attention_links(look, threshold, shift) for look in looks] for shift in shifts}
    scores = {shift: alignment_error_rate(links, sure, possible) for shift, links in found.items()}
    alignment = AttentionAlignment(scores)
    if by is None:
        return alignment
    labels = [[by(word) for word in _target_words(look)] for look in looks] if callable(by) else by
    return replace(alignment, labels=by_label(found[alignment.best_shift], sure, possible, labels))


def by_label(
    links: Sequence[Pairs],
    sure: Sequence[Pairs],
    possible: Sequence[Pairs] | None,
    labels: Sequence[Sequence[str]],
) -> dict[str, AlignmentScore]:
    """The alignment score of each label of the target words (a part of speech, for instance), sorted by name."""
    _counts(links, sure, possible)  # what does not fit together is said of all, not of a label
    if len(labels) != len(links):
        raise ValueError(f"{len(links):,} sentences, but labels of {len(labels):,}: give a list for each")
    maybe = possible if possible is not None else [()] * len(sure)
    for number, (names, *pairs) in enumerate(zip(labels, links, sure, maybe, strict=True), start=1):
        last = max((target for some in pairs for _, target in some), default=-1)
        if last >= len(names):
            raise ValueError(f"sentence {number}: target word {last} has no label, there are {len(names)}")
    scores = {}
    for label in sorted({name for names in labels for name in names}):
        kept = [
            [{pair for pair in some if names[pair[1]] == label} for names, some in zip(labels, side, strict=True)]
            for side in (links, sure, maybe)
        ]
        scores[label] = _score(_counts(*kept))
    return scores


def golds_of(golds: Sequence[Gold]) -> tuple[list[Links], list[Links]]:
    """Sure and possible links of what `read_alignments` gave, as the functions here take them."""
    return [gold.sure for gold in golds], [gold.possible for gold in golds]


def _counts(links: Sequence[Pairs], sure: Sequence[Pairs], possible: Sequence[Pairs] | None) -> Numbers:
    """For each sentence: |A|, |S|, |A and S|, |A and P|, target words with gold links, and those of them found."""
    maybe = possible if possible is not None else [()] * len(sure)
    if not len(links) == len(sure) == len(maybe):
        raise ValueError(
            f"links of {len(links):,} sentences, sure links of {len(sure):,} and possible ones of {len(maybe):,}:"
            " give one set for each sentence"
        )
    if not len(links):
        raise ValueError("no sentences: there is nothing to score")
    rows = []
    for found, must, may in zip(map(set, links), map(set, sure), map(set, maybe), strict=True):
        gold = must | may
        aligned, hit = {target for _, target in gold}, {target for _, target in found & gold}
        rows.append([len(found), len(must), len(found & must), len(found & gold), len(aligned), len(hit)])
    return np.array(rows, dtype=np.float64)


def _score(counts: Numbers) -> AlignmentScore:
    found, must, found_sure, found_gold, aligned, hit = (float(total) for total in counts.sum(0))
    low, high = middle(_error_rates(resampled(counts)))
    return AlignmentScore(
        error_rate=float(_error_rates(counts.sum(0, keepdims=True))[0]),
        precision=found_gold / found if found else 1.0,
        recall=found_sure / must if must else 1.0,
        hit_rate=hit / aligned if aligned else 1.0,
        links=int(found),
        sentences=len(counts),
        low=low,
        high=high,
    )


def _error_rates(sums: Numbers) -> Numbers:
    all_of_both = sums[:, 0] + sums[:, 1]
    right = np.divide(sums[:, 2] + sums[:, 3], all_of_both, out=np.ones(len(sums)), where=all_of_both > 0)
    return 1 - right


def _shifted(look: AttentionMap, shift: int) -> AttentionMap:
    """The map in which a row has the look of `shift` rows later; rows that have none look at nothing."""
    if not shift:
        return look
    weights = np.zeros_like(look.weights)
    count = len(look.rows)
    if shift > 0:
        weights[:, :, : max(0, count - shift)] = look.weights[:, :, shift:]
    else:
        weights[:, :, -shift:] = look.weights[:, :, : max(0, count + shift)]
    return replace(look, weights=weights)


def _target_words(look: AttentionMap) -> list[str]:
    """The target words by their number."""
    words = look.words().without_special()
    named = dict(zip(words.row_words, words.rows, strict=True))
    return [named.get(number, "") for number in range(max(named, default=-1) + 1)]


def _check_fits(number: int, look: AttentionMap, gold: Pairs) -> None:
    """Gold links that point behind the sentence tell of a file that counts from 1, or of another sentence."""
    sizes = max(look.column_words, default=-1) + 1, max(look.row_words, default=-1) + 1
    for link in gold:
        if link[0] >= sizes[0] or link[1] >= sizes[1]:
            raise ValueError(
                f"sentence {number}: gold link {link[0]}-{link[1]}, but the map has {sizes[0]} source and {sizes[1]}"
                " target words; do its words count from 1, or was the target another text?"
            )
