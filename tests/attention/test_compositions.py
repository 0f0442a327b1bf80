"""What is built from attention: pooling, kernel regression, memories with hops, addressing."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from jumok.attention import Addressing, Attention, AttentionPooling, KeyValueMemory, NadarayaWatson, lengths_to_mask


def test_pooling_without_a_query_is_that_of_raffel_and_ellis() -> None:
    pool = AttentionPooling(6, query=None, v=False, bias=True)
    states = torch.randn(3, 5, 6)
    nn.init.normal_(pool.attend.score.bias)
    context, weights = pool(states)
    scores = torch.tanh(states @ pool.attend.score.key.weight[0] + pool.attend.score.bias)
    assert torch.allclose(weights, scores.softmax(-1), atol=1e-6)
    assert torch.allclose(context, (weights[..., None] * states).sum(1), atol=1e-6)


@pytest.mark.parametrize(
    "settings", [{}, {"query": None}, {"score": "scaled_dot"}, {"select": "hard"}, {"score": "general"}]
)
def test_pooling_ignores_padding_and_learns(settings: dict[str, object]) -> None:
    pool = AttentionPooling(6, **settings)
    states, mask = torch.randn(2, 5, 6), lengths_to_mask(torch.tensor([5, 3]))
    pool.eval()
    padded, plain = pool(states, mask=mask), pool(states[1:, :3])
    assert torch.allclose(padded.context[1], plain.context[0], atol=1e-6)
    padded.context.square().sum().backward()
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in pool.parameters())


def test_pooling_without_a_query_needs_a_score_that_needs_none() -> None:
    with pytest.raises(ValueError, match="score: 'dot' needs a query"):
        AttentionPooling(6, query=None, score="dot")


def test_kernel_regression_by_hand() -> None:
    x, keys, values = torch.tensor([0.5, 3.0]), torch.tensor([0.0, 1.0, 2.0, 4.0]), torch.tensor([1.0, 2.0, 4.0, 8.0])
    squared = (x[:, None] - keys) ** 2
    by_hand = {
        "gaussian": torch.exp(-squared / (2 * 1.5**2)),
        "boxcar": (squared <= 1.5**2).float(),
        "epanechnikov": (1 - squared / 1.5**2).clamp_min(0),
        "constant": torch.ones_like(squared),
    }
    for kernel, scores in by_hand.items():
        curve, weights = NadarayaWatson(kernel, width=1.5)(x, keys, values)
        assert torch.allclose(weights, scores / scores.sum(-1, keepdim=True), atol=1e-6)
        assert torch.allclose(curve, weights @ values, atol=1e-6)


def test_a_learned_width_fits_the_data() -> None:
    """With points of a fine sine the mean over everything is bad, a narrow kernel good."""
    keys = torch.linspace(0, 6, 60)
    values, x = torch.sin(3 * keys), torch.linspace(0.55, 5.45, 50)
    smooth = NadarayaWatson("gaussian", width="learned")

    def error() -> torch.Tensor:
        return (smooth(x, keys, values).context - torch.sin(3 * x)).square().mean()

    before, optimizer = error().item(), torch.optim.Adam(smooth.parameters(), lr=0.1)
    for _ in range(60):
        optimizer.zero_grad()
        error().backward()
        optimizer.step()
    assert error().item() < before / 100
    assert smooth.attend.score.width < 0.2


def test_kernel_regression_takes_batches_too_and_names_what_does_not_fit() -> None:
    smooth = NadarayaWatson()
    assert smooth(torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 1)).context.shape == (2, 3, 1)
    with pytest.raises(
        ValueError, match=r"x, keys, values: expected \(T,\), \(S,\), \(S,\), got \(3,\), \(5,\), \(4,\)"
    ):
        smooth(torch.randn(3), torch.randn(5), torch.randn(4))
    with pytest.raises(ValueError, match="unknown kernel 'gausian': did you mean 'gaussian'"):
        NadarayaWatson("gausian")


@pytest.mark.parametrize("update", ["add", "layerwise", "mapped"])
def test_hops_by_hand(update: str) -> None:
    memory = KeyValueMemory(6, hops=3, update=update)
    query, keys, values = torch.randn(2, 6), torch.randn(2, 5, 6), torch.randn(2, 5, 6)
    recalled = memory(query, keys, values)
    u = query
    for hop in range(3):
        p = (keys @ u[..., None])[..., 0].softmax(-1)
        assert torch.allclose(recalled.weights[:, hop], p, atol=1e-5)
        o = (p[..., None] * values).sum(1)
        sums = {"add": u + o, "layerwise": memory.maps and memory.maps[0](u) + o}
        u = sums[update] if update in sums else memory.maps[hop](u + o)
    assert torch.allclose(recalled.query, u, atol=1e-4)
    assert recalled.weights.shape == (2, 3, 5)


def test_every_hop_may_have_keys_and_values_of_its_own() -> None:
    memory = KeyValueMemory(6, hops=2)
    query = torch.randn(2, 6)
    keys, values = torch.randn(2, 2, 5, 6).unbind(0), torch.randn(2, 2, 5, 6).unbind(0)
    recalled = memory(query, keys, values, mask=lengths_to_mask(torch.tensor([5, 3])))
    second = Attention("dot")(
        query + recalled.hops[0].context, keys[1], values[1], mask=lengths_to_mask(torch.tensor([5, 3]))
    )
    assert torch.allclose(recalled.hops[1].context, second.context, atol=1e-5)
    with pytest.raises(ValueError, match="keys: expected one for each of 2 hops, got 3"):
        memory(query, [keys[0]] * 3, values)
    with pytest.raises(ValueError, match="unknown update 'mappd': did you mean 'mapped'"):
        KeyValueMemory(6, update="mappd")


def test_addressing_reads_a_memory_that_changes_between_steps() -> None:
    head = Addressing(4, 6)
    rows, state = torch.randn(2, 5, 6), None
    for step in range(3):
        memory = head.prepare(rows)
        state = head.start(memory) if state is None else state
        attended = head.step(torch.randn(2, 1, 4), memory, state)
        assert torch.allclose(attended.weights.sum(-1), torch.ones(2, 1), atol=1e-5)
        assert torch.allclose(attended.context, attended.weights @ rows, atol=1e-6)
        state = attended.state
        assert torch.equal(state.last, attended.weights)
        assert state.step == step + 1
        rows = rows + torch.einsum("bts,btk->bsk", attended.weights, torch.randn(2, 1, 6))
