"""Tiny numbers count as zero while a model learns."""

from __future__ import annotations

import subprocess
import sys

import torch

from jumok.training.denormals import denormals, flushed_denormals

FRESH = """
import torch
from jumok.training.denormals import denormals, flushed_denormals
torch.set_num_threads(2)
with flushed_denormals():
    print(denormals())
torch.set_num_threads(1)
print(denormals())
"""


def test_every_thread_of_a_fresh_process_flushes_and_the_first_forgets_it() -> None:
    done = subprocess.run([sys.executable, "-c", FRESH], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["flushed", "kept"]


def test_blocks_may_lie_in_each_other() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with flushed_denormals():
            with flushed_denormals():
                assert denormals() == "flushed"
            assert denormals() == "flushed"
        assert denormals() == "kept"
    finally:
        torch.set_num_threads(before)
