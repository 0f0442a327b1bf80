"""Practice sentences by their tense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jumok.data.corpora.rows import Fault, Row, Side
from jumok.data.korean import VERSION, Korean
from jumok.data.korean.korean_side import korean
from jumok.data.labelled.settings import PracticeTexts

_LABELS = {"past": "past", "present": "present", "now": "present", "future": "future"}


class TenseReader(NamedTuple):
    """Makes Korean sentences; the source of a row is the sentence, its target past, present or future.

    The last verb tells: 갔다, 간다, 갈 것이다. A verb that describes a noun (읽은 책) may mislead, 어제 may help.
    """

    settings: PracticeTexts

    @property
    def name(self) -> str:
        """What is made."""
        return f"practice {self.settings.practice}"

    def rows(self) -> Iterator[Row | Fault]:
        """Yields the sentences by number, the first being 0."""
        grammar, wanted = Korean(self.settings.seed), self.settings
        for number in range(wanted.texts):
            sentence, _ = grammar._sentence(number, wanted.min_words, wanted.max_words, False)
            text = " ".join(word for word, *_ in korean(sentence))
            yield Row(number, text, _LABELS[sentence.tense])

    def place(self, number: int, side: Side) -> str:
        """The practice and the number of the sentence."""
        return f"{self.name}:{number}"

    def content(self) -> Iterator[bytes]:
        """Yields the version and the settings, from which the sentences follow."""
        yield f"{VERSION} {self.settings.model_dump_json()}".encode()
