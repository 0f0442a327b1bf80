"""The fast parts agree with the plain ones: the collected map, the cells, the encoder, the output layer."""

from __future__ import annotations

import contextlib
import gc
import itertools
import weakref

import pytest
import torch
from tests.models.shared import batch, small
from torch import nn
from torch.nn.functional import cross_entropy, kl_div
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from jumok.core.maps import Collected, Maps, linear, weighted
from jumok.core.products import Product
from jumok.models import Output, RecurrentEncoder, RecurrentEncoderSettings
from jumok.models.dropping import kept_at_random, random_mask
from jumok.models.recurrent import Hidden, Recurrent, Walk


def test_collected_is_a_linear_map() -> None:
    weight, bias = torch.randn(5, 3, dtype=torch.double), torch.randn(5, dtype=torch.double)
    inputs, added = torch.randn(4, 2, 3, dtype=torch.double), torch.randn(4, 2, 5, dtype=torch.double)
    leaves = [tensor.requires_grad_() for tensor in (weight, bias, inputs, added)]

    def walk(collected: bool) -> list[torch.Tensor]:
        total = torch.zeros((), dtype=torch.double)
        state = torch.zeros(2, 5, dtype=torch.double)
        with Maps() if collected else contextlib.nullcontext():
            for row, more in zip(inputs, added, strict=True):
                state = linear(row + state[:, :3], weight, bias, more).tanh()
                total = total + state.square().sum()
        return list(torch.autograd.grad(total, leaves))

    for fast, slow in zip(walk(True), walk(False), strict=True):
        torch.testing.assert_close(fast, slow)


@pytest.mark.parametrize("rows", [1, 7, 64])
def test_packed_products_are_products(rows: int) -> None:
    """From the second call on the weight is packed; a transposed weight, too."""
    weight = torch.randn(130, 140)
    for used in (weight, weight.t()):
        product = Product(used)
        for _ in range(3):
            inputs, added = torch.randn(rows, used.shape[1]), torch.randn(rows, used.shape[0])
            torch.testing.assert_close(product(inputs), inputs @ used.t(), rtol=1e-4, atol=1e-4)
            before = added.clone()
            torch.testing.assert_close(product(inputs, added), added + inputs @ used.t(), rtol=1e-4, atol=1e-4)
            assert torch.equal(added, before)
    assert product(torch.randn(0, 130)).shape == (0, 140)


def test_a_walk_collects_every_map_within_it() -> None:
    """Views made anew at each step are one map; more axes than two are rows."""
    weight = torch.randn(5, 6, dtype=torch.double, requires_grad=True)
    inputs = torch.randn(4, 2, 3, 3, dtype=torch.double, requires_grad=True)

    def total() -> torch.Tensor:
        return sum((linear(row, weight[:, :3]).tanh() + linear(row, weight[:, 3:]).sin()).sum() for row in inputs)  # type: ignore[return-value]

    plain = torch.autograd.grad(total(), [weight, inputs])
    with Maps():
        walked = total()
    for fast, slow in zip(torch.autograd.grad(walked, [weight, inputs]), plain, strict=True):
        torch.testing.assert_close(fast, slow)


def test_a_frozen_map_passes_the_gradient_on() -> None:
    weight, inputs = torch.randn(200, 200), torch.randn(3, 200, requires_grad=True)
    with Maps():
        steps = [linear(inputs, weight) for _ in range(3)]
    (gradient,) = torch.autograd.grad(torch.stack(steps).sum(), inputs)
    torch.testing.assert_close(gradient, 3 * weight.sum(0).expand(3, -1), rtol=1e-4, atol=1e-4)


def test_collected_without_steps_has_no_gradient() -> None:
    weight = torch.randn(2, 2, requires_grad=True)
    collected, its_ticket = Maps().held(Collected, weight, None)
    assert its_ticket is not None
    its_ticket.backward()
    assert weight.grad is None
    assert collected.gradients() == (None, None)


@pytest.mark.parametrize("lead", [(2,), (2, 3)])
def test_weighted_values_in_a_walk(lead: tuple[int, ...]) -> None:
    """Their gradient is collected too, and is that of the plain products."""
    values = torch.randn(*lead, 4, 5, dtype=torch.double, requires_grad=True)
    weights = torch.randn(3, *lead, 1, 4, dtype=torch.double, requires_grad=True)
    found = []
    for maps in (Maps(), contextlib.nullcontext()):
        with maps:
            total = torch.stack([weighted(row, values).sin() for row in weights]).square().sum()
        found.append(torch.autograd.grad(total, [values, weights]))
    for fast, slow in zip(*found, strict=True):
        torch.testing.assert_close(fast, slow)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_steps_of_one_walk_share_their_maps(kind: str) -> None:
    """Stepping makes a walk of one step each time; what is packed is packed once."""
    layer = Recurrent(kind, 3, 4, fed_size=2)  # type: ignore[arg-type]
    hidden = Hidden(*[torch.zeros(2, 4) for _ in range(2 if kind == "lstm" else 1)])
    counts = []
    with torch.no_grad(), Maps() as maps:
        for _ in range(4):
            hidden = Walk(layer, torch.ones(2, 1, 3), 1)(torch.ones(2, 2), hidden)
            counts.append(len(maps._held))
    assert counts == counts[:1] * 4


def lstm_autocasts() -> bool:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        try:
            torch.nn.LSTM(2, 2)(torch.zeros(1, 1, 2))
        except RuntimeError:
            return False
    return True


@pytest.mark.parametrize(
    "preset", ["bahdanau", "luong-concat", "luong-general", "luong-local-p", "hard", "transformer"]
)
def test_autocast_goes_the_plain_way(preset: str) -> None:
    model = small(preset).float()
    if any(isinstance(part, torch.nn.LSTM) for part in model.modules()) and not lstm_autocasts():
        pytest.skip("torch's LSTM has no bfloat16 on this processor")
    with torch.autocast("cpu", dtype=torch.bfloat16):
        sums = model.loss(batch())
    sums.sum.backward()
    assert all(parameter.grad is None or parameter.grad.isfinite().all() for parameter in model.parameters())


def test_two_passes_under_autocast_are_nearly_those_without() -> None:
    model, given = small("bahdanau", dropout=0.3, consistency=2.0).float(), batch()
    sums = []
    for autocast in (False, True):
        torch.manual_seed(6)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=autocast):
            sums.append(model.loss(given).sum)
    torch.testing.assert_close(sums[1], sums[0], rtol=0.02, atol=0)


def test_a_walk_leaves_nothing_behind() -> None:
    """Ticket and collector do not keep each other alive, whether backward ran or not."""
    weight = torch.randn(6, 3, requires_grad=True)
    with Maps() as maps:
        linear(torch.randn(2, 3), weight)
        kept = weakref.ref(maps.held(Collected, weight, None)[0])
    gc.disable()
    try:
        del maps
        assert kept() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_steps_without_a_loss_have_no_part_in_the_gradient(kind: str) -> None:
    """A walk that was taken in part, and of which only some steps count."""
    layer = Recurrent(kind, 3, 4, fed_size=2).double()  # type: ignore[arg-type]
    inputs, fed = torch.randn(2, 5, 3, dtype=torch.double), torch.randn(2, 2, dtype=torch.double, requires_grad=True)
    found = []
    for maps in (Maps(), contextlib.nullcontext()):
        hidden = Hidden(*[torch.zeros(2, 4, dtype=torch.double) for _ in range(2 if kind == "lstm" else 1)])
        outputs = []
        with maps:
            walk = Walk(layer, inputs, 5)
            for _ in range(4):
                hidden = walk(fed, hidden)
                outputs.append(hidden.output)
        found.append(torch.autograd.grad(outputs[1].sin().sum(), [fed, *layer.parameters()]))
    for fast, slow in zip(*found, strict=True):
        torch.testing.assert_close(fast, slow)


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_walking_equals_the_library(kind: str) -> None:
    layer = Recurrent(kind, 3, 4).double()  # type: ignore[arg-type]
    nn.init.normal_(layer.rnn.bias_hh_l0)
    inputs = torch.randn(2, 5, 3, dtype=torch.double, requires_grad=True)
    start = [torch.randn(2, 4, dtype=torch.double, requires_grad=True) for _ in range(2 if kind == "lstm" else 1)]
    leaves = [inputs, *start, *layer.parameters()]

    def total(outputs: torch.Tensor) -> torch.Tensor:
        return (outputs * torch.arange(outputs.numel()).view_as(outputs)).sin().sum()

    whole = layer(inputs, Hidden(*start))
    for known, maps in itertools.product((True, False), (Maps(), contextlib.nullcontext())):
        hidden, outputs = Hidden(*start), []
        with maps:
            walk = Walk(layer, inputs if known else None, 5)
            for step in range(5):
                hidden = walk(None if known else inputs[:, step], hidden)
                outputs.append(hidden.output)
        stepped = torch.stack(outputs, dim=1)
        torch.testing.assert_close(stepped, whole)
        fast, slow = (torch.autograd.grad(total(made), leaves, retain_graph=True) for made in (stepped, whole))
        for ours, theirs in zip(fast, slow, strict=True):
            torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_the_encoder_equals_a_packed_one(cell: str, layers: int) -> None:
    """The library's packed bidirectional layers, with our weights, give our states and summary."""
    settings = RecurrentEncoderSettings(cell=cell, hidden_size=4, layers=layers)  # type: ignore[arg-type]
    encoder = RecurrentEncoder(settings, nn.Embedding(9, 3)).double()
    theirs = (nn.LSTM if cell == "lstm" else nn.GRU)(3, 4, layers, batch_first=True, bidirectional=True).double()
    ours = {
        f"{name}_l{n}{'_reverse' * d}": getattr(encoder.layers[2 * n + d].rnn, f"{name}_l0")  # type: ignore[index]
        for n in range(layers)
        for d in range(2)
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    }
    theirs.load_state_dict({name: parameter.detach() for name, parameter in ours.items()})
    words, lengths = torch.randint(0, 9, (3, 6)), torch.tensor([6, 4, 1])
    encoded = encoder(words, lengths)
    packed = pack_padded_sequence(encoder.embedding(words), lengths, batch_first=True)
    states, last = theirs(packed)
    expected, _ = pad_packed_sequence(states, batch_first=True)
    torch.testing.assert_close(encoded.states.masked_fill(~encoded.mask.unsqueeze(-1), 0), expected)
    ends = last[0] if cell == "lstm" else last
    torch.testing.assert_close(encoded.summary, torch.cat([ends[-2], ends[-1]], dim=-1))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("count", [1, 5, 1100])
def test_losses_are_cross_entropies(smoothing: float, count: int) -> None:
    output = Output(4, 11).double()
    nn.init.normal_(output.bias)
    features = torch.randn(count, 4, dtype=torch.double, requires_grad=True)
    words = torch.randint(0, 11, (count,))
    weights = torch.rand(count, dtype=torch.double)
    leaves = [features, output.weight, output.bias]
    fast = output.losses(features, words, smoothing)
    slow = cross_entropy(output(features), words, reduction="none", label_smoothing=smoothing)
    torch.testing.assert_close(fast, slow)
    for ours, theirs in zip(
        torch.autograd.grad((fast * weights).sum(), leaves),
        torch.autograd.grad((slow * weights).sum(), leaves),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs)
    with torch.no_grad():
        torch.testing.assert_close(output.losses(features, words, smoothing), slow)
    assert torch.equal(output.hits(features, words), output(features).argmax(-1) == words)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("count", [1, 5, 1100])
def test_two_passes_are_told_apart_by_their_divergences(smoothing: float, count: int) -> None:
    output = Output(4, 11).double()
    nn.init.normal_(output.bias)
    features = torch.randn(2 * count, 4, dtype=torch.double, requires_grad=True)
    words = torch.randint(0, 11, (count,))
    leaves = [features, output.weight, output.bias]
    fast, each = output.agreeing(features, words, smoothing, 2.5)
    crosses = cross_entropy(output(features), words.repeat(2), reduction="none", label_smoothing=smoothing)
    one, other = output(features).log_softmax(1).chunk(2)
    divergences = [kl_div(p, q, reduction="sum", log_target=True) for p, q in ((one, other), (other, one))]
    slow = (crosses[:count].sum() + crosses[count:].sum()) / 2 + 2.5 * (divergences[0] + divergences[1]) / 2
    torch.testing.assert_close(fast, slow)
    torch.testing.assert_close(each, crosses.detach())
    for ours, theirs in zip(torch.autograd.grad(3 * fast, leaves), torch.autograd.grad(3 * slow, leaves), strict=True):
        torch.testing.assert_close(ours, theirs)
    assert output.agreeing(features[:count].repeat(2, 1), words, smoothing, 1e3)[0] <= crosses[:count].sum() + 1e-9


def test_losses_stay_finite_far_from_the_word() -> None:
    output = Output(1, 3)
    with torch.no_grad():
        output.weight.copy_(torch.tensor([[0.0], [500.0], [0.0]]))
    features = torch.ones(1, 1, requires_grad=True)
    losses = output.losses(features, torch.tensor([2]), 0.1)
    torch.testing.assert_close(
        losses, cross_entropy(output(features), torch.tensor([2]), reduction="none", label_smoothing=0.1)
    )


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.999])
def test_dropout_leaves_out_its_share_and_keeps_the_mean(share: float) -> None:
    mask = random_mask(share, torch.zeros(()), 1000, 3, 101)
    assert mask is not None
    assert mask.shape == (1000, 3, 101)
    torch.testing.assert_close((mask == 0).double().mean().item(), share, atol=4e-3, rtol=0)  # four deviations and more
    assert mask.max().item() == pytest.approx(1 / (1 - share))
    by_column = (mask == 0).double().mean((0, 1))  # no place is favoured
    assert (by_column - share).abs().max() < 6 * (share * (1 - share) / 3000) ** 0.5
    again = [kept_at_random(share, (7, 5), mask.device, torch.Generator().manual_seed(4)) for _ in range(2)]
    assert torch.equal(*again)


def test_no_dropout_is_no_mask() -> None:
    assert random_mask(0.0, torch.zeros(()), 3) is None
    assert random_mask(1 - 1e-9, torch.zeros(()), 0, 3) is not None  # nothing to draw, and a share that rounds to all
