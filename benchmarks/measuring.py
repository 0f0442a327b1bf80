"""How benchmarks measure: times that alternate, memory from fresh processes, rows of one table."""

from __future__ import annotations

import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import torch


@dataclass(frozen=True)
class Row:
    """One line of the table: ours beside theirs, and what was aimed at."""

    name: str
    peer: str
    ours: float
    theirs: float
    unit: str  # ms or MB; smaller is better
    goal: str  # as a person would say it
    least: float  # of theirs / ours

    @property
    def ratio(self) -> float:
        """How many times as fast, or as small."""
        return self.theirs / self.ours

    def __str__(self) -> str:
        mark = "ok " if self.ratio >= self.least else "LOW"
        numbers = f"{self.ours:9.1f} {self.theirs:9.1f} {self.unit}  {self.ratio:6.2f}x  {mark} ({self.goal})"
        return f"{self.name:52} {self.peer:30} {numbers}"


def medians(calls: Mapping[str, Callable[[], object]], alternations: int) -> dict[str, float]:
    """The median time of each call in milliseconds; they take turns, after one turn that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(alternations + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            if turn:
                times[name].append(1000 * (time.perf_counter() - start))
    return {name: median(values) for name, values in times.items()}


def memory(field: str) -> float:
    """A field of /proc/self/status in MB."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[field].split()[0]) / 1024


def peak_growth(call: Callable[[], object]) -> float:
    """How many MB this process holds at most during one call, beyond what it held before (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak is now what is held
    before = memory("VmRSS")
    call()
    return memory("VmHWM") - before


def peak_growth_elsewhere(script: str, *arguments: str) -> float:
    """What `script memory ARGUMENTS` prints, in a fresh process."""
    command = [sys.executable, script, "memory", *arguments]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def machine() -> str:
    """What the figures were measured on."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        cpu = next((line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line), cpu)
    return f"{cpu}, {torch.get_num_threads()} threads, Python {platform.python_version()}, torch {torch.__version__}"
