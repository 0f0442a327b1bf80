"""Stories as numbers: every sentence once, and batches that are put together from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from jumok.data.mixing import key, shuffled
from jumok.data.stories.question import Question
from jumok.data.stories.words import StoryWords


@dataclass(frozen=True)
class StoryBatch:
    """Some questions: all their sentences one below the other, and where each belongs."""

    words: Tensor  # (N, L) of the sentences, then of the questions; 0 is no word
    slots: Tensor  # (N - B,) the number of each sentence in the grid (B, S), counted row by row
    lengths: Tensor  # (B,) sentences of each story
    longest: int  # S, at least 1
    answers: Tensor  # (B,) the right ones; -1 where it is none of training's
    numbers: tuple[int, ...]  # of the questions

    def to(self, device: torch.device) -> StoryBatch:
        """The same batch on a device."""
        moved = {name: getattr(self, name).to(device) for name in ("words", "slots", "lengths", "answers")}
        return replace(self, **moved)


class EncodedStories:
    """Questions as numbers. A sentence that comes again is kept once; of a long story only the last sentences are."""

    def __init__(self, questions: Sequence[Question], words: StoryWords, memories: int) -> None:
        self.questions, self.memories = questions, memories
        self._of_sentence: dict[str, int] = {}
        stories = [[self._number(sentence) for sentence in question.story[-memories:]] for question in questions]
        self._asked = np.array([self._number(question.text) for question in questions], np.int64)
        self._stories = [np.array(story, np.int64) for story in stories]
        self._answers = np.array([words.answer(question.answer) for question in questions], np.int64)
        encoded = [words.encode(sentence) for sentence in self._of_sentence]
        self._words = np.zeros((len(encoded), max(map(len, encoded), default=1) or 1), np.int64)
        for row, numbers in zip(self._words, encoded, strict=True):
            row[: len(numbers)] = numbers

    def __len__(self) -> int:
        return len(self.questions)

    def _number(self, sentence: str) -> int:
        return self._of_sentence.setdefault(sentence, len(self._of_sentence))

    def batch(self, numbers: Sequence[int] | npt.NDArray[np.int32]) -> StoryBatch:
        """The questions of these numbers."""
        stories = [self._stories[number] for number in numbers]
        lengths = np.array([len(story) for story in stories], np.int64)
        longest = max(int(lengths.max(initial=0)), 1)
        slots = np.flatnonzero(np.arange(longest) < lengths[:, None])
        rows = self._words[np.concatenate([*stories, self._asked[np.asarray(numbers)]])]
        used = rows.any(0).nonzero()[0]
        return StoryBatch(
            torch.from_numpy(rows[:, : used[-1] + 1 if len(used) else 1]),
            torch.from_numpy(slots),
            torch.from_numpy(lengths),
            longest,
            torch.from_numpy(self._answers[np.asarray(numbers)]),
            tuple(map(int, numbers)),
        )

    def in_order(self, size: int) -> Iterator[StoryBatch]:
        """Yields all questions, so many at once, shorter stories first: what is padded costs time."""
        order = sorted(range(len(self)), key=lambda number: len(self._stories[number]))
        for first in range(0, len(order), size):
            yield self.batch(order[first : first + size])


class StoryBatches(Sequence[StoryBatch]):
    """The batches of one epoch, in an order that follows from seed and epoch; this process's rows of each."""

    def __init__(
        self, stories: EncodedStories, size: int, seed: int, epoch: int, rank: int = 0, world: int = 1
    ) -> None:
        self._stories, self._size, self._rank, self._world = stories, size, rank, world
        self._order = shuffled(len(stories), key(seed, epoch))

    def __len__(self) -> int:
        return -(-len(self._order) // self._size)

    def __getitem__(self, number: int) -> StoryBatch:  # type: ignore[override]
        if not 0 <= number < len(self):
            raise IndexError(f"batch {number} of {len(self)}")
        return self._stories.batch(
            self._order[number * self._size : (number + 1) * self._size][self._rank :: self._world]
        )
