"""torch.compile without graph breaks, and torch.export with lengths that vary, for the soft kinds."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.export import Dim

from attention.combinations import NORMALIZERS, SCORE_SETTINGS, WINDOWS, Combination
from jumok.attention import Attended, MultiHead

FULLY = ("additive", "gaussian")
KINDS = [
    Combination(score, normalizer, window, "soft")
    for score in SCORE_SETTINGS
    for normalizer in NORMALIZERS
    for window in (None, *WINDOWS)
    if (score in FULLY and (normalizer != "sum" or score == "gaussian")) or (normalizer, window) == ("softmax", None)
]
"""Every part once, and with those two scores every window with every normaliser."""
STEPWISE = [kind for kind in KINDS if kind.build().score.history or kind.window == "shift"]
AT_ONCE = [kind for kind in KINDS if kind not in STEPWISE]


def inputs(kind: Combination, rows: int, columns: int) -> tuple[Tensor, ...]:
    size = kind.inputs()[0].shape[-1]
    mask = torch.ones(2, columns, dtype=torch.bool)
    mask[1, -2:] = False
    return (
        torch.randn(2, rows, size, dtype=torch.double, requires_grad=True),
        torch.randn(2, columns, 6, dtype=torch.double, requires_grad=True),
        torch.randn(2, columns, 3, dtype=torch.double, requires_grad=True),
        mask,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_compiles_as_one_graph(kind: Combination) -> None:
    torch._dynamo.reset()
    attend = kind.build()

    def look(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        attended = attend(queries, keys, values, mask=mask)
        return attended.context, attended.weights

    tensors = inputs(kind, 3, 5)
    wanted, found = look(*tensors), torch.compile(look, backend="aot_eager", fullgraph=True)(*tensors)
    for one, other in zip(wanted, found, strict=True):
        assert torch.allclose(one, other)
    grads = [
        torch.autograd.grad(outputs[0].sum() + outputs[1].square().sum(), tensors[:3], allow_unused=True)
        for outputs in (wanted, found)
    ]
    for one, other in zip(*grads, strict=True):
        assert one is None or other is None or torch.allclose(one, other)


class Look(nn.Module):
    def __init__(self, attend: nn.Module) -> None:
        super().__init__()
        self.attend = attend

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Attended:
        attended: Attended = self.attend(queries, keys, values, mask=mask)
        return attended


@pytest.mark.slow
@pytest.mark.parametrize("kind", AT_ONCE, ids=str)
def test_exports_with_lengths_that_vary(kind: Combination) -> None:
    attend = kind.build().eval()
    rows = Dim("rows", min=2, max=64)
    columns = Dim("columns", min=2, max=9 if kind.score == "location" else 64)
    shapes = {"queries": {1: rows}, "keys": {1: columns}, "values": {1: columns}, "mask": {1: columns}}
    program = torch.export.export(Look(attend), inputs(kind, 3, 5), dynamic_shapes=shapes)
    for sizes in ((3, 5), (7, 9), (2, 4)):
        tensors = inputs(kind, *sizes)
        found, wanted = program.module()(*tensors), attend(*tensors[:3], mask=tensors[3])
        assert torch.allclose(found.context, wanted.context)
        assert torch.allclose(found.weights, wanted.weights)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in STEPWISE if kind.normalizer == "softmax"], ids=str)
def test_what_goes_step_by_step_exports_with_keys_that_vary(kind: Combination) -> None:
    attend = kind.build().eval()
    columns = Dim("columns", min=2, max=9 if kind.score == "location" else 64)
    shapes = {"queries": {}, "keys": {1: columns}, "values": {1: columns}, "mask": {1: columns}}
    program = torch.export.export(Look(attend), inputs(kind, 3, 5), dynamic_shapes=shapes)
    tensors = inputs(kind, 3, 8)
    assert torch.allclose(program.module()(*tensors).context, attend(*tensors[:3], mask=tensors[3]).context)


@pytest.mark.slow
def test_an_exported_program_can_be_saved_and_its_weights_read(tmp_path: Path) -> None:
    kind = Combination("additive", "softmax", None, "soft")
    program = torch.export.export(Look(kind.build()), inputs(kind, 3, 5))
    torch.export.save(program, tmp_path / "look.pt2")
    tensors = inputs(kind, 3, 5)
    found = torch.export.load(tmp_path / "look.pt2").module()(*tensors)
    assert torch.allclose(found.weights, kind.build()(*tensors[:3], mask=tensors[3]).weights)


@pytest.mark.slow
@pytest.mark.parametrize("score", ["scaled_dot", "additive"])
@pytest.mark.parametrize("causal", [False, True])
def test_heads_compile_and_export(score: str, causal: bool) -> None:
    torch._dynamo.reset()
    attend = MultiHead(8, heads=2, score=score)

    def look(x: Tensor) -> tuple[Tensor, Tensor]:
        attended = attend(x, causal=causal)
        return attended.context, attended.weights

    x = torch.randn(2, 5, 8)
    for one, other in zip(look(x), torch.compile(look, backend="aot_eager", fullgraph=True)(x), strict=True):
        assert torch.allclose(one, other, atol=1e-6)

    class Self(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attend = attend

        def forward(self, x: Tensor) -> Tensor:
            context: Tensor = self.attend(x, causal=causal).context
            return context

    program = torch.export.export(Self(), (x,), dynamic_shapes={"x": {1: Dim("rows", min=2, max=64)}})
    longer = torch.randn(2, 11, 8)
    assert torch.allclose(program.module()(longer), attend(longer, causal=causal).context, atol=1e-6)
