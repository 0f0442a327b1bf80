"""Windows: where it may look at all."""

from __future__ import annotations

import pytest
import torch

from jumok.attention import Attention, LocalP, Shift, build, lengths_to_mask


def visible(weights: torch.Tensor) -> list[list[int]]:
    return [row.nonzero().flatten().tolist() for row in weights]


def test_local_m_walks_with_the_step_and_stays_at_the_end() -> None:
    attend = build("dot", window={"name": "local_m", "width": 1})
    mask = lengths_to_mask(torch.tensor([6, 3]))
    weights = attend(torch.randn(2, 6, 4), torch.randn(2, 6, 4), mask=mask).weights
    assert visible(weights[0]) == [[0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5]]
    assert visible(weights[1]) == [[0, 1], [0, 1, 2], [1, 2], [1, 2], [1, 2], [1, 2]]


def test_local_p_looks_near_a_place_that_it_predicts_within_the_sentence() -> None:
    attend = build("dot", query_size=4, window={"name": "local_p", "width": 2}, key_size=4)
    with torch.no_grad():
        attend.window.place.weight.zero_()  # sigmoid(0): the middle
    mask = lengths_to_mask(torch.tensor([10, 4]))
    weights = attend(torch.randn(2, 4), torch.randn(2, 10, 4), mask=mask).weights
    assert visible(weights) == [[3, 4, 5, 6, 7], [0, 1, 2, 3]]  # around 10 / 2 and 4 / 2
    constant = Attention("constant", window=LocalP(4, width=2))
    with torch.no_grad():
        constant.window.place.weight.zero_()
    row = constant(torch.zeros(1, 4), torch.zeros(1, 10, 4)).weights[0]
    gaussian = torch.exp(-((torch.arange(10) - 5.0) ** 2) / (2 * (2 / 2) ** 2)) / 5
    assert torch.allclose(row[3:8], gaussian[3:8])


def test_local_p_can_be_renormalised() -> None:
    attend = build("dot", query_size=4, window={"name": "local_p", "width": 2, "renormalize": True})
    sums = attend(torch.randn(2, 3, 4), torch.randn(2, 9, 4)).weights.sum(-1)
    assert torch.allclose(sums, torch.ones(2, 3))


def shifting(gate: float, shares: list[float], sharpness: float) -> Attention:
    """A shift window that does the same whatever is asked."""
    attend = Attention("dot", window=Shift(4, reach=len(shares) // 2))
    with torch.no_grad():
        for layer in (attend.window.gate, attend.window.shift, attend.window.sharpness):
            layer.weight.zero_()
        attend.window.gate.bias.fill_(gate)
        attend.window.shift.bias.copy_(torch.tensor(shares).log())
        attend.window.sharpness.bias.fill_(sharpness)
    return attend


def test_shift_walks_in_a_circle_over_the_visible_keys() -> None:
    attend = shifting(gate=-50, shares=[0.0, 0.0, 1.0], sharpness=-50)  # only the last place, one on
    mask = torch.tensor([[True, True, True, True], [True, False, True, True]])
    weights = attend(torch.randn(2, 5, 4), torch.randn(2, 4, 4), mask=mask).weights
    assert weights[0].argmax(-1).tolist() == [1, 2, 3, 0, 1]
    assert weights[1].argmax(-1).tolist() == [2, 3, 0, 2, 3]
    assert torch.allclose(weights.amax(-1), torch.ones(2, 5))


def test_shift_blurs_and_sharpens_again() -> None:
    blurred = shifting(gate=-50, shares=[0.1, 0.8, 0.1], sharpness=-50)
    sharpened = shifting(gate=-50, shares=[0.1, 0.8, 0.1], sharpness=3.0)
    inputs = torch.randn(1, 4), torch.randn(1, 5, 4)
    row = blurred(*inputs).weights[0]
    assert torch.allclose(row, torch.tensor([0.8, 0.1, 0, 0, 0.1]), atol=1e-6)
    gamma = 1 + torch.nn.functional.softplus(torch.tensor(3.0))
    assert torch.allclose(sharpened(*inputs).weights[0], row**gamma / (row**gamma).sum())


def test_shift_with_an_open_gate_is_content_alone() -> None:
    attend = shifting(gate=50, shares=[0.0, 1.0, 0.0], sharpness=-50)
    inputs = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    assert torch.allclose(attend(*inputs).weights, Attention("dot")(*inputs).weights, atol=1e-6)


@pytest.mark.parametrize("window", [{"name": "local_m", "width": -1}, {"name": "local_p", "width": 0}])
def test_a_width_that_makes_no_sense_is_refused(window: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="width: must be at least"):
        build("dot", query_size=4, window=window)
