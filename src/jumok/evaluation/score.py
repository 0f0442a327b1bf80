"""The record of a figure: what it is called, its value, how it was made, and how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Score:
    """A figure of a whole corpus.

    signature: all that must be the same for two values to be comparable.
    low, high: the ends of the 95 % bootstrap interval, where it was asked for.

    >>> print(Score("BLEU", 34.517, "tok:13a", low=33.2, high=35.81))
    BLEU 34.52 (33.20 to 35.81)
    """

    name: str
    value: float
    signature: str = ""
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return f"{self.name} {shown(self.value)}{self.interval}"

    @property
    def interval(self) -> str:
        """The interval for people, or nothing where there is none."""
        return "" if self.low is None or self.high is None else f" ({shown(self.low)} to {shown(self.high)})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; a number that JSON has no word for becomes None."""
        values = {"name": self.name, "value": finite(self.value), "signature": self.signature}
        return values if self.low is None else {**values, "low": finite(self.low), "high": finite(self.high)}


def shown(value: float) -> str:
    """A figure for people: two decimals, or two digits where it is smaller than those could say.

    >>> shown(1234.567), shown(0.0), shown(0.0022)
    ('1,234.57', '0.00', '0.0022')
    """
    return f"{value:,.2f}" if value == 0 or abs(value) >= 0.1 else f"{value:.2g}"


def finite(value: float | None) -> float | None:
    """The value, or None where it is infinite or no number."""
    return value if value is not None and math.isfinite(value) else None
