"""Scores of a captioner while it learns: what it says of the validation pictures, running free."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from pydantic import Field

from jumok.core.settings import Settings
from jumok.data.pictures import PictureCorpus
from jumok.data.pictures.batching import PictureSource
from jumok.decoding import SearchSettings
from jumok.evaluation import CaptionBleu, Metric, cider_d, rouge_l
from jumok.systems.captioner import AT_ONCE, Captioner

METRICS: Mapping[str, Metric] = {
    **{f"bleu-{order}": CaptionBleu(order) for order in range(1, 5)},
    "rouge-l": rouge_l,
    "cider-d": cider_d,
}
"""The scores of captions by the name that a recipe gives."""


class CaptionEvaluationSettings(Settings):
    """What is measured on the validation pictures beside loss and accuracy, which see the right words before each."""

    scores: tuple[Literal["bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "cider-d"], ...] = ()
    """Scores of captions that the model writes alone; `training.figure` may then name one."""
    pictures: int | None = Field(default=None, ge=1)
    """Of the first so many validation pictures only; null: of all."""
    search: SearchSettings = SearchSettings(beam=1)
    """How they are written; greedily unless told otherwise."""


class CaptionScoring:
    """Writes captions of the validation pictures and scores them."""

    def __init__(
        self,
        captioner: Captioner,
        corpus: PictureCorpus,
        source: PictureSource,
        settings: CaptionEvaluationSettings,
    ) -> None:
        self._captioner, self._source, self._settings = captioner, source, settings
        self._references = [list(entry.captions) for entry in corpus[: settings.pictures]]

    def captions(self) -> list[str]:
        """What the model says of each picture."""
        found: list[str] = []
        for start in range(0, len(self._references), AT_ONCE):
            numbers = np.arange(start, min(start + AT_ONCE, len(self._references)))
            encoded = self._captioner.encode_inputs([self._source.take(numbers)])
            for hypotheses in self._captioner.search(encoded, self._settings.search).run():
                found.append(self._captioner.tokenizer.decode(hypotheses[0].tokens))
        return found

    def figures(self) -> dict[str, float]:
        """The value of each score."""
        outputs = self.captions()
        return {name: METRICS[name](outputs, self._references).value for name in self._settings.scores}
