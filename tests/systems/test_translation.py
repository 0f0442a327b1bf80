"""The translator's training: exact resume, a start from an existing model, several processes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file

import jumok

SMALL: dict[str, Any] = {
    "data.train.pairs": 90,
    "data.train.max_words": 6,
    "data.validation.pairs": 5,
    "data.validation.max_words": 6,
    "data.test": None,
    "batches.size": 10,
    "model.embedding_size": 8,
    "model.encoder.hidden_size": 8,
    "model.decoder.hidden_size": 16,
    "training.warmup": 0,
    "training.schedule": "constant",
    "training.evaluate_every": 100,
    "training.threads": 1,
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(out: str, resume: bool = False, **more: Any) -> Path:
    changes = {**SMALL, **{name.replace("__", "."): value for name, value in more.items()}}
    return jumok.train("korean", out, set=changes, resume=resume, quiet=True).folder


def last(folder: Path, update: int) -> list[bytes]:
    """The weights and the optimiser's memory after an update."""
    kept = folder / "checkpoints" / str(update)
    return [(kept / name).read_bytes() for name in ("weights.safetensors", "optimiser.safetensors")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {"model__preset": "bahdanau", "model__dropout": 0.3},
        {"model__preset": "hard", "model__dropout": 0.2},
        {"model__scheduled_sampling": {"rate": 0.5, "updates": 5}},
        {"tokenizer": {"kind": "bpe", "size": 220, "joint": False, "dropout": 0.2}},
    ],
    ids=["dropout", "hard", "scheduled sampling", "BPE dropout"],
)
def test_resumed_in_the_middle_of_an_epoch_gives_the_same_bits(more: dict[str, Any]) -> None:
    whole = train("whole", training__updates=14, **more)
    parts = train("parts", training__updates=4, **more)
    train("parts", resume=True, training__updates=11, **more)
    train("parts", resume=True, training__updates=14, **more)
    assert last(whole, 14) == last(parts, 14)


def test_a_run_starts_from_another_model_and_keeps_its_tokenizer() -> None:
    first = train("first", training__updates=3)
    second = train("second", init=str(first), training__updates=1, training__learning_rate=1e-12, data__train__seed=5)
    for name in ("tokenizer.source.json", "tokenizer.target.json"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    ours, theirs = load_file(first / "model.safetensors"), load_file(second / "model.safetensors")
    assert all((ours[name].double() - theirs[name].double()).abs().max() < 1e-6 for name in ours if name != "updates")


def test_a_model_of_other_sizes_is_no_start() -> None:
    first = train("first", training__updates=1)
    with pytest.raises(ValueError, match=r"model\.safetensors") as caught:
        train("second", init=str(first), training__updates=1, model__embedding_size=12)
    assert "\n" not in str(caught.value)


def test_the_folder_says_what_the_model_is() -> None:
    folder = train("out", training__updates=1)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert config["system"] == "translation"
    assert config["model"]["preset"] == "luong-general"
    assert set(config["words"]) == {"source", "target"}


@pytest.mark.slow
def test_two_processes_make_the_updates_of_one() -> None:
    """Hard attention that takes the expected look (draws differ by process), so the baseline moves in both."""
    changes = {**SMALL, "model.preset": "hard", "model.reinforce": {"mix": 1.0}, "training.updates": 50}
    changes |= {"training.log_every": 1}
    alone = jumok.train("korean", "alone", set=changes, quiet=True).folder
    typed = [part for name, value in changes.items() for part in ("--set", f"{name}={json.dumps(value)}")]
    command = [
        "-m",
        "torch.distributed.run",
        "--nproc_per_node=2",
        "--standalone",
        "-m",
        "jumok",
        "train",
        "korean",
    ]
    done = subprocess.run(
        [sys.executable, *command, "--out", "together", *typed],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    curves = []
    for folder in (alone, Path("together")):
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text("utf-8").splitlines()]
        curves.append([line["loss"] for line in lines if "learning_rate" in line])
    assert len(curves[0]) == len(curves[1]) == 50
    assert curves[0] == pytest.approx(curves[1], abs=1e-4)
    baselines = [float(load_file(folder / "model.safetensors")["baseline"]) for folder in (alone, Path("together"))]
    assert baselines[0] == pytest.approx(baselines[1], abs=1e-4)


@pytest.mark.slow
def test_machines_that_do_not_share_the_folder_are_told_so() -> None:
    """Two processes in two folders, as on two machines without a common disk."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shared = os.environ | {
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "WORLD_SIZE": "2",
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "-m", "jumok", "train", "korean", "--set", "data.train.pairs=200"]
    started = [
        subprocess.Popen(
            [*command, "--out", f"of-{rank}"], stderr=subprocess.PIPE, text=True, env=shared | {"RANK": rank}
        )
        for rank in ("0", "1")
    ]
    for rank, process in enumerate(started):
        _, error = process.communicate(timeout=120)
        assert process.returncode == 2, error
        assert f"jumok: of-{rank}: not all machines see it; give --out a folder on a disk that they share" in error
    assert not Path("of-0").exists()
