"""Copying with an outside memory: two heads that find their place by content and by location (Graves et al. 2014).

Vectors of bits come one after the other and are written into a memory; then they are to be said again, in order. The
two heads are `jumok.attention.Addressing`: the write head says where a vector goes, the read head where one is taken
from. The controller knows only whether it is time to write or to read; that the heads must move on by one row at every
step they learn from the task alone. What they learn holds for sequences longer than any they saw.

    python examples/copy_memory.py [FOLDER]

writes what both heads looked at (copy.svg) into FOLDER.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from jumok.attention import Addressing
from jumok.viewing import AttentionMap


class Copied(NamedTuple):
    """What was said, and where the heads looked at each step."""

    logits: Tensor  # (B, T, bits)
    writes: Tensor  # (B, T, rows)
    reads: Tensor  # (B, T, rows)


class CopyMemory(nn.Module):
    """A memory of `rows` vectors, a head that writes and a head that reads."""

    def __init__(self, bits: int = 4, rows: int = 12, width: int = 8, controller: int = 8) -> None:
        super().__init__()
        self.rows, self.width = rows, width
        self.phases = nn.Parameter(torch.randn(2, controller))  # the controller's state: to write, to read
        self.write, self.read = Addressing(controller, width), Addressing(controller, width)
        self.erase = nn.Linear(controller, width)
        self.add = nn.Linear(bits, width)
        self.say = nn.Linear(width, bits)

    def forward(self, vectors: Tensor) -> Copied:
        """Take vectors `(B, T, bits)` in, then say them again."""
        batch, steps, _ = vectors.shape
        memory = vectors.new_zeros(batch, self.rows, self.width)
        to_write, to_read = (phase.expand(batch, 1, -1) for phase in self.phases)
        state = self.write.start(self.write.prepare(memory))
        writes, reads, said = [], [], []
        for step in range(steps):
            look = self.write.step(to_write, self.write.prepare(memory), state)
            assert look.state is not None
            state = look.state
            where = look.weights.transpose(1, 2)  # (B, rows, 1)
            erased = memory * (1 - where * self.erase(to_write).sigmoid())
            memory = erased + where * self.add(vectors[:, step]).unsqueeze(1)
            writes.append(look.weights)
        prepared = self.read.prepare(memory)
        state = self.read.start(prepared)
        for _ in range(steps):
            look = self.read.step(to_read, prepared, state)
            assert look.state is not None
            state = look.state
            said.append(self.say(look.context))
            reads.append(look.weights)
        return Copied(*(torch.cat(parts, dim=1) for parts in (said, writes, reads)))


def drawn(batch: int, steps: int, bits: int, generator: torch.Generator) -> Tensor:
    """Random vectors of zeros and ones."""
    return torch.randint(0, 2, (batch, steps, bits), generator=generator).float()


def train(model: CopyMemory, updates: int = 200, longest: int = 6, seed: int = 0) -> None:
    """Learn to copy sequences of 2 to `longest` vectors."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(updates):
        steps = int(torch.randint(2, longest + 1, (), generator=generator))
        vectors = drawn(32, steps, model.say.out_features, generator)
        loss = binary_cross_entropy_with_logits(model(vectors).logits, vectors)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


@torch.no_grad()
def accuracy(model: CopyMemory, steps: int, seed: int = 1) -> float:
    """The share of bits that are said right, in sequences of so many vectors."""
    vectors = drawn(64, steps, model.say.out_features, torch.Generator().manual_seed(seed))
    return float(((model(vectors).logits > 0) == (vectors > 0)).float().mean())


@torch.no_grad()
def looked(model: CopyMemory, steps: int) -> AttentionMap:
    """Where the heads looked: a row for each step, first to write, then to read; a column for each memory row."""
    vectors = drawn(1, steps, model.say.out_features, torch.Generator().manual_seed(2))
    copied = model(vectors)
    weights = torch.cat([copied.writes[0], copied.reads[0]])
    rows = [f"{what} {step + 1}" for what in ("write", "read") for step in range(steps)]
    columns = [str(row + 1) for row in range(model.rows)]
    names = {"row_name": "step", "column_name": "row of the memory", "title": "Where the heads look"}
    return AttentionMap.from_arrays(weights, rows, columns, **names)


def main(folder: Path) -> CopyMemory:
    """Learn, say how well it copies, and draw."""
    torch.manual_seed(0)
    model = CopyMemory()
    train(model)
    for steps in (3, 6, 10):
        print(f"{steps:2} vectors: {accuracy(model, steps):.1%} of the bits right")
    looked(model, 8).save(folder / "copy.svg")
    return model


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
