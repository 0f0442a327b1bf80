"""How models learn: REINFORCE, scheduled sampling, empty batches, and that every preset can learn at all."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import torch
from tests.models.shared import batch, gradients, small
from torch.nn.functional import cross_entropy

from jumok.data import Batch
from jumok.models import PRESETS, EncoderDecoder, Given


def exact_gradients(model: EncoderDecoder, given: Batch) -> dict[str, torch.Tensor]:
    """The gradient of the expected loss, over every way to look."""
    places, steps = given.source.shape[1], given.target.shape[1] - 1
    total = torch.zeros((), dtype=torch.double)
    for choices in product(range(places), repeat=steps):
        state = model.decoder.start(model.encode(given))
        chance, loss = torch.ones((), dtype=torch.double), torch.zeros((), dtype=torch.double)
        for number, choice in enumerate(choices):
            weights = torch.nn.functional.one_hot(torch.tensor([[choice]]), places).double()
            step = model.decoder.step(given.target[:, number : number + 1], state, given=Given(weights))
            asking = state if model.decoder.settings.query == "before" else step.state
            look = model.decoder.attend.step(asking.hidden[-1].output, state.memory, state.looking)
            chance = chance * look.probabilities[0, 0, choice]
            state = step.state
            loss = loss - step.logits[0, 0].log_softmax(-1)[given.target[0, number + 1]]
        total = total + chance * loss
    model.zero_grad()
    total.backward()
    return {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


def drawn_often(**settings: Any) -> tuple[EncoderDecoder, Batch, Batch]:
    """A model whose looks are far from even, one pair, and the same pair many times."""
    model = small("hard", reinforce={"weight": 1.0, "mix": 0.0, "entropy": 0.0}, **settings)
    for parameter in model.decoder.attend.parameters():
        parameter.data.mul_(3)
    one = batch(rows=1, source=2, target=3)
    return model, one, Batch(*(tensor.repeat(8000, *[1] * (tensor.dim() - 1)) for tensor in vars(one).values()))


@pytest.mark.slow
@pytest.mark.parametrize("decoder", [{}, {"query": "after", "context": "output"}], ids=["remembers", "forgets"])
def test_reinforce_has_the_gradient_of_the_expected_loss(decoder: dict[str, str]) -> None:
    """On average over many draws, for any baseline; the settings are those of the paper without its bonuses."""
    model, one, rows = drawn_often(decoder=decoder)
    torch.manual_seed(0)
    estimated = gradients(model, model.loss(rows))
    expected = exact_gradients(model.train(), one)
    assert model.decoder.remembers_looks == (not decoder)
    for name, exact in expected.items():
        error = (estimated[name] / len(rows) - exact).norm() / (expected_norm := max(float(exact.norm()), 1e-2))
        assert error < 0.2, (name, float(error), expected_norm)


def test_a_look_that_no_later_word_depends_on_is_told_its_own_word_only() -> None:
    """The words behind it would only add noise: with them the estimates of single draws are further apart."""
    model, one, _ = drawn_often(decoder={"query": "after", "context": "output"})

    def spread() -> float:
        torch.manual_seed(0)
        draws = [gradients(model, model.loss(one)) for _ in range(100)]
        learned = [name for name in draws[0] if name.startswith("decoder.attend")]
        return sum(float(torch.stack([draw[name] for draw in draws]).var(0).sum()) for name in learned)

    own = spread()
    model.decoder.remembers_looks = True
    assert own < spread()


def test_the_baseline_is_a_moving_mean() -> None:
    model = small("hard", reinforce={"decay": 0.75})
    start = float(model.baseline)
    model.updated({"reward": -30.0}, 10)
    assert float(model.baseline) == pytest.approx(0.75 * start + 0.25 * -3.0)
    model.updated({"reward": -20.0}, 10)
    assert float(model.baseline) == pytest.approx(0.75 * (0.75 * start - 0.75) + 0.25 * -2.0)


def test_mixed_sentences_take_the_expected_look() -> None:
    model = small("hard", reinforce={"mix": 1.0, "entropy": 0.0})
    soft = small("bahdanau")
    soft.load_state_dict(model.state_dict())
    torch.testing.assert_close(model.loss(batch()).sum, soft.loss(batch()).sum)


def test_in_eval_hard_attention_expects() -> None:
    model, soft = small("hard").eval(), small("bahdanau").eval()
    soft.load_state_dict(model.state_dict())
    assert model.score(batch()).loss == pytest.approx(soft.score(batch()).loss)


def test_scheduled_sampling_grows_and_is_off_in_eval() -> None:
    model = small("bahdanau", scheduled_sampling={"rate": 0.5, "updates": 10})
    assert model.sampling_rate() == 0
    for _ in range(5):
        model.updated({}, 1)
    assert model.sampling_rate() == 0.25
    for _ in range(20):
        model.updated({}, 1)
    assert model.sampling_rate() == 0.5
    assert model.eval().sampling_rate() == 0


def test_scheduled_sampling_reads_its_own_words() -> None:
    """At rate 1 the target only says what is asked for; at a rate near 0 it is teacher forcing."""
    model = small("luong-general", scheduled_sampling={"rate": 1.0, "updates": 0})
    given = batch(rows=2, target=4)
    other = Batch(given.numbers, given.source, given.source_lengths, given.target.flip(0), given.target_lengths)
    torch.manual_seed(5)
    first = model(given).features
    torch.manual_seed(5)
    torch.testing.assert_close(model(other).features, first)
    tiny = small("luong-general", scheduled_sampling={"rate": 1e-12, "updates": 0})
    plain = small("luong-general")
    torch.testing.assert_close(tiny.loss(given).sum, plain.loss(given).sum)


def test_an_empty_batch_costs_nothing_and_reaches_every_parameter() -> None:
    for preset in PRESETS:
        model = small(preset)
        empty = batch().rows(7, 8)
        sums = model.loss(empty)
        assert (float(sums.sum.detach()), sums.count) == (0.0, 0)
        sums.sum.backward()
        assert all(parameter.grad is not None and not parameter.grad.any() for parameter in model.parameters())
        assert set(sums.parts) == set(model.loss(batch()).parts)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_learns_ten_pairs_by_heart(preset: str) -> None:
    model = small(
        preset,
        embedding_size=32,
        encoder={"hidden_size": 24} if preset != "transformer" else {},
        decoder={"hidden_size": 48} if preset != "transformer" else {},
    ).float()
    given = batch(rows=10, source=7, target=6)
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(250):
        optimiser.zero_grad()
        sums = model.loss(given)
        (sums.sum / sums.count).backward()
        optimiser.step()
        model.updated({name: float(part) for name, part in sums.parts.items()}, sums.count)
    scores = model.eval().score(given)
    assert scores.hits / scores.count > 0.95, scores


def test_consistency_is_the_mean_of_two_passes_and_what_they_differ_in() -> None:
    model, given = small("bahdanau", dropout=0.4, label_smoothing=0.1, consistency=3.0), batch()
    torch.manual_seed(8)
    found = model.loss(given)
    torch.manual_seed(8)
    logs = model(given.twice()).logits.log_softmax(-1)
    real = torch.arange(given.target.shape[1] - 1) < given.target_lengths[:, None]
    passes = [part[real] for part in logs.chunk(2)]
    words = given.target[:, 1:][real]
    crosses = sum(cross_entropy(one, words, reduction="sum", label_smoothing=0.1) for one in passes) / 2
    apart = ((passes[0].exp() - passes[1].exp()) * (passes[0] - passes[1])).sum() / 2
    assert apart.item() > 0.01  # each pass has its own dropout
    torch.testing.assert_close(found.sum, crosses + 3.0 * apart)
    assert found.count == given.tokens
    torch.testing.assert_close(
        model.eval().loss(given).sum, small("bahdanau", label_smoothing=0.1).eval().loss(given).sum
    )


def test_consistency_counts_every_term_once() -> None:
    settings: dict[str, Any] = {"doubly_stochastic": {"weight": 2.0}, "reinforce": {"mix": 1.0}}
    alone, twice = (small("hard", dropout=1e-12, consistency=weight, **settings) for weight in (0.0, 3.0))
    one, other = alone.loss(batch()), twice.loss(batch())
    torch.testing.assert_close(one.sum, other.sum)
    for name, part in one.parts.items():
        torch.testing.assert_close(part, other.parts[name])


def test_consistency_without_dropout_is_refused() -> None:
    with pytest.raises(ValueError, match="consistency: compares two passes"):
        small("bahdanau", consistency=1.0)
