"""A corpus of pictures: each with its captions, in the order of their file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple, overload

from jumok.data.corpora.rows import Fault
from jumok.data.pictures.reading import PictureError
from jumok.data.pictures.refs import PictureRef
from jumok.data.pictures.report import MEND, PictureReport
from jumok.data.pictures.threads import decoding_threads

Progress = Callable[[int], None]


class CaptionedPicture(NamedTuple):
    """A picture, and what people said of it: one caption or several, normalised, none of them empty."""

    picture: PictureRef
    captions: tuple[str, ...]


class PictureCorpus(Sequence[CaptionedPicture]):
    """Pictures with captions. `report` says how many there are, and what was left out (with `skip`)."""

    def __init__(self, pictures: Sequence[CaptionedPicture], report: PictureReport, *, skip: bool = False) -> None:
        self.pictures, self.report, self.skip = tuple(pictures), report, skip

    @property
    def name(self) -> str:
        """Which split it is."""
        return self.report.name

    def __len__(self) -> int:
        return len(self.pictures)

    @overload
    def __getitem__(self, number: int) -> CaptionedPicture: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[CaptionedPicture, ...]: ...
    def __getitem__(self, number: int | slice) -> CaptionedPicture | tuple[CaptionedPicture, ...]:
        return self.pictures[number]

    def __iter__(self) -> Iterator[CaptionedPicture]:
        return iter(self.pictures)

    def fingerprint(self) -> str:
        """A hash of the pictures' names and their captions; not of the pixels."""
        told = [[entry.picture.name, *entry.captions] for entry in self.pictures]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def readable(self, progress: Progress | None = None) -> PictureCorpus:
        """The corpus without the pictures that cannot be decoded, which takes the time to decode all.

        Without `skip` the first of them is an error. Progress is told how many were looked at.
        """
        broken: dict[int, PictureError] = {}
        with ThreadPoolExecutor(decoding_threads()) as threads:
            for number, error in enumerate(threads.map(_error_of, self.pictures)):
                if error is not None:
                    broken[number] = error
                    self.refuse(error)
                if progress is not None:
                    progress(number + 1)
        return self.without(broken)

    def refuse(self, error: PictureError) -> None:
        """Raise an error of a picture with what to do about it, unless such pictures are to be skipped."""
        if not self.skip:
            raise Fault(error.place, error.reason, error.detail, MEND).error() from None

    def without(self, broken: Mapping[int, PictureError]) -> PictureCorpus:
        """The corpus without these pictures, which its report then counts."""
        if not broken:
            return self
        kept = [entry for number, entry in enumerate(self.pictures) if number not in broken]
        captions = sum(len(entry.captions) for entry in kept)
        skipped = {reason: replace(found, places=[*found.places]) for reason, found in self.report.skipped.items()}
        report = PictureReport(self.name, len(kept), captions, self.report.uncaptioned, skipped=skipped)
        for error in broken.values():
            report.skip(Fault(error.place, error.reason, error.detail, MEND))
        if not kept:
            raise ValueError("; ".join([f"{self.name}: not one picture can be read", *report.lines()[1:]]))
        return PictureCorpus(kept, report, skip=self.skip)


def _error_of(entry: CaptionedPicture) -> PictureError | None:
    try:
        entry.picture.load()
    except PictureError as error:
        return error
    return None
