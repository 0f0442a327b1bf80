"""Files of captions, as they are written: which pictures they name, and what they say of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jumok.core.names import unknown
from jumok.data.corpora.columns import Columns, field, kind_of
from jumok.data.corpora.files import opened
from jumok.data.corpora.lines import text_lines
from jumok.data.corpora.rows import Fault
from jumok.data.corpora.tables import TableReader
from jumok.data.pictures.report import MEND


class Entry(NamedTuple):
    """A picture's name with its captions, and the place that says so."""

    place: str
    picture: str
    captions: Sequence[str]


def flickr_entries(captions: Path, split: Path, encoding: str) -> Iterator[Entry | Fault]:
    """Yields the pictures of a list, with the captions that a file gives as `NAME#NUMBER<tab>CAPTION`."""
    told: dict[str, list[str]] = {}
    for number, line in enumerate(text_lines(captions, encoding), start=1):
        if isinstance(line, Fault):
            yield line._replace(advice=MEND)
            continue
        name, tab, caption = line.rstrip("\r\n").partition("\t")
        name, mark, _ = name.rpartition("#")
        if tab and mark:
            told.setdefault(name, []).append(caption)
        elif line.strip():
            yield Fault(f"{captions}:{number}", "not NAME#NUMBER, a tab and a caption", advice=MEND)
    for number, line in enumerate(text_lines(split, encoding), start=1):
        if isinstance(line, Fault):
            yield line._replace(advice=MEND)
        elif name := line.strip():
            yield Entry(f"{split}:{number}", name, told.get(name, ()))


def karpathy_entries(path: Path, splits: Sequence[str]) -> Iterator[Entry | Fault]:
    """Yields the pictures of some splits."""
    images = _listed(_json_of(path), "images", path)
    known = {str(image.get("split")) for image in images if isinstance(image, Mapping)}
    for split in splits:
        if split not in known:
            raise ValueError(f"{path}: {unknown('split', split, known)}")
    for number, image in enumerate(images):
        place = f"{path}:images[{number}]"
        try:
            if image["split"] not in splits:
                continue
            name = "/".join(part for part in (image.get("filepath", ""), image["filename"]) if part)
            yield Entry(place, name, [sentence["raw"] for sentence in image["sentences"]])
        except (KeyError, TypeError, AttributeError):
            yield Fault(place, "not a picture with split, filename and sentences", advice=MEND)


def coco_entries(path: Path) -> Iterator[Entry | Fault]:
    """Yields the pictures in their order, with the captions that name them by their `id`."""
    content = _json_of(path)
    images, annotations = _listed(content, "images", path), _listed(content, "annotations", path)
    told: dict[Any, list[str]] = {}
    for number, annotation in enumerate(annotations):
        try:
            told.setdefault(annotation["image_id"], []).append(annotation["caption"])
        except (KeyError, TypeError):
            detail = "are these the annotations of objects, not the captions?" if number == 0 else ""
            yield Fault(f"{path}:annotations[{number}]", "not a caption with image_id and caption", detail, MEND)
    for number, image in enumerate(images):
        place = f"{path}:images[{number}]"
        try:
            captions: Sequence[str] = told.pop(image["id"], ())
            yield Entry(place, image["file_name"], captions)
        except (KeyError, TypeError):
            yield Fault(place, "not a picture with id and file_name", advice=MEND)
    for lost in told:
        yield Fault(f"{path}:annotations", "captions of a picture that is not listed", f"image_id {lost!r}", MEND)


def table_entries(path: Path, kind: str, columns: Columns, encoding: str) -> Iterator[Entry | Fault]:
    """Yields each picture once, where it is named first, with the captions of all of its rows."""
    told: dict[str, tuple[str, list[str]]] = {}
    for found in _json_rows(path, columns, encoding) if kind == "jsonl" else _rows(path, kind, columns, encoding):
        if isinstance(found, Fault):
            yield found._replace(advice=MEND) if found.reason != "the line is empty" else found
        elif any(not caption.strip() for caption in found.captions):
            yield Fault(found.place, "the caption is empty", f"of {found.picture}", MEND)
        else:
            told.setdefault(found.picture, (found.place, []))[1].extend(found.captions)
    for name, (place, captions) in told.items():
        yield Entry(place, name, captions)


def _rows(path: Path, kind: str, columns: Columns, encoding: str) -> Iterator[Entry | Fault]:
    reader = TableReader(path, kind, columns, encoding)
    for row in reader.rows():
        if isinstance(row, Fault):
            yield row
        else:
            yield Entry(reader.place(row.number, "source"), row.source.strip(), [row.target])


def _json_rows(path: Path, columns: Columns, encoding: str) -> Iterator[Entry | Fault]:
    for number, line in enumerate(text_lines(path, encoding), start=1):
        place = f"{path}:{number}"
        if isinstance(line, Fault):
            yield line
            continue
        try:
            row = json.loads(line)
            name, captions = field(row, columns.source), field(row, columns.target)
        except KeyError as error:
            there = f"it has {', '.join(map(str, row))}" if isinstance(row, dict) else f"it is {kind_of(row)}"
            yield Fault(place, f"there is no field {error.args[0]!r}", there[:200])
            continue
        except (ValueError, RecursionError) as error:
            yield Fault(place, "not valid JSON" if line.strip() else "the line is empty", str(error).splitlines()[0])
            continue
        captions = captions if isinstance(captions, list) else [captions]
        strange = [value for value in (name, *captions) if not isinstance(value, str)]
        if strange:
            yield Fault(place, "the picture or a caption is not text", f"it is {kind_of(strange[0])}")
        else:
            yield Entry(place, name.strip(), captions)


def _json_of(path: Path) -> Any:
    with opened(path) as file:
        content = file.read()
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not valid JSON ({str(error).splitlines()[0]}); copy or download it again") from None


def _listed(content: Any, name: str, path: Path) -> Sequence[Any]:
    found = content.get(name) if isinstance(content, Mapping) else None
    if not isinstance(found, list):
        there = (
            f"it has {', '.join(map(str, content))}" if isinstance(content, Mapping) else f"it is {kind_of(content)}"
        )
        raise ValueError(f"{path}: there is no list {name!r} ({there[:200]}); is it the right kind of file?")
    return found
