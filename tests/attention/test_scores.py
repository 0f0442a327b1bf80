"""Scores: what each says of one query and one key."""

from __future__ import annotations

import contextlib
import math

import pytest
import torch
from torch import Tensor, nn

from attention.combinations import COLUMNS, SCORE_SETTINGS, Combination
from jumok.attention import Additive, Attention, Gaussian, General, Location, build, reference, tanh_blocks
from jumok.attention.tanh_blocks import key_exponentials, tanh_attend, tanh_scores
from jumok.core.maps import Maps


@pytest.mark.parametrize("score", SCORE_SETTINGS)
def test_the_score_of_a_key_does_not_depend_on_the_other_keys(score: str) -> None:
    kind = Combination(score, "softmax", None, "soft")
    attend = kind.build()
    queries, keys, _ = kind.inputs()
    others = torch.randn_like(keys)
    others[:, 2] = keys[:, 2]
    seen = [] if attend.score.history is None else [torch.rand(*queries.shape[:2], COLUMNS, dtype=torch.double)]
    before, after = (attend.score(queries, attend.score.prepare(x), *seen) for x in (keys, others))
    assert torch.allclose(before[..., 2], after[..., 2], rtol=1e-12)
    if score not in ("location", "constant", "boxcar"):
        assert not torch.allclose(before, after)


class AttentionOfTheTexts(nn.Module):
    """As one of the texts writes it: a linear map without bias, a product, 1 = hide, softmax, a product."""

    def __init__(self, hidden_size: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, h_src: Tensor, h_t_tgt: Tensor, mask: Tensor) -> Tensor:
        query = self.linear(h_t_tgt.squeeze(1)).unsqueeze(-1)
        weight = torch.bmm(h_src, query).squeeze(-1).masked_fill(mask, -math.inf).softmax(dim=-1)
        return torch.bmm(weight.unsqueeze(1), h_src)


def test_the_module_of_the_texts_is_general_with_the_mask_inverted() -> None:
    texts, ours = AttentionOfTheTexts(6), Attention(General(6, 6))
    with torch.no_grad():
        ours.score.key.weight.copy_(texts.linear.weight.t())
    sources, target = torch.randn(3, 5, 6), torch.randn(3, 1, 6)
    hide = torch.tensor([[0, 0, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 0, 1]]).bool()
    assert torch.allclose(texts(sources, target, hide), ours(target, sources, mask=~hide).context, atol=1e-6)


def test_additive_is_the_network_of_bahdanau() -> None:
    score = Additive(4, 6, 3)
    queries, keys = torch.randn(2, 3, 4), torch.randn(2, 5, 6)
    written_out = torch.tanh(score.query(queries)[:, :, None] + score.key(keys)[:, None]) @ score.v
    assert torch.allclose(score(queries, score.prepare(keys)), written_out, atol=1e-6)


def test_concat_is_a_network_on_the_joined_vectors() -> None:
    attend = build("concat", query_size=4, key_size=6, hidden_size=3)
    queries, keys = torch.randn(2, 3, 4), torch.randn(2, 5, 6)
    joined = torch.cat([queries[:, :, None].expand(2, 3, 5, 4), keys[:, None].expand(2, 3, 5, 6)], dim=-1)
    written_out = torch.tanh(attend.score.joined(joined)) @ attend.score.v
    assert torch.allclose(attend.score(queries, attend.score.prepare(keys)), written_out, atol=1e-6)


def test_without_v_no_weight_over_196_regions_exceeds_3_7_percent() -> None:
    """Scores in (-1, 1) cannot focus: one key at 1, all others at -1 is the most that they can say."""
    attend = build("additive", query_size=4, key_size=4, v=False)
    with torch.no_grad():
        attend.score.key.weight.fill_(100.0)
    keys = -torch.ones(1, 196, 4)
    keys[0, 7] = 1
    largest = attend(torch.zeros(1, 4), keys).weights.max().item()
    assert largest == pytest.approx(math.e**2 / (math.e**2 + 195), abs=1e-6)
    assert largest < 0.037
    sharper = build("cosine", temperature=0.1)(torch.ones(1, 4), keys).weights.max().item()
    assert sharper > 0.99


def test_location_refuses_more_keys_than_it_has_places_for() -> None:
    attend = Attention(Location(4, max_length=3))
    with pytest.raises(ValueError, match=r"keys: 5 keys of shape \(2, 5, 6\).*max_length 3"):
        attend(torch.randn(2, 4), torch.randn(2, 5, 6))


def test_a_gaussian_far_from_every_key_still_sees_the_nearest() -> None:
    keys = torch.tensor([[[0.0], [1.0], [2.0]]])
    weights = Attention("gaussian")(torch.tensor([[500.0]]), keys).weights
    assert torch.allclose(weights, torch.tensor([[0.0, 0.0, 1.0]]))
    assert torch.equal(Gaussian()(torch.tensor([[[500.0]]]), keys), torch.zeros(1, 1, 3))


def test_a_boxcar_that_reaches_no_key_sees_nothing() -> None:
    context, weights = Attention("boxcar")(torch.tensor([[9.0]]), torch.tensor([[[0.0], [1.0]]]))
    assert not weights.any()
    assert not context.any()


def test_cosine_of_a_zero_vector_is_zero_with_zero_gradient() -> None:
    attend = Attention("cosine")
    query, keys = torch.zeros(1, 3, requires_grad=True), torch.randn(1, 4, 3, requires_grad=True)
    weights = attend(query, keys).weights
    assert torch.allclose(weights, torch.full((1, 4), 0.25))
    (weights**2).sum().backward()
    assert not query.grad.any()
    assert not keys.grad.any()


def test_cosine_is_right_for_vectors_whose_squares_leave_the_range() -> None:
    attend = Attention("cosine")
    query, keys = torch.tensor([[1.0, 2.0]]), torch.tensor([[[2.0, 1.0], [-1.0, 3.0]]])
    plain = attend(query, keys).weights
    for scale in (1e-30, 1e30):
        assert torch.allclose(attend(query * scale, keys * scale).weights, plain)


@pytest.mark.parametrize("block_bytes", [1, 8 * 7, 8 * 7 * 3, 8 * 7 * 11, 8 * 7 * 30, 1 << 20])
@pytest.mark.parametrize(
    ("scale", "few_rows"), [(1.0, 0), (1.0, 9), (1000.0, 0)], ids=["factored", "few queries", "beyond the range of exp"]
)
def test_blocks_of_any_size_give_what_the_broadcast_gives(
    monkeypatch: pytest.MonkeyPatch, block_bytes: int, scale: float, few_rows: int
) -> None:
    monkeypatch.setattr(tanh_blocks, "BLOCK_BYTES", block_bytes)
    monkeypatch.setattr(tanh_blocks, "FEW_ROWS", few_rows)
    q, k, v, values = (
        torch.randn(shape, dtype=torch.double, requires_grad=True) for shape in ((2, 3, 7), (2, 5, 7), (7,), (2, 5, 4))
    )
    mask = torch.rand(2, 3, 5) < 0.6
    pull, pull_context = torch.randn(2, 3, 5, dtype=torch.double), torch.randn(2, 3, 4, dtype=torch.double)

    scores = torch.tanh((q * scale)[:, :, None] + (k * scale)[:, None]) @ v
    context = scores.masked_fill(~mask, -1e300).softmax(-1).masked_fill(~mask, 0) @ values
    wanted = torch.autograd.grad((scores * pull).sum() + (context * pull_context).sum(), (q, k, v, values))

    fast_scores = tanh_scores(q * scale, k * scale, v)
    fast_context = tanh_attend(q * scale, k * scale, v, values, mask)
    found = torch.autograd.grad((fast_scores * pull).sum() + (fast_context * pull_context).sum(), (q, k, v, values))
    assert torch.allclose(fast_scores, scores)
    assert torch.allclose(fast_context, context)
    for one, other in zip(found, wanted, strict=True):
        assert torch.allclose(one, other)


@pytest.mark.parametrize("block_bytes", [8 * 7, 1 << 20], ids=["many blocks", "one block"])
@pytest.mark.parametrize("scale", [1.0, 1000.0], ids=["exponentials at hand", "beyond the range of exp"])
@pytest.mark.parametrize("rows", [1, 2])
def test_steps_on_prepared_keys_give_what_the_broadcast_gives(
    monkeypatch: pytest.MonkeyPatch, block_bytes: int, scale: float, rows: int
) -> None:
    monkeypatch.setattr(tanh_blocks, "BLOCK_BYTES", block_bytes)
    attend = build("additive", query_size=7, key_size=7).double()
    memory = attend.prepare(torch.randn(2, 5, 7, dtype=torch.double) * scale)
    assert (memory.beside is None) == (scale > 1)
    keys = memory.keys.detach().requires_grad_()
    queries = torch.randn(2, rows, 7, dtype=torch.double, requires_grad=True)
    scores = torch.tanh(attend.score.query(queries)[:, :, None] + keys[:, None]) @ attend.score.v
    fast = attend.score(queries, keys, beside=memory.beside)
    assert torch.allclose(fast, scores)
    inputs = queries, keys, attend.score.query.weight, attend.score.v
    pull = torch.randn_like(scores)
    found, wanted = (torch.autograd.grad((x * pull).sum(), inputs) for x in (fast, scores))
    for one, other in zip(found, wanted, strict=True):
        assert torch.allclose(one, other)


def test_blocks_with_features_give_what_the_broadcast_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tanh_blocks, "BLOCK_BYTES", 8 * 7 * 4)
    tensors = [
        torch.randn(shape, dtype=torch.double, requires_grad=True)
        for shape in ((2, 3, 7), (2, 5, 7), (7,), (2, 3, 5, 2), (2, 7))
    ]
    q, k, v, features, mapping = tensors
    pull = torch.randn(2, 3, 5, dtype=torch.double)
    scores = torch.tanh(q[:, :, None] + k[:, None] + features @ mapping) @ v
    fast = tanh_scores(q, k, v, features, mapping)
    assert torch.allclose(fast, scores)
    for one, other in zip(
        torch.autograd.grad((fast * pull).sum(), tensors),
        torch.autograd.grad((scores * pull).sum(), tensors),
        strict=True,
    ):
        assert torch.allclose(one, other)


def test_a_number_that_is_not_one_shows() -> None:
    q, k = torch.full((1, 2, 3), math.nan), torch.zeros(1, 4, 3)
    assert bool(tanh_scores(q, k, torch.ones(3)).isnan().all())


def test_coverage_is_the_sum_of_earlier_weights() -> None:
    attend = build("additive", query_size=4, key_size=6, history="coverage")
    memory = attend.prepare(torch.randn(2, 5, 6))
    state = attend.start(memory)
    total = torch.zeros(2, 1, 5)
    for _ in range(3):
        step = attend.step(torch.randn(2, 1, 4), memory, state)
        state, total = step.state, total + step.weights
        assert torch.allclose(state.coverage, total)


def test_no_slow_twin_is_missing() -> None:
    with pytest.raises(TypeError, match="no slow twin of Score"):
        reference.score(Additive.__mro__[1](), torch.zeros(1), torch.zeros(1), 0, torch.zeros(1))


@pytest.mark.parametrize("size", [1.0, 60.0])
def test_asking_step_by_step_in_a_walk(size: float) -> None:
    """The gradients of keys and v add up over the steps; beyond the range of the exponentials it goes another way."""
    keys = (size * torch.randn(2, 4, 3, dtype=torch.float64)).requires_grad_()
    v, queries = (torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in ((3,), (5, 2, 1, 3)))
    found = []
    for maps in (Maps(), contextlib.nullcontext()):
        beside = key_exponentials(keys)
        with maps:
            scores = [tanh_scores(size * query, keys, v, exponentials=beside) for query in queries]
        found.append((torch.stack(scores), *torch.autograd.grad(torch.stack(scores).sin().sum(), [queries, keys, v])))
    written_out = torch.stack([torch.tanh(size * query.unsqueeze(2) + keys.unsqueeze(1)) @ v for query in queries])
    found.append((written_out, *torch.autograd.grad(written_out.sin().sum(), [queries, keys, v])))
    for fast, eager, slow in zip(*found, strict=True):
        torch.testing.assert_close(fast, slow)
        torch.testing.assert_close(eager, slow)
