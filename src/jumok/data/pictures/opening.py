"""From settings to pictures with captions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jumok.core.names import nearest, unknown
from jumok.data.corpora.columns import Columns
from jumok.data.corpora.files import find
from jumok.data.corpora.lines import text_lines
from jumok.data.corpora.normalizing import normalize
from jumok.data.corpora.opening import SPLITS
from jumok.data.corpora.parts import Part
from jumok.data.corpora.rows import Fault
from jumok.data.corpora.splits import HeldOut
from jumok.data.pictures.corpus import CaptionedPicture, PictureCorpus
from jumok.data.pictures.entries import Entry, coco_entries, flickr_entries, karpathy_entries, table_entries
from jumok.data.pictures.practice import practice_pictures
from jumok.data.pictures.reading import ENDINGS
from jumok.data.pictures.refs import PictureFile
from jumok.data.pictures.report import MEND, PictureReport
from jumok.data.pictures.settings import (
    CocoPictures,
    FlickrPictures,
    KarpathyPictures,
    PictureDataSettings,
    PracticePictures,
    TablePictures,
)

AnyPictures = FlickrPictures | KarpathyPictures | CocoPictures | TablePictures | PracticePictures

_TABLES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "tsv", ".txt": "tsv"}
_FLICKR_TEXTS = (".", "Flickr8k_text", "captions", "text")
_FLICKR_PHOTOS = ("images", "Images", "Flicker8k_Dataset", "Flickr8k_Dataset", "Flickr8k_Dataset/Flicker8k_Dataset")


def open_picture_splits(data: PictureDataSettings, folder: Path) -> dict[str, PictureCorpus]:
    """All splits that there are, by name: train, validation, test."""
    return {name: open_picture_split(name, data, folder) for name in SPLITS if getattr(data, name) is not None}


def open_picture_split(split: str, data: PictureDataSettings, folder: Path) -> PictureCorpus:
    """The pictures of one split of `data`; paths start from `data.root`, and that from `folder`.

    What is held out of the training pictures for another split is left out of train.
    """
    settings = getattr(data, split)
    whole = data.train if isinstance(settings, HeldOut) else settings
    return open_pictures(
        whole,
        folder / Path(data.root).expanduser(),
        name=split,
        skip=data.on_error == "skip",
        encoding=data.encoding,
        lowercase=data.lowercase,
        part=data.parts().get(split),
    )


def open_pictures(
    settings: AnyPictures,
    root: Path,
    *,
    name: str = "pictures",
    skip: bool = False,
    encoding: str = "utf-8",
    lowercase: bool = False,
    part: Part | None = None,
) -> PictureCorpus:
    """The pictures of any settings, whose paths start from `root`.

    A picture that is not there, one without caption, or a line that cannot be read is one line of error; with `skip` it
    is left out and counted in the corpus's `report`. Pixels are not looked at yet (see `PictureCorpus.readable`).
    part: which of the pictures are meant (all, if None).
    """
    if isinstance(settings, PracticePictures):
        return gathered(name, practice_pictures(settings, lowercase), skip, part)
    files, named = _files(settings, root, encoding, f"data.{name}"), set[str]()
    corpus = gathered(name, _entries(files, lowercase, named), skip, part)
    if isinstance(settings, TablePictures) and (part is None or name == "train"):  # once for all parts of a table
        corpus.report.uncaptioned = _uncaptioned(files.images, named)
    return corpus


def gathered(
    name: str, found: Iterable[CaptionedPicture | Fault], skip: bool, part: Part | None = None
) -> PictureCorpus:
    """A corpus of what was found; a fault is an error, or with `skip` is counted in its report."""
    report = PictureReport(name)
    pictures = []
    for entry in found:
        if isinstance(entry, Fault):
            if not skip:
                raise entry.error()
            report.skip(entry)
        elif part is None or part.has(entry.picture.name):
            pictures.append(entry)
    if not pictures:
        why = "; ".join(line.removeprefix(f"{name}: ") for line in report.lines()[1:])
        raise ValueError(f"data.{name}: there is not one picture with a caption{f': {why}' if why else ''}")
    report.pictures = len(pictures)
    report.captions = sum(len(entry.captions) for entry in pictures)
    return PictureCorpus(pictures, report, skip=skip)


class _Files(NamedTuple):
    """Pictures as a file names them, and the folder that they should be in."""

    entries: Iterator[Entry | Fault]
    images: Path
    setting: str


def _files(
    settings: FlickrPictures | KarpathyPictures | CocoPictures | TablePictures, root: Path, encoding: str, where: str
) -> _Files:
    if isinstance(settings, FlickrPictures):
        return _flickr(settings, root, encoding, f"{where}.flickr8k")
    images, setting = in_folder(settings.images, root, f"{where}.images"), f"{where}.images"
    if isinstance(settings, KarpathyPictures):
        splits = (settings.split,) if isinstance(settings.split, str) else settings.split
        return _Files(karpathy_entries(find(settings.karpathy, root, f"{where}.karpathy"), splits), images, setting)
    if isinstance(settings, CocoPictures):
        return _Files(coco_entries(find(settings.coco, root, f"{where}.coco")), images, setting)
    path = find(settings.file, root, f"{where}.file")
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    if ending not in _TABLES:
        raise ValueError(f"{where}.file: {path.name}: {unknown('kind of table', ending, _TABLES)}")
    columns = Columns(settings.picture, settings.caption)
    kind = "csv" if ending == ".txt" and _has_commas(path, encoding) else _TABLES[ending]
    return _Files(table_entries(path, kind, columns, encoding), images, setting)


def _has_commas(path: Path, encoding: str) -> bool:
    """Whether the first line has commas, and no tab: the `captions.txt` of Flickr8k that is passed around is a CSV."""
    first = next(text_lines(path, encoding), "")
    return isinstance(first, str) and "," in first and "\t" not in first


def _flickr(settings: FlickrPictures, root: Path, encoding: str, where: str) -> _Files:
    folder = in_folder(settings.flickr8k, root, where)
    texts = next((folder / name for name in _FLICKR_TEXTS if (folder / name / "Flickr8k.token.txt").is_file()), folder)
    photos = next((folder / name for name in _FLICKR_PHOTOS if (folder / name).is_dir()), None)
    if photos is None:
        raise FileNotFoundError(f"{where}: {folder} has no folder of photos; name it images or Flicker8k_Dataset")
    captions = find("Flickr8k.token.txt", texts, where)
    listed = find(f"Flickr_8k.{settings.split}Images.txt", texts, where)
    return _Files(flickr_entries(captions, listed, encoding), photos, where)


def in_folder(name: str, root: Path, where: str) -> Path:
    """The folder of this name, from `root`; what is wrong with it names the field `where`."""
    path = root / Path(name).expanduser()
    if path.is_dir():
        return path
    if path.exists():
        raise NotADirectoryError(f"{where}: {path.absolute()} is not a folder")
    parent = path.absolute().parent
    close = (
        nearest(path.name, [entry.name for entry in parent.iterdir() if entry.is_dir()]) if parent.is_dir() else None
    )
    hint = f"did you mean {close!r}?" if close else "is data.root the folder of your files?"
    raise FileNotFoundError(f"{where}: there is no folder {path.absolute()}; {hint}")


def _uncaptioned(images: Path, named: set[str]) -> int:
    """How many pictures are in a folder itself, not below it, that are not named."""
    known = {os.path.normpath(name) for name in named}
    with os.scandir(images) as entries:
        return sum(Path(entry.name).suffix.lower() in ENDINGS and entry.name not in known for entry in entries)


def _entries(files: _Files, lowercase: bool, named: set[str]) -> Iterator[CaptionedPicture | Fault]:
    """Yields the entries of a file as pictures with captions, or what is wrong with them; `named` gets their names."""
    for entry in files.entries:
        if isinstance(entry, Fault):
            yield entry
            continue
        if not isinstance(entry.picture, str) or not entry.picture:
            yield Fault(entry.place, "the name of the picture is empty", advice=MEND)
            continue
        if entry.picture in named:
            yield Fault(entry.place, "the picture is listed twice", entry.picture, MEND)
            continue
        named.add(entry.picture)
        captions = []
        for caption in entry.captions:
            told = _caption(caption, entry, lowercase)
            if isinstance(told, Fault):
                yield told
            else:
                captions.append(told)
        picture = PictureFile(files.images, entry.picture)
        if not captions:
            if not entry.captions:
                yield Fault(entry.place, "the picture has no caption", entry.picture, MEND)
        elif not os.path.isfile(picture.path):
            advice = f"is {files.setting} the folder of the pictures? {MEND}"
            yield Fault(entry.place, "there is no such picture", str(picture.path), advice)
        else:
            yield CaptionedPicture(picture, tuple(captions))


def _caption(caption: object, entry: Entry, lowercase: bool) -> str | Fault:
    if not isinstance(caption, str):
        return Fault(entry.place, "the caption is not text", f"of {entry.picture}", MEND)
    try:
        text = normalize(caption, lowercase)
    except ValueError as error:
        return Fault(entry.place, "not valid Unicode", str(error), MEND)
    return text or Fault(entry.place, "the caption is empty", f"of {entry.picture}", MEND)
