"""One recurrent layer (LSTM or GRU): over a whole sequence at once, or step by step with something fed back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from jumok.core.maps import Collected, Maps, linear, ticket, walking

CellKind = Literal["lstm", "gru"]


class Hidden(NamedTuple):
    """What a recurrent layer remembers: its output and, for an LSTM, its cell; `(N, H)` each."""

    output: Tensor
    cell: Tensor | None = None

    def map(self, change: Callable[[Tensor], Tensor]) -> Hidden:
        """The same change done to both."""
        return Hidden(change(self.output), None if self.cell is None else change(self.cell))


class Alike(NamedTuple):
    """Which rows of a batch are equal, so that a product is done once for all of them."""

    first: Tensor  # (K,), a row of each kind
    kinds: Tensor  # (N,), the kind of each row

    @classmethod
    def of(cls, names: Tensor) -> Alike | None:
        """Rows with the same name `(N,)` are equal; None where it would save little."""
        kinds = torch.unique(names, return_inverse=True)
        if len(kinds[0]) > _FEW_ALIKE * len(names):
            return None
        first = torch.empty_like(kinds[0]).scatter_(0, kinds[1], torch.arange(len(names), device=names.device))
        return cls(first, kinds[1])

    def through(self, product: Callable[[Tensor], Tensor], rows: Tensor) -> Tensor:
        """The product of all rows `(N, I)`."""
        return product(rows.index_select(0, self.first)).index_select(0, self.kinds)


_FEW_ALIKE = 0.9
"""With a greater share of different rows it does not pay to tell them apart."""


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
    """A recurrent layer on its way through one sequence of T steps; each call is a step.

    inputs: `(N, T, I)`, which go through one product here; None where they come step by step, in place of what is fed.
    alike: which of the inputs are equal, where T is 1 and nothing learns.
    Taken with `Maps`, a step is one node of the graph and leaves the gradients of its gates in one tensor with those of
    all steps, so that nothing has to be gathered; elsewhere (a compiler, autocast) it is written out.
    """

    def __init__(self, layer: Recurrent, inputs: Tensor | None, steps: int, alike: Alike | None = None) -> None:
        weights = layer.weights()
        lstm = layer.kind == "lstm"
        self._feed = layer.feed.weight if layer.feed is not None else weights.enter if inputs is None else None
        self._weights = weights
        self._written_out = _lstm if lstm else _gru
        bias = weights.enter_bias + weights.recur_bias if lstm else weights.enter_bias
        if inputs is None:
            self._entering = bias.expand(steps, 1, -1)  # (T, 1, gates)
        elif alike is not None:
            entering = alike.through(lambda rows: linear(rows, weights.enter, bias), inputs.squeeze(1))
            self._entering = entering.unsqueeze(0)
        else:
            self._entering = linear(inputs.transpose(0, 1), weights.enter, bias)  # (T, N, gates)
        self._step = 0
        self._run: _Run | None = None
        maps = walking()
        if maps is not None:
            self._run, tickets = (_lstm_run if lstm else _gru_run)(maps, self._entering, self._feed, weights)
            self._ticket = ticket(self._run, self._entering, *tickets)

    def __call__(self, fed: Tensor | None, hidden: Hidden, alike: Alike | None = None) -> Hidden:
        """The state after one more step, with `fed` `(N, F)` beside the inputs that were known.

        alike: in which rows both what is fed and the state are equal, where nothing learns.
        """
        step, self._step = self._step, self._step + 1
        if self._run is not None:
            after = _Step.apply(fed, *hidden, self._ticket, alike, self._run, step)  # type: ignore[no-untyped-call]
            return Hidden(*after)
        entering = self._entering[step]
        if self._feed is not None and fed is not None:
            entering = nn.functional.linear(fed, self._feed) + entering
        return self._written_out(entering, hidden, self._weights)


def _lstm(entering: Tensor, hidden: Hidden, weights: Weights) -> Hidden:
    assert hidden.cell is not None
    i, f, g, o = (nn.functional.linear(hidden.output, weights.recur) + entering).chunk(4, dim=-1)
    cell = f.sigmoid() * hidden.cell + i.sigmoid() * g.tanh()
    return Hidden(o.sigmoid() * cell.tanh(), cell)


def _gru(entering: Tensor, hidden: Hidden, weights: Weights) -> Hidden:
    before = hidden.output
    size = before.shape[-1]
    recurring = nn.functional.linear(before, weights.recur, weights.recur_bias)
    reset, update = (entering[:, : 2 * size] + recurring[:, : 2 * size]).sigmoid().chunk(2, dim=-1)
    fresh = torch.addcmul(entering[:, 2 * size :], reset, recurring[:, 2 * size :]).tanh()
    return Hidden(fresh + update * (before - fresh))


class _Joined(Collected):
    """The map of what is fed and of the state, side by side, as one."""

    def __init__(self, feed: Tensor | None, recur: Tensor) -> None:
        super().__init__(recur if feed is None else torch.cat([feed.detach(), recur.detach()], dim=1))
        self.held = feed, recur
        self.fed_size = 0 if feed is None else feed.shape[1]

    def gradients(self) -> tuple[Tensor | None, ...]:
        """Those of both."""
        weight, _ = super().gradients()
        if weight is None:
            return None, None
        return weight[:, : self.fed_size] if self.fed_size else None, weight[:, self.fed_size :]


def _lstm_run(maps: Maps, entering: Tensor, feed: Tensor | None, weights: Weights) -> tuple[_Run, list[Tensor | None]]:
    joined, its_ticket = maps.held(_Joined, feed, weights.recur)
    return _LSTMRun(entering, joined), [its_ticket, None]


def _gru_run(maps: Maps, entering: Tensor, feed: Tensor | None, weights: Weights) -> tuple[_Run, list[Tensor | None]]:
    fed, fed_ticket = (None, None) if feed is None else maps.held(Collected, feed, None)
    recur, its_ticket = maps.held(Collected, weights.recur, weights.recur_bias)
    return _GRURun(entering, fed, recur), [fed_ticket, its_ticket]


class _Rows:
    """A tensor `(T, N, size)` that is written step by step; made at the first of them."""

    def __init__(self, steps: int) -> None:
        self._missing = set(range(steps))
        self._steps = steps
        self._all: Tensor | None = None

    def of(self, step: int, like: Tensor, size: int) -> Tensor:
        """Where to write this step, `(N, size)`."""
        if self._all is None:
            self._all = like.new_empty(self._steps, like.shape[0], size)
            self._missing = set(range(self._steps))
        self._missing.discard(step)
        return self._all[step]

    def all(self) -> Tensor | None:
        """All steps, zeros where nothing was written; None where nothing was at all."""
        if self._all is not None:
            for step in self._missing:
                self._all[step].zero_()
        return self._all

    def taken(self) -> Tensor | None:
        """The same; what is written next goes into another tensor."""
        rows, self._all = self.all(), None
        return rows


class _Run(ABC):
    """The steps of one walk, in one node of the graph each; entering `(T, N, gates)` or `(T, 1, gates)`."""

    def __init__(self, entering: Tensor) -> None:
        self.entering = entering.detach()
        self.gates = self.rows()  # the gradients of what enters

    def rows(self) -> _Rows:
        """Room for all steps."""
        return _Rows(self.entering.shape[0])

    @abstractmethod
    def forward(self, ctx: Any, fed: Tensor | None, output: Tensor, cell: Tensor | None) -> tuple[Tensor, ...]:
        """The state after the step `ctx.step`; `ctx.alike`: in which rows what enters is equal."""

    @abstractmethod
    def backward(self, ctx: Any, output: Tensor, cell: Tensor | None) -> tuple[Tensor | None, ...]:
        """The gradients of what is fed, of the output before, and of the cell before."""

    @abstractmethod
    def hand_in(self, gates: Tensor) -> None:
        """Give the maps what entered them, and the gradients of all steps `(T, N, gates)`."""

    def gradients(self) -> tuple[Tensor | None, ...]:
        """The gradient of what enters, and the maps' tickets back."""
        gates, nothing = self.gates.taken(), self.entering.new_zeros(())
        if gates is not None:
            self.hand_in(gates)
            if gates.shape[1] > self.entering.shape[1]:
                gates = gates.sum(1, keepdim=True)
        return gates, nothing, nothing


class _LSTMRun(_Run):
    """`c' = f c + i g, h = o tanh(c')`, with one product for what is fed and the state."""

    def __init__(self, entering: Tensor, joined: _Joined) -> None:
        super().__init__(entering)
        self._map, self._seen = joined, self.rows()

    def forward(self, ctx: Any, fed: Tensor | None, output: Tensor, cell: Tensor | None) -> tuple[Tensor, ...]:
        assert cell is not None
        size = output.shape[1]
        seen = self._seen.of(ctx.step, output, self._map.fed_size + size)
        torch.cat([output] if fed is None else [fed, output], dim=1, out=seen)
        active = _with(self._map, seen, self.entering[ctx.step], ctx.alike)
        active[:, : 2 * size].sigmoid_()
        active[:, 2 * size : 3 * size].tanh_()
        active[:, 3 * size :].sigmoid_()
        i, f, g, o = active.chunk(4, dim=1)
        after = (f * cell).addcmul_(i, g)
        shown = after.tanh()
        ctx.save_for_backward(active, cell, shown)
        return o * shown, after

    def backward(self, ctx: Any, output: Tensor, cell: Tensor | None) -> tuple[Tensor | None, ...]:
        active, before, shown = ctx.saved_tensors
        size, fed_size = before.shape[1], self._map.fed_size
        i, f, g, o = active.chunk(4, dim=1)
        gradient = self.gates.of(ctx.step, active, 4 * size)
        through = output * o
        total = through.addcmul_(through * shown, shown, value=-1).add_(cell)  # d c'
        torch.mul(total, g, out=gradient[:, :size])
        torch.mul(total, before, out=gradient[:, size : 2 * size])
        torch.mul(total, i, out=gradient[:, 2 * size : 3 * size])
        torch.mul(output, shown, out=gradient[:, 3 * size :])
        slope = torch.addcmul(active, active, active, value=-1)  # of the sigmoids; the third quarter is a tanh
        torch.sub(1, g.square(), out=slope[:, 2 * size : 3 * size])
        seen = self._map.back(gradient.mul_(slope))
        return seen[:, :fed_size] if fed_size else None, seen[:, fed_size:], total.mul_(f)

    def hand_in(self, gates: Tensor) -> None:
        _give(self._map, self._seen, gates)


class _GRURun(_Run):
    """`h' = n + u (h - n), n = tanh(entering + r recurring)`."""

    def __init__(self, entering: Tensor, feed: Collected | None, recur: Collected) -> None:
        super().__init__(entering)
        self._feed, self._fed = feed, self.rows()
        self._recur, self._before = recur, self.rows()
        self._recurring = self.rows()  # the gradients of what the state's map gives

    def forward(self, ctx: Any, fed: Tensor | None, output: Tensor, cell: Tensor | None) -> tuple[Tensor, ...]:
        size, entering = output.shape[1], self.entering[ctx.step]
        if self._feed is not None and fed is not None:
            entering = _with(self._feed, self._fed.of(ctx.step, fed, fed.shape[1]).copy_(fed), entering, ctx.alike)
        recurring = _mapped(self._recur, self._before.of(ctx.step, output, size).copy_(output), ctx.alike)
        both = (entering[:, : 2 * size] + recurring[:, : 2 * size]).sigmoid_()
        fresh = torch.addcmul(entering[:, 2 * size :], both[:, :size], recurring[:, 2 * size :]).tanh_()
        apart = output - fresh
        ctx.save_for_backward(both, fresh, apart, recurring)
        return (torch.addcmul(fresh, both[:, size:], apart),)

    def backward(self, ctx: Any, output: Tensor, cell: Tensor | None) -> tuple[Tensor | None, ...]:
        both, fresh, apart, recurring = ctx.saved_tensors
        size = fresh.shape[1]
        reset, update = both.chunk(2, dim=1)
        enter, recur = (rows.of(ctx.step, fresh, 3 * size) for rows in (self.gates, self._recurring))
        through = output * update
        tanh = torch.sub(output, through, out=enter[:, 2 * size :]).mul_(1 - fresh.square())
        torch.mul(tanh, recurring[:, 2 * size :], out=enter[:, :size])
        torch.mul(output, apart, out=enter[:, size : 2 * size])
        enter[:, : 2 * size].mul_(torch.addcmul(both, both, both, value=-1))
        recur[:, : 2 * size].copy_(enter[:, : 2 * size])
        torch.mul(tanh, reset, out=recur[:, 2 * size :])
        fed = None if self._feed is None else self._feed.back(enter)
        return fed, through.add_(self._recur.back(recur)), None

    def hand_in(self, gates: Tensor) -> None:
        if self._feed is not None:
            _give(self._feed, self._fed, gates)
        recurring = self._recurring.taken()
        if recurring is not None:
            _give(self._recur, self._before, recurring)


def _mapped(collected: Collected, inputs: Tensor, alike: Alike | None) -> Tensor:
    """The map of inputs `(N, I)`."""
    if alike is None:
        return collected.mapped(inputs, None)
    return alike.through(lambda rows: collected.mapped(rows, None), inputs)


def _with(collected: Collected, inputs: Tensor, added: Tensor, alike: Alike | None) -> Tensor:
    """The map of inputs `(N, I)` plus `added`, `(N, O)` or the same for all rows."""
    if alike is not None:
        return _mapped(collected, inputs, alike).add_(added)
    if added.shape[0] < inputs.shape[0]:
        return collected.forth(inputs, None, added[0])
    return collected.mapped(inputs, added)


def _give(collected: Collected, inputs: _Rows, gradients: Tensor) -> None:
    rows = inputs.all()
    if rows is not None:
        collected.seen.append((rows.flatten(0, 1), gradients.flatten(0, 1)))


class _Step(torch.autograd.Function):
    """One step of a run."""

    @staticmethod
    def forward(
        ctx: Any,
        fed: Tensor | None,
        output: Tensor,
        cell: Tensor | None,
        ticket: Tensor | None,
        alike: Alike | None,
        run: _Run,
        step: int,
    ) -> tuple[Tensor, ...]:
        ctx.run, ctx.step, ctx.alike, ctx.ticket = run, step, alike, None if ticket is None else ticket.detach()
        return run.forward(ctx, fed, output, cell)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, output: Tensor, cell: Tensor | None = None) -> tuple[Tensor | None, ...]:
        return *ctx.run.backward(ctx, output, cell), ctx.ticket, None, None, None
