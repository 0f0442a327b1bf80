"""Stepping equals teacher forcing: in loss, gradients and looks, with dropout on, for every model."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
import torch
from tests.models.shared import batch, gradients, padded, small
from torch.utils._python_dispatch import TorchDispatchMode

from jumok.attention.attention import joined
from jumok.data import Batch
from jumok.models import PRESETS, EncoderDecoder, Given, Steps


def by_stepping(model: EncoderDecoder, given: Batch) -> Steps:
    state = model.decoder.start(model.encode(given))
    steps = []
    for place in range(given.target.shape[1] - 1):
        steps.append(model.decoder.step(given.target[:, place : place + 1], state))
        state = steps[-1].state
    looks = tuple(joined(list(layer)) for layer in zip(*(step.attended for step in steps), strict=True))
    return Steps(torch.cat([step.features for step in steps], dim=1), looks, model.decoder.output)


def check(model: EncoderDecoder, given: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(7)
    fast = model.loss(given)
    fast_gradients = gradients(model, fast)
    torch.manual_seed(7)
    fast_steps = model(given)
    expected = getattr(fast_steps, "sampled", None)

    def slow_forward(self: EncoderDecoder, given: Batch) -> Steps:
        steps = by_stepping(self, given)
        steps.sampled = expected
        return steps

    monkeypatch.setattr(EncoderDecoder, "forward", slow_forward)
    torch.manual_seed(7)
    slow = model.loss(given)
    slow_gradients = gradients(model, slow)
    torch.manual_seed(7)
    slow_steps = model(given)
    monkeypatch.undo()
    torch.testing.assert_close(fast.sum, slow.sum)
    torch.testing.assert_close(fast_steps.logits, slow_steps.logits)
    assert len(fast_steps.attended) == len(slow_steps.attended)
    for quick, slowly in zip(fast_steps.attended, slow_steps.attended, strict=True):
        torch.testing.assert_close(quick.weights, slowly.weights)
    for name, gradient in fast_gradients.items():
        torch.testing.assert_close(gradient, slow_gradients[name], msg=lambda text, name=name: f"{name}: {text}")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("dropout", [0.0, 0.4])
def test_presets(preset: str, dropout: float, monkeypatch: pytest.MonkeyPatch) -> None:
    check(small(preset, dropout=dropout, label_smoothing=0.1), batch(), monkeypatch)


ADDITIVE: dict[str, Any] = {"score": "additive", "hidden_size": 5}


@pytest.mark.parametrize("cell", ["lstm", "gru"])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize(
    ("query", "context", "output", "feeding"),
    [
        (query, context, output, feeding)
        for query, context, output, feeding in product(
            ["before", "after"], ["cell", "output", "both"], ["state", "attentional", "deep", "maxout"], [False, True]
        )
        if output == "attentional" or not feeding
    ],
)
def test_every_setting_of_the_recurrent_decoder(
    cell: str, layers: int, query: str, context: str, output: str, feeding: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoder = {
        "cell": cell,
        "layers": layers,
        "query": query,
        "context": context,
        "output": output,
        "input_feeding": feeding,
        "attention": ADDITIVE,
        "gate": layers == 2,
    }
    model = small(decoder=decoder, dropout=0.3, tie="target" if cell == "gru" else "none")
    check(model, batch(rows=3), monkeypatch)


@pytest.mark.parametrize("output", ["deep", "maxout"])
@pytest.mark.parametrize("context", ["output", "both"])
@pytest.mark.parametrize("attention", [ADDITIVE, None])
def test_words_from_the_state_before(
    attention: dict[str, Any] | None, context: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoder = {"attention": attention, "context": context, "query": "before", "output": output, "tells": "before"}
    check(small(decoder={**decoder, "layers": 2}, dropout=0.3), batch(rows=3), monkeypatch)


def test_the_state_that_tells_is_the_one_before_the_step() -> None:
    model = small(decoder={"attention": None, "output": "deep", "tells": "before"}).eval()
    decoder, rows = model.decoder, batch(rows=3)
    state = decoder.start(model.encode(rows))
    for words in rows.target[:, :3].T.unsqueeze(-1):  # (B, 1)
        seen = torch.cat([state.hidden[-1].output, decoder.embedding(words)], dim=-1)
        step = decoder.step(words, state)
        torch.testing.assert_close(step.features, decoder.combine(seen).tanh())
        state = step.state


@pytest.mark.parametrize("summary", ["first", "every"])
@pytest.mark.parametrize("context", ["cell", "output", "both"])
@pytest.mark.parametrize("word", [True, False])
def test_without_attention(summary: str, context: str, word: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    decoder = {"attention": None, "summary": summary, "context": context, "feed_word": word, "output": "state"}
    check(small(decoder=decoder, dropout=0.3), batch(rows=3), monkeypatch)


@pytest.mark.parametrize(
    "attention",
    [
        {**ADDITIVE, "history": "coverage"},
        {**ADDITIVE, "history": "last", "filters": 2, "filter_width": 3},
        {"score": "general", "normalize": "sparsemax"},
        {**ADDITIVE, "select": "gumbel"},
        {**ADDITIVE, "select": "straight_through"},
        {"score": "dot", "window": "local_m", "temperature": 2.0},
        {**ADDITIVE, "dropout": 0.3},
    ],
    ids=lambda attention: "-".join(map(str, attention.values())),
)
@pytest.mark.parametrize("context", ["output", "both"])
def test_any_attention(attention: dict[str, Any], context: str, monkeypatch: pytest.MonkeyPatch) -> None:
    decoder = {"attention": attention, "context": context, "query": "after" if context == "output" else "before"}
    check(small(decoder=decoder), batch(rows=3), monkeypatch)


@pytest.mark.parametrize("preset", PRESETS)
def test_padding_changes_no_loss(preset: str) -> None:
    model = small(preset, label_smoothing=0.1).eval()
    given = batch()
    near, far = model.loss(given), model.loss(padded(given, 3))
    torch.testing.assert_close(near.sum, far.sum)
    near_gradients, far_gradients = gradients(model, near), gradients(model, far)
    for name, gradient in near_gradients.items():
        torch.testing.assert_close(gradient, far_gradients[name])


@pytest.mark.parametrize("preset", PRESETS)
def test_hypotheses_are_reordered_and_sentences_dropped(preset: str) -> None:
    """Select and keep give what decoding each hypothesis alone gives."""
    model = small(preset).eval()
    given = batch(rows=3)
    encoded = model.encode(given)
    generator = torch.Generator().manual_seed(1)
    first = torch.full((3, 1), 2)
    one = model.decoder.step(first, model.decoder.start(encoded))
    words = torch.randint(4, 20, (3, 2), generator=generator)
    two = model.decoder.step(words, one.state.select(torch.zeros(3, 2, dtype=torch.int64)))
    parents = torch.tensor([[1, 0, 1], [0, 0, 1], [1, 1, 0]])
    kept = torch.tensor([0, 2])
    state = two.state.select(parents).keep(torch.tensor([True, False, True]))
    last = torch.randint(4, 20, (2, 3), generator=generator)
    three = model.decoder.step(last, state)
    for row, sentence in enumerate(kept.tolist()):
        for hypothesis in range(3):
            spelt = [2, int(words[sentence, parents[sentence, hypothesis]]), int(last[row, hypothesis])]
            alone = model.decoder(torch.tensor([spelt]), encoded.keep(torch.tensor([sentence])))
            torch.testing.assert_close(three.logits[row, hypothesis], alone.logits[0, -1])
            for look, expected in zip(three.attended, alone.attended, strict=True):
                torch.testing.assert_close(look.weights[row, ..., hypothesis, :], expected.weights[0, ..., -1, :])


class Products(TorchDispatchMode):
    """Counts the matrix products by the shape of what they give."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes: Counter[tuple[int, ...]] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        if func.overloadpacket in (torch.ops.aten.mm, torch.ops.aten.addmm, torch.ops.aten.bmm):
            self.shapes[tuple(made.shape)] += 1
        return made


ALL_MAPS = {"attention": {"score": "location", "max_length": 9, "window": "local_p"}, "gate": True}


@pytest.mark.parametrize(
    ("preset", "decoder"),
    # Where nothing is fed back, the cells are torch's own, over all steps at once.
    [*((preset, {}) for preset in PRESETS if not preset.startswith("plain")), ("bahdanau", ALL_MAPS)],
)
def test_the_gradient_of_a_weight_is_one_product(preset: str, decoder: dict[str, Any]) -> None:
    """As many products of a weight's shape for a long sentence as for a short one."""
    model = small(preset, **({"decoder": decoder} if decoder else {}))
    counts = []
    for target in (5, 8):
        total = model.loss(batch(rows=7, source=9, target=target)).sum
        with Products() as products:
            total.backward()
        weights = {tuple(p.shape) for p in model.parameters() if p.dim() == 2 and p.shape[0] != 7}
        counts.append({shape: products.shapes[shape] for shape in sorted(weights)})
    assert counts[0] == counts[1]


@pytest.mark.parametrize("preset", ["bahdanau", "luong-general", "luong-local-p"])
def test_given_weights_are_used(preset: str) -> None:
    model = small(preset).eval()
    given = batch(rows=2)
    state = model.decoder.start(model.encode(given))
    words = torch.full((2, 1), 2)
    own = model.decoder.step(words, state)
    same = model.decoder.step(words, state, given=Given(own.attended[0].weights))
    torch.testing.assert_close(own.logits, same.logits)
    elsewhere = torch.zeros_like(own.attended[0].weights)
    elsewhere[..., 0] = 1
    edited = model.decoder.step(words, state, given=Given(elsewhere))
    assert not torch.allclose(edited.logits, own.logits)
    torch.testing.assert_close(edited.attended[0].weights, elsewhere)


@pytest.mark.parametrize("heads", [None, (1,)])
def test_given_weights_replace_the_heads_that_are_named(heads: tuple[int, ...] | None) -> None:
    model = small("transformer").eval()
    state = model.decoder.start(model.encode(batch(rows=2)))
    words = torch.full((2, 1), 2)
    own = model.decoder.step(words, state)
    elsewhere = torch.zeros_like(own.attended[0].weights[:, 0])
    elsewhere[..., 0] = 1
    rows = torch.tensor([[True], [False]])
    edited = model.decoder.step(words, state, Given(elsewhere, rows, layers=(0,), heads=heads))
    for head in range(2):
        replaced = heads is None or head in heads
        torch.testing.assert_close(
            edited.attended[0].weights[0, head], (elsewhere if replaced else own.attended[0].weights[:, head])[0]
        )
    torch.testing.assert_close(edited.attended[0].weights[1], own.attended[0].weights[1])
    torch.testing.assert_close(edited.logits[1], own.logits[1])
    assert not torch.allclose(edited.logits[0], own.logits[0])
    with pytest.raises(ValueError, match="no layer 5; this decoder has 2"):
        model.decoder.step(words, state, Given(elsewhere, layers=(5,)))
