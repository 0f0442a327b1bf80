"""What came of reading pictures and captions: how many, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass

from jumok.data.corpora.report import Reading

MEND = "mend it, or leave such pictures out with data.on_error=skip"


@dataclass
class PictureReport(Reading):
    """Pictures and captions that were found.

    uncaptioned: more that lie in the folder of a table's pictures, of which no row of it tells anything.
    """

    pictures: int = 0
    captions: int = 0
    uncaptioned: int = 0

    def lines(self) -> list[str]:
        """The report for the terminal.

        >>> from jumok.data.corpora.rows import Fault
        >>> report = PictureReport("train", pictures=6000, captions=30000)
        >>> report.skip(Fault("cat.jpg", "there is no such picture"))
        >>> report.lines()
        ['train: 6,000 pictures, 30,000 captions', 'train: 1 skipped: there is no such picture (cat.jpg)']
        """
        lines = self.told(f"{self.pictures:,} pictures, {self.captions:,} captions")
        more = f"{self.name}: {self.uncaptioned:,} more in the folder of the pictures, without a caption in this table"
        return [*lines, more] if self.uncaptioned else lines
