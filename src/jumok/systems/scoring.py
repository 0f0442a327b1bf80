"""Scores of a translator while it learns: what it makes of the validation sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Literal

from pydantic import Field

from jumok.core.settings import Settings
from jumok.data import TextPair
from jumok.decoding import SearchSettings
from jumok.evaluation import Metric, bleu, chrf, paper_bleu, ter
from jumok.systems.translator import Translator

METRICS: Mapping[str, Metric] = {"bleu": bleu, "chrf": chrf, "ter": ter, "paper_bleu": paper_bleu}
"""The scores of text by the name that a recipe gives."""


class EvaluationSettings(Settings):
    """What is measured on the validation pairs beside loss and accuracy."""

    scores: tuple[Literal["bleu", "chrf", "ter", "paper_bleu"], ...] = ()
    """Scores of the translations; `training.figure` may then name one. It takes a translation of all of them."""
    language: str | None = None
    """The target language, such as de; paper_bleu needs it, the others find it from the script."""
    sentences: int | None = Field(default=None, ge=1)
    """Of the first so many validation pairs only; null: of all."""
    search: SearchSettings = SearchSettings(beam=1)
    """How they are translated; greedily unless told otherwise."""


class Scoring:
    """Translates the validation sentences and scores them; `translator` is the model as it is at the moment."""

    def __init__(self, translator: Translator, pairs: Iterable[TextPair], settings: EvaluationSettings) -> None:
        self.translator, self._settings = translator, settings
        self._pairs = list(islice(pairs, settings.sentences)) if settings.scores else []

    def figures(self) -> dict[str, float]:
        """The value of each score."""
        if not self._pairs:
            return {}
        search = self._settings.search.model_dump(exclude_none=True)
        outputs = [found.text for found in self.translator([pair.source for pair in self._pairs], **search)]
        references = [pair.target for pair in self._pairs]
        return {
            name: METRICS[name](outputs, references, self._settings.language).value for name in self._settings.scores
        }
