"""Pictures with a label each: a folder for every label, a table, or practice pictures of one thing.

A label is kept where a caption would be, so all that is done to pictures with captions is done to these: reading, what
is said of broken ones, caching.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Union

import numpy as np
import numpy.typing as npt
from pydantic import Field, Tag

from jumok.core.settings import Settings
from jumok.data.corpora.parts import Part
from jumok.data.corpora.rows import Fault
from jumok.data.corpora.settings import Column, FileName
from jumok.data.corpora.splits import HeldOut, SplitData, told_by
from jumok.data.labelled.sequences import Sequences
from jumok.data.pictures.batching import PictureSource
from jumok.data.pictures.corpus import CaptionedPicture, PictureCorpus
from jumok.data.pictures.opening import gathered, in_folder, open_pictures
from jumok.data.pictures.reading import ENDINGS
from jumok.data.pictures.refs import PictureFile, PictureScene
from jumok.data.pictures.report import MEND
from jumok.data.pictures.settings import TablePictures
from jumok.data.scenes import Scenes
from jumok.data.scenes.lexicon import words
from jumok.data.scenes.scene import LARGEST, SMALLEST


class PictureFolders(Settings):
    """A folder that has a folder for each label, with the pictures in it."""

    folder: FileName
    """The folder with the folders."""


class PictureTable(Settings):
    """A table with a picture and its label a row: `.csv`, `.tsv`, `.txt` or `.jsonl`, each also as `.gz`."""

    file: FileName
    """The table; its name's ending says what it is."""

    images: FileName
    """The folder that the pictures are in."""

    picture: Column = "image"
    """The column with the name of the picture's file, by name or by number, from 0."""

    label: Column = "label"
    """The column with its label."""


class PracticeObjects(Settings):
    """Practice pictures of one thing, whose label says what it is. No download."""

    practice: Literal["objects"]
    """Drawn things: a house, a cat, a boat, ..."""

    pictures: int = Field(ge=1)
    """How many."""

    language: Literal["english", "korean"] = "english"
    """The language of the labels."""

    size: int = Field(default=128, ge=SMALLEST, le=LARGEST)
    """Width and height in pixels."""

    seed: int = 0
    """Another seed gives other pictures."""

    held_out: bool = False
    """Whether each thing has a colour that it never has in training."""


_KEYS: dict[str, type[Settings]] = {
    "practice": PracticeObjects,
    "folder": PictureFolders,
    "file": PictureTable,
    "share": HeldOut,
}
_EXPECTED = "{folder: FOLDER}, {file: TABLE, images: FOLDER, picture: COLUMN, label: COLUMN}"

LabelledPictureSettings = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[PictureFolders, Tag("PictureFolders")],
        Annotated[PictureTable, Tag("PictureTable")],
        Annotated[PracticeObjects, Tag("PracticeObjects")],
    ],
    told_by(_KEYS, f"{_EXPECTED} or {{practice: objects, pictures: NUMBER}}"),
]
"""Where labelled pictures come from; which kind it is, its keys say."""

LabelledPictureSplit = Annotated[
    Union[  # noqa: UP007
        Annotated[PictureFolders, Tag("PictureFolders")],
        Annotated[PictureTable, Tag("PictureTable")],
        Annotated[PracticeObjects, Tag("PracticeObjects")],
        Annotated[HeldOut, Tag("HeldOut")],
    ],
    told_by(_KEYS, f"{_EXPECTED}, {{practice: objects, pictures: NUMBER}} or {{share: 0.1}}, a share of train"),
]
"""The same, or a share of the training pictures."""


class LabelledPictureData(SplitData):
    """The labelled pictures of a recipe."""

    kind: Literal["pictures"]
    """That it is pictures, not texts."""

    train: LabelledPictureSettings
    """The pictures to learn from."""

    validation: LabelledPictureSplit = HeldOut(share=0.1)
    """The pictures that tell how the training goes: others, or `{share: 0.1}` of `train`, left out there."""

    test: LabelledPictureSplit | None = None
    """The pictures kept apart for scores after training, if any."""


def open_labelled_pictures(
    split: str, data: LabelledPictureData, folder: Path, labels: tuple[str, ...] | None = None
) -> PictureCorpus:
    """The pictures of one split of `data`, their labels in the place of captions; paths start from `data.root`.

    labels: those that there may be (all, if None); another one is an error with its place, or is skipped.
    """
    settings = getattr(data, split)
    whole = data.train if isinstance(settings, HeldOut) else settings
    root, skip = folder / Path(data.root).expanduser(), data.on_error == "skip"
    part = data.parts().get(split)
    if isinstance(whole, PictureTable):
        table = TablePictures(file=whole.file, images=whole.images, picture=whole.picture, caption=whole.label)
        found = open_pictures(table, root, name=split, encoding=data.encoding, skip=skip, part=part)
        return gathered(split, _checked(found, labels), skip)
    if isinstance(whole, PracticeObjects):
        entries = drawn_objects(whole)
    else:
        entries = _in_folders(whole, root, f"data.{split}.folder")
    return gathered(split, _checked(_of_part(entries, part), labels), skip)


class LabelledPictures(NamedTuple):
    """Pictures as an encoder takes them, with the numbers of their labels, in batches.

    source: what the pictures are taken from. targets: the labels. places: how many regions the encoder makes of one.
    """

    source: PictureSource
    targets: npt.NDArray[np.int64]
    places: int

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """A picture counts for one, however it is."""
        return np.ones(len(self.targets), np.int64)

    def batch(self, rows: npt.NDArray[np.int64]) -> Sequences:
        """These pictures as a batch."""
        import torch

        return Sequences(
            torch.from_numpy(rows),
            self.source.take(rows),
            torch.full((len(rows),), self.places),
            torch.from_numpy(self.targets[rows]),
        )


def drawn_objects(settings: PracticeObjects) -> Iterator[CaptionedPicture]:
    """Yields practice pictures of one thing each, with its name as label."""
    scenes = Scenes(settings.seed, settings.size)
    for number in range(settings.pictures):
        thing = scenes.scene(number, objects=(1, 1), held_out=settings.held_out).objects[0]
        label = words().kinds[thing.kind].korean if settings.language == "korean" else thing.kind
        ref = PictureScene(settings.seed, number, (1, 1), settings.held_out, settings.size)
        yield CaptionedPicture(ref, (label,))


def _in_folders(settings: PictureFolders, root: Path, where: str) -> Iterator[CaptionedPicture]:
    folder = in_folder(settings.folder, root, where)
    kinds = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    if not kinds:
        raise ValueError(f"{where}: {folder} has no folders; make one for each label, with its pictures in it")
    for kind in kinds:
        for path in sorted(kind.rglob("*")):
            if path.suffix.lower() in ENDINGS and path.is_file():
                yield CaptionedPicture(PictureFile(folder, path.relative_to(folder).as_posix()), (kind.name,))


def _of_part(entries: Iterator[CaptionedPicture], part: Part | None) -> Iterator[CaptionedPicture]:
    return (entry for entry in entries if part is None or part.has(entry.picture.name))


def _checked(
    entries: Iterator[CaptionedPicture] | PictureCorpus, labels: tuple[str, ...] | None
) -> Iterator[CaptionedPicture | Fault]:
    """The pictures, or what is wrong with their labels."""
    for entry in entries:
        label, name = entry.captions[0], entry.picture.name
        if len(set(entry.captions)) > 1:
            yield Fault(name, "the picture has several labels", ", ".join(entry.captions[:5]), MEND)
        elif labels is not None and label not in labels:
            known = ", ".join(labels[:10]) + (", ..." if len(labels) > 10 else "")
            yield Fault(name, "the label does not occur in training", f"it is {label!r}; known: {known}", MEND)
        else:
            yield CaptionedPicture(entry.picture, (label,))
