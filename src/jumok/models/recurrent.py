"""One recurrent layer (LSTM or GRU): over a whole sequence at once, or step by step with something fed back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from jumok.core.maps import linear

CellKind = Literal["lstm", "gru"]


class Hidden(NamedTuple):
    """What a recurrent layer remembers: its output and, for an LSTM, its cell; `(N, H)` each."""

    output: Tensor
    cell: Tensor | None = None

    def map(self, change: Callable[[Tensor], Tensor]) -> Hidden:
        """The same change done to both."""
        return Hidden(change(self.output), None if self.cell is None else change(self.cell))


class Weights(NamedTuple):
    """The parameters of a recurrent layer, its gates one after the other."""

    enter: Tensor  # (gates, I)
    recur: Tensor  # (gates, H)
    enter_bias: Tensor
    recur_bias: Tensor


class Recurrent(nn.Module):
    """A layer of LSTM (Hochreiter & Schmidhuber 1997) or GRU (Cho et al. 2014), in PyTorch's formulas and layout.

    kind: lstm or gru. input_size: of what is known before the first step. hidden_size: of the state.
    fed_size: of what is only known when a step is taken (a context, something fed back); then it goes by `walk` alone.
    """

    def __init__(self, kind: CellKind, input_size: int, hidden_size: int, fed_size: int = 0) -> None:
        super().__init__()
        self.kind = kind
        self.hidden_size = hidden_size
        self.rnn = (nn.LSTM if kind == "lstm" else nn.GRU)(input_size, hidden_size, batch_first=True)
        weights = self.weights()
        for gate in weights.recur.detach().chunk(self.gates):
            nn.init.orthogonal_(gate)
        for gate in weights.enter.detach().chunk(self.gates):
            nn.init.xavier_uniform_(gate)
        self.feed = nn.Linear(fed_size, self.gates * hidden_size, bias=False) if fed_size else None
        if self.feed is not None:
            for gate in self.feed.weight.detach().chunk(self.gates):
                nn.init.xavier_uniform_(gate)
        for bias in (weights.enter_bias, weights.recur_bias):
            nn.init.zeros_(bias)
        if kind == "lstm":  # remember at first (Jozefowicz et al. 2015)
            nn.init.ones_(weights.enter_bias.detach()[hidden_size : 2 * hidden_size])

    @property
    def gates(self) -> int:
        """How many vectors of the state's size a step computes."""
        return 4 if self.kind == "lstm" else 3

    def weights(self) -> Weights:
        """Its parameters, by what they do."""
        named = dict(self.rnn.named_parameters())
        return Weights(*(named[f"{name}_l0"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")))

    def forward(self, inputs: Tensor, start: Hidden | None = None) -> Tensor:
        """The outputs `(B, T, H)` on inputs `(B, T, I)`, from a state `(B, H)` (zero unless given)."""
        if start is None:
            outputs, _ = self.rnn(inputs)
        elif start.cell is None:
            outputs, _ = self.rnn(inputs, start.output.unsqueeze(0).contiguous())
        else:
            outputs, _ = self.rnn(inputs, tuple(start.map(lambda part: part.unsqueeze(0).contiguous())))
        return outputs  # type: ignore[no-any-return]


class Walk:
    """A recurrent layer on its way through one sequence; each call is a step, to be taken with `Maps`.

    inputs: `(N, T, I)`, which go through one product here; None where they come step by step, in place of what is fed.
    """

    def __init__(self, layer: Recurrent, inputs: Tensor | None) -> None:
        self._weights = weights = layer.weights()
        self._lstm = layer.kind == "lstm"
        self._bias = weights.enter_bias + weights.recur_bias if self._lstm else weights.enter_bias
        self._feed = None if layer.feed is None else layer.feed.weight
        self._entering: Iterator[Tensor] | None = None
        if inputs is not None:
            product = linear(inputs.transpose(0, 1), weights.enter, self._bias)  # (T, N, gates)
            self._entering = iter(product.unbind(0))

    def __call__(self, fed: Tensor | None, hidden: Hidden) -> Hidden:
        """The state after one more step, with `fed` `(N, F)` beside the inputs that were known."""
        if self._entering is None:
            assert fed is not None
            entering = linear(fed, self._weights.enter, self._bias)
        else:
            entering = next(self._entering)
            if self._feed is not None and fed is not None:
                entering = linear(fed, self._feed, added=entering)
        if self._lstm:
            gates = linear(hidden.output, self._weights.recur, added=entering)
            return Hidden(*_LSTMGates.apply(gates, hidden.cell))  # type: ignore[no-untyped-call]
        recurring = linear(hidden.output, self._weights.recur, self._weights.recur_bias)
        return Hidden(_gru(entering, recurring, hidden.output))


def _gru(entering: Tensor, recurring: Tensor, before: Tensor) -> Tensor:
    size = before.shape[-1]
    reset, update = (entering[:, : 2 * size] + recurring[:, : 2 * size]).sigmoid().chunk(2, dim=-1)
    fresh = torch.addcmul(entering[:, 2 * size :], reset, recurring[:, 2 * size :]).tanh()
    return fresh + update * (before - fresh)


class _LSTMGates(torch.autograd.Function):
    """`c' = f c + i g, h = o tanh(c')` from the four gates before their sigmoids; few passes in both directions."""

    @staticmethod
    def forward(ctx: Any, gates: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
        size = before.shape[-1]
        active = gates.sigmoid()
        torch.tanh(gates[:, 2 * size : 3 * size], out=active[:, 2 * size : 3 * size])
        i, f, g, o = active.chunk(4, dim=-1)
        cell = (f * before).addcmul_(i, g)
        shown = cell.tanh()
        ctx.save_for_backward(active, before, shown)
        return o * shown, cell

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, output: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        active, before, shown = ctx.saved_tensors
        size = before.shape[-1]
        i, f, g, o = active.chunk(4, dim=-1)
        gradient = torch.empty_like(active)
        through = output * o
        total = cell + through.addcmul_(through * shown, shown, value=-1)  # d c'
        torch.mul(total, g, out=gradient[:, :size])
        torch.mul(total, before, out=gradient[:, size : 2 * size])
        torch.mul(output, shown, out=gradient[:, 3 * size :])
        slope = active - active.square()  # of the sigmoids; the third quarter is a tanh
        torch.mul(total, i, out=gradient[:, 2 * size : 3 * size])
        torch.sub(1, g.square(), out=slope[:, 2 * size : 3 * size])
        return gradient.mul_(slope), total.mul_(f)
