"""Several heads: any score, self and cross, causal, step by step."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

from attention.combinations import SCORE_SETTINGS
from jumok.attention import Memory, MultiHead, lengths_to_mask


def made(score: str, **settings: object) -> MultiHead:
    own = {key: value for key, value in SCORE_SETTINGS[score].items() if key != "hidden_size"}
    return MultiHead(8, heads=2, score=score.split()[0], **own, **settings).double()


def close(one: Tensor, other: Tensor) -> bool:
    return bool(torch.allclose(one, other, rtol=1e-8, atol=1e-10))


def test_equals_nn_multihead_attention() -> None:
    theirs, ours = nn.MultiheadAttention(8, 2, batch_first=True), MultiHead(8, 2)
    with torch.no_grad():
        for part, linear in zip(theirs.in_proj_weight.chunk(3), (ours.query, ours.key, ours.value), strict=True):
            linear.weight.copy_(part)
            linear.bias.copy_(torch.randn(8))
        theirs.in_proj_bias.copy_(torch.cat([linear.bias for linear in (ours.query, ours.key, ours.value)]))
        ours.output.load_state_dict(theirs.out_proj.state_dict())
    queries, keys = torch.randn(3, 4, 8), torch.randn(3, 5, 8)
    mask = lengths_to_mask(torch.tensor([5, 2, 4]))
    output, weights = theirs(queries, keys, keys, key_padding_mask=~mask, average_attn_weights=False)
    attended = ours(queries, keys, mask=mask)
    assert torch.allclose(attended.context, output, atol=1e-6)
    assert torch.allclose(attended.weights, weights, atol=1e-6)


@pytest.mark.parametrize("score", SCORE_SETTINGS)
@pytest.mark.parametrize("select", ["soft", "hard", "top_k"])
def test_output_is_the_heads_joined_and_mapped(score: str, select: str) -> None:
    attend = made(score, select=select)
    queries, keys = torch.randn(2, 3, 8).double(), torch.randn(2, 5, 8).double()
    mask = lengths_to_mask(torch.tensor([5, 3]))
    attended = attend(queries, keys, mask=mask)
    assert attended.weights.shape == (2, 2, 3, 5)
    assert not attended.weights[1, :, :, 3:].any()
    values = attend.value(keys).view(2, 5, 2, 4)
    heads = [attended.weights[:, h] @ values[:, :, h] for h in range(2)]
    assert close(attended.context, attend.output(torch.cat(heads, dim=-1)))
    if select == "hard":
        assert attended.choice.shape == (2, 2, 3)


@pytest.mark.parametrize("score", ["general", "additive", "location", "content", "gaussian"])
def test_heads_have_parameters_of_their_own(score: str) -> None:
    attend = made(score)
    assert len(attend.attend) == 2
    weights = attend(torch.randn(1, 3, 8).double(), causal=True).weights
    assert not torch.allclose(weights[:, 0], weights[:, 1])


@pytest.mark.parametrize("score", SCORE_SETTINGS)
@pytest.mark.parametrize("window", [None, "local_m", "shift"])
def test_stepping_equals_the_call_on_the_sequence(score: str, window: str | None) -> None:
    attend = made(score, window=window)
    queries, keys = torch.randn(2, 3, 8).double(), torch.randn(2, 5, 8).double()
    memory = attend.prepare(keys, mask=lengths_to_mask(torch.tensor([5, 3])))
    whole = attend(queries, memory)
    both = torch.stack([queries, queries.flip(1)], dim=1)  # two hypotheses
    state = attend.start(memory, hypotheses=2)
    for row in range(3):
        step = attend.step(both[:, :, row], memory, state)
        state = step.state
        assert close(step.context[:, 0], whole.context[:, row])
        assert close(step.weights[:, :, 0], whole.weights[:, :, row])
        if row == 0:
            state = state.select(torch.tensor([[0, 1], [0, 1]]))
    assert state.step == 3


@pytest.mark.parametrize("score", ["scaled_dot", "additive", "general"])
def test_a_memory_that_grows_serves_causal_self_attention(score: str) -> None:
    attend = made(score)
    x = torch.randn(2, 4, 8).double()
    mask = torch.ones(2, 4, dtype=torch.bool)
    mask[1, 0] = False
    whole = attend(x, mask=mask, causal=True)
    memory: Memory | None = None
    for t in range(4):
        new = attend.prepare(x[:, t : t + 1], mask=mask[:, t : t + 1])
        memory = new if memory is None else memory.append(new)
        step = attend(x[:, t], memory)
        assert close(step.context, whole.context[:, t])
        assert close(step.weights, whole.weights[:, :, t, : t + 1])


def test_a_memory_without_mask_grows_by_one_with_a_mask() -> None:
    attend = made("scaled_dot")
    keys = torch.randn(2, 5, 8).double()
    mask = torch.tensor([[True, False], [True, True]])
    grown = attend.prepare(keys[:, :3]).append(attend.prepare(keys[:, 3:], mask=mask))
    whole = attend.prepare(keys, mask=torch.cat([torch.ones(2, 3, dtype=torch.bool), mask], dim=1))
    query = torch.randn(2, 8).double()
    assert close(attend(query, grown).weights, attend(query, whole).weights)


def test_each_head_may_have_a_mask_of_its_own() -> None:
    attend = made("scaled_dot")
    mask = torch.rand(2, 2, 3, 5) < 0.5
    weights = attend(torch.randn(2, 3, 8).double(), torch.randn(2, 5, 8).double(), mask=mask).weights
    assert not weights[~mask].any()
    rows = mask.any(-1)
    assert close(weights.sum(-1)[rows], torch.ones(int(rows.sum())).double())
    additive = made("additive")
    assert not additive(torch.randn(2, 3, 8).double(), torch.randn(2, 5, 8).double(), mask=mask).weights[~mask].any()


def test_queries_keys_and_values_may_differ_in_size() -> None:
    attend = MultiHead(6, heads=2, key_size=5, value_size=3, size=8, output_size=7)
    attended = attend(torch.randn(2, 4, 6), torch.randn(2, 3, 5), torch.randn(2, 3, 3))
    assert attended.context.shape == (2, 4, 7)


def test_one_query_gives_one_row() -> None:
    attended = MultiHead(8, heads=2)(torch.randn(2, 8), torch.randn(2, 5, 8))
    assert attended.context.shape == (2, 8)
    assert attended.weights.shape == (2, 2, 5)


def test_heads_with_scaled_dot_scale_by_the_size_of_a_head() -> None:
    attend = made("scaled_dot")
    x = torch.randn(1, 3, 8).double()
    q, k = attend.query(x).view(1, 3, 2, 4).transpose(1, 2), attend.key(x).view(1, 3, 2, 4).transpose(1, 2)
    assert close(attend(x).weights, (q @ k.transpose(-1, -2) / math.sqrt(4)).softmax(-1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MultiHead(8, heads=3), "size: 8 cannot be cut into 3 heads"),
        (lambda: MultiHead(8, heads=0), "heads: must be at least 1, got 0"),
        (lambda: MultiHead(8)(torch.randn(2, 3, 7)), r"keys: expected \(B, S, 8\), got shape \(2, 3, 7\)"),
        (
            lambda: MultiHead(8)(torch.randn(2, 7), torch.randn(2, 3, 8)),
            r"queries: expected size 8, got shape \(2, 7\)",
        ),
        (lambda: MultiHead(8)(torch.randn(3, 8), torch.randn(2, 3, 8)), "queries: batch of"),
        (
            lambda: MultiHead(8, heads=2)(torch.randn(2, 3, 8), mask=torch.ones(2, 3, 3, 3).bool()),
            r"mask: axis 1 of \(B, heads, T, S\) must be heads = 2 or 1, got shape \(2, 3, 3, 3\)",
        ),
        (lambda: MultiHead(8, score="scaled_dott"), "unknown score 'scaled_dott': did you mean 'scaled_dot'"),
        (
            lambda: MultiHead(8, key_size=4)(torch.randn(2, 3, 8), torch.randn(2, 3, 4), torch.randn(2, 3, 5)),
            "values: expected",
        ),
    ],
)
def test_bad_input_is_one_clear_line(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        call()  # type: ignore[operator]
    assert "\n" not in str(error.value)
