"""`jumok predict`: a text or a picture in, its label out, with the weight of each word or region."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, NamedTuple

import typer

from jumok.cli.looks import Looks
from jumok.cli.options import Device, Output
from jumok.cli.picture_files import found, readable, tell_broken
from jumok.cli.streams import lines, written

if TYPE_CHECKING:
    from jumok.data.pictures import PictureFile, PictureScene
    from jumok.systems.reader import Reader, Reading

REGIONS, CHUNK = 3, 32
"""Regions of a picture that are printed; pictures that are decoded together."""


def predict(
    model: Annotated[
        Path, typer.Argument(help="The folder of a trained reader, such as runs/classify.", metavar="MODEL")
    ],
    text: Annotated[
        list[str] | None,
        typer.Argument(
            help="What to read; without it, the lines of standard input. For a model of pictures: files, folders.",
            metavar="TEXT|IMAGE",
        ),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--input", "-i", metavar="FILE", help="Read the lines of a file, or a table.")
    ] = None,
    output: Output = None,
    column: Annotated[
        str | None, typer.Option("--column", metavar="NAME", help="Of a .csv or .tsv: the column to read.")
    ] = None,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="NAME", help="With --column: the column that the labels become (prediction)."),
    ] = None,
    encoding: Annotated[str, typer.Option("--encoding", metavar="NAME", help="Of the input file.")] = "utf-8",
    examples: Annotated[
        int | None,
        typer.Option(
            "--examples",
            min=1,
            metavar="N",
            help="For adding, multiplication and recognise: N new ones, made up, with what is right.",
        ),
    ] = None,
    attention: Annotated[
        Path | None,
        typer.Option("--attention", metavar="FILE", help="What was looked at, as .html, .svg, .png, .pdf or .json."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object a line, with all probabilities and attention.")
    ] = False,
    device: Device = "auto",
) -> None:
    """Tell the label of a text or a picture, and the weight of each word or region.

    \b
    jumok predict runs/classify "나는 어제 공원에서 고양이를 봤다."
    jumok predict runs/classify "..." --attention look.html
    jumok predict runs/mine < texts.txt        label, probability, words of each
    jumok predict runs/mine -i table.csv --column text -o out.csv
    jumok predict runs/recognise photo.jpg --attention look.png
    jumok predict runs/recognise --examples 3  new drawings, and what is right
    jumok predict runs/adding --examples 1 --attention look.html
    """
    from jumok.systems.reader import Reader
    from jumok.viewing.saving import WRITERS

    given = [name for name, value in (("TEXT", text), ("--input", source), ("--examples", examples)) if value]
    if len(given) > 1:
        raise ValueError(f"give either {given[0]} or {given[1]}, not both")
    _check(column, into, as_json)
    looks = None if attention is None else Looks(attention, tuple(WRITERS))
    reader = Reader.load(model, device=device)
    if reader.sees:
        pictures = _pictures(model, text, source or column, examples)
        _see(reader, pictures, output, as_json, looks)
    elif column is not None:
        _read_table(reader, source, output, column, into or "prediction", encoding, looks)
    elif examples is not None:
        with written(output) as file:
            for series, right in reader.examples(examples):
                _print(_kept(reader.read([series]), looks)[0], file, as_json, right)
    else:
        with written(output) as file:
            for reading in _readings(reader, lines(text, source, encoding)):
                _print(_kept([reading], looks)[0], file, as_json)
    if looks is not None:
        looks.save(nothing="there is nothing to look at in an empty text")


def _check(column: str | None, into: str | None, as_json: bool) -> None:
    """Refuse options that would do nothing together."""
    if column is None and into is not None:
        raise ValueError("--into: names a column of a table, so it goes with --input TABLE --column NAME")
    if column is not None and as_json:
        raise ValueError("--json: a table comes back as a table; leave --json or --column out")


class _Pictures(NamedTuple):
    """Pictures to read: files, or practice pictures with what is on them."""

    paths: list[Path]
    drawn: list[tuple[PictureFile | PictureScene, str]]


def _pictures(model: Path, images: list[str] | None, other: object, examples: int | None) -> _Pictures:
    from jumok.recipes.learned_from import drawn_like

    if examples is not None:
        return _Pictures([], drawn_like(model, examples))
    if other or not images:
        raise ValueError(
            "this model reads pictures; name files, folders, or patterns such as 'photos/*.jpg', or give --examples N"
        )
    return _Pictures(found(images), [])


def _see(reader: Reader, pictures: _Pictures, output: Path | None, as_json: bool, looks: Looks | None) -> None:
    """Pictures: a line for each; what cannot be read is told at the end."""
    paths, broken = pictures.paths, list[str]()
    with written(output) as file:
        for scene, right in pictures.drawn:
            _print(_kept(reader.read([scene]), looks)[0], file, as_json, right)
        for start in range(0, len(paths), CHUNK):
            for path, image in readable(paths[start : start + CHUNK], broken).items():
                reading = reader(image)
                reading.source = str(path)
                _kept([reading], looks)
                _print(reading, file, as_json, name=str(path) if len(paths) > 1 else "")
    if broken and len(paths) == 1:
        raise ValueError(broken[0])
    tell_broken(broken, len(paths))


def _readings(reader: Reader, given: Iterator[str]) -> Iterator[Reading]:
    from jumok.systems.lines import chunks

    done = 0
    for chunk in chunks(given):
        yield from reader.read(chunk, first=done)
        done += len(chunk)


def _kept(readings: list[Reading], looks: Looks | None) -> list[Reading]:
    """The readings; their looks are kept for the picture."""
    if looks is not None:
        for reading in readings:
            looks.add(reading.attention)
    return readings


def _print(reading: Reading, file: IO[str], as_json: bool, right: float | str | None = None, name: str = "") -> None:
    """A line: the label, its probability, each word with its weight; of a number the value; of an example what would be
    right; of a picture its name, and the regions (row, column) that got most."""
    if as_json:
        more = {} if right is None else {"right": right}
        print(json.dumps(reading.to_dict() | more, ensure_ascii=False), file=file, flush=True)
        return
    weighed = reading.words
    if reading.attention is not None and reading.attention.grid is not None:
        weighed = sorted(weighed, key=lambda pair: -pair[1])[:REGIONS]
    words = "  ".join(f"{word} {weight:.3f}" for word, weight in weighed)
    sure = [] if reading.label is None else [f"{reading.probability:.3f}"]
    told = [] if right is None else [f"right: {right if isinstance(right, str) else f'{right:.4g}'}"]
    parts = [*([name] if name else []), reading.text, *(sure + told or [""]), words]
    print("\t".join(parts).rstrip("\t"), file=file, flush=True)


def _read_table(
    reader: Reader, source: Path | None, output: Path | None, column: str, into: str, encoding: str, looks: Looks | None
) -> None:
    from jumok.systems.lines import read_table

    if source is None:
        raise ValueError("--column: goes with --input FILE.csv or FILE.tsv")
    table = read_table(source, encoding)
    found = _kept(reader.read(table.column(column, source)), looks)
    with written(output) as file:
        table.with_column(into, [reading.text for reading in found]).write(file)
