"""Batches of captions with pictures: every caption once an epoch, like lengths together, a picture once a batch."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from jumok.data import BatchSettings, Tokenizer, TokenizerSettings
from jumok.data.pictures import (
    CaptionedPicture,
    CaptionTokens,
    PictureBatch,
    PictureBatches,
    PictureCorpus,
    PictureFile,
    PictureReport,
    every_picture,
    tokenize_captions,
)

WORDS = ["a", "the", "dog", "cat", "boy", "girl", "runs", "sleeps", "swims", "in", "on", "under", "water", "red", "big"]


@pytest.fixture(scope="module")
def corpus() -> PictureCorpus:
    random = np.random.default_rng(0)
    entries = []
    for number in range(150):
        captions = [" ".join(random.choice(WORDS, random.integers(2, 20))) for _ in range(random.integers(1, 6))]
        entries.append(CaptionedPicture(PictureFile(Path("x"), f"{number}.jpg"), tuple(captions)))
    return PictureCorpus(entries, PictureReport("train"))


@pytest.fixture(scope="module")
def tokenizer(corpus: PictureCorpus) -> Tokenizer:
    texts = [caption for entry in corpus for caption in entry.captions]
    return Tokenizer.train(texts, TokenizerSettings(kind="word", size=100), "data.train")


@pytest.fixture(scope="module")
def captions(corpus: PictureCorpus, tokenizer: Tokenizer) -> CaptionTokens:
    return tokenize_captions(corpus, tokenizer)


class Numbered:
    """Pictures that are their number, and remember when they were taken."""

    def __init__(self) -> None:
        self.taken: list[int] = []

    def take(self, numbers: Any, epoch: int | None = None) -> torch.Tensor:
        self.taken += numbers.tolist()
        return torch.from_numpy(numbers)[:, None]


def same(one: PictureBatch, other: PictureBatch) -> bool:
    return all(torch.equal(a, b) for a, b in zip(vars(one).values(), vars(other).values(), strict=True))


@pytest.mark.parametrize("by_picture", [False, True])
@pytest.mark.parametrize("settings", [BatchSettings(size=32), BatchSettings(size=200, unit="tokens")])
def test_every_caption_comes_once_with_its_picture(
    by_picture: bool,
    settings: BatchSettings,
    corpus: PictureCorpus,
    captions: CaptionTokens,
    tokenizer: Tokenizer,
) -> None:
    source = Numbered()
    texts = [(number, text) for number, entry in enumerate(corpus) for text in entry.captions]
    found = []
    for batch in PictureBatches(captions, source, settings, seed=1, epoch=2, by_picture=by_picture):
        assert len(set(batch.pictures.tolist())) == len(batch.pictures)
        assert torch.equal(batch.inputs[:, 0], batch.pictures)
        owners = batch.inputs[batch.places, 0].tolist()
        assert batch.target_lengths.tolist() == sorted(batch.target_lengths.tolist(), reverse=True)
        assert batch.tokens == int(batch.target_lengths.sum())
        assert len(batch) <= settings.size
        for row, owner, length in zip(batch.target.tolist(), owners, batch.target_lengths.tolist(), strict=True):
            assert row[0] == Tokenizer.START
            assert row[length] == Tokenizer.END
            assert set(row[length + 1 :]) <= {Tokenizer.PAD}
            found.append((owner, tokenizer.decode(row[1:length])))
    assert Counter(found) == Counter(texts)
    if by_picture:
        assert sorted(source.taken) == list(range(len(corpus)))


def test_batches_follow_from_seed_and_epoch_alone(captions: CaptionTokens) -> None:
    def batches(seed: int, epoch: int, **more: Any) -> PictureBatches:
        return PictureBatches(captions, Numbered(), BatchSettings(size=16), seed, epoch, **more)

    for by_picture in (False, True):
        one, two = batches(1, 1, by_picture=by_picture), batches(1, 1, by_picture=by_picture)
        assert all(same(two[place], batch) for place, batch in reversed(list(enumerate(one))))
        for other in (batches(1, 2, by_picture=by_picture), batches(2, 1, by_picture=by_picture)):
            assert not all(same(a, b) for a, b in zip(one, other, strict=False))


def test_captions_of_like_length_go_together(captions: CaptionTokens) -> None:
    batches = PictureBatches(captions, Numbered(), BatchSettings(size=16), 1, 1)
    places = sum(batch.target_lengths.numel() * int(batch.target_lengths.max()) for batch in batches)
    assert sum(batch.tokens for batch in batches) > 0.9 * places


@pytest.mark.parametrize("by_picture", [False, True])
def test_processes_share_every_batch(by_picture: bool, captions: CaptionTokens) -> None:
    settings = BatchSettings(size=16)
    whole = PictureBatches(captions, Numbered(), settings, 1, 1, by_picture=by_picture)
    parts = [
        PictureBatches(captions, Numbered(), settings, 1, 1, by_picture=by_picture, rank=rank, world=3)
        for rank in range(3)
    ]
    for batch, shares in zip(whole, zip(*parts, strict=True), strict=True):
        assert sorted(n for share in shares for n in share.numbers.tolist()) == sorted(batch.numbers.tolist())
        if by_picture:
            assert sum(len(share.pictures) for share in shares) == len(batch.pictures)
    with pytest.raises(ValueError, match="rank 3 is not one of 3"):
        PictureBatches(captions, Numbered(), settings, 1, 1, rank=3, world=3)


def test_evaluation_sees_every_caption_once_and_takes_a_picture_once(captions: CaptionTokens) -> None:
    source = Numbered()
    numbers = [number for batch in every_picture(captions, source, BatchSettings(size=16)) for number in batch.numbers]
    assert sorted(map(int, numbers)) == list(range(len(captions)))
    assert len(source.taken) == len(set(source.taken))


def test_long_captions_are_left_out(corpus: PictureCorpus, tokenizer: Tokenizer) -> None:
    kept = tokenize_captions(corpus, tokenizer, max_length=10)
    lengths = [len(caption.split()) for entry in corpus for caption in entry.captions]
    assert kept.too_long == sum(length > 10 for length in lengths) > 0
    assert len(kept) == len(lengths) - kept.too_long
    with pytest.raises(ValueError, match=r"captions has more than 1 tokens; raise data\.max_length"):
        tokenize_captions(corpus, tokenizer, max_length=1)


def test_bpe_dropout_cuts_anew_in_every_epoch(corpus: PictureCorpus) -> None:
    texts = [caption for entry in corpus for caption in entry.captions]
    tokenizer = Tokenizer.train(texts, TokenizerSettings(kind="bpe", size=60), "data.train")
    captions = tokenize_captions(corpus, tokenizer, dropout=0.3)

    def told(epoch: int) -> dict[int, list[int]]:
        found = {}
        for batch in PictureBatches(captions, Numbered(), BatchSettings(size=16), 1, epoch):
            for number, row, length in zip(
                *map(torch.Tensor.tolist, (batch.numbers, batch.target, batch.target_lengths)), strict=True
            ):
                found[number] = row[1:length]
        return found

    one, two = told(1), told(2)
    assert one == told(1) != two
    assert [tokenizer.decode(one[number]) for number in range(len(texts))] == texts


def test_a_batch_moves_to_a_device(captions: CaptionTokens) -> None:
    batch = every_picture(captions, Numbered(), BatchSettings(size=4))[0]
    assert same(batch.to("cpu"), batch)
    assert batch.to("meta").target.device.type == "meta"
