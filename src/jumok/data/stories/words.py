"""The words of stories, by number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from jumok.data.stories.question import Question

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def words_of(text: str) -> list[str]:
    """The words of a sentence, in lower case and without marks.

    >>> words_of("Mary didn't go to the X-ray room, did she?")
    ['mary', "didn't", 'go', 'to', 'the', 'x-ray', 'room', 'did', 'she']
    """
    return _WORD.findall(text.lower())


class StoryWords:
    """The words and the answers that were seen in training. Number 0 is no word: unseen words count as none.

    words: in order, the first having number 1. An answer of one word is that word; another is one of its own.
    answers: as they were written.
    longest: the most words of a sentence.
    """

    def __init__(self, words: Sequence[str], answers: Sequence[str], longest: int) -> None:
        self.words, self.answers, self.longest = tuple(words), tuple(answers), longest
        self._numbers = {word: number for number, word in enumerate(words, start=1)}
        self._answers = {answer.lower(): number for number, answer in enumerate(answers)}

    @classmethod
    def of(cls, questions: Iterable[Question]) -> StoryWords:
        """All words and answers of some questions, in alphabetical order."""
        sentences: set[str] = set()
        answers: dict[str, str] = {}
        for question in questions:
            sentences |= {*question.story, question.text}
            answers.setdefault(question.answer.lower(), question.answer)
        texts = [words_of(sentence) for sentence in sentences]
        words = {word for text in texts for word in text}
        return cls(
            sorted(words | set(answers)),
            [answers[answer] for answer in sorted(answers)],
            max((len(text) for text in texts), default=1),
        )

    @property
    def size(self) -> int:
        """How many numbers there are, that of no word included."""
        return len(self.words) + 1

    @property
    def answer_words(self) -> list[int]:
        """The number of each answer among the words."""
        return [self._numbers[answer.lower()] for answer in self.answers]

    def encode(self, sentence: str) -> list[int]:
        """The numbers of a sentence's words."""
        return [self._numbers.get(word, 0) for word in words_of(sentence)]

    def unknown(self, sentence: str) -> list[str]:
        """The words of a sentence that were never seen."""
        return [word for word in words_of(sentence) if word not in self._numbers]

    def answer(self, text: str) -> int:
        """The number of an answer; -1 for one that was never seen."""
        return self._answers.get(text.lower(), -1)
