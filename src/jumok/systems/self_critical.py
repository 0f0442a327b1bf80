"""Self-critical learning (Rennie et al. 2017): a captioner learns from CIDEr-D of captions that it draws itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import torch
from pydantic import Field, model_validator
from torch import Tensor

from jumok.core.settings import Settings
from jumok.data import Tokenizer
from jumok.data.pictures import PictureBatch, PictureCorpus
from jumok.decoding import DrawSettings, Hypothesis, SearchSettings, padded
from jumok.evaluation import CiderD, DocumentFrequencies
from jumok.models import Encoded, Sums
from jumok.systems.captioner import Captioner


class SelfCriticalSettings(Settings):
    """Captions are drawn, and made likelier where they score above others of their picture.

    For each caption $c$ of a picture, with $r$ a tenth of CIDEr-D and a baseline $b$,
    $$- (r(c) - b) \\sum_t \\log p(c_t)$$
    """

    samples: int = Field(default=5, ge=1)
    """Captions that are drawn of each picture."""
    temperature: float = Field(default=1.0, gt=0)
    """Of drawing."""
    baseline: Literal["others", "greedy"] = "others"
    """What a caption has to beat: the mean of the others that were drawn of its picture (Luo 2020), or the greedy one
    (Rennie et al. 2017). While captions that are drawn are much worse than the greedy one, only the first tells them
    apart."""

    @model_validator(mode="after")
    def _has_others(self) -> SelfCriticalSettings:
        if self.baseline == "others" and self.samples == 1:
            raise ValueError("samples: one caption has no others to beat; take more, or baseline: greedy")
        return self


class SelfCritic:
    """The loss of a batch of pictures, whose own captions are only counted when scores weigh words."""

    def __init__(
        self, captioner: Captioner, corpus: PictureCorpus, settings: SelfCriticalSettings, longest: int
    ) -> None:
        self._captioner, self._settings, self._longest = captioner, settings, longest
        self._references = [list(entry.captions) for entry in corpus]
        self._metric = CiderD(DocumentFrequencies.of(self._references))

    def loss(self, batch: PictureBatch) -> Sums:
        """What is minimised, summed over the words of the drawn captions; its part `reward` is their CIDEr-D."""
        model = self._captioner.machine.models[0]
        samples = self._settings.samples
        drawn, greedy = self._said(batch)
        rewards = self._rewards(drawn, batch)
        each = rewards.view(-1, samples)  # (P, samples)
        if greedy:
            baseline = self._rewards(greedy, batch).unsqueeze(1)
        else:
            baseline = (each.sum(1, keepdim=True) - each) / (samples - 1)
        gain = (each - baseline).flatten() / 10
        told = _batch_of(drawn, batch, samples)
        losses, rows = model.word_losses(told)
        total = (losses * gain.to(losses)[rows]).sum()
        words = rewards.repeat_interleave(told.target_lengths.cpu()).sum()
        return Sums(total, told.tokens, {"reward": words.to(total)})

    @torch.no_grad()
    def _said(self, batch: PictureBatch) -> tuple[list[Hypothesis], list[Hypothesis]]:
        """Captions that are drawn, some of each picture, and the greedy ones where they count; without dropout."""
        model = self._captioner.machine.models[0]
        learning = model.training
        model.eval()
        encoded: list[Encoded] = self._captioner.encode_inputs([batch.inputs])
        draw = DrawSettings(temperature=self._settings.temperature, seed=int(model.updates))
        several = SearchSettings(n_best=self._settings.samples, draw=draw, max_length=self._longest)
        drawn = self._captioner.search(encoded, several, numbers=batch.pictures).run()
        greedy: list[list[Hypothesis]] = []
        if self._settings.baseline == "greedy":
            greedy = self._captioner.search(encoded, SearchSettings(beam=1, max_length=self._longest)).run()
        model.train(learning)
        return [one for each in drawn for one in each], [each[0] for each in greedy]

    def _rewards(self, said: list[Hypothesis], batch: PictureBatch) -> Tensor:
        """CIDEr-D of each caption, 100 times as large as papers give it."""
        each = len(said) // len(batch.pictures)
        references = [self._references[number] for number in batch.pictures.tolist() for _ in range(each)]
        outputs = [self._captioner.tokenizer.decode(one.tokens) for one in said]
        return torch.from_numpy(100 * self._metric.statistics(outputs, references).counts[:, 0]).float()


def _batch_of(said: list[Hypothesis], batch: PictureBatch, samples: int) -> PictureBatch:
    """The captions as targets of the same pictures."""
    device = batch.target.device
    target, lengths = padded([one.tokens for one in said], device)
    start = torch.full((len(said), 1), Tokenizer.START, device=device)
    places = torch.arange(len(batch.pictures), device=device).repeat_interleave(samples)
    return replace(
        batch,
        numbers=torch.arange(len(said), device=device),
        places=places,
        target=torch.cat([start, target], dim=1),
        target_lengths=lengths,
    )
