"""Kills training runs, resumes them, and compares them with a run that nobody disturbed; prints what it found.

A script of its own, since it forks: torch is imported once, and every run is a child that can be killed.
`python -m training.killing FOLDER moments 20` (in `tests`) kills at random moments;
`python -m training.killing FOLDER stages 0 1` kills before the stages 0, 1, 2, ... of all that a run does with files.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

import jumok.training.weights as weights_module
from training.toy import Toy, train

SETTINGS = {
    "evaluate_every": 6,
    "checkpoint_every": 2,
    "keep": 2,
    "average": 2,
    "log_every": 3,
    "checkpoint_minutes": None,
}
TIMES = ("seconds", "cpu_seconds", "update_cpu_seconds", "count_per_second")


def run(folder: Path, updates: int) -> None:
    """Train from the last checkpoint, if there is one."""
    folder.mkdir(exist_ok=True)
    train(folder, Toy(), resume=True, updates=updates, **SETTINGS)


def child(work: Callable[[], None]) -> int:
    """Do it in a process of its own; returns its id."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(f"child: {error!r}", file=sys.stderr, flush=True)
            os._exit(1)
    return pid


def ended(pid: int) -> int:
    """How a child ended: its exit code, or minus the signal that killed it."""
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code not in (0, -signal.SIGKILL):
        sys.exit(f"a child ended with {code}")
    return code


def contents(folder: Path) -> dict[str, Any]:
    """All that must be the same, as bytes and values; and nothing may be left over."""
    index = json.loads((folder / "checkpoints/state.json").read_text())
    files = [folder / "model.safetensors", *sorted((folder / f"checkpoints/{index['last']}").glob("*.safetensors"))]
    tensors = {f"{path.name}:{name}": tensor for path in files for name, tensor in load_file(path).items()}
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return {
        "tensors": {name: tensor.numpy().tobytes() for name, tensor in tensors.items()},
        "metrics": [{name: value for name, value in line.items() if name not in TIMES} for line in lines],
        "files": sorted(str(path.relative_to(folder)) for path in folder.rglob("*")),
    }


def compared(folder: Path, wanted: dict[str, Any], what: str) -> None:
    found = contents(folder)
    for part in wanted:
        if found[part] != wanted[part]:
            shown = f": {found[part]} instead of {wanted[part]}" if part != "tensors" else ""
            sys.exit(f"{what}: {part} differ{shown}")


def at_random_moments(folder: Path, kills: int) -> None:
    """Kill until it was done so many times; a run that ends is compared, and the next one begins."""
    updates = 40
    began = time.monotonic()
    ended(child(lambda: run(folder / "whole", updates)))
    whole = time.monotonic() - began
    wanted = contents(folder / "whole")
    dice, done, number = random.Random(7), 0, 0
    while done < kills:
        broken = folder / f"broken{number}"
        pid = child(lambda: run(broken, updates))  # noqa: B023
        time.sleep(dice.random() * whole * 0.4)
        os.kill(pid, signal.SIGKILL)
        if ended(pid) == 0:
            compared(broken, wanted, f"after {done} kills")
            number += 1
        else:
            done += 1
    ended(child(lambda: run(folder / f"broken{number}", updates)))
    compared(folder / f"broken{number}", wanted, f"after {done} kills")
    print(json.dumps({"kills": done, "runs": number + 1}))


class Stages:
    """Counts what a process does with the files of a folder, and kills it before a chosen one.

    A file of tensors counts three times: before it is written, when half of it is, and when all of it is.
    """

    EVENTS = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod"})

    def __init__(self, folder: Path, kill_before: int | None) -> None:
        self.folder = str(folder)
        self.kill_before = kill_before
        self.count = 0
        sys.addaudithook(self.on_event)
        self.save, weights_module.save_file = weights_module.save_file, self.save_in_halves
        self.sync, os.fsync = os.fsync, self.on_sync

    def on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in self.EVENTS and str(arguments[0]).startswith(self.folder):
            self.stage()

    def on_sync(self, handle: int) -> None:
        self.stage()  # the real one costs time, and a killed process needs none

    def save_in_halves(self, tensors: dict[str, torch.Tensor], path: Path, notes: dict[str, str]) -> None:
        self.stage()
        self.save(tensors, path, notes)
        whole = Path(path).read_bytes()
        Path(path).write_bytes(whole[: len(whole) // 2])
        self.stage()
        Path(path).write_bytes(whole)

    def stage(self) -> None:
        if self.count == self.kill_before:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1


def at_stages(folder: Path, first: int, step: int) -> None:
    """Kill a short run before each stage of its work with files, then resume it."""
    updates = 8
    ended(child(lambda: run(folder / "whole", updates)))
    wanted = contents(folder / "whole")
    stage, killed = first, -signal.SIGKILL
    broken = folder / "broken"
    while killed:
        shutil.rmtree(broken, ignore_errors=True)
        broken.mkdir()
        killed = ended(child(lambda: (Stages(broken, stage), run(broken, updates))))  # type: ignore[arg-type,return-value] # noqa: B023
        ended(child(lambda: run(broken, updates)))
        compared(broken, wanted, f"killed before stage {stage}")
        stage += step
    print(json.dumps({"stages": stage - step}))


if __name__ == "__main__":
    torch.set_num_threads(1)
    where = Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    run(where / "warm", 1)  # what torch loads when it is first used, the children then have
    {"moments": at_random_moments, "stages": at_stages}[sys.argv[2]](where, *map(int, sys.argv[3:]))
