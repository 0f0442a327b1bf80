"""A sample of a text of any length, in little memory, the same each time."""

from __future__ import annotations

from jumok.core import splitmix

SENTENCES = 1_000_000
"""A tokenizer is learned from at most so many sentences, spread over the text."""


class Sample:
    """Holds every text until `limit` are there, then about half of them, until it is full again.

    Each place in the text has a random number, and a text stays while its number is below a bound that is halved.
    """

    def __init__(self, limit: int = SENTENCES) -> None:
        self.limit = limit
        self.seen = 0
        self.texts: list[str] = []
        self._numbers: list[int] = []
        self._below = 1 << 64

    def add(self, text: str) -> None:
        """Take one more text into account."""
        number = splitmix.mix((self.seen + 1) * splitmix.STEP)
        self.seen += 1
        if number >= self._below:
            return
        self.texts.append(text)
        self._numbers.append(number)
        while len(self.texts) > self.limit:
            self._below >>= 1
            kept = [place for place, held in enumerate(self._numbers) if held < self._below]
            self.texts = [self.texts[place] for place in kept]
            self._numbers = [self._numbers[place] for place in kept]

    @property
    def whole(self) -> bool:
        """Whether every text is held."""
        return len(self.texts) == self.seen
