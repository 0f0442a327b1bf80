"""A run that was stopped and resumed is the run that was not."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from jumok.training import new_run_folder
from jumok.training.folder import locked
from training.toy import Dropped, During, Heard, Toy, drop, last_of, lines_of, same, train

TIMES = ("seconds", "cpu_seconds", "update_cpu_seconds", "count_per_second")


def without_times(folder: Path) -> list[dict[str, object]]:
    return [{name: value for name, value in line.items() if name not in TIMES} for line in lines_of(folder)]


def assert_same_run(one: Path, other: Path) -> None:
    assert same(last_of(one), last_of(other))
    assert same(last_of(one, "optimiser.safetensors"), last_of(other, "optimiser.safetensors"))
    assert same(load_file(one / "model.safetensors"), load_file(other / "model.safetensors"))
    assert without_times(one) == without_times(other)


@pytest.mark.parametrize(
    "settings",
    [{}, {"accumulate": 2, "evaluate_every": 3, "average": 2}, {"log_every": 4}, {"optimiser": "muon"}],
    ids=str,
)
@pytest.mark.parametrize("fell_at", [1, 3, 6, 9])
def test_a_run_that_fell_over_goes_on_as_if_it_had_not(tmp_path: Path, settings: dict[str, Any], fell_at: int) -> None:
    train(tmp_path / "whole", updates=10, checkpoint_every=2, **settings)
    with pytest.raises(Dropped):
        train(tmp_path / "broken", During(fell_at, drop), updates=10, checkpoint_every=2, **settings)
    train(tmp_path / "broken", updates=10, checkpoint_every=2, resume=True, **settings)
    assert_same_run(tmp_path / "whole", tmp_path / "broken")


def test_how_often_checkpoints_are_written_changes_nothing(tmp_path: Path) -> None:
    train(tmp_path / "seldom", updates=10)
    train(tmp_path / "often", updates=10, checkpoint_every=1, keep=3)
    train(tmp_path / "by time", updates=10, checkpoint_minutes=1e-9)
    assert_same_run(tmp_path / "seldom", tmp_path / "often")
    assert_same_run(tmp_path / "seldom", tmp_path / "by time")


def test_dropout_makes_a_difference_and_the_seed_too(tmp_path: Path) -> None:
    """Otherwise the tests above would show little."""
    train(tmp_path / "with", updates=3)
    train(tmp_path / "without", Toy(dropout=0.0), updates=3)
    assert not same(last_of(tmp_path / "with"), last_of(tmp_path / "without"))


def test_the_log_is_cut_back_to_the_checkpoint_and_to_whole_lines(tmp_path: Path) -> None:
    train(tmp_path / "whole", updates=10, checkpoint_every=4)
    with pytest.raises(Dropped):
        train(tmp_path / "broken", During(8, drop), updates=10, checkpoint_every=4)
    with (tmp_path / "broken/metrics.jsonl").open("a") as log:
        log.write('{"update": 7, "lo')
    train(tmp_path / "broken", updates=10, checkpoint_every=4, resume=True)
    assert without_times(tmp_path / "broken") == without_times(tmp_path / "whole")


def test_a_log_that_was_lost_begins_anew(tmp_path: Path) -> None:
    with pytest.raises(Dropped):
        train(tmp_path, During(8, drop), updates=10, checkpoint_every=4)
    (tmp_path / "metrics.jsonl").write_text('{"update": 1}\n{"upd')
    train(tmp_path, updates=10, resume=True)
    assert [line["update"] for line in lines_of(tmp_path) if "evaluation" not in line] == [1, 6, 7, 8, 9, 10]


def test_a_run_that_has_ended_says_so_and_does_nothing(tmp_path: Path) -> None:
    first = train(tmp_path, updates=10)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "lock"}
    heard, toy = Heard(), Toy()
    assert train(tmp_path, toy, updates=10, resume=True, report=heard) == first
    assert heard.lines == [f"{tmp_path}: this run has ended (updates); there is nothing left to do"]
    assert before == {path: path.read_bytes() for path in before}
    assert torch.equal(toy.model.out.weight, load_file(tmp_path / "model.safetensors")["out.weight"])


def test_a_run_that_has_ended_goes_on_when_its_limit_is_raised(tmp_path: Path) -> None:
    train(tmp_path / "at once", updates=20, average=2)
    train(tmp_path / "in two", updates=10, average=2)
    outcome = train(tmp_path / "in two", updates=20, average=2, resume=True)
    assert outcome.update == 20
    assert_same_run_of_weights(tmp_path / "at once", tmp_path / "in two")


def assert_same_run_of_weights(one: Path, other: Path) -> None:
    assert same(last_of(one), last_of(other))
    assert same(load_file(one / "model.safetensors"), load_file(other / "model.safetensors"))


def test_a_run_without_a_checkpoint_starts_from_the_beginning(tmp_path: Path) -> None:
    train(tmp_path / "whole", updates=4)
    with pytest.raises(Dropped):
        train(tmp_path / "broken", During(3, drop), updates=4)
    train(tmp_path / "broken", updates=4, resume=True)
    assert_same_run(tmp_path / "whole", tmp_path / "broken")


def test_a_run_is_not_trained_over(tmp_path: Path) -> None:
    train(tmp_path, updates=2)
    with pytest.raises(FileExistsError, match="holds a training run: go on with `again`"):
        train(tmp_path, updates=2)


@pytest.mark.parametrize("resume", [True, False])
def test_a_model_without_its_checkpoints_is_not_trained_over(tmp_path: Path, resume: bool) -> None:
    train(tmp_path, updates=2)
    shutil.rmtree(tmp_path / "checkpoints")
    before = (tmp_path / "metrics.jsonl").read_bytes()
    with pytest.raises(FileExistsError, match="holds a model but no checkpoint to go on from: give another folder"):
        train(tmp_path, updates=2, resume=resume)
    assert (tmp_path / "metrics.jsonl").read_bytes() == before


def test_data_that_became_shorter_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(Dropped):
        train(tmp_path, During(5, drop), updates=10, checkpoint_every=2)
    with pytest.raises(ValueError, match="4 batches were done of the 3 of epoch 1: was the data changed since"):
        train(tmp_path, Toy(examples=20), updates=10, resume=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_update_saves_and_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    train(tmp_path / "whole", updates=10)
    before = [signal.getsignal(which) for which in (signal.SIGINT, signal.SIGTERM)]
    heard = Heard()
    toy = During(7, lambda: os.kill(os.getpid(), number))
    outcome = train(tmp_path / "broken", toy, updates=10, report=heard)
    assert (outcome.reason, outcome.update, outcome.finished) == ("interrupted", 7, False)
    saved = tmp_path / "broken/checkpoints/7"
    assert heard.lines == [f"stopped after update 7, saved in {saved}; go on with `again`"]
    assert [signal.getsignal(which) for which in (signal.SIGINT, signal.SIGTERM)] == before
    train(tmp_path / "broken", updates=10, resume=True)
    assert_same_run(tmp_path / "whole", tmp_path / "broken")


@pytest.mark.parametrize("at", [5, 10])
def test_a_signal_when_an_evaluation_is_due_loses_no_evaluation(tmp_path: Path, at: int) -> None:
    train(tmp_path / "whole", updates=10, average=2)
    outcome = train(tmp_path / "broken", During(at, lambda: os.kill(os.getpid(), signal.SIGINT)), updates=10, average=2)
    assert (outcome.reason, outcome.update) == ("interrupted", at)
    train(tmp_path / "broken", updates=10, resume=True, average=2)
    assert_same_run(tmp_path / "whole", tmp_path / "broken")


@pytest.fixture
def heeding() -> Iterator[None]:
    """Ctrl-C does what it does by default, also where a shell has it ignored (`nohup make test &`)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeding")
def test_the_second_signal_stops_at_once(tmp_path: Path) -> None:
    def twice() -> None:
        signal.raise_signal(signal.SIGINT)  # to this thread: os.kill may reach another, where two become one
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path, During(7, twice), updates=10)
    assert lines_of(tmp_path)[-1]["update"] == 6


def test_it_trains_in_a_thread_too(tmp_path: Path) -> None:
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(train(tmp_path, updates=2).reason))
    thread.start()
    thread.join()
    assert outcomes == ["updates"]


def test_what_the_bits_depend_on_is_one_warning(tmp_path: Path) -> None:
    with pytest.raises(Dropped):
        train(tmp_path, During(8, drop), updates=10, checkpoint_every=2)
    path = tmp_path / "checkpoints/6/state.json"
    described = json.loads(path.read_text())
    described["surroundings"] |= {"torch_version": "2.6.0", "threads": 7, "processes": 4}
    path.write_text(json.dumps(described))
    heard = Heard()
    train(tmp_path, updates=10, resume=True, report=heard)
    warnings = [line for line in heard.lines if line.startswith("warning: ")]
    assert len(warnings) == 1
    for change in (f"torch version 2.6.0 -> {torch.__version__}", "threads 7 -> 1", "processes 4 -> 1"):
        assert change in warnings[0]


def test_one_process_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    with (
        locked(tmp_path / "checkpoints/lock"),
        pytest.raises(BlockingIOError, match=rf"another process \(pid {os.getpid()}\) is training here"),
    ):
        train(tmp_path, updates=2)
    train(tmp_path, updates=2)


def test_a_new_folder_must_be_new(tmp_path: Path) -> None:
    assert new_run_folder(tmp_path / "a/b").is_dir()
    assert new_run_folder(tmp_path / "a/b").is_dir()
    (tmp_path / "a/b/file").write_text("")
    with pytest.raises(
        FileExistsError, match="exists and is not empty: give another with --out, or go on with --resume"
    ):
        new_run_folder(tmp_path / "a/b")
    with pytest.raises(FileExistsError, match="is a file"):
        new_run_folder(tmp_path / "a/b/file")


def test_a_model_of_another_shape_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(Dropped):
        train(tmp_path, During(8, drop), updates=10, checkpoint_every=2)
    with pytest.raises(ValueError, match=r"checkpoints/6: weights 'first.bias' are \(6,\), this model's are \(7,\)"):
        train(tmp_path, Toy(width=7), updates=10, resume=True)
