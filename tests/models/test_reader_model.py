"""The reader's network: padding, rows and chunks change nothing, every attention learns, the mean is the mean."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from pydantic import ValidationError
from torch import Tensor

from jumok.models import reader
from jumok.models.reader import AttentionReader, ReaderSettings

KINDS: dict[str, Any] = {
    "mean": "mean",
    "dot": {"score": "dot"},
    "paper": {"query": None, "score": "additive", "v": False, "bias": True},
    "additive": {"score": "additive", "hidden_size": 6},
    "sparse": {"score": "dot", "normalize": "entmax15"},
    "general": {"score": "general"},
    "hard": {"score": "dot", "select": "hard"},
    "gumbel": {"score": "dot", "select": "gumbel"},
    "top_k": {"score": "dot", "select": {"name": "top_k", "k": 2}},
}


def made(attention: Any = "mean", labels: int | None = 3, words: bool = True, **more: Any) -> AttentionReader:
    settings = ReaderSettings(size=8, hidden_size=6, attention=attention, **more)
    model = AttentionReader(settings, labels=labels, **({"words": 20} if words else {"features": 2}))  # type: ignore[arg-type]
    if model.pool is not None and model.pool.query is not None:
        torch.nn.init.normal_(model.pool.query)
    return model.eval()


def batch(rows: int = 5, steps: int = 7) -> tuple[Tensor, Tensor]:
    return torch.randint(4, 20, (rows, steps)), torch.randint(1, steps + 1, (rows,))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("self_attention", [None, {"layers": 1, "heads": 2, "inner_size": 12}], ids=["plain", "self"])
def test_padding_and_company_change_nothing(kind: str, self_attention: Any) -> None:
    model = made(KINDS[kind], self_attention=self_attention)
    words, lengths = batch()
    together = model(words, lengths)
    assert together.outputs.shape == (5, 3)
    for row in range(5):
        length = int(lengths[row])
        alone = model(words[row : row + 1, :length], lengths[row : row + 1])
        torch.testing.assert_close(together.outputs[row], alone.outputs[0])
        torch.testing.assert_close(together.weights[row, :length], alone.weights[0])
        assert not together.weights[row, length:].any()
    torch.testing.assert_close(together.weights.sum(1), torch.ones(5))


@pytest.mark.parametrize("kind", ["mean", "dot", "paper"])
def test_a_few_rows_at_a_time_give_the_same_loss_and_gradients(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = made(KINDS[kind], labels=None, words=False).train()
    inputs, lengths, targets = torch.randn(9, 6, 2), torch.randint(1, 7, (9,)), torch.rand(9)
    found = []
    for limit in (1 << 20, 6 * 8 * 2):  # all rows together, and two at a time
        monkeypatch.setattr(reader, "NUMBERS_AT_ONCE", limit)
        model.zero_grad()
        sums = model.loss(inputs, lengths, targets)
        sums.sum.backward()
        found.append([sums.sum.detach(), *(p.grad.clone() for p in model.parameters() if p.grad is not None)])
    for whole, parts in zip(*found, strict=True):
        torch.testing.assert_close(whole, parts)


def test_no_tensor_is_as_large_as_steps_squared_or_the_whole_batch() -> None:
    """With 60 rows of 5,000 steps, what is held for the gradient stays below a chunk's states."""
    model = made({"score": "dot"}, labels=None, words=False).train()
    saved: list[int] = []

    def keep(tensor: Tensor) -> Tensor:
        saved.append(tensor.numel())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        model.loss(torch.randn(60, 5000, 2), torch.full((60,), 5000), torch.rand(60)).sum.backward()
    assert max(saved) <= 60 * 5000 * 2  # no more than the inputs themselves
    assert reader.NUMBERS_AT_ONCE < 60 * 5000 * 8


def test_mean_takes_all_alike() -> None:
    model = made("mean")
    words, lengths = batch()
    weights = model(words, lengths).weights
    for row, length in zip(weights, lengths, strict=True):
        torch.testing.assert_close(row[:length], torch.full((int(length),), 1 / int(length)))


def test_without_self_attention_order_is_nothing_and_with_it_something() -> None:
    words, lengths = torch.tensor([[4, 5, 6, 7]]), torch.tensor([4])
    turned = words.flip(1)
    plain = made({"score": "dot"})
    torch.testing.assert_close(plain(words, lengths).outputs, plain(turned, lengths).outputs)
    placed = made({"score": "dot"}, self_attention={"heads": 2})
    assert not torch.allclose(placed(words, lengths).outputs, placed(turned, lengths).outputs)


@pytest.mark.parametrize("kind", KINDS)
def test_every_attention_learns(kind: str) -> None:
    """The label is whether the word 5 is there: the loss falls well below that of a guess."""
    model = AttentionReader(ReaderSettings(size=8, hidden_size=6, attention=KINDS[kind]), words=20, labels=2).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(300):
        words, lengths = torch.randint(6, 20, (32, 6)), torch.full((32,), 6)
        there = torch.rand(32) < 0.5
        words[there, torch.randint(0, 6, (int(there.sum()),))] = 5
        sums = model.loss(words, lengths, there.long())
        optimizer.zero_grad()
        (sums.sum / sums.count).backward()
        optimizer.step()
        model.updated({name: float(value) for name, value in sums.parts.items()}, sums.count)
    with torch.no_grad():
        told = model.eval()(words, lengths)
        assert float(model.errors(told, there.long()).mean()) < 0.45
    if kind == "hard":
        assert float(model.baseline) > 0


def test_smoothing_is_for_learning_only() -> None:
    smooth, words, lengths = made(label_smoothing=0.3), *batch()
    targets = torch.tensor([0, 1, 2, 0, 1])
    with torch.no_grad():
        plain = float(smooth.errors(smooth(words, lengths), targets).sum())
        assert float(smooth.loss(words, lengths, targets).sum) != pytest.approx(plain)
        told = smooth(words, lengths).outputs
    assert plain == pytest.approx(float(torch.nn.functional.cross_entropy(told, targets, reduction="sum")))


def test_a_share_without_rows_costs_nothing() -> None:
    model = made({"score": "dot"}).train()
    sums = model.loss(torch.zeros(0, 0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64), torch.zeros(0).long())
    assert float(sums.sum.detach()) == sums.count == 0


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"attention": {"score": "dott"}}, "attention: unknown score 'dott': did you mean 'dot'"),
        ({"attention": {"score": "dot", "query": None}}, "attention: score: 'dot' needs a query"),
        ({"size": 10, "self_attention": {"heads": 4}}, "self_attention.heads: 4 does not divide size 10"),
    ],
)
def test_what_does_not_fit_is_told(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ReaderSettings.model_validate(settings)
