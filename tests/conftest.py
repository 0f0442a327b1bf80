"""What every test shares: the same random numbers, one thread a process, and a cache of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

# The tensors are small, and processes that share two cores would only wait for each other's threads.
torch.set_num_threads(1)

# Some virtual machines announce AMX and then kill the process that uses it, as torch does for bfloat16. oneDNN reads
# this at its first product; a processor that has less is not affected.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")


@pytest.fixture(autouse=True)
def same_start() -> None:
    """Every test starts from the same random numbers and with one thread, alone or in company."""
    torch.manual_seed(0)
    torch.set_num_threads(1)


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Nothing is read from the user's cache, nor written there."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUMOK_CACHE", str(folder))
        yield folder
