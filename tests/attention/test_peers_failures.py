"""The ways in which other libraries fail, by the number of our list of them, each turned into a test of ours.

Numbers 17 to 19 are about graphs (test_graph.py); 20 to 22 are about pictures and belong to the viewing room.
"""

from __future__ import annotations

import copy

import pytest
import torch

from attention.combinations import ALL, Combination, generator, padding
from jumok.attention import SCORES, Additive, Attention, MultiHead, build, causal_mask, lengths_to_mask, sparsemax

SOFT = [kind for kind in ALL if kind.selector == "soft" and kind.normalizer == "softmax" and kind.window is None]


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("read", [True, False], ids=["weights read", "unread"])
@pytest.mark.parametrize("score", ["scaled_dot", "additive", "cosine"])
def test_01_02_a_fully_masked_row_harms_nobody(score: str, read: bool, training: bool) -> None:
    attend = MultiHead(8, heads=2, score=score).train(training)
    x = torch.randn(2, 4, 8, requires_grad=True)
    mask = torch.tensor([[True] * 4, [False] * 4])
    attended = attend(x, mask=mask)
    loss = attended.context.square().sum()
    if read:
        assert not attended.weights[1].any()
        loss = loss + attended.weights.square().sum()
    loss.backward()
    assert torch.equal(attended.context[1], attend.output.bias.expand(4, -1))
    for tensor in (x, *attend.parameters()):
        assert tensor.grad is None or bool(tensor.grad.isfinite().all())
    assert bool(x.grad[0].any())


def test_03_true_means_look_and_anything_but_a_boolean_is_refused() -> None:
    attend = Attention("dot")
    mask = torch.tensor([[True, False, True]])
    assert attend(torch.randn(1, 4), torch.randn(1, 3, 4), mask=mask).weights[0, 1] == 0
    for wrong in (mask.int(), mask.float(), torch.zeros(1, 3)):
        with pytest.raises(TypeError, match="True = may be looked at"):
            attend(torch.randn(1, 4), torch.randn(1, 3, 4), mask=wrong)


def test_04_05_06_weights_can_be_had_in_train_and_eval_with_and_without_gradient() -> None:
    attend = MultiHead(8, heads=2)
    x = torch.randn(2, 4, 8)
    rows = []
    for training in (True, False):
        attend.train(training)
        rows.append(attend(x).weights)
        with torch.no_grad():
            rows.append(attend(x).weights)
    assert all(torch.equal(rows[0], other) for other in rows)
    assert torch.allclose(rows[0].sum(-1), torch.ones(2, 2, 4))


def test_07_weights_are_those_before_dropout() -> None:
    attend = MultiHead(8, heads=2, dropout=0.5)
    x = torch.randn(2, 4, 8)
    attended = attend(x)
    assert torch.allclose(attended.weights.sum(-1), torch.ones(2, 2, 4))
    assert torch.allclose(attended.weights, attend.eval()(x).weights)
    assert not torch.allclose(attended.context, attend(x).context)


def test_08_additive_maps_queries_and_keys_and_has_a_vector() -> None:
    score = Additive(4, 6, 5)
    shapes = {name: tuple(parameter.shape) for name, parameter in score.named_parameters()}
    assert shapes == {"v": (5,), "query.weight": (5, 4), "key.weight": (5, 6)}


def test_09_additive_keeps_no_hidden_layer_for_backward() -> None:
    """What autograd keeps of one call is no larger than what went in."""
    kept: list[int] = []
    attend = build("additive", query_size=32, key_size=32, hidden_size=64)
    queries, keys = torch.randn(2, 20, 32, requires_grad=True), torch.randn(2, 30, 32, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: kept.append(x.numel()) or x, lambda x: x):
        attend(queries, keys).context.sum().backward()
    assert max(kept) < 2 * 30 * 64 + 1 < 2 * 20 * 30 * 64


def test_10_the_module_holds_no_state() -> None:
    attend = build("additive", query_size=4, key_size=4, history="coverage", window="shift")
    before = copy.deepcopy(attend.__dict__)
    memories = [attend.prepare(torch.randn(2, 5, 4)) for _ in range(2)]
    queries = torch.randn(2, 3, 4)
    first = attend(queries, memories[0]).weights
    attend(queries, memories[1])
    assert torch.equal(attend(queries, memories[0]).weights, first)
    assert before.keys() == attend.__dict__.keys()
    assert not list(attend.buffers())


@pytest.mark.parametrize("kind", SOFT, ids=str)
def test_11_12_every_kind_trains_on_a_cpu(kind: Combination) -> None:
    attend, inputs = kind.build(), kind.inputs(grad=True)
    attend(*inputs, mask=padding()).context.square().sum().backward()
    assert inputs[2].grad is not None
    assert inputs[2].device.type == "cpu"


@pytest.mark.parametrize("kind", [kind for kind in SOFT if "with" not in kind.score.split()], ids=str)
def test_13_several_queries_equal_one_after_the_other(kind: Combination) -> None:
    """Those with a history depend on the queries before; test_combinations steps through them."""
    attend = kind.build()
    queries, keys, values = kind.inputs()
    whole = attend(queries, keys, values, mask=padding())
    for t in range(queries.shape[1]):
        assert torch.allclose(whole.weights[:, t], attend(queries[:, t], keys, values, mask=padding()).weights)


@pytest.mark.parametrize("kind", SOFT, ids=str)
def test_14_weights_differ_between_keys_and_sum_to_one_over_them(kind: Combination) -> None:
    weights = kind.build()(*kind.inputs()).weights
    assert torch.allclose(weights.sum(-1), torch.ones_like(weights[..., 0]))
    if kind.score not in ("constant", "boxcar"):
        assert weights.std(-1).min() > 0


def test_15_sparse_normalisers_take_masks_and_rows_without_keys() -> None:
    for normalize in ("sparsemax", "entmax15"):
        attend = build("dot", normalize=normalize)
        mask = torch.tensor([[True, True, False], [False, False, False]])
        weights = attend(torch.randn(2, 4), torch.randn(2, 3, 4), mask=mask).weights
        assert weights[0].sum().item() == pytest.approx(1, abs=1e-6)
        assert weights[0, 2] == 0
        assert not weights[1].any()
    assert torch.equal(sparsemax(torch.tensor([0.0, -torch.inf])), torch.tensor([1.0, 0.0]))


def test_16_very_negative_scores_beside_padding_keep_their_weight() -> None:
    query, keys = torch.tensor([[1.0]]), torch.tensor([[[-120.0], [-121.0], [0.0]]])
    mask = torch.tensor([[True, True, False]])
    for normalize in ("softmax", "sparsemax", "entmax15"):
        weights = build("dot", normalize=normalize)(query, keys, mask=mask).weights
        assert weights.sum().item() == pytest.approx(1, abs=1e-6)
        assert weights[0, 0] > weights[0, 1]
    softmax = build("dot")(query, keys, mask=mask).weights
    assert torch.allclose(softmax[0, :2], torch.tensor([1.0, 0.0]).softmax(0).new_tensor([0.7310586, 0.2689414]))


def test_23_gumbel_never_gives_what_is_not_a_number() -> None:
    attend = build("dot", select={"name": "gumbel", "temperature": 0.05})
    for seed in range(50):
        attended = attend(
            torch.randn(2, 3, 4) * 30, torch.randn(2, 5, 4), generator=torch.Generator().manual_seed(seed)
        )
        assert bool(attended.weights.isfinite().all())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("score", sorted(set(SCORES) - {"location"}))
def test_24_masks_work_in_half_precision(score: str, dtype: torch.dtype) -> None:
    attend = build(score, query_size=4, key_size=4).to(dtype)
    queries, keys = torch.randn(2, 3, 4).to(dtype), (torch.randn(2, 5, 4) * 100).to(dtype)
    mask = lengths_to_mask(torch.tensor([5, 0]), 5)
    attended = attend(queries, keys, mask=mask)
    assert bool(attended.weights.isfinite().all())
    assert not attended.weights[1].any()
    assert bool(attended.context.isfinite().all())


def test_causal_with_one_query_sees_every_key_and_not_the_first_alone() -> None:
    """`is_causal` of the fused kernel is aligned to the left: the last query would see only the first key."""
    attended = Attention("scaled_dot")(torch.randn(1, 1, 4), torch.randn(1, 6, 4), causal=True)
    assert bool((attended.weights > 0).all())
    assert bool(causal_mask(1, 6).all())


def test_scores_are_not_changed_in_place() -> None:
    attend = Attention("dot")
    queries, keys, mask = torch.randn(1, 3, 4), torch.randn(1, 5, 4), torch.rand(1, 5) < 0.5
    copies = [tensor.clone() for tensor in (queries, keys, mask)]
    attend(queries, keys, mask=mask, generator=generator()).weights.sum()
    assert all(torch.equal(one, other) for one, other in zip((queries, keys, mask), copies, strict=True))
