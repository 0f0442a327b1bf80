"""Several processes train the model that one would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from jumok.training.processes import rank_and_world
from training.together import curves
from training.toy import Toy, last_of, lines_of, same


def torchrun(processes: int, *arguments: str) -> str:
    """Runs a module of the tests in several processes; returns what was said."""
    run = ["-m", "torch.distributed.run", f"--nproc_per_node={processes}", "--standalone", "-m", *arguments]
    folder = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, *run],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_alone_it_is_the_first_of_one() -> None:
    assert rank_and_world() == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 3])
def test_processes_together(tmp_path: Path, processes: int) -> None:
    """One start of torchrun, since starting takes longer than all that is looked at."""
    alone, together = tmp_path / "alone", tmp_path / "together"
    together.mkdir()
    curves(alone)
    said = torchrun(processes, "training.together", str(together))
    assert "Warning" not in said

    for name in ("curve", "accumulated"):
        ours, theirs = lines_of(alone / name), lines_of(together / name)
        assert len(ours) == len(theirs) > 50
        for one, other in zip(ours, theirs, strict=True):
            assert (one["update"], one.get("count")) == (other["update"], other.get("count"))
            for figure in ("loss", "cost", "gradient_norm"):
                assert one.get(figure) == pytest.approx(other.get(figure), abs=1e-4)
        ours_last, theirs_last = last_of(alone / name), last_of(together / name)
        assert all(torch.allclose(ours_last[key], theirs_last[key], atol=1e-4) for key in ours_last if key != "unused")
        assert ours_last["baseline"] > 0.01

    assert same(last_of(together / "whole"), last_of(together / "parts"))
    optimiser = "optimiser.safetensors"
    assert same(last_of(together / "whole", optimiser), last_of(together / "parts", optimiser))

    first, *others = [(together / f"bad{rank}").read_text() for rank in range(processes)]
    ids = next(rows.numbers for rows in Toy().batches(0) if 11 in rows.numbers).tolist()
    rank = ids.index(11) % processes
    assert f"batch of examples {' '.join(map(str, ids[rank::processes]))}: the loss is nan" in first
    assert all(other == first for other in others)
    for rank in range(processes):
        assert (together / f"stopped{rank}").read_text() == "interrupted 3"
        assert (together / f"seen{rank}").read_text() == "once"
