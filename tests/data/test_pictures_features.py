"""Feature maps on the disk: each is computed once for a content and an encoder, and what was interrupted goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jumok.data.pictures import (
    Augmentation,
    CachedViews,
    CaptionedPicture,
    FeatureMaps,
    LivePictures,
    PictureCorpus,
    PictureFile,
    PictureReport,
    View,
    cached_features,
)
from jumok.data.pictures import segments as segment_files
from jumok.data.pictures.features import AT_ONCE

Image = pytest.importorskip("PIL.Image", reason="pictures are read by Pillow")

SHAPE = (4, 3)
Array = np.ndarray[Any, np.dtype[Any]]


class Computer:
    """An encoder to be watched: its map of a picture is the colour of each quarter."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.seen = 0
        self.stop_after = stop_after

    def prepare(self, image: Any) -> Array:
        return np.asarray(image.resize((2, 2), 0)).reshape(4, 3)

    def compute(self, prepared: Sequence[Array]) -> Array:
        if self.stop_after is not None and self.seen >= self.stop_after:
            raise KeyboardInterrupt
        self.seen += len(prepared)
        return np.stack(prepared).astype(np.float16)


def picture(path: Path, number: int) -> CaptionedPicture:
    if not path.exists():
        pixels = np.random.default_rng(number).integers(0, 256, (2, 2, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((16, 16), 0).save(path)
    return CaptionedPicture(PictureFile(path.parent, path.name), ("A caption.",))


def corpus_of(folder: Path, numbers: Sequence[int], skip: bool = False) -> PictureCorpus:
    entries = [picture(folder / f"{number}.png", number) for number in numbers]
    return PictureCorpus(entries, PictureReport("train", len(entries), len(entries)), skip=skip)


def expected(numbers: Sequence[int]) -> Array:
    draws = [np.random.default_rng(number).integers(0, 256, (4, 3), dtype=np.uint8) for number in numbers]
    return np.stack(draws).astype(np.float16)


def cached(corpus: PictureCorpus, cache: Path, computer: Computer, encoder: str = "one", **more: Any) -> FeatureMaps:
    return cached_features(corpus, computer.prepare, computer.compute, encoder, SHAPE, cache, **more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pictures").mkdir()
    return tmp_path / "pictures"


def test_maps_are_those_of_the_pictures_in_order(folder: Path, tmp_path: Path) -> None:
    told: list[int] = []
    maps = cached(corpus_of(folder, range(40)), tmp_path, Computer(), progress=told.append)
    assert maps.shape == (40, 4, 3)
    assert maps.dtype == np.float16
    assert len(maps) == maps.computed == told[-1] == 40
    assert told == sorted(told)
    assert (maps[:] == expected(range(40))).all()
    assert (maps[7] == expected([7])[0]).all()
    assert (maps[[3, 1, 3]] == expected([3, 1, 3])).all()
    assert (maps.take(np.array([5, 0])).numpy() == expected([5, 0])).all()
    assert maps[np.array([], np.int64)].shape == (0, 4, 3)


def test_nothing_is_computed_twice(folder: Path, tmp_path: Path) -> None:
    cached(corpus_of(folder, range(20)), tmp_path, Computer())
    again = Computer()
    maps = cached(corpus_of(folder, [4, 30, 19, 0, 31]), tmp_path, again)
    assert again.seen == maps.computed == 2
    assert (maps[:] == expected([4, 30, 19, 0, 31])).all()
    assert (maps[[2, 1]] == expected([19, 30])).all()
    none = Computer()
    assert cached(corpus_of(folder, [31, 4]), tmp_path, none).computed == none.seen == 0


def test_the_key_is_the_content_and_not_the_name(folder: Path, tmp_path: Path) -> None:
    cached(corpus_of(folder, range(3)), tmp_path, Computer())
    (folder / "moved").mkdir()
    (folder / "0.png").rename(folder / "moved/new.png")
    (folder / "1.png").write_bytes((folder / "2.png").read_bytes())
    computer = Computer()
    entries = [picture(folder / "moved/new.png", 0), picture(folder / "1.png", 1)]
    maps = cached(PictureCorpus(entries, PictureReport("x")), tmp_path, computer)
    assert computer.seen == 0
    assert (maps[:] == expected([0, 2])).all()


def test_the_same_picture_twice_is_computed_once(folder: Path, tmp_path: Path) -> None:
    computer = Computer()
    maps = cached(corpus_of(folder, [1, 2, 1]), tmp_path, computer)
    assert computer.seen == 2
    assert (maps[:] == expected([1, 2, 1])).all()


def test_another_encoder_has_its_own_maps(folder: Path, tmp_path: Path) -> None:
    cached(corpus_of(folder, range(3)), tmp_path, Computer())
    assert cached(corpus_of(folder, range(3)), tmp_path, Computer(), "another").computed == 3


def test_an_interrupted_run_goes_on_where_it_stopped(folder: Path, tmp_path: Path) -> None:
    numbers = range(3 * AT_ONCE)
    with pytest.raises(KeyboardInterrupt):
        cached(corpus_of(folder, numbers), tmp_path, Computer(stop_after=2 * AT_ONCE))
    computer, told = Computer(), list[int]()
    maps = cached(corpus_of(folder, numbers), tmp_path, computer, progress=told.append)
    assert computer.seen == AT_ONCE
    assert told == [3 * AT_ONCE]
    assert (maps[:] == expected(numbers)).all()


@pytest.mark.parametrize("cut", ["maps", "keys"])
def test_what_a_killed_run_left_half_written_is_not_used(cut: str, folder: Path, tmp_path: Path) -> None:
    cached(corpus_of(folder, range(5)), tmp_path, Computer())
    path = next(tmp_path.rglob(f"*.{cut}"))
    path.write_bytes(path.read_bytes()[:-5])
    computer = Computer()
    maps = cached(corpus_of(folder, range(5)), tmp_path, computer)
    assert computer.seen == 1
    assert (maps[:] == expected(range(5))).all()


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_what_it_had(folder: Path, tmp_path: Path) -> None:
    corpus_of(folder, range(3 * AT_ONCE))
    script = f"""
import os, sys
import numpy as np
from pathlib import Path
from jumok.data.pictures import *
entries = [CaptionedPicture(PictureFile(Path({str(folder)!r}), f"{{n}}.png"), ("x",)) for n in range({3 * AT_ONCE})]
calls = []
def compute(prepared):
    calls.append(1)
    if len(calls) == 3:
        os.kill(os.getpid(), 9)
    return np.stack(prepared).astype(np.float16)
prepare = lambda image: np.asarray(image.resize((2, 2), 0)).reshape(4, 3)
corpus = PictureCorpus(entries, PictureReport("x"))
cached_features(corpus, prepare, compute, "one", (4, 3), Path({str(tmp_path)!r}))
"""
    killed = subprocess.run([sys.executable, "-c", script], check=False)
    assert killed.returncode != 0
    computer = Computer()
    maps = cached(corpus_of(folder, range(3 * AT_ONCE)), tmp_path, computer)
    assert computer.seen == AT_ONCE
    assert (maps[:] == expected(range(3 * AT_ONCE))).all()


def test_runs_at_the_same_time_do_no_harm(folder: Path, tmp_path: Path) -> None:
    corpus = corpus_of(folder, range(40))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: cached(corpus, tmp_path, Computer())[:], range(4)))
    assert all((maps == expected(range(40))).all() for maps in found)


def test_a_broken_picture_stops_or_is_left_out(folder: Path, tmp_path: Path) -> None:
    corpus_of(folder, range(6))
    for number in (2, 4):
        (folder / f"{number}.png").write_bytes(b"no picture")
    (folder / "5.png").unlink()
    (folder / "5.png").mkdir()
    with pytest.raises(ValueError, match=r"5\.png: the picture cannot be read .*data\.on_error=skip"):
        cached(corpus_of(folder, range(6)), tmp_path, Computer())
    with pytest.raises(ValueError, match=r"2\.png: not a picture .*data\.on_error=skip"):
        cached(corpus_of(folder, range(5)), tmp_path, Computer())
    maps = cached(corpus_of(folder, range(6), skip=True), tmp_path, Computer())
    assert [entry.picture.name for entry in maps.corpus] == ["0.png", "1.png", "3.png"]
    assert (maps[:] == expected([0, 1, 3])).all()
    assert maps.corpus.report.pictures == 3
    lines = maps.corpus.report.lines()
    assert len(lines) == 3
    assert any("2 skipped: not a picture" in line and "2.png" in line and "4.png" in line for line in lines)


def test_what_is_computed_wrongly_is_not_written(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"maps should be \(3, 4, 3\) of float16, not \(3, 4, 3\) of float32"):
        cached_features(
            corpus_of(folder, range(3)),
            Computer().prepare,
            lambda maps: np.stack(maps).astype(np.float32),
            "x",
            SHAPE,
            tmp_path,
        )
    assert list(tmp_path.rglob("*.maps")) == list(tmp_path.rglob("*.keys")) == []


def test_a_disk_that_is_too_small_is_told_at_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segment_files.shutil, "disk_usage", lambda path: type("Usage", (), {"free": 100}))
    computer = Computer()
    with pytest.raises(OSError, match=r"GB are needed for feature maps, and 0\.0 GB are free; make room, or set JUMOK"):
        cached(corpus_of(folder, range(9)), tmp_path, computer)
    assert computer.seen == 0


def as_tensor(image: Any) -> Any:
    import torch

    return torch.from_numpy(np.asarray(image.resize((8, 8), 0)).copy()).permute(2, 0, 1)


def test_live_pictures_are_the_prepared_ones(folder: Path) -> None:
    corpus = corpus_of(folder, range(4))
    taken = LivePictures(corpus, as_tensor).take(np.array([2, 0]), epoch=3)
    assert taken.shape == (2, 3, 8, 8)
    assert taken.tolist() == [as_tensor(corpus[number].picture.load()).tolist() for number in (2, 0)]


def test_augmented_views_follow_from_seed_epoch_and_number(folder: Path) -> None:
    corpus = corpus_of(folder, range(12))
    numbers = np.arange(12)

    def views(epoch: int | None, seed: int = 0, **settings: Any) -> Any:
        return LivePictures(corpus, as_tensor, Augmentation(**settings), seed).take(numbers, epoch).numpy()

    plain = views(None, flip=True, crop=0.5)
    assert (plain == views(0)).all()
    flipped = views(1, flip=True)
    mirrored = [
        (one == other[..., ::-1]).all() and (one != other).any() for one, other in zip(flipped, plain, strict=True)
    ]
    kept = [(one == other).all() for one, other in zip(flipped, plain, strict=True)]
    assert all(a != b for a, b in zip(mirrored, kept, strict=True))
    assert 2 <= sum(mirrored) <= 10
    cropped = views(1, crop=0.5)
    assert (cropped == views(1, crop=0.5)).all()
    assert (cropped != views(2, crop=0.5)).any()
    assert (cropped != views(1, seed=1, crop=0.5)).any()
    assert not Augmentation().changes


def test_views_are_cached_and_epochs_take_turns_with_them(folder: Path, tmp_path: Path) -> None:
    corpus, augmentation = corpus_of(folder, range(12)), Augmentation(crop=0.5, flip=True, views=3)

    def maps(computer: Computer, number: int, seed: int = 0) -> FeatureMaps:
        return cached(corpus, tmp_path, computer, view=View(augmentation, seed, number) if number else None)

    first, second = Computer(), Computer()
    views = CachedViews([maps(first, number) for number in range(3)], seed=0)
    again = [maps(second, number) for number in range(3)]
    assert (first.seen, second.seen) == (36, 0)
    numbers = np.arange(12)
    for one, other in zip(views.maps, again, strict=True):
        assert (one[numbers] == other[numbers]).all()
    assert (views.take(numbers).numpy() == views.maps[0][numbers]).all()
    for number in range(1, 3):
        assert (views.maps[number][numbers] != views.maps[0][numbers]).any()
        assert (maps(Computer(), number, seed=1)[numbers] != views.maps[number][numbers]).any()
    epochs = [views.take(numbers, epoch).numpy() for epoch in range(4)]
    assert (epochs[0] == epochs[3]).all()
    for number in range(12):  # three epochs see the three views of each picture
        seen = sorted(epoch[number].tobytes() for epoch in epochs[:3])
        assert seen == sorted(kept[number].tobytes() for kept in views.maps)
    other_order = corpus_of(folder, range(11, -1, -1))
    reordered = cached(other_order, tmp_path, second, view=View(augmentation, 0, 1))
    assert second.seen == 0
    assert (reordered[numbers] == views.maps[1][numbers[::-1]]).all()


def test_views_that_would_be_alike_are_refused() -> None:
    with pytest.raises(ValueError, match="views: they would all be alike; set crop or flip, too"):
        Augmentation(views=4)
