"""What came of reading pictures and captions: how many, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from jumok.data.corpora.report import PLACES, Skipped
from jumok.data.corpora.rows import Fault

MEND = "mend it, or leave such pictures out with data.on_error=skip"


@dataclass
class PictureReport:
    """Pictures and captions that were found; skipped: what was left out, by reason."""

    name: str
    pictures: int = 0
    captions: int = 0
    skipped: dict[str, Skipped] = field(default_factory=dict)

    def skip(self, fault: Fault) -> None:
        """Count a fault."""
        skipped = self.skipped.setdefault(fault.reason, Skipped())
        skipped.count += fault.lost
        skipped.advice = fault.advice
        if len(skipped.places) < PLACES:
            skipped.places.append(fault.place)

    def lines(self) -> list[str]:
        """The report for the terminal: the pictures, then a line for every reason.

        >>> report = PictureReport("train", pictures=6000, captions=30000)
        >>> report.skip(Fault("cat.jpg", "there is no such picture"))
        >>> report.lines()
        ['train: 6,000 pictures, 30,000 captions', 'train: 1 skipped: there is no such picture (cat.jpg)']
        """
        lines = [f"{self.name}: {self.pictures:,} pictures, {self.captions:,} captions"]
        for reason, skipped in self.skipped.items():
            places = ", ".join(skipped.places) + (", ..." if skipped.count > len(skipped.places) else "")
            lines.append(f"{self.name}: {skipped.count:,} skipped: {reason} ({places})")
        return lines
