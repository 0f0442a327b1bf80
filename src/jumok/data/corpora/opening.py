"""From settings to corpora."""

from __future__ import annotations

from pathlib import Path

from jumok.core.names import unknown
from jumok.data.corpora.columns import Columns
from jumok.data.corpora.corpus import Corpus
from jumok.data.corpora.files import find
from jumok.data.corpora.json_lines import JsonLinesReader
from jumok.data.corpora.pair_files import PairFilesReader
from jumok.data.corpora.parquet import ParquetReader
from jumok.data.corpora.parts import Part
from jumok.data.corpora.practice import PracticeReader
from jumok.data.corpora.rows import Reader
from jumok.data.corpora.settings import DataSettings, HubData, PairFiles, PracticeData, TableFile
from jumok.data.corpora.splits import HeldOut
from jumok.data.corpora.tables import TableReader

_TABLES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".tsv": "tsv", ".txt": "tsv"}

SPLITS = ("train", "validation", "test")
AnyCorpus = PairFiles | TableFile | HubData | PracticeData | HeldOut


def open_splits(data: DataSettings, folder: Path) -> dict[str, Corpus]:
    """All splits that there are, by name: train, validation, test."""
    return {name: open_split(name, data, folder) for name in SPLITS if getattr(data, name) is not None}


def open_split(split: str, data: DataSettings, folder: Path) -> Corpus:
    """The corpus of one split of `data`; paths start from `data.root`, and that from `folder`.

    What is held out of the training corpus for another split is left out of train.
    """
    settings = getattr(data, split)
    name, whole = ("train", data.train) if isinstance(settings, HeldOut) else (split, settings)
    reader = _reader(whole, data, folder / Path(data.root).expanduser(), f"data.{name}")
    return _corpus(split, reader, data, data.parts().get(split))


def open_corpus(settings: AnyCorpus, data: DataSettings, folder: Path) -> Corpus:
    """The corpus of any settings, read as `data` says; one that is a split of `data` is opened as that split."""
    found = [name for name in SPLITS if getattr(data, name) is settings]
    found = found or [name for name in SPLITS if getattr(data, name) == settings]
    if isinstance(settings, HeldOut) and len(found) != 1:
        raise ValueError(f"a share of train is that of one split, not of {len(found)}: open it with open_split")
    if found:
        return open_split(found[0], data, folder)
    root = folder / Path(data.root).expanduser()
    return _corpus("corpus", _reader(settings, data, root, "corpus"), data, None)


def _corpus(name: str, reader: Reader, data: DataSettings, part: Part | None) -> Corpus:
    return Corpus(name, reader, skip=data.on_error == "skip", lowercase=data.lowercase, part=part)


def _reader(settings: AnyCorpus, data: DataSettings, root: Path, where: str) -> Reader:
    if isinstance(settings, PairFiles):
        paths = [find(getattr(settings, side), root, f"{where}.{side}") for side in ("source", "target")]
        return PairFilesReader(paths[0], paths[1], data.encoding)
    if isinstance(settings, PracticeData):
        return PracticeReader(settings)
    if isinstance(settings, HubData):
        from jumok.data.corpora.hub import open_hub

        return open_hub(settings, f"{where}.hub")
    assert isinstance(settings, TableFile)
    return _table(settings, find(settings.file, root, f"{where}.file"), data.encoding, f"{where}.file")


def _table(settings: TableFile, path: Path, encoding: str, where: str) -> Reader:
    columns = Columns(settings.source, settings.target)
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    kind = _TABLES.get(ending)
    if kind == "parquet":
        if path.name.lower().endswith(".gz"):
            raise ValueError(f"{where}: {path.name}: Parquet is packed in itself; unpack the .gz first")
        return ParquetReader(path, columns)
    if kind == "jsonl":
        return JsonLinesReader(path, columns, encoding)
    if kind is None:
        raise ValueError(f"{where}: {path.name}: {unknown('kind of table', ending, _TABLES)}")
    return TableReader(path, kind, columns, encoding)
