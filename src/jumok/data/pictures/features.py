"""Feature maps of pictures on the disk, each computed once for a picture and an encoder, mapped into memory.

A folder belongs to one encoder (its fingerprint). Each run that computes appends to a pair of files of its own: `.maps`
has the maps one after the other, `.keys` the content of each picture as 16 bytes, written after the map is on the disk.
So a run that was stopped leaves whole maps that the next one takes over, and runs at the same time do no harm.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from jumok.data.cache import entry_name
from jumok.data.pictures.augmenting import View
from jumok.data.pictures.corpus import CaptionedPicture, PictureCorpus, Progress
from jumok.data.pictures.reading import PictureError
from jumok.data.pictures.segments import Maps, Place, SegmentWriter, check_space, open_segments, places_of
from jumok.data.pictures.threads import decoding_threads

if TYPE_CHECKING:
    from PIL.Image import Image
    from torch import Tensor

FORMAT = 1
AT_ONCE = 16
"""Pictures that are computed together."""

_AHEAD = 4 * AT_ONCE  # pictures that are decoded while others are computed
P = TypeVar("P")


class FeatureMaps:
    """The maps of a corpus: `maps[numbers]` are those of the pictures with these numbers, `(n, places, size)`.

    corpus: the pictures, without those that could not be read. shape: `(pictures, places, size)`. computed: how many
    were not in the cache yet.
    """

    def __init__(self, corpus: PictureCorpus, segments: Sequence[Maps], places: Sequence[Place], computed: int) -> None:
        self.corpus, self.computed = corpus, computed
        self._segments = segments
        self._places = np.array(places, np.int64)  # (pictures, 2): a segment and a row in it
        self.shape: tuple[int, ...] = (len(corpus), *segments[0].shape[1:])
        self.dtype = segments[0].dtype

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, numbers: int | slice | Sequence[int] | npt.NDArray[np.integer[Any]]) -> Maps:
        places = self._places[numbers]
        if places.ndim == 1:
            return np.array(self._segments[places[0]][places[1]])
        found = np.empty((len(places), *self.shape[1:]), self.dtype)
        for segment in np.unique(places[:, 0]):
            here = places[:, 0] == segment
            found[here] = self._segments[segment][places[here, 1]]
        return found

    def take(self, numbers: npt.NDArray[np.int64], epoch: int | None = None) -> Tensor:
        """The same as a tensor; every epoch has the same."""
        import torch

        return torch.from_numpy(self[numbers])


def cached_features(
    corpus: PictureCorpus,
    prepare: Callable[[Image], P],
    compute: Callable[[Sequence[P]], Maps],
    fingerprint: str,
    shape: tuple[int, int],
    folder: Path,
    progress: Progress | None = None,
    dtype: str = "float16",
    view: View | None = None,
) -> FeatureMaps:
    """The maps of a corpus: those in the cache, while the others are computed and added to it.

    prepare: what is done with a decoded picture beforehand, by threads. compute: from several prepared pictures to
    their maps `(n, *shape)`. fingerprint: changes when the maps would. folder: of the cache. progress: is told how many
    of the maps are there. view: of each picture, in place of the picture itself.
    A picture that cannot be read is an error, or, where the corpus skips, is missing in the `corpus` of the result.
    """
    home = folder / "features" / entry_name({"format": FORMAT, "encoder": fingerprint, "shape": shape, "type": dtype})
    home.mkdir(parents=True, exist_ok=True)
    computed = 0
    with ThreadPoolExecutor(decoding_threads()) as threads:
        contents = list(threads.map(_content_of, corpus))
        keys = [
            content if view is None or isinstance(content, PictureError) else view.key(content) for content in contents
        ]
        broken = {number: key for number, key in enumerate(keys) if isinstance(key, PictureError)}
        for error in broken.values():
            corpus.refuse(error)
        segments = open_segments(home, shape, dtype)
        places = places_of(segments)
        wanted = _first_of_each(keys, places)
        there = sum(key in places for key in keys)
        if wanted:
            check_space(home, len(wanted), shape, dtype)
            with SegmentWriter(home, shape, dtype) as writer:

                def load(number: int) -> P:
                    image = corpus[number].picture.load()
                    return prepare(image if view is None else view.of(image, _bytes(contents[number])))

                for numbers, prepared in _prepared(corpus, wanted, load, threads, broken):
                    writer.append([_bytes(keys[number]) for number in numbers], compute(prepared))
                    computed += len(numbers)
                    if progress is not None:
                        progress(there + computed)
            segments = open_segments(home, shape, dtype)
            places = places_of(segments)
    broken |= _twins(corpus, keys, broken)
    found = [places[_bytes(key)] for number, key in enumerate(keys) if number not in broken]
    return FeatureMaps(corpus.without(broken), [segment.maps() for segment in segments], found, computed)


def _content_of(entry: CaptionedPicture) -> bytes | PictureError:
    try:
        return entry.picture.content()
    except OSError as error:
        return PictureError(entry.picture.name, "the picture cannot be read", error.strerror or str(error))


def _bytes(key: bytes | PictureError) -> bytes:
    assert isinstance(key, bytes)
    return key


def _first_of_each(keys: Sequence[bytes | PictureError], places: dict[bytes, Place]) -> list[int]:
    """The pictures whose maps are missing; of several with the same content the first."""
    first: dict[bytes, int] = {}
    for number, key in enumerate(keys):
        if isinstance(key, bytes) and key not in places:
            first.setdefault(key, number)
    return list(first.values())


def _prepared(
    corpus: PictureCorpus,
    numbers: Sequence[int],
    load: Callable[[int], P],
    threads: ThreadPoolExecutor,
    broken: dict[int, PictureError],
) -> Iterator[tuple[list[int], list[P]]]:
    """Yields prepared pictures, some at a time, while threads decode the next; `broken` gets those that fail."""
    waiting: deque[tuple[int, Future[P]]] = deque()
    left = iter(numbers)
    together: list[int] = []
    prepared: list[P] = []
    try:
        while True:
            for number in left:
                waiting.append((number, threads.submit(load, number)))
                if len(waiting) >= _AHEAD:
                    break
            if not waiting:
                break
            number, future = waiting.popleft()
            try:
                prepared.append(future.result())
                together.append(number)
            except PictureError as error:
                broken[number] = error
                corpus.refuse(error)
            if len(together) == AT_ONCE:
                yield together, prepared
                together, prepared = [], []
        if together:
            yield together, prepared
    finally:
        for _, future in waiting:
            future.cancel()


def _twins(
    corpus: PictureCorpus, keys: Sequence[bytes | PictureError], broken: dict[int, PictureError]
) -> dict[int, PictureError]:
    """Pictures with the same content as a broken one."""
    lost = {keys[number]: error for number, error in broken.items() if isinstance(keys[number], bytes)}
    return {
        number: PictureError(corpus[number].picture.name, lost[key].reason, lost[key].detail)
        for number, key in enumerate(keys)
        if key in lost and number not in broken
    }
