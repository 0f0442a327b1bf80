"""What is on the disk: whole checkpoints, nothing that nobody needs, and clear words when it is damaged or full."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from training.toy import Dropped, During, Heard, drop, last_of, same, train

TENSORS = {"optimiser.safetensors", "weights.safetensors"}


def folders(run: Path) -> dict[int, set[str]]:
    """The checkpoints of a run, and the tensors that each holds."""
    found = [path for path in (run / "checkpoints").iterdir() if path.is_dir()]
    return {int(path.name): {file.name for file in path.glob("*.safetensors")} for path in found}


def test_the_last_are_kept_and_of_those_that_are_needed_the_weights(tmp_path: Path) -> None:
    train(tmp_path, updates=12, checkpoint_every=1, evaluate_every=4, keep=2, average=3)
    weights = {"weights.safetensors"}
    assert folders(tmp_path) == {4: weights, 8: weights, 11: TENSORS, 12: TENSORS}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoints", "metrics.jsonl", "model.safetensors"]
    index = json.loads((tmp_path / "checkpoints/state.json").read_text())
    assert (index["last"], index["best"], [kept["update"] for kept in index["kept"]]) == (12, 12, [11, 12])


def test_what_is_shared_is_saved_once(tmp_path: Path) -> None:
    train(tmp_path, updates=1)
    assert "first.weight" in last_of(tmp_path)
    assert "second.weight" not in last_of(tmp_path)
    assert "baseline" in last_of(tmp_path)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A run that fell over, with checkpoints of the updates 4 and 6."""
    with pytest.raises(Dropped):
        train(tmp_path / "run", During(8, drop), updates=10, checkpoint_every=2, evaluate_every=20)
    return tmp_path / "run"


def test_what_killed_processes_left_is_removed(broken: Path) -> None:
    checkpoints = broken / "checkpoints"
    shutil.copytree(checkpoints / "6", checkpoints / "8")  # renamed, but the index was not yet replaced
    (checkpoints / "8/weights.safetensors").write_bytes(b"other")
    shutil.copytree(checkpoints / "4", checkpoints / "2")  # half deleted
    (checkpoints / "2/state.json").unlink()
    (checkpoints / ".8.abc").mkdir()
    (checkpoints / ".8.abc/weights.safetensors").write_bytes(b"half")
    (checkpoints / ".state.json.abc").write_bytes(b"half")
    (broken / ".model.safetensors.abc").write_bytes(b"half")
    train(broken, updates=10, checkpoint_every=2, evaluate_every=20, resume=True)
    assert set(folders(broken)) == {8, 10}
    assert not list(broken.rglob(".*"))
    train(broken.parent / "whole", updates=10, checkpoint_every=2, evaluate_every=20)
    assert same(last_of(broken), last_of(broken.parent / "whole"))


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-3] ^= 4
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def misspell(path: Path) -> None:
    path.write_text(path.read_text().replace('"epoch"', '"epock"'))


DAMAGES: list[tuple[str, Callable[[Path], None], str]] = [
    ("weights.safetensors", truncate, "is damaged ("),
    ("weights.safetensors", flip, "is damaged (its content is not what was written)"),
    ("weights.safetensors", Path.unlink, "is not there"),
    ("optimiser.safetensors", truncate, "is damaged ("),
    ("optimiser.safetensors", empty, "is damaged (0 bytes instead of "),
    ("optimiser.safetensors", Path.unlink, "is not there"),
    ("state.json", truncate, "is damaged ("),
    ("state.json", empty, "is damaged ("),
    ("state.json", misspell, "is damaged ("),
    ("state.json", Path.unlink, "is not there"),
]


@pytest.mark.parametrize(("name", "damage", "words"), DAMAGES, ids=lambda value: getattr(value, "__name__", value))
def test_a_damaged_checkpoint_is_one_line_and_its_advice_helps(
    broken: Path, name: str, damage: Callable[[Path], None], words: str
) -> None:
    path = broken / "checkpoints/6" / name
    damage(path)
    before = {file: file.read_bytes() for file in broken.rglob("*") if file.is_file() and file.name != "lock"}
    with pytest.raises(ValueError, match="delete the folder") as caught:
        train(broken, updates=10, checkpoint_every=2, evaluate_every=20, resume=True)
    told = str(caught.value)
    assert told.startswith(f"{path}: {words}")
    assert told.endswith(f"delete the folder {broken / 'checkpoints/6'} to go on from update 4")
    assert "\n" not in told
    assert before == {file: file.read_bytes() for file in broken.rglob("*") if file.is_file() and file.name != "lock"}
    shutil.rmtree(broken / "checkpoints/6")
    heard = Heard()
    train(broken, updates=10, checkpoint_every=2, evaluate_every=20, resume=True, report=heard)
    assert heard.lines[0] == f"{broken / 'checkpoints/6'} is not there: training goes on after update 4"
    train(broken.parent / "whole", updates=10, checkpoint_every=2, evaluate_every=20)
    assert same(last_of(broken), last_of(broken.parent / "whole"))


@pytest.mark.parametrize("damage", [truncate, empty, misspell])
def test_a_damaged_index_is_one_line_and_its_advice_helps(broken: Path, damage: Callable[[Path], None]) -> None:
    path = broken / "checkpoints/state.json"
    path.write_text(path.read_text().replace('"last"', '"epoch"')) if damage is misspell else None
    damage(path)
    with pytest.raises(ValueError, match="delete it to go on from the newest checkpoint in") as caught:
        train(broken, updates=10, checkpoint_every=2, evaluate_every=20, resume=True)
    assert str(caught.value).startswith(f"{path}: is damaged (")
    path.unlink()
    train(broken, updates=10, checkpoint_every=2, evaluate_every=20, resume=True)
    train(broken.parent / "whole", updates=10, checkpoint_every=2, evaluate_every=20)
    assert same(last_of(broken), last_of(broken.parent / "whole"))


def test_without_an_older_checkpoint_the_advice_is_another(tmp_path: Path) -> None:
    with pytest.raises(Dropped):
        train(tmp_path, During(4, drop), updates=10, checkpoint_every=2, evaluate_every=20)
    truncate(tmp_path / "checkpoints/2/weights.safetensors")
    with pytest.raises(ValueError, match="no older checkpoint is kept: start again in another folder"):
        train(tmp_path, updates=10, resume=True)


def test_the_best_weights_come_back_with_an_older_checkpoint(tmp_path: Path) -> None:
    """Update 10 was the best; when its checkpoint is lost, the best is the one that update 8 knew."""
    whole, run = tmp_path / "whole", tmp_path / "run"
    train(whole, updates=8, evaluate_every=4)
    train(run, updates=12, evaluate_every=4, keep=2)
    shutil.rmtree(run / "checkpoints/12")
    train(run, updates=8, evaluate_every=4, resume=True)
    assert (run / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a quarter of a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("pages", range(8))
def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path, small_disk: Path, pages: int) -> None:
    """With room for 0, 1, 2, ... pages the disk is full at one or another moment of writing."""
    train(tmp_path / "whole", updates=10, checkpoint_every=2, evaluate_every=20)
    run, filler = small_disk / "run", small_disk / "filler"

    def fill() -> None:
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        os.truncate(filler, filler.stat().st_size - 4096 * pages)

    with pytest.raises(OSError, match="no room on the disk") as caught:
        train(run, During(6, fill), updates=10, checkpoint_every=2, evaluate_every=20, keep=5)
    told = str(caught.value)
    index = json.loads((run / "checkpoints/state.json").read_text())
    assert told.startswith(f"{run}: update ")
    assert f"the checkpoint of update {index['last']} is whole: make room, then go on with `again`" in told
    assert "\n" not in told
    assert not list(run.rglob(".*"))
    filler.unlink()
    train(run, updates=10, checkpoint_every=2, evaluate_every=20, resume=True)
    assert same(last_of(run), last_of(tmp_path / "whole"))


def killing(folder: Path, *arguments: str) -> dict[str, int]:
    """Runs the module beside this file, which kills runs and compares what becomes of them."""
    tests = Path(__file__).parent.parent
    command = [sys.executable, "-m", "training.killing", str(folder), *arguments]
    surroundings = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(tests)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tests, env=surroundings)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_random_moments_a_run_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    assert killing(tmp_path, "moments", "20")["kills"] == 20


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_before_any_stage_of_writing_a_run_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    assert killing(tmp_path, "stages", "0", "3")["stages"] > 60
