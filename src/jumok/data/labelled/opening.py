"""From settings to labelled texts."""

from __future__ import annotations

from pathlib import Path

from jumok.core.names import unknown
from jumok.data.corpora.columns import Columns
from jumok.data.corpora.files import find
from jumok.data.corpora.json_lines import JsonLinesReader
from jumok.data.corpora.rows import Reader
from jumok.data.corpora.splits import HeldOut
from jumok.data.corpora.tables import TableReader
from jumok.data.labelled.json_lines import labelled_row
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
        part=data.parts().get(split),
        are_numbers=data.target == "number",
    )


def open_file(path: Path, data: LabelledData, text: str, label: str) -> LabelledTexts:
    """The texts of another file, read as `data` says."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    reader = _table(TextFile(file=str(path), text=text, label=label), path, data.encoding, str(path))
    skip = data.on_error == "skip"
    return LabelledTexts(path.name, reader, skip=skip, lowercase=data.lowercase, are_numbers=data.target == "number")


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
        return JsonLinesReader(path, columns, encoding, labelled_row)
    return TableReader(path, kind, columns, encoding)
