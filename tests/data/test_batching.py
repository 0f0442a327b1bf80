"""Batches: every pair once an epoch, padded little, in an order that follows from (seed, epoch) alone."""

from __future__ import annotations

import hashlib
import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from jumok.core.settings import read_settings
from jumok.data import mixing
from jumok.data.batch import Batch
from jumok.data.batching import Batches, PlannedBatches, every_pair
from jumok.data.corpora.rows import Row
from jumok.data.korean import Korean
from jumok.data.planning import BatchSettings, Plan, shuffled_plan, sorted_plan
from jumok.data.sharding import build_shards
from jumok.data.shards import Shards
from jumok.data.tokenization import Tokenizer, Tokenizers, TokenizerSettings, train_tokenizers

ROWS = [Row(number, pair.source, pair.target) for number, pair in enumerate(Korean(1).pairs(500, 3, 40))]
SENTENCES = BatchSettings(size=32)
TOKENS = BatchSettings(size=600, unit="tokens")


@pytest.fixture(scope="module")
def tokenizers() -> Tokenizers:
    return train_tokenizers(ROWS, TokenizerSettings(size=1200), "here")


@pytest.fixture(scope="module")
def shards(tokenizers: Tokenizers, tmp_path_factory: pytest.TempPathFactory) -> Shards:
    return build_shards(ROWS, "corpus", tokenizers, tmp_path_factory.mktemp("cache"), max_length=500)


@pytest.fixture(scope="module")
def noisy(tokenizers: Tokenizers, tmp_path_factory: pytest.TempPathFactory) -> Shards:
    return build_shards(ROWS, "corpus", tokenizers, tmp_path_factory.mktemp("cache"), max_length=500, dropout=0.2)


def all_numbers(batches: PlannedBatches) -> list[int]:
    return [number for batch in batches for number in batch.numbers.tolist()]


def lengths(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Source and target lengths that go together, as those of sentences do."""
    draws = mixing.stream(mixing.key(seed), 2 * count).reshape(2, count)
    target = draws[0] % np.uint64(60) + np.uint64(2)
    source = np.maximum(2, target.astype(np.int64) + (draws[1] % np.uint64(11)).astype(np.int64) - 5)
    return source.astype(np.uint16), target.astype(np.uint16)


def same(left: Batch, right: Batch) -> bool:
    return all(torch.equal(getattr(left, name), getattr(right, name)) for name in Batch.__dataclass_fields__)


@pytest.mark.parametrize("settings", [SENTENCES, TOKENS])
@pytest.mark.parametrize("kind", ["shards", "noisy"])
def test_a_batch_holds_its_sentences(
    settings: BatchSettings, kind: str, tokenizers: Tokenizers, request: pytest.FixtureRequest
) -> None:
    for batch in Batches(request.getfixturevalue(kind), settings, 1, 0):
        assert {getattr(batch, name).dtype for name in Batch.__dataclass_fields__} == {torch.int64}
        assert batch.source.shape == (len(batch), int(batch.source_lengths.max()))
        assert batch.target.shape == (len(batch), int(batch.target_lengths.max()) + 1)
        assert batch.tokens == int(batch.target_lengths.sum())
        for place, number in enumerate(batch.numbers.tolist()):
            source, target = batch.source[place].tolist(), batch.target[place].tolist()
            ends = int(batch.source_lengths[place]), int(batch.target_lengths[place]) + 1
            assert tokenizers.source.decode(source) == ROWS[number].source
            assert tokenizers.target.decode(target) == ROWS[number].target
            assert source[ends[0] - 1 :] == [Tokenizer.END] + [Tokenizer.PAD] * (len(source) - ends[0])
            assert target[ends[1] - 1 :] == [Tokenizer.END] + [Tokenizer.PAD] * (len(target) - ends[1])
            assert target[0] == Tokenizer.START
            assert not {Tokenizer.PAD, Tokenizer.START, Tokenizer.END} & {
                *source[: ends[0] - 1],
                *target[1 : ends[1] - 1],
            }


@pytest.mark.parametrize("kind", ["shards", "noisy"])
def test_the_longest_source_comes_first(kind: str, request: pytest.FixtureRequest) -> None:
    for batch in Batches(request.getfixturevalue(kind), SENTENCES, 1, 0):
        assert batch.source_lengths.tolist() == sorted(batch.source_lengths.tolist(), reverse=True)


@pytest.mark.parametrize("settings", [SENTENCES, TOKENS])
def test_every_pair_comes_once_an_epoch(settings: BatchSettings, shards: Shards) -> None:
    everything = list(range(len(ROWS)))
    epochs = [all_numbers(Batches(shards, settings, 1, epoch)) for epoch in range(3)]
    assert all(sorted(numbers) == everything for numbers in epochs)
    assert sorted(all_numbers(every_pair(shards, settings))) == everything
    assert epochs[0] != epochs[1] != epochs[2]
    assert all_numbers(Batches(shards, settings, 2, 0)) != epochs[0]
    assert all_numbers(Batches(shards, settings, 1, 0)) == epochs[0]


def test_a_batch_can_be_built_without_those_before_it(noisy: Shards) -> None:
    batches = Batches(noisy, SENTENCES, 1, 0)
    whole = list(batches)
    again = Batches(noisy, SENTENCES, 1, 0)
    assert same(again[7], whole[7])
    assert same(again[-1], whole[-1])
    assert all(same(left, right) for left, right in zip(again[3:6], whole[3:6], strict=True))
    assert len(whole) == len(batches)
    with pytest.raises(IndexError):
        batches[len(batches)]


@pytest.mark.parametrize("kind", ["shards", "noisy"])
@pytest.mark.parametrize("world", [2, 3])
def test_processes_share_each_batch(kind: str, world: int, request: pytest.FixtureRequest) -> None:
    """Together they have the rows of the batch, dropout included, whatever their number."""
    shards: Shards = request.getfixturevalue(kind)
    alone = Batches(shards, SENTENCES, 1, 0)
    ranks = [Batches(shards, SENTENCES, 1, 0, rank, world) for rank in range(world)]
    for number, whole in enumerate(alone):
        parts = [batches[number] for batches in ranks]
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
        assert sum(batch.tokens for batch in parts) == whole.tokens
        sentences = {int(at): row[row > 0].tolist() for at, row in zip(whole.numbers, whole.source, strict=True)}
        for part in parts:
            assert part.source.shape[1] == int(part.source_lengths.max())
            for at, row in zip(part.numbers, part.source, strict=True):
                assert row[row > 0].tolist() == sentences.pop(int(at))
        assert not sentences
        if kind == "shards":
            assert all(same(whole.rows(rank, world), part) for rank, part in enumerate(parts))


def test_a_process_may_get_no_rows(shards: Shards) -> None:
    single = BatchSettings(size=1)
    batch = Batches(shards, single, 1, 0, rank=1, world=2)[0]
    assert len(batch) == 0
    assert batch.tokens == 0
    assert (batch.source.shape, batch.target.shape) == ((0, 0), (0, 1))
    assert same(Batches(shards, single, 1, 0)[0].rows(1, 2), batch)
    with pytest.raises(ValueError, match="rank 2 is not one of 2 processes"):
        Batches(shards, single, 1, 0, rank=2, world=2)


def test_dropout_cuts_anew_each_epoch_and_not_in_evaluation(noisy: Shards, shards: Shards) -> None:
    def source(batches: PlannedBatches) -> dict[int, list[int]]:
        rows = ((batch.numbers, batch.source) for batch in batches)
        return {int(at): row[row > 0].tolist() for numbers, ids in rows for at, row in zip(numbers, ids, strict=True)}

    first, second = (source(Batches(noisy, SENTENCES, 1, epoch)) for epoch in range(2))
    assert sum(first[number] != second[number] for number in first) > len(first) / 2
    assert source(Batches(noisy, TOKENS, 1, 0)) == first  # whatever batch a sentence is in
    assert source(every_pair(noisy, SENTENCES)) == source(every_pair(shards, SENTENCES))


def test_the_two_sides_are_cut_independently(tokenizers: Tokenizers, tmp_path: Path) -> None:
    mirrored = [Row(row.number, row.target, row.target) for row in ROWS]
    both = build_shards(mirrored, "mirrored", tokenizers, tmp_path, max_length=500, dropout=0.3)
    batch = Batches(both, SENTENCES, 1, 0)[0]
    assert (
        sum(
            row[row > 0].tolist() != other[other > 0].tolist()[1:]
            for row, other in zip(batch.source, batch.target, strict=True)
        )
        > 20
    )


@given(st.integers(1, 400), st.integers(1, 50), st.integers(0, 3), st.sampled_from([40, 1 << 16]))
def test_batches_of_sentences_are_nearly_equal(count: int, size: int, seed: int, pool: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jumok.data.planning.POOL", pool)
        plan = shuffled_plan(*lengths(count, seed), BatchSettings(size=size), seed, 0)
    sizes = np.diff(plan.cuts)
    assert sizes.max() <= size
    assert sizes.min() >= min(count, size // 2, pool // 2 // (-(-pool // size)))
    assert sorted(np.concatenate([plan.rows(turn) for turn in range(len(plan))]).tolist()) == list(range(count))


@given(st.integers(1, 400), st.integers(1, 500), st.integers(0, 3))
def test_batches_of_tokens_stay_within_the_budget_and_fill_it(count: int, budget: int, seed: int) -> None:
    source, target = lengths(count, seed)
    plan = sorted_plan(source, target, BatchSettings(size=budget, unit="tokens"))
    longest = np.maximum(source, target).astype(np.int64)
    batches = [plan.rows(turn) for turn in range(len(plan))]
    assert sorted(np.concatenate(batches).tolist()) == list(range(count))
    for rows in batches:
        assert len(rows) == 1 or len(rows) * longest[rows].max() <= budget
    for rows, after in pairwise(batches):  # the next pair would not have fitted
        assert (len(rows) + 1) * max(longest[rows].max(), longest[after[0]]) > budget


def padding(plan: Plan, side: np.ndarray) -> float:
    padded = sum(len(rows) * int(side[rows].max()) for rows in map(plan.rows, range(len(plan))))
    return 1 - int(side.sum(dtype=np.int64)) / padded


@pytest.mark.parametrize("settings", [BatchSettings(), BatchSettings(size=2000, unit="tokens")])
def test_little_is_padded(settings: BatchSettings) -> None:
    source, target = lengths(30_000)
    plan = shuffled_plan(source, target, settings, 1, 0)
    assert padding(plan, target) < 0.01
    assert padding(plan, source) < 0.04


def test_the_order_of_batches_does_not_follow_length() -> None:
    source, target = lengths(30_000)
    plan = shuffled_plan(source, target, BatchSettings(), 1, 0)
    means = [target[plan.rows(turn)].mean() for turn in range(len(plan))]
    assert abs(np.corrcoef(means, np.arange(len(means)))[0, 1]) < 0.15
    assert abs(np.corrcoef(means[:-1], means[1:])[0, 1]) < 0.15


def digest(plan: Plan) -> str:
    content = b"".join(array.astype("<i8").tobytes() for array in plan)
    return hashlib.sha256(content).hexdigest()[:16]


def test_the_plan_is_the_same_on_every_machine() -> None:
    """Written down once; a change here means that runs of an older version can no longer be repeated or resumed."""
    source, target = lengths(100_000)
    assert digest(shuffled_plan(source, target, BatchSettings(), 1, 0)) == "3c580cbd23e51393"
    assert digest(shuffled_plan(source, target, BatchSettings(), 1, 1)) == "b2f42e3a5ecb5e8d"
    assert digest(shuffled_plan(source, target, BatchSettings(size=4096, unit="tokens"), 7, 3)) == "891dd9e973e3dc07"
    assert digest(sorted_plan(source, target, BatchSettings())) == "f187376815706181"


def test_planning_takes_little_memory() -> None:
    count = 1_000_000
    source, target = lengths(count)
    tracemalloc.start()
    plan = shuffled_plan(source, target, BatchSettings(size=4096, unit="tokens"), 1, 0)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(plan.order) == count
    assert held < 6 * count
    assert peak < 40 * count


@pytest.mark.parametrize("values", [{"size": 0}, {"unit": "words"}, {"sice": 3}])
def test_settings_that_make_no_sense_are_one_line(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"^batches: (size|unit|sice): ") as caught:
        read_settings(BatchSettings, values, "batches")
    assert "\n" not in str(caught.value)


def test_random_numbers_are_those_of_splitmix64() -> None:
    """The first numbers of the generator with seed 1234567, as its authors' program prints them."""
    key = 1234567 + mixing.STEP
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert mixing.stream(key, 5).tolist() == expected
    assert [mixing.mix(key + number * mixing.STEP) for number in range(5)] == expected
    assert mixing.stream(key, 3, 2).tolist() == expected[2:]


@given(st.integers(0, 300), st.integers(0, 50))
def test_shuffling_keeps_every_number(count: int, seed: int) -> None:
    assert sorted(mixing.shuffled(count, mixing.key(seed)).tolist()) == list(range(count))


def test_every_place_is_equally_likely() -> None:
    places = np.zeros((5, 5))
    for seed in range(5_000):
        places[np.arange(5), mixing.shuffled(5, mixing.key(seed))] += 1
    assert np.abs(places / 5_000 - 0.2).max() < 0.025
