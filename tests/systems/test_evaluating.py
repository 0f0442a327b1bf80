"""Figures of a translator: what is moved about are its own looks, those of each head."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from jumok.data import TextPair
from jumok.data.korean import Korean
from jumok.decoding import Machine
from jumok.evaluation.faithfulness import Permutation, permutation
from jumok.models import EncoderDecoder, ModelSettings
from jumok.systems import Translator, evaluating

PAIRS = [TextPair(pair.source, pair.target) for pair in Korean(9).pairs(3, max_words=6)]


def with_heads(translator: Translator) -> Translator:
    """A Transformer of the same words, which has learned nothing, but whose heads look at different places."""
    part = {"kind": "transformer", "layers": 2, "heads": 2, "inner_size": 16}
    settings = ModelSettings(preset="transformer", embedding_size=8, encoder=part, decoder=part)
    torch.manual_seed(3)
    model = EncoderDecoder(settings, translator.tokenizers.source.size, translator.tokenizers.target.size).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3.0 if parameter.dim() > 1 else 1.0)
    return Translator(Machine(model), translator.tokenizers)


@pytest.mark.parametrize("heads", [1, 2])
def test_under_its_own_weights_a_target_is_as_likely_as_ever(
    translator: Translator, heads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = translator if heads == 1 else with_heads(translator)
    found: list[Permutation] = []

    def seen(*given: Any) -> Permutation:
        found.append(permutation(*given))
        return found[-1]

    monkeypatch.setattr(evaluating, "permutation", seen)
    chances = evaluating.permuted(asked, PAIRS, permutations=9)
    own = asked.score([pair.source for pair in PAIRS], [pair.target for pair in PAIRS])
    assert own[0].attention is not None
    assert own[0].attention.heads == heads
    assert [one.score for one in found] == pytest.approx([one.score for one in own], abs=1e-3)
    assert all(len(set(one.moved.tolist())) > 1 for one in found)
    assert all(0 < chance <= 1 for chance in chances)


def test_models_that_decide_together_can_be_asked_too(translator: Translator) -> None:
    both = Translator(
        Machine(*translator.machine.models, *with_heads(translator).machine.models), translator.tokenizers
    )
    assert len(evaluating.permuted(both, PAIRS[:1], permutations=5)) == 1
