"""From settings to labelled texts."""

from __future__ import annotations

from pathlib import Path

from jumok.core.names import unknown
from jumok.data.corpora.columns import Columns
from jumok.data.corpora.files import find
from jumok.data.corpora.parts import Part
from jumok.data.corpora.rows import Reader
from jumok.data.corpora.settings import HeldOut
from jumok.data.corpora.tables import TableReader
from jumok.data.labelled.json_lines import LabelledLinesReader
from jumok.data.labelled.practice import TenseReader
from jumok.data.labelled.settings import LabelledData, PracticeTexts, TextFile
from jumok.data.labelled.texts import LabelledTexts

_TABLES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "tsv", ".txt": "tsv"}


def open_texts(split: str, data: LabelledData, folder: Path) -> LabelledTexts:
    """The texts of one split of `data`; paths start from `data.root`, and that from `folder`."""
    settings = getattr(data, split)
    name, whole = ("train", data.train) if isinstance(settings, HeldOut) else (split, settings)
    reader = _reader(whole, data, folder / Path(data.root).expanduser(), f"data.{name}")
    return LabelledTexts(
        split,
        reader,
        skip=data.on_error == "skip",
        lowercase=data.lowercase,
        part=_parts(data).get(split),
        are_numbers=data.target == "number",
    )


def open_file(path: Path, data: LabelledData, text: str, label: str) -> LabelledTexts:
    """The texts of another file, read as `data` says."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    reader = _table(TextFile(file=str(path), text=text, label=label), path, data.encoding, str(path))
    skip = data.on_error == "skip"
    return LabelledTexts(path.name, reader, skip=skip, lowercase=data.lowercase, are_numbers=data.target == "number")


def _parts(data: LabelledData) -> dict[str, Part]:
    """Which part of the training texts each split has; nothing where none is held out."""
    parts, low = {}, 0.0
    for name, split in (("validation", data.validation), ("test", data.test)):
        if isinstance(split, HeldOut):
            parts[name] = Part(low, low + split.share)
            low += split.share
    return {**parts, "train": Part(low, 1.0)} if parts else {}


def _reader(settings: TextFile | PracticeTexts, data: LabelledData, root: Path, where: str) -> Reader:
    if isinstance(settings, PracticeTexts):
        return TenseReader(settings)
    return _table(settings, find(settings.file, root, f"{where}.file"), data.encoding, f"{where}.file")


def _table(settings: TextFile, path: Path, encoding: str, where: str) -> Reader:
    columns = Columns(settings.text, settings.label)
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    kind = _TABLES.get(ending)
    if kind is None:
        raise ValueError(f"{where}: {path.name}: {unknown('kind of table', ending, _TABLES)}")
    if kind == "jsonl":
        return LabelledLinesReader(path, columns, encoding)
    return TableReader(path, kind, columns, encoding)
