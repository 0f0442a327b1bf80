"""Whether what was printed has the shape of what a page shows: the same words, and a number where there is a number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

NUMBER = re.compile(r"(?:< )?\d+(?:[.,:]\d+)*(?:\.\.\.| s\b)?")
BAR = re.compile(r"[█-▏]+ *")
FIXED = re.compile(r"version \d|\d+ nouns,|\d+ kinds;")  # lines whose numbers no training and no machine decides
SHAPE = re.compile(r"(\(\d+(?:, \d+)*\))(?:$|[:,])")
KIND = re.compile(r"an? ([A-Z]\w+|ndarray)\b")
VALUE = re.compile(r"[(\[{'\d]|[A-Z]\w+\(")


def shape(text: str) -> str:
    """A line without its numbers and without the lengths of bars and blanks."""
    return " ".join(NUMBER.sub("#", BAR.sub("█ ", text)).split())


def fits(shown: str, printed: str) -> bool:
    """Whether a line is of the shape that is shown; `...` is anything."""
    if FIXED.match(shown):
        return shown == printed
    return re.fullmatch(re.escape(shape(shown)).replace(r"\.\.\.", ".*"), shape(printed)) is not None


def told(shown: Sequence[str], printed: str, whole: bool = False) -> bool:
    """Whether these lines are printed in this order; if `whole`, no others, unless a line of dots stands for them."""
    wanted, lines = [line for line in shown if line.strip()], [line for line in printed.splitlines() if line.strip()]
    if whole and "..." not in wanted:
        return len(wanted) == len(lines) and all(map(fits, wanted, lines))
    rest = iter(lines)
    return all(any(fits(line, other) for other in rest) for line in wanted if line != "...")


def check_value(said: str, value: Any) -> bool:
    """Compare a value with the comment beside it; False where the comment tells no value."""
    if isinstance(value, Path):
        assert str(value) == said
    elif (form := SHAPE.match(said)) and hasattr(value, "shape"):
        assert str(tuple(value.shape)) == form[1]
    elif kind := KIND.match(said):
        assert type(value).__name__ == kind[1]
    elif isinstance(value, float) and NUMBER.fullmatch(said):
        assert value == pytest.approx(float(said))
    elif VALUE.match(said):
        assert fits(said, repr(value)), f"{value!r} instead of {said}"
    else:
        return False
    return True
