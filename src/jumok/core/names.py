"""Names that people mistype, and the one that they meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is spelt most like `name`, or None where nothing comes near.

    >>> nearest("sofmax", ["softmax", "sparsemax"])
    'softmax'
    """
    by_lower = {candidate.lower().replace("-", "_"): candidate for candidate in sorted(known)}
    matches = get_close_matches(name.lower().replace("-", "_"), by_lower, n=1, cutoff=0.5)
    return by_lower[matches[0]] if matches else None


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """One line that says which name is not known, which one was meant, and which there are.

    >>> unknown("normalizer", "sofmax", ["softmax", "sum"])
    "unknown normalizer 'sofmax': did you mean 'softmax'? Known: softmax, sum"
    """
    names = sorted(known)
    close = nearest(name, names) if isinstance(name, str) else None
    hint = f": did you mean {close!r}? Known: " if close else "; known: "
    return f"unknown {what} {name!r}{hint}{', '.join(names)}"
