"""Selectors: sampling, its gradient, and the best few."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from jumok.attention import Attention, Dot, Gumbel, Hard, StraightThrough, TopK, build
from jumok.attention.selectors.base import draw


def test_keys_are_drawn_as_often_as_their_probabilities_say() -> None:
    probabilities = torch.tensor([0.5, 0.0, 0.2, 0.3])
    drawn = draw(probabilities.expand(20000, 1, 4), torch.Generator().manual_seed(0)).flatten()
    shares = drawn.bincount(minlength=4) / 20000
    assert torch.allclose(shares, probabilities, atol=0.01)
    assert shares[1] == 0


def test_the_largest_random_number_draws_a_key_that_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    probabilities = torch.tensor([[[0.3, 0.3, 0.1, 0.3, 0.0]]]) / 1.0000001
    for random in (0.0, 1 - 2**-24, 1.0):
        monkeypatch.setattr(torch, "rand", lambda shape, random=random, **_: torch.full(shape, random))
        assert draw(probabilities, None).item() == (0 if random == 0 else 3)


def test_hard_attention_says_what_it_chose() -> None:
    attend = build("dot", select="hard")
    queries, keys, values = torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6)
    attended = attend(queries, keys, values)
    assert attended.choice.shape == attended.log_prob.shape == (2, 3)
    one_hot = torch.nn.functional.one_hot(attended.choice, 5).float()
    assert torch.equal(attended.weights, one_hot)
    assert torch.allclose(attended.log_prob, (attended.probabilities * one_hot).sum(-1).log())
    for b in range(2):
        for t in range(3):
            assert torch.equal(attended.context[b, t], values[b, attended.choice[b, t]])


@pytest.mark.parametrize("select", ["hard", "straight_through", "gumbel"])
def test_in_eval_it_takes_the_expectation_the_likeliest_or_a_sample(select: str) -> None:
    queries, keys = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    soft = Attention("dot")(queries, keys)
    attends = {
        way: build("dot", select={"name": select, "evaluate": way}).eval() for way in ("expected", "argmax", "sample")
    }
    assert torch.allclose(attends["expected"](queries, keys).weights, soft.weights)
    likeliest = attends["argmax"](queries, keys)
    assert torch.equal(likeliest.choice, soft.weights.argmax(-1))
    assert torch.equal(likeliest.weights, torch.nn.functional.one_hot(likeliest.choice, 5).float())
    draws = [
        attends["sample"](queries, keys, generator=torch.Generator().manual_seed(seed)).weights for seed in range(9)
    ]
    assert any(not torch.equal(draws[0], other) for other in draws)
    assert torch.equal(
        build("dot", select=select).eval()(queries, keys).weights, attends["expected"](queries, keys).weights
    )


def cost_of(context: Tensor) -> Tensor:
    """Something that is not linear in the context, so that a sample is not its expectation."""
    return (context - torch.tensor([1.0, -0.5])).square().sum(-1) + context[..., 0] ** 3


def exact_gradient(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """The gradient of the expected cost, by enumeration of all keys."""
    probabilities = Attention("dot")(query, keys, values).probabilities[0]
    expected = sum(probabilities[s] * cost_of(values[0, s]) for s in range(keys.shape[1]))
    return torch.autograd.grad(expected, query)[0][0]


def sampled_gradients(query: Tensor, keys: Tensor, values: Tensor, baseline: float, draws: int) -> Tensor:
    """REINFORCE from `log_prob`, one row a draw."""
    attend = build("dot", select="hard")
    asked = query.expand(draws, -1).detach().requires_grad_()
    attended = attend(
        asked, keys.expand(draws, -1, -1), values.expand(draws, -1, -1), generator=torch.Generator().manual_seed(5)
    )
    cost = cost_of(attended.context)
    ((cost - baseline).detach() * attended.log_prob).sum().backward()
    return asked.grad


def test_reinforce_agrees_with_the_exact_gradient_and_a_baseline_lowers_its_variance() -> None:
    torch.manual_seed(3)
    query, keys, values = torch.randn(1, 2, requires_grad=True), torch.randn(1, 4, 2), torch.randn(1, 4, 2)
    exact = exact_gradient(query, keys, values)
    mean_cost = float((Attention("dot")(query, keys).weights[0].detach() * cost_of(values[0])).sum())
    variances = []
    for baseline in (0.0, mean_cost):
        rows = sampled_gradients(query, keys, values, baseline, draws=200_000)
        error = (rows.mean(0) - exact).abs()
        assert bool((error < 4 * rows.std(0) / len(rows) ** 0.5).all())
        assert bool((error < 0.02 * exact.norm()).all())
        variances.append(rows.var(0).sum().item())
    assert variances[1] < 0.7 * variances[0]


def test_straight_through_has_the_gradient_of_the_mean() -> None:
    queries, keys, values = torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 5, 4), torch.randn(2, 5, 6)
    pull = torch.randn(2, 3, 6)
    soft = torch.autograd.grad((Attention("dot")(queries, keys, values).context * pull).sum(), queries)[0]
    through = build("dot", select="straight_through")(queries, keys, values)
    assert bool(
        ((through.weights == 0) | (through.weights == 1)).all()
        or (through.weights.round() - through.weights).abs().max() < 1e-6
    )
    assert torch.allclose(torch.autograd.grad((through.context * pull).sum(), queries)[0], soft, atol=1e-6)


def test_gumbel_is_near_one_hot_when_cold_and_survives_the_smallest_random_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    probabilities = torch.tensor([[[0.5, 0.0, 0.2, 0.3]]])
    cold = Gumbel(temperature=0.01)(probabilities, torch.Generator().manual_seed(0)).weights
    assert cold.max() > 0.99
    assert cold[..., 1] == 0
    hard = Gumbel(hard=True)(probabilities, None)
    assert hard.weights.max() == 1
    assert hard.choice.item() == hard.weights.argmax()
    for random in (0.0, 1.0):
        monkeypatch.setattr(torch, "rand", lambda shape, random=random, **_: torch.full(shape, random))
        assert bool(Gumbel()(probabilities, None).weights.isfinite().all())


def test_gumbel_draws_as_the_probabilities_say() -> None:
    probabilities = torch.tensor([0.5, 0.0, 0.2, 0.3])
    chosen = Gumbel(hard=True)(probabilities.expand(20000, 1, 4), torch.Generator().manual_seed(0)).choice
    assert torch.allclose(chosen.flatten().bincount(minlength=4) / 20000, probabilities, atol=0.012)


def test_top_k_keeps_exactly_k_also_where_some_tie() -> None:
    probabilities = torch.tensor([[[0.25, 0.25, 0.25, 0.25], [0.4, 0.3, 0.2, 0.1], [0.0, 1.0, 0.0, 0.0]]])
    weights = TopK(2)(probabilities).weights
    assert weights.count_nonzero(-1).tolist() == [[2, 2, 1]]
    assert torch.allclose(weights.sum(-1), torch.ones(1, 3))
    assert torch.allclose(weights[0, 1], torch.tensor([4 / 7, 3 / 7, 0, 0]))
    assert torch.equal(TopK(9)(probabilities).weights, probabilities)


@pytest.mark.parametrize("kind", [Hard, StraightThrough, Gumbel])
def test_a_way_to_evaluate_that_is_not_known_is_refused(kind: type) -> None:
    with pytest.raises(ValueError, match="unknown way to evaluate 'expect': did you mean 'expected'"):
        kind(evaluate="expect")


@pytest.mark.parametrize("select", ["hard", "straight_through", "gumbel"])
def test_sampling_needs_probabilities_that_sum_to_one(select: str) -> None:
    with pytest.raises(ValueError, match=r"select: .* draws from probabilities that sum to 1.*renormalize=True"):
        build(Dot(), query_size=4, window="local_p", select=select)
    build(Dot(), query_size=4, window={"name": "local_p", "renormalize": True}, select=select)
