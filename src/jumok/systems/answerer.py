"""A trained answerer: a story and a question in, an answer out, with the sentences that each hop looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from jumok.core.settings import read_settings
from jumok.data.stories import Question
from jumok.data.stories.batches import EncodedStories
from jumok.data.stories.words import StoryWords, words_of
from jumok.evaluation.answers import AnswerReport, score_answers
from jumok.models.memory_network import MemoryNetwork, MemoryNetworkSettings
from jumok.systems.folders import CONFIG, load_model, read_config
from jumok.training.devices import choose
from jumok.viewing import AttentionMap
from jumok.viewing.map import SPECIAL

AT_ONCE = 256
"""Questions that go through the network together."""

NOTHING = "(nothing)"
"""The column of looks that rested on no sentence."""


@dataclass(frozen=True)
class Answer:
    """One answer.

    text: what was answered; probability: how sure it is.
    candidates: the probability of every answer that was seen in training, the likeliest first.
    unknown: words of story and question that were never seen in training; they count as if they were not there.
    attention: rows are hops, columns the sentences of the story, then nothing, where a hop may look at that (a special
        column). Sentences beyond the network's memory have no weight.
    """

    text: str
    probability: float
    candidates: Mapping[str, float]
    story: tuple[str, ...]
    question: str
    unknown: tuple[str, ...]
    attention: AttentionMap

    @property
    def peaks(self) -> list[int]:
        """The number of the sentence that each hop looked at most, counted from 0."""
        return [int(place) for place in self.attention.matrix[:, : len(self.story)].argmax(1)]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, the attention in its own form."""
        plain = {"question": self.question, "answer": self.text, "probability": self.probability}
        plain |= {"candidates": dict(self.candidates), "story": list(self.story), "unknown": list(self.unknown)}
        return plain | {"attention": self.attention.to_dict()}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Answer({self.text!r}, probability {self.probability:.3f})"

    def _repr_html_(self) -> str:
        return self.attention._repr_html_()


class Answerer:
    """Answers questions about stories, and says which sentences it looked at.

    model: the network. words: those that it knows.
    """

    def __init__(self, model: MemoryNetwork, words: StoryWords) -> None:
        self.model, self.words = model.eval(), words

    @classmethod
    def load(cls, folder: str | Path, device: str = "auto") -> Answerer:
        """The answerer in a model folder."""
        path = Path(folder)
        config = read_config(path)
        if config.system != "answering":
            raise ValueError(f"{path}: holds a model for {config.system}, not for answering")
        settings = read_settings(MemoryNetworkSettings, config.model, f"{path / CONFIG}: model")
        try:
            words = StoryWords(config.inputs["words"], config.inputs["answers"], config.words["longest"])
            model = MemoryNetwork(settings, words.size, words.longest, words.answer_words)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path / CONFIG}: damaged ({error!r}); copy the folder again") from None
        load_model(model, path)
        return cls(model.to(choose(device)), words)

    def __call__(self, story: str | Sequence[str], question: str) -> Answer:
        """The answer to a question about a story: its sentences, or a text with one a line."""
        lines = story.split("\n") if isinstance(story, str) else story
        sentences = tuple(line.strip() for line in lines if line.strip())
        if not sentences:
            raise ValueError("the story is empty; give at least one sentence")
        if not words_of(question):
            raise ValueError("the question is empty; ask something about the story")
        if not any(self.words.encode(question)):
            raise ValueError(f"question {question!r}: none of its words was seen in training")
        return next(self.answers([Question(sentences, question.strip(), "")]))

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer]:
        """Yields the answer to each of several questions."""
        memories = self.model.settings.memories
        for first in range(0, len(questions), AT_ONCE):
            some = questions[first : first + AT_ONCE]
            probabilities, weights = self._read(some)
            for row, (question, chances) in enumerate(zip(some, probabilities, strict=True)):
                kept = min(len(question.story), memories)
                looks = np.zeros((weights.shape[1], len(question.story)), np.float32)
                if kept:
                    looks[:, -kept:] = weights[row, :, :kept]
                yield self._answer(question, chances, looks)

    def evaluate(self, questions: Sequence[Question]) -> AnswerReport:
        """The figures of some questions, task by task; an answer that was never seen in training counts as wrong."""
        right, peaks = [], []
        for first in range(0, len(questions), AT_ONCE):
            some = questions[first : first + AT_ONCE]
            probabilities, weights = self._read(some)
            for row, question in enumerate(some):
                forgotten = max(len(question.story) - self.model.settings.memories, 0)
                right.append(self.words.answer(question.answer) == int(probabilities[row].argmax()))
                peaks.append([int(place) + forgotten for place in weights[row].argmax(1)])
        tasks, support = [question.task for question in questions], [question.support for question in questions]
        return score_answers(tasks, right, peaks, support)

    def _read(self, questions: Sequence[Question]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The probabilities `(B, answers)` and the weights `(B, hops, S)` of some questions."""
        encoded = EncodedStories(questions, self.words, self.model.settings.memories)
        with torch.no_grad():
            found = self.model(encoded.batch(range(len(questions))).to(self.model.tables.device))
        return found.logits.softmax(-1).cpu().numpy(), found.weights.cpu().numpy()

    def _answer(self, question: Question, chances: np.ndarray[Any, Any], looks: np.ndarray[Any, Any]) -> Answer:
        order = (-chances).argsort(kind="stable")
        best = self.words.answers[order[0]]
        unknown = [word for text in (*question.story, question.text) for word in self.words.unknown(text)]
        hops = [str(number) for number in range(1, len(looks) + 1)]
        sentences, places = [*question.story], [*range(len(question.story))]
        if self.model.settings.nothing:
            looks = np.column_stack([looks, (1 - looks.sum(1)).clip(0, 1)])
            sentences, places = [*sentences, NOTHING], [*places, SPECIAL]
        return Answer(
            best,
            float(chances[order[0]]),
            {self.words.answers[number]: float(chances[number]) for number in order},
            question.story,
            question.text,
            tuple(dict.fromkeys(unknown)),
            AttentionMap.from_arrays(
                looks,
                hops,
                sentences,
                column_words=places,
                row_name="hop",
                column_name="sentence",
                title=f"{question.text} {best}",
            ),
        )
