"""Properties that hold for every combination of score, normaliser, window and selector."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor

from attention.combinations import ALL, BATCH, COLUMNS, ROWS, SAMPLERS, Combination, generator, padding
from jumok.attention import Attended, reference

every_combination = pytest.mark.parametrize("kind", ALL, ids=str)
LOOKS_SOFT = [kind for kind in ALL if kind.selector in ("soft", "top_k")]


def close(one: Tensor | None, other: Tensor | None) -> bool:
    assert one is not None
    assert other is not None
    return bool(torch.allclose(one, other, rtol=1e-8, atol=1e-9))


def gradients(attended: Attended, attend: torch.nn.Module, inputs: tuple[Tensor, ...]) -> list[Tensor]:
    pull = torch.Generator().manual_seed(4)
    loss = torch.zeros((), dtype=torch.double)
    for output in (attended.context, attended.weights, attended.probabilities, attended.log_prob):
        if output is not None:
            loss = loss + (output * torch.randn(output.shape, generator=pull, dtype=torch.double)).sum()
    wanted = [*inputs, *attend.parameters()]
    found = torch.autograd.grad(loss, wanted, allow_unused=True)
    return [torch.zeros_like(x) if grad is None else grad for x, grad in zip(wanted, found, strict=True)]


@every_combination
def test_equals_the_slow_twin_in_value_and_gradient(kind: Combination) -> None:
    attend, inputs = kind.build(), kind.inputs(grad=True)
    fast = attend(*inputs, mask=padding(), generator=generator())
    slow = reference.attend(attend, *inputs, mask=padding(), generator=generator())
    assert close(fast.weights, slow.weights)
    assert close(fast.probabilities, slow.probabilities)
    assert close(fast.context, slow.context)
    if fast.choice is not None:
        assert torch.equal(fast.choice, slow.choice)
        assert close(fast.log_prob, slow.log_prob)
    else:
        slow.log_prob = None
    for found, wanted in zip(gradients(fast, attend, inputs), gradients(slow, attend, inputs), strict=True):
        assert close(found, wanted)


@pytest.mark.parametrize("kind", LOOKS_SOFT, ids=str)
def test_gradients_are_those_of_finite_differences(kind: Combination) -> None:
    attend = kind.build()
    inputs = kind.inputs(grad=True)
    assert torch.autograd.gradcheck(
        lambda *tensors: tuple(attend(*tensors, mask=padding())),
        inputs,
        fast_mode=True,
        check_undefined_grad=False,
    )


@every_combination
def test_the_context_is_the_values_summed_with_the_weights(kind: Combination) -> None:
    queries, keys, values = kind.inputs()
    attended = kind.build()(queries, keys, values, mask=padding(), generator=generator())
    assert close(attended.context, attended.weights @ values)


@every_combination
def test_rows_sum_to_one_where_they_should(kind: Combination) -> None:
    attended = kind.build()(*kind.inputs(), mask=padding(), generator=generator())
    sums = attended.weights.sum(-1)
    if kind.may_see_nothing:
        assert bool((((sums - 1).abs() < 1e-9) | (sums == 0) | (kind.window == "local_p")).all())
    elif kind.window == "local_p" and kind.selector not in SAMPLERS:
        assert bool((sums < 1).all())
        assert bool((sums > 0).all())
    else:
        assert close(sums, torch.ones_like(sums))


@every_combination
def test_what_is_masked_gets_exactly_zero_and_no_gradient(kind: Combination) -> None:
    attend, inputs = kind.build(), kind.inputs(grad=True)
    attended = attend(*inputs, mask=padding(), generator=generator())
    hidden = ~padding()[:, None].expand_as(attended.weights)
    assert bool((attended.weights[hidden] == 0).all())
    assert bool((attended.probabilities[hidden] == 0).all())
    _, of_keys, of_values = gradients(attended, attend, inputs)[:3]
    assert not of_keys[~padding()].any()
    assert not of_values[~padding()].any()


@every_combination
def test_masked_equals_unpadded(kind: Combination) -> None:
    attend = kind.build()
    if kind.selector == "gumbel":
        attend.eval()  # its noise is drawn for every key, padding too
    queries, keys, values = (tensor[1:] for tensor in kind.inputs())
    padded = attend(queries, keys, values, mask=padding()[1:], generator=generator())
    unpadded = attend(queries, keys[:, :3], values[:, :3], generator=generator())
    assert close(padded.weights[..., :3], unpadded.weights)
    assert close(padded.context, unpadded.context)


@every_combination
def test_a_row_that_sees_nothing_is_all_zeros_with_zero_gradient(kind: Combination) -> None:
    attend, inputs = kind.build(), kind.inputs(grad=True)
    mask = padding()
    mask[1] = False
    attended = attend(*inputs, mask=mask, generator=generator())
    assert not attended.weights[1].any()
    assert not attended.probabilities[1].any()
    assert not attended.context[1].any()
    if attended.choice is not None:
        assert bool((attended.choice[1] == -1).all())
        assert not attended.log_prob[1].any()
    pulled = gradients(attended, attend, inputs)
    for gradient in pulled:
        assert bool(gradient.isfinite().all())
    for gradient in pulled[:3]:
        assert not gradient[1].any()


@every_combination
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16], ids=["float32", "float16"])
def test_huge_scores_and_half_precision_stay_finite(kind: Combination, dtype: torch.dtype) -> None:
    attend = kind.build().to(dtype)
    inputs = [tensor.to(dtype) for tensor in kind.inputs()]
    # a sharpness of 1e4, told by such a query, has a gradient beyond the range of float16
    scale = 1e2 if dtype == torch.float16 and kind.window == "shift" else 1e4
    with torch.no_grad():
        inputs[0] *= scale
        for name, parameter in attend.score.named_parameters():
            if name == "v":
                parameter *= 1e4
    inputs = [tensor.requires_grad_() for tensor in inputs]
    attended = attend(*inputs, mask=padding(), generator=generator())
    assert attended.weights.dtype == attended.context.dtype == dtype
    for output in (attended.weights, attended.probabilities, attended.context):
        assert bool(output.isfinite().all())
    assert bool((attended.weights.sum(-1) < 1.01).all())
    context = attended.context.float().sum()
    if context.requires_grad:
        context.backward()
    for tensor in (*inputs, *attend.parameters()):
        assert tensor.grad is None or bool(tensor.grad.isfinite().all()) or dtype == torch.float16
        assert tensor.grad is None or not tensor.grad.isnan().any()


@pytest.mark.parametrize("kind", [kind for kind in ALL if not (kind.knows_places or kind.may_tie)], ids=str)
def test_reordering_the_keys_reorders_the_weights(kind: Combination) -> None:
    attend = kind.build().eval()
    queries, keys, values = kind.inputs()
    order = torch.tensor([3, 0, 4, 1, 2])
    plain, reordered = attend(queries, keys, values), attend(queries, keys[:, order], values[:, order])
    assert close(plain.weights[..., order], reordered.weights)
    assert close(plain.context, reordered.context)


@every_combination
def test_preparing_once_equals_preparing_each_time(kind: Combination) -> None:
    attend = kind.build()
    queries, keys, values = kind.inputs()
    memory = attend.prepare(keys, values, padding())
    for rows in (queries, queries[:, :1], queries[:, 1]):
        once, anew = (
            attend(rows, memory, generator=generator()),
            attend(rows, keys, values, mask=padding(), generator=generator()),
        )
        assert close(once.weights, anew.weights)
        assert close(once.context, anew.context)


@every_combination
def test_stepping_equals_one_call_on_the_sequence(kind: Combination) -> None:
    attend = kind.build()
    queries, keys, values = kind.inputs()
    memory = attend.prepare(keys, values, padding())
    whole = attend(queries, memory, generator=generator())
    state, draws = attend.start(memory), generator()
    for row in range(ROWS):
        step = attend.step(queries[:, row : row + 1], memory, state, generator=draws)
        state = step.state
        assert close(step.weights[:, 0], whole.weights[:, row])
        assert close(step.context[:, 0], whole.context[:, row])
        if whole.choice is not None:
            assert torch.equal(step.choice[:, 0], whole.choice[:, row])
    assert state.step == whole.state.step == ROWS


@every_combination
def test_stepping_with_several_hypotheses_equals_each_alone(kind: Combination) -> None:
    attend = kind.build().eval()
    _, keys, values = kind.inputs()
    queries = torch.randn(BATCH, 3, ROWS, kind.inputs()[0].shape[-1], generator=generator(), dtype=torch.double)
    memory = attend.prepare(keys, values, padding())
    alone = [attend(queries[:, n], memory) for n in range(3)]
    state = attend.start(memory, hypotheses=3)
    for row in range(ROWS):
        step = attend.step(queries[:, :, row], memory, state)
        state = step.state
        for n in range(3):
            assert close(step.weights[:, n], alone[n].weights[:, row])
            assert close(step.context[:, n], alone[n].context[:, row])


@every_combination
def test_a_mask_of_its_own_for_every_query_is_used_row_by_row_in_steps_too(kind: Combination) -> None:
    attend = kind.build().eval()
    queries, keys, values = kind.inputs()
    mask = torch.rand(BATCH, ROWS, COLUMNS, generator=generator()) < 0.7
    memory = attend.prepare(keys, values, mask)
    whole = attend(queries, memory)
    assert not whole.weights[~mask].any()
    state = attend.start(memory)
    for row in range(ROWS):
        step = attend.step(queries[:, row : row + 1], memory, state)
        state = step.state
        assert close(step.weights[:, 0], whole.weights[:, row])


@every_combination
def test_hypotheses_and_sentences_can_be_picked_between_steps(kind: Combination) -> None:
    """What beam search does: reorder hypotheses, drop finished sentences; the rest goes on as if alone."""
    attend = kind.build().eval()
    _, keys, values = kind.inputs()
    queries = torch.randn(BATCH, 2, 2, kind.inputs()[0].shape[-1], generator=generator(), dtype=torch.double)
    memory = attend.prepare(keys, values, padding())
    state = attend.step(queries[:, :, 0], memory, attend.start(memory, 2)).state
    parents = torch.tensor([[1, 1], [1, 0]])
    kept = torch.tensor([1])
    state, rest = state.select(parents).keep(kept), memory.keep(kept)
    second = attend.step(queries[kept, :, 1], rest, state)
    for n in range(2):
        alone = attend(torch.stack([queries[1, parents[1, n], 0], queries[1, n, 1]])[None], rest)
        assert close(second.weights[0, n], alone.weights[0, 1])


@every_combination
def test_dropout_leaves_the_weights_as_they_were(kind: Combination) -> None:
    plain, dropping = kind.build(), kind.build(dropout=0.5)
    plain.selector.eval()  # samplers give the expectation, so that both see the same
    dropping.selector.eval()
    inputs = kind.inputs()
    wanted, found = plain(*inputs, mask=padding()), dropping(*inputs, mask=padding(), generator=generator())
    assert close(wanted.weights, found.weights)
    assert not torch.allclose(wanted.context, found.context) or found.weights.count_nonzero() < 5
    again = dropping(*inputs, mask=padding(), generator=generator())
    assert torch.equal(found.context, again.context)


@every_combination
def test_a_copy_and_a_reload_do_the_same(kind: Combination) -> None:
    attend = kind.build().eval()
    other = copy.deepcopy(attend)
    for parameter in other.parameters():
        torch.nn.init.zeros_(parameter)
    other.load_state_dict(attend.state_dict())
    inputs = kind.inputs()
    assert torch.equal(attend(*inputs).context, other(*inputs).context)
