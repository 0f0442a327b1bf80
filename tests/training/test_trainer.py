"""The loop: gradients, evaluation, stopping, averaging, logging."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from jumok.training import Loss, NotFinite
from training.toy import Heard, Toy, last_of, lines_of, train


class Scripted(Toy):
    """Its evaluations come from a list."""

    def __init__(self, figures: list[float], name: str = "loss") -> None:
        super().__init__()
        self.figures = iter(figures)
        self.name = name
        self.seen: list[Tensor] = []

    def evaluate(self) -> Mapping[str, float]:
        self.seen.append(self.model.out.weight.detach().clone())
        return {self.name: next(self.figures)}


def test_it_learns(tmp_path: Path) -> None:
    outcome = train(tmp_path, Toy(dropout=0.0), updates=300, learning_rate=0.01, evaluate_every=50)
    evaluations = [line["evaluation"]["loss"] for line in lines_of(tmp_path) if "evaluation" in line]
    assert outcome.reason == "updates"
    assert outcome.best["loss"] == min(evaluations) < evaluations[0] / 2


def test_accumulating_small_batches_equals_a_large_one(tmp_path: Path) -> None:
    for name, size, accumulate in (("large", 8, 1), ("small", 2, 4)):
        train(tmp_path / name, Toy(0.0, examples=42, size=size), accumulate=accumulate, updates=12, clip=0.1)
    large, small = last_of(tmp_path / "large"), last_of(tmp_path / "small")
    assert all(torch.allclose(large[name], small[name], atol=1e-6) for name in large)
    assert [line["update"] for line in lines_of(tmp_path / "small")] == [
        line["update"] for line in lines_of(tmp_path / "large")
    ]


def test_a_token_weighs_the_same_wherever_it_stands(tmp_path: Path) -> None:
    """The gradient of unequal batches is that of their union, not the mean of their means."""
    toy = Toy(0.0, examples=9, size=6)  # batches of 6 and 3
    union = Toy(0.0, examples=9, size=9)
    train(tmp_path / "two", toy, accumulate=2, updates=1)
    train(tmp_path / "one", union, updates=1)
    assert lines_of(tmp_path / "two")[0]["gradient_norm"] == pytest.approx(
        lines_of(tmp_path / "one")[0]["gradient_norm"]
    )


class Steep(Toy):
    """A gradient whose norm is known: 3 and 4 on two parameters."""

    def loss(self, batch: Any) -> Loss:
        slope = 3 * self.model.out.bias.sum() + 4 * self.model.norm.bias[0]
        return Loss(slope * 2, 2.0)

    def updated(self, parts: Mapping[str, float], count: float) -> None:
        pass


@pytest.mark.parametrize(("clip", "share"), [(None, 1.0), (10.0, 1.0), (1.0, 0.2)])
@pytest.mark.parametrize("accumulate", [1, 2])
def test_gradients_are_clipped_to_the_norm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clip: float | None, share: float, accumulate: int
) -> None:
    toy, seen = Steep(0.0), []
    step = torch.optim.AdamW.step

    def looked_at(self: torch.optim.AdamW) -> None:
        seen.append((toy.model.out.bias.grad.item(), toy.model.norm.bias.grad[0].item()))
        step(self)

    monkeypatch.setattr(torch.optim.AdamW, "step", looked_at)
    train(tmp_path, toy, clip=clip, updates=2, accumulate=accumulate)
    assert seen == [pytest.approx((3 * share, 4 * share))] * 2
    assert [line["gradient_norm"] for line in lines_of(tmp_path) if "loss" in line] == pytest.approx([5.0, 5.0])


def test_matrices_decay_and_vectors_do_not(tmp_path: Path) -> None:
    for decay in (0.0, 0.5):
        train(tmp_path / str(decay), Steep(0.0), weight_decay=decay, learning_rate=0.1, updates=1)
    without, decayed = last_of(tmp_path / "0.0"), last_of(tmp_path / "0.5")
    vectors = [name for name in without if without[name].ndim == 1]
    assert all(torch.equal(without[name], decayed[name]) for name in vectors)
    assert torch.equal(without["unused"], torch.ones(3))


def test_the_run_ends_when_nothing_got_better_for_a_while(tmp_path: Path) -> None:
    task = Scripted([5, 4, 4.5, 3, 3, 3.5, 9, 1])
    outcome = train(tmp_path, task, updates=100, evaluate_every=2, patience=3)
    assert (outcome.reason, outcome.update, outcome.best_update, outcome.best) == ("patience", 14, 8, {"loss": 3})
    assert torch.equal(load_file(tmp_path / "model.safetensors")["out.weight"], task.seen[3])
    assert torch.equal(task.model.out.weight, task.seen[3])


def test_higher_is_better_where_it_is(tmp_path: Path) -> None:
    outcome = train(tmp_path, Scripted([1, 7, 3], "bleu"), updates=6, evaluate_every=2, figure="bleu")
    assert (outcome.best_update, outcome.best) == (4, {"bleu": 7})


def test_a_figure_that_is_no_number_is_never_the_best(tmp_path: Path) -> None:
    nan = float("nan")
    outcome = train(tmp_path / "a", Scripted([nan, 2, nan]), updates=6, evaluate_every=2)
    assert (outcome.best_update, outcome.best) == (4, {"loss": 2})
    assert [line["evaluation"]["loss"] for line in lines_of(tmp_path / "a") if "evaluation" in line] == [None, 2, None]
    outcome = train(tmp_path / "b", Scripted([nan, nan]), updates=4, evaluate_every=2)
    assert (outcome.best_update, outcome.best) == (None, {})
    assert torch.equal(load_file(tmp_path / "b/model.safetensors")["out.bias"], last_of(tmp_path / "b")["out.bias"])


def test_a_figure_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"training\.figure: unknown figure 'loss_': did you mean 'loss'"):
        train(tmp_path, figure="loss_", better="lower", updates=1)


def test_the_average_of_the_last_evaluations_is_kept_when_it_is_better(tmp_path: Path) -> None:
    for name, average, best in (("better", 1.0, True), ("worse", 9.0, False)):
        task = Scripted([5, 4, 3, 3.5, average])
        outcome = train(tmp_path / name, task, updates=8, evaluate_every=2, average=3, learning_rate=0.1)
        mean = torch.stack(task.seen[1:4]).mean(0)
        assert torch.allclose(task.seen[4], mean)
        kept = load_file(tmp_path / name / "model.safetensors")["out.weight"]
        assert torch.equal(kept, task.seen[4] if best else task.seen[2])
        assert outcome.best == {"loss": average if best else 3}
        assert outcome.averaged == ((4, 6, 8) if best else ())
        assert lines_of(tmp_path / name)[-1]["averaged"] == [4, 6, 8]
        assert lines_of(tmp_path / name)[-1]["best"] == best


@pytest.mark.parametrize("log_every", [1, 4])
def test_the_log_adds_up(tmp_path: Path, log_every: int) -> None:
    train(tmp_path, Toy(0.0), updates=8, log_every=log_every, evaluate_every=4)
    logged = [line for line in lines_of(tmp_path) if "loss" in line]
    assert [line["update"] for line in logged] == list(range(log_every, 9, log_every))
    assert sum(line["count"] for line in logged) == 64
    train(tmp_path / "again", Toy(0.0), updates=8, log_every=1, evaluate_every=4)
    each = [line for line in lines_of(tmp_path / "again") if "loss" in line]
    mean = sum(line["loss"] for line in each[:log_every]) / log_every
    assert logged[0]["loss"] == pytest.approx(mean)
    assert [line["update"] for line in lines_of(tmp_path) if "evaluation" in line] == [4, 8]
    assert {"cost", "learning_rate", "gradient_norm", "seconds", "count_per_second", "epoch"} <= set(logged[0])


def test_the_listener_hears_every_update_and_evaluation(tmp_path: Path) -> None:
    heard = Heard()
    train(tmp_path, updates=7, report=heard, log_every=3)
    assert [progress.update for progress in heard.updates] == [1, 2, 3, 4, 5, 6, 7]
    assert [progress.epoch for progress in heard.updates] == [1, 1, 1, 1, 1, 2, 2]
    assert [evaluation.update for evaluation in heard.evaluations] == [5, 7]
    assert heard.updates[-1].seconds_left == 0


def test_epochs_end_a_run(tmp_path: Path) -> None:
    outcome = train(tmp_path, updates=None, epochs=2, accumulate=2)
    assert (outcome.reason, outcome.update, outcome.epoch) == ("epochs", 6, 2)


def test_time_ends_a_run(tmp_path: Path) -> None:
    outcome = train(tmp_path, updates=None, minutes=1e-6)
    assert (outcome.reason, outcome.update) == ("minutes", 1)
    assert (tmp_path / "model.safetensors").exists()


@pytest.mark.parametrize("accumulate", [1, 2])
def test_a_loss_that_is_not_finite_stops_the_run_and_changes_nothing(tmp_path: Path, accumulate: int) -> None:
    first = 3
    toy = Toy(bad=int(Toy().batches(0)[first].numbers[5]))
    before: dict[str, Tensor] = {}

    def remember(parts: Mapping[str, float], count: float) -> None:
        before.update({name: tensor.clone() for name, tensor in toy.model.state_dict().items()})

    toy.updated = remember  # type: ignore[method-assign]
    with pytest.raises(NotFinite) as caught:
        train(tmp_path, toy, checkpoint_every=1, accumulate=accumulate)
    update = first // accumulate
    ids = " ".join(str(int(number)) for number in toy.batches(0)[first].numbers)
    said = f"epoch 1, update {update + 1}, batch of examples {ids}: the loss is nan; the checkpoint of update {update}"
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)
    weights = last_of(tmp_path)
    assert all(torch.equal(weights[name], tensor) for name, tensor in before.items() if name in weights)
    assert all(torch.equal(tensor, toy.model.state_dict()[name]) for name, tensor in before.items())


def test_a_gradient_that_is_not_finite_stops_the_run(tmp_path: Path) -> None:
    class Cliff(Toy):
        def loss(self, batch: Any) -> Loss:
            return Loss((self.model.out.bias.sum() * 0).abs().sqrt(), 1.0)

    with pytest.raises(NotFinite, match=r"epoch 1, update 1, batch .*: the norm of the gradient is nan; no"):
        train(tmp_path, Cliff())


def test_no_batches_and_no_counts_are_errors(tmp_path: Path) -> None:
    toy = Toy()
    toy.batches = lambda epoch: []  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="epoch 1 has no batches"):
        train(tmp_path / "a", toy)
    toy = Toy()
    toy.loss = lambda batch: Loss(toy.model.out.bias.sum() * 0, 0.0)  # type: ignore[method-assign]
    with pytest.raises(ValueError, match="nothing to learn from"):
        train(tmp_path / "b", toy)


def test_evaluation_sees_eval_mode_no_gradients_and_the_same_random_numbers(tmp_path: Path) -> None:
    drawn = []

    class Watching(Toy):
        def evaluate(self) -> Mapping[str, float]:
            assert not self.model.training
            assert not torch.is_grad_enabled()
            drawn.append(torch.rand(()).item())
            return super().evaluate()

        def loss(self, batch: Any) -> Loss:
            assert self.model.training
            return super().loss(batch)

    train(tmp_path / "a", Watching(), updates=10)
    train(tmp_path / "b", Watching(), updates=10)
    assert drawn[:2] == drawn[2:]
    assert drawn[0] != drawn[1]


def test_threads_are_as_before_afterwards(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    train(tmp_path, updates=1, threads=before + 1)
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("device", ["gpu", "cuda", "mps"])
def test_a_device_that_is_not_there_is_one_line(tmp_path: Path, device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(ValueError, match=f"device '{device}': .*; give auto"):
        train(tmp_path, device=device)
