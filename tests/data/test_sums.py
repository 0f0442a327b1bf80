"""The adding and multiplication problems: what the targets follow from, and that batches follow from their numbers."""

from __future__ import annotations

import pytest
import torch
from pydantic import ValidationError

from jumok.data.sums import SumBatches, SumsData


@pytest.mark.parametrize("problem", ["adding", "multiplication"])
def test_the_target_follows_from_the_two_marked_values(problem: str) -> None:
    batch = SumBatches.of_epoch(SumsData(problem=problem, length=30), 200, seed=3, epoch=0)[0]
    values, marks = batch.inputs.unbind(-1)
    assert ((marks == 1).sum(1) == 2).all()
    both = values[marks == 1].view(-1, 2)
    expected = 0.5 + both.sum(1) / 4 if problem == "adding" else both.prod(1)
    torch.testing.assert_close(batch.targets, expected)
    assert bool(((batch.targets >= 0) & (batch.targets <= 1)).all())
    assert float(values.min()) < -0.9 if problem == "adding" else float(values.min()) >= 0


def test_marks_are_where_the_literature_puts_them() -> None:
    batch = SumBatches.of_epoch(SumsData(problem="adding", length=100), 500, seed=0, epoch=0)[0]
    values, marks = batch.inputs.unbind(-1)
    row = torch.arange(500)
    assert (marks[:, 0] == -1).all()
    assert (marks[row, batch.lengths - 1] == -1).all()
    assert ((marks == -1).sum(1) == 2).all()
    places = (marks == 1).nonzero()[:, 1].view(-1, 2)
    assert (places[:, 0] < 10).all()
    assert (places[:, 1] < batch.lengths // 2).all()
    padding = torch.arange(values.shape[1]) >= batch.lengths[:, None]
    assert not values[padding].any()
    assert set(batch.lengths.tolist()) <= set(range(100, 111))
    assert len(set(batch.lengths.tolist())) == 11


def test_batches_follow_from_seed_epoch_and_number() -> None:
    data = SumsData(problem="adding", length=22, sequences=250)
    batches = SumBatches.of_epoch(data, 100, seed=1, epoch=2)
    assert [len(batch) for batch in batches] == [100, 100, 50]
    again = SumBatches.of_epoch(data, 100, seed=1, epoch=2)
    assert torch.equal(batches[1].inputs, again[1].inputs)
    others = [
        SumBatches.of_epoch(data, 100, seed=2, epoch=2)[1],
        SumBatches.of_epoch(data, 100, seed=1, epoch=3)[1],
        SumBatches.held_out(data, 100, seed=1)[1],
        batches[0],
    ]
    assert not any(torch.equal(batches[1].targets, other.targets) for other in others)
    assert torch.cat([batch.numbers for batch in batches]).tolist() == list(range(250))


def test_processes_share_the_rows_of_a_batch() -> None:
    data = SumsData(problem="multiplication", length=40)
    whole = SumBatches.of_epoch(data, 7, 0, 0)[3]
    parts = [SumBatches.of_epoch(data, 7, 0, 0, rank, 2)[3] for rank in range(2)]
    assert [part.numbers.tolist() for part in parts] == [whole.numbers[0::2].tolist(), whole.numbers[1::2].tolist()]
    steps = parts[1].inputs.shape[1]
    assert torch.equal(parts[1].inputs, whole.inputs[1::2, :steps])


def test_one_length_for_a_batch() -> None:
    data = SumsData(problem="adding", length=50, longest=500, one_length=True)
    lengths = [batch.lengths.unique().tolist() for batch in SumBatches.of_epoch(data, 10, 0, 0)[:20]]
    assert all(len(found) == 1 for found in lengths)
    assert len({found[0] for found in lengths}) > 10


def test_lengths_that_cannot_be_are_told() -> None:
    with pytest.raises(ValidationError, match="longest: 40 is less than length, 50"):
        SumsData(problem="adding", longest=40)
