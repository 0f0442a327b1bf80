"""What came of reading a corpus: how many pairs, and which rows were none."""

from __future__ import annotations

from dataclasses import dataclass, field

from jumok.data.corpora.rows import Fault

PLACES = 5
"""How many places are remembered of each reason; the rest is counted."""


@dataclass
class Skipped:
    """Rows that were left out for one reason: how many, and the first places."""

    count: int = 0
    places: list[str] = field(default_factory=list)
    advice: str = ""


@dataclass
class Reading:
    """What was left out while something was read, by reason; the base of what is reported of it."""

    name: str
    skipped: dict[str, Skipped] = field(default_factory=dict, kw_only=True)

    def skip(self, fault: Fault) -> None:
        """Count a fault."""
        skipped = self.skipped.setdefault(fault.reason, Skipped())
        skipped.count += fault.lost
        skipped.advice = fault.advice
        if len(skipped.places) < PLACES:
            skipped.places.append(fault.place)

    def told(self, found: str) -> list[str]:
        """The report for the terminal: what was found, then a line for every reason."""
        lines = [f"{self.name}: {found}"]
        for reason, skipped in self.skipped.items():
            places = ", ".join(skipped.places) + (", ..." if skipped.count > len(skipped.places) else "")
            lines.append(f"{self.name}: {skipped.count:,} skipped: {reason} ({places})")
        return lines


@dataclass
class CorpusReport(Reading):
    """Filled while a corpus is read; whole when its last pair was taken.

    pairs: those that were given. held_out: those that another split has (see `HeldOut`).
    """

    pairs: int = 0
    held_out: int = 0

    def lines(self) -> list[str]:
        """The report for the terminal.

        >>> report = CorpusReport("train", pairs=1200)
        >>> report.skip(Fault("train.de:17", "the target is empty"))
        >>> report.lines()
        ['train: 1,200 pairs', 'train: 1 skipped: the target is empty (train.de:17)']
        """
        return self.told(f"{self.pairs:,} pairs")
