"""What may be wrong within one split: each rule finds pairs by their numbers alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jumok.data.checking.findings import EXAMPLES
from jumok.data.checking.measuring import Hashes, Measures, Side
from jumok.data.corpora.scripts import SCRIPTS

Rows = NDArray[np.int64]

RATIO, CHARACTERS = 3.0, 30
BLOCK, FARTHEST = 1000, 3


class Found(NamedTuple):
    """What a rule found: its rows in order, how many pairs are concerned, and what to say about it.

    twins: where the first row is that is like a found one, of as many as are shown.
    """

    name: str
    rows: Rows
    found: int
    rule: str
    advice: str
    twins: tuple[str, ...] = ()


def twins(rows: Rows, own: Hashes, others: Hashes, of: Measures) -> tuple[str, ...]:
    """The places of the first rows of `of` that have the same hash as each of the first few `rows`."""
    return tuple(of.place(int(np.flatnonzero(others == own[row])[0])) for row in rows[:EXAMPLES])


def all_rules(measures: Measures) -> Iterator[Found]:
    """Yields what every rule found, the gravest first."""
    yield shifted(measures)
    for name, side, partner in (
        ("source", measures.source, measures.target),
        ("target", measures.target, measures.source),
    ):
        yield wrong_script(name, side)
        yield without_letters(name, side, partner)
    yield damaged(measures)
    yield odd_lengths(measures)
    yield duplicates(measures)
    yield copied(measures)
    yield several_targets(measures)


def duplicates(measures: Measures) -> Found:
    """Pairs that were there before."""
    pairs = pair_hashes(measures.source.texts, measures.target.texts)
    order = np.argsort(pairs, kind="stable")
    rows = np.sort(order[1:][pairs[order[1:]] == pairs[order[:-1]]])
    rule, advice = "the same pair was there before", "harmless if few; many weigh too much"
    return Found("duplicates", rows, len(rows), rule, advice, twins(rows, pairs, pairs, measures))


def several_targets(measures: Measures) -> Found:
    """Sources that have more than one translation."""
    sources, targets = measures.source.texts, measures.target.texts
    order = np.argsort(sources, kind="stable")
    same = sources[order[1:]] == sources[order[:-1]]
    other = same & (targets[order[1:]] != targets[order[:-1]])
    rows = np.sort(order[1:][other])
    concerned = int(among(sources, np.sort(sources[rows])).sum())
    rule = "the same source has other translations, too"
    advice = "no fault, but split such a corpus by source sentence, as {share: ...} does"
    return Found("several translations", rows, concerned, rule, advice, twins(rows, sources, sources, measures))


def odd_lengths(measures: Measures) -> Found:
    """Pairs of which one side is far longer than the other lets expect."""
    source, target = measures.source.sizes.astype(np.float32), measures.target.sizes.astype(np.float32)
    usual = np.float32(np.median(target / source)) if len(source) else np.float32(1)
    source *= usual
    longer, shorter = np.maximum(source, target), np.minimum(source, target)
    rows = np.flatnonzero((longer > RATIO * shorter) & (longer - shorter > CHARACTERS))
    rule = (
        f"a side is over {RATIO:g} times, and {CHARACTERS} characters, from the usual {usual:.2f} of target to source"
    )
    return Found("odd lengths", rows, len(rows), rule, "look whether they are translations at all")


def wrong_script(name: str, side: Side) -> Found:
    """Lines whose letters are mostly of another script than those of their side."""
    usual = {"none", side.script} | ({"Han"} if side.script == "Kana" else set())
    expected = np.isin(side.scripts, [SCRIPTS.index(script) for script in usual])
    rows = np.flatnonzero(~expected)
    rule = f"the {name} side is {side.script}, these lines are mostly something else"
    if len(rows) > 0.4 * len(side.scripts):  # no script is usual here
        rows = rows[:0]
    return Found(
        f"{name} in another script", rows, len(rows), rule, "look whether the sides are swapped or untranslated"
    )


def without_letters(name: str, side: Side, partner: Side) -> Found:
    """Lines without a letter, where the other side has some."""
    nothing = SCRIPTS.index("none")
    rows = np.flatnonzero((side.scripts == nothing) & (partner.scripts != nothing))
    rule = f"the {name} has no letter, but the other side has"
    if side.script == "none":
        rows = rows[:0]
    return Found(f"{name} without letters", rows, len(rows), rule, "look whether the text was lost")


def copied(measures: Measures) -> Found:
    """Pairs of which both sides are the same."""
    rows = np.flatnonzero(measures.source.keys == measures.target.keys)
    rule = "both sides are the same but for case and punctuation"
    return Found("copies", rows, len(rows), rule, "names and numbers are fine; sentences teach the model to copy")


def damaged(measures: Measures) -> Found:
    """Pairs that hold the mark of a letter that was lost."""
    rows = np.flatnonzero(measures.damaged)
    rule = "the text holds U+FFFD, which stands for letters that were lost"
    return Found("lost letters", rows, len(rows), rule, "the files were once read in a wrong encoding; make them anew")


def shifted(measures: Measures) -> Found:
    """Blocks of lines that fit better to the lines beside their partners."""
    blocks = measures.pairs // BLOCK
    sources, targets = (
        np.log(side.sizes[: blocks * BLOCK].astype(np.float32).reshape(blocks, BLOCK))
        for side in (measures.source, measures.target)
    )
    in_step = _correlation(sources, targets)
    beside = np.zeros(blocks, dtype=np.float32)
    for lag in range(1, FARTHEST + 1):
        beside = np.maximum(beside, _correlation(sources[:, lag:], targets[:, :-lag]))
        beside = np.maximum(beside, _correlation(sources[:, :-lag], targets[:, lag:]))
    rows = np.flatnonzero((beside > 0.5) & (in_step < beside - 0.3)) * BLOCK
    rule = f"blocks of {BLOCK:,} lines whose lengths fit the lines beside their partners better"
    return Found("shifted lines", rows, len(rows) * BLOCK, rule, "a line is missing or doubled on one side before them")


def pair_hashes(sources: Hashes, targets: Hashes) -> Hashes:
    """A hash of each pair, from those of its sides."""
    return sources * np.uint64(0x9E3779B97F4A7C15) + targets


def among(values: Hashes, known: Hashes) -> NDArray[np.bool_]:
    """Whether each value is among the known ones, which are sorted."""
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_)
    places = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return np.asarray(known[places] == values)


def _correlation(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    """The correlation of the rows of two matrices; 0 where one does not vary."""
    left, right = left - left.mean(1, keepdims=True), right - right.mean(1, keepdims=True)
    spread = np.sqrt((left**2).sum(1) * (right**2).sum(1))
    return np.asarray((left * right).sum(1) / np.where(spread > 0, spread, 1))
