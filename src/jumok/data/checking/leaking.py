"""What one split shares with another, and what it should share and does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jumok.data.checking.measuring import Measures
from jumok.data.checking.rules import Found, among, pair_hashes, twins

_ADVICE = {
    "pair": "take them out of one: what was trained on says nothing about the rest",
    "source": "take them out of one, or hold out by source sentence, as {share: ...} of train does",
    "target": "short ones are no harm; else as with sources",
}


def other_scripts(later: Measures, earlier: Measures) -> Iterator[Found]:
    """Yields the sides that the two splits write in different scripts."""
    for side in ("source", "target"):
        own, other = (getattr(split, side).script for split in (later, earlier))
        if own != other:
            rule = f"the {side} side is {own} here, and {other} in {earlier.corpus.name}"
            yield Found(f"{side} in another script", np.arange(1), later.pairs, rule, "are source and target swapped?")


def leaks(later: Measures, earlier: Measures) -> Iterator[Found]:
    """Yields what both have, whatever the case and the punctuation: pairs, sources, targets."""
    for kind, advice in _ADVICE.items():
        own, others = (_hashes(split, kind) for split in (later, earlier))
        rows = np.flatnonzero(among(own, np.sort(others)))
        name = earlier.corpus.name
        rule = f"the same {kind} is in {name}, but for case and punctuation"
        yield Found(f"{kind}s of {name}", rows, len(rows), rule, advice, twins(rows, own, others, earlier))


def _hashes(split: Measures, kind: str) -> np.ndarray:
    if kind == "pair":
        return pair_hashes(split.source.keys, split.target.keys)
    return (split.source if kind == "source" else split.target).keys
