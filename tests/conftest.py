"""What every test shares: the same random numbers, and one thread a process."""

from __future__ import annotations

import pytest
import torch

# The tensors are small, and processes that share two cores would only wait for each other's threads.
torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def seed() -> None:
    """Every test starts from the same random numbers, alone or in company."""
    torch.manual_seed(0)
