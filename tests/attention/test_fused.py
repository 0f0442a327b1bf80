"""Fast paths: the context without the weights, and the weights when they are read."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.utils import _pytree

from jumok.attention import Attended, Attention, MultiHead, build, fused, lengths_to_mask, reference

FUSED = ["dot", "scaled_dot", "cosine", "general", "content", "additive", "concat"]


@pytest.fixture(autouse=True)
def every_additive_weight_is_left_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused, "FEW_WEIGHTS", 0)


def made(score: str, **settings: object) -> Attention:
    attend = build(score, query_size=6, key_size=6, **settings)
    for parameter in attend.parameters():
        nn.init.normal_(parameter, std=0.7)
    return attend.double()


def inputs(rows: int = 3, columns: int = 5) -> list[Tensor]:
    shapes = (2, rows, 6), (2, columns, 6), (2, columns, 4)
    return [torch.randn(shape, dtype=torch.double, requires_grad=True) for shape in shapes]


def mask_of(form: str) -> Tensor | None:
    if form == "none":
        return None
    if form == "lengths":
        return lengths_to_mask(torch.tensor([5, 2]))
    mask = torch.rand(2, 3, 5) < 0.6
    mask[0, 1] = False
    return mask


@pytest.mark.parametrize("score", FUSED)
@pytest.mark.parametrize("form", ["none", "lengths", "a row for each query"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("temperature", [1.0, 0.5, "learned"])
def test_equals_the_slow_twin(score: str, form: str, causal: bool, temperature: float | str) -> None:
    attend = made(score, temperature=temperature)
    tensors, mask = inputs(), mask_of(form)
    fast = attend(*tensors, mask=mask, causal=causal)
    assert fast.is_unread
    slow = reference.attend(attend, *tensors, mask=mask, causal=causal)
    wanted = [*tensors, *attend.parameters()]
    pull, pull_weights = torch.randn_like(slow.context), torch.randn_like(slow.weights)
    found = []
    for attended in (fast, slow):
        loss = (attended.context * pull).sum() + (attended.weights * pull_weights).sum()
        found.append(torch.autograd.grad(loss, wanted, allow_unused=True))
    assert torch.allclose(fast.context, slow.context)
    assert torch.allclose(fast.weights, slow.weights)
    for one, other in zip(*found, strict=True):
        assert (one is None) == (other is None)
        assert one is None or torch.allclose(one, other)


@pytest.mark.parametrize("score", ["scaled_dot", "additive"])
@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (2, 5), (5, 2)], ids=["square", "wide", "tall"])
def test_causal_is_aligned_to_the_right(score: str, rows: int, columns: int) -> None:
    queries, keys, values = inputs(rows, columns)
    attended = made(score)(queries, keys, values, causal=True)
    for t in range(rows):
        visible = max(0, t + 1 + columns - rows)
        assert bool((attended.weights[:, t, :visible] > 0).all())
        assert not attended.weights[:, t, visible:].any()
    assert torch.allclose(attended.context, attended.weights @ values)


@pytest.mark.parametrize("score", ["scaled_dot", "dot", "additive"])
def test_weights_come_from_the_call_and_not_from_live_parameters(score: str) -> None:
    attend = made(score, temperature="learned")
    keys = nn.Parameter(torch.randn(1, 5, 6, dtype=torch.double))  # a memory that is learned, too
    queries = torch.randn(2, 3, 6, dtype=torch.double)
    read, unread = (attend(queries, keys.expand(2, -1, -1)) for _ in range(2))
    early = read.weights.clone()
    optimizer = torch.optim.SGD([keys, *attend.parameters()], lr=1.0)
    read.context.square().sum().backward()
    optimizer.step()
    assert torch.equal(unread.weights, early)
    assert not torch.allclose(attend(queries, keys.expand(2, -1, -1)).weights, early)


@pytest.mark.parametrize("score", ["scaled_dot", "additive"])
def test_weights_are_differentiable_if_the_call_was(score: str) -> None:
    attend, tensors = made(score), inputs()
    attended = attend(*tensors)
    with torch.no_grad():
        weights = attended.weights
    assert weights.requires_grad
    with torch.no_grad():
        attended = attend(*tensors)
    assert not attended.weights.requires_grad
    with torch.inference_mode():
        attended = attend(*tensors)
    assert not attended.weights.requires_grad
    assert torch.allclose(attended.weights, weights)


@pytest.mark.parametrize("score", ["scaled_dot", "additive"])
def test_a_record_is_a_pytree_and_stays_unread(score: str) -> None:
    attended = made(score)(*inputs(), mask=mask_of("lengths"))
    leaves, spec = _pytree.tree_flatten(attended)
    again = _pytree.tree_unflatten(leaves, spec)
    assert isinstance(again, Attended)
    assert again.is_unread
    assert torch.equal(again.weights, attended.weights)
    doubled = _pytree.tree_map(
        lambda leaf: leaf * 2 if isinstance(leaf, Tensor) and leaf.is_floating_point() else leaf, attended
    )
    assert torch.equal(doubled.context, attended.context * 2)
    assert not doubled.is_unread
    assert _pytree.treespec_loads(_pytree.treespec_dumps(spec)) == spec


def test_a_record_iterates_and_shows_itself() -> None:
    attended = made("scaled_dot")(*inputs())
    assert repr(attended) == "Attended(context=(2, 3, 4), weights=unread)"
    context, weights = attended
    assert context is attended.context
    assert weights is attended.weights
    assert attended.probabilities is weights
    assert repr(attended) == "Attended(context=(2, 3, 4), weights=(2, 3, 5))"


def test_few_additive_weights_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused, "FEW_WEIGHTS", 30)
    attend = made("additive")
    assert not attend(*inputs()).is_unread
    assert attend(*inputs(columns=6)).is_unread


def test_dropout_takes_the_weights_out_of_the_fast_path() -> None:
    attend = made("scaled_dot", dropout=0.5)
    assert not attend(*inputs()).is_unread
    assert attend.eval()(*inputs()).is_unread


@pytest.mark.parametrize("score", FUSED)
def test_heads_go_through_the_fast_path_together_or_each(score: str) -> None:
    attend = MultiHead(6, heads=2, score=score).double()
    x = torch.randn(2, 4, 6, dtype=torch.double)
    attended = attend(x, causal=True)
    assert attended.is_unread
    assert attended.weights.shape == (2, 2, 4, 4)
    assert not attended.weights.triu(1).any()


def test_no_keys_give_zeros() -> None:
    context, weights = made("scaled_dot")(*inputs(columns=0))
    assert weights.shape == (2, 3, 0)
    assert not context.any()
    assert context.shape == (2, 3, 4)
