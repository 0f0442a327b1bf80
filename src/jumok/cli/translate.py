"""`jumok translate`: text in, translations out, and what was looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from jumok.cli.looks import Looks
from jumok.cli.options import (
    Beam,
    Beside,
    Device,
    Draw,
    LengthPenalty,
    NBest,
    Output,
    Prefix,
    Quiet,
    Seed,
    search_options,
)
from jumok.cli.streams import is_elsewhere, lines, written

if TYPE_CHECKING:
    from jumok.systems import Prediction, Translator


def translate(
    model: Annotated[Path, typer.Argument(help="The folder of a trained model, such as runs/korean.", metavar="MODEL")],
    text: Annotated[
        list[str] | None,
        typer.Argument(help="What to translate; without it, the lines of standard input.", metavar="TEXT"),
    ] = None,
    beside: Beside = None,
    source: Annotated[
        Path | None, typer.Option("--input", "-i", metavar="FILE", help="Translate the lines of a file, or a table.")
    ] = None,
    output: Output = None,
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="NAME", help="Of a .csv or .tsv: the column to translate."),
    ] = None,
    into: Annotated[
        str, typer.Option("--into", metavar="NAME", help="The column that the translations become.")
    ] = "translation",
    encoding: Annotated[str, typer.Option("--encoding", metavar="NAME", help="Of the input file.")] = "utf-8",
    beam: Beam = 5,
    n_best: NBest = 1,
    length_penalty: LengthPenalty = 1.0,
    draw: Draw = None,
    seed: Seed = 0,
    prefix: Prefix = None,
    replace_unknown: Annotated[
        bool, typer.Option("--replace-unknown", help="Write the source's word for one that the model does not know.")
    ] = False,
    protect: Annotated[
        str, typer.Option("--protect", metavar="KINDS", help="Keep tags, placeholders, numbers: names with commas.")
    ] = "",
    attention: Annotated[
        Path | None,
        typer.Option(
            "--attention", metavar="FILE", help="What was looked at, as .html, .svg, .png, .pdf, .json or .pharaoh."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line, with scores and attention.")] = False,
    device: Device = "auto",
    quiet: Quiet = False,
) -> None:
    """Translate with a trained model.

    \b
    jumok translate runs/korean "나는 어제 공원에서 고양이를 봤다."
    jumok translate runs/korean "..." --attention look.html      see what each word looked at
    jumok translate runs/mine < input.txt > output.txt           line for line
    jumok translate runs/mine -i table.csv --column text -o out.csv
    """
    from jumok.systems import Translator
    from jumok.systems.protecting import Protection
    from jumok.viewing.saving import WRITERS

    if text and source:
        raise ValueError("give either TEXT or --input, not both")
    kinds = [kind.strip() for kind in protect.split(",") if kind.strip()]
    options = search_options(beam, n_best, length_penalty, draw, seed)
    options |= {"replace_unknown": replace_unknown, "protection": Protection(kinds)}
    looks = None if attention is None else Looks(attention, (*WRITERS, ".pharaoh"))
    translator = Translator.load(model, *(beside or ()), device=device)
    if column is not None:
        _translate_table(translator, source, output, column, into, encoding, prefix, options, looks)
        return
    results = _predictions(translator, lines(text, source, encoding), prefix, options)
    with written(output) as file:
        for predictions in _shown(results, quiet, output):
            if looks is not None:
                looks.add(predictions[0].attention)
            _print(predictions, file, as_json, n_best)
    if looks is not None:
        looks.save()


def _predictions(
    translator: Translator, given: Iterator[str], prefix: str | None, options: dict[str, Any]
) -> Iterator[list[Prediction]]:
    from jumok.systems.lines import chunks

    done = 0
    for chunk in chunks(given):
        prefixes = None if prefix is None else [prefix] * len(chunk)
        yield from translator.n_best(chunk, prefixes=prefixes, first=done, **options)
        done += len(chunk)


def _shown(results: Iterator[list[Prediction]], quiet: bool, output: Path | None) -> Iterator[list[Prediction]]:
    """The results as they come, counted on a terminal where they do not go themselves."""
    from jumok.systems.waiting import Waiting

    with Waiting(quiet or not is_elsewhere(output))("translating") as progress:
        for number, result in enumerate(results, start=1):
            yield result
            if progress is not None and number % 100 == 0:
                progress(number)


def _print(predictions: list[Prediction], file: IO[str], as_json: bool, n_best: int) -> None:
    if as_json:
        plain = [prediction.to_dict() for prediction in predictions]
        print(json.dumps(plain[0] if n_best == 1 else plain, ensure_ascii=False), file=file, flush=True)
    elif n_best == 1:
        print(predictions[0].text, file=file, flush=True)
    else:
        for prediction in predictions:
            print(f"{prediction.rank_score:.4f}\t{prediction.text}", file=file)
        print(file=file, flush=True)


def _translate_table(
    translator: Translator,
    source: Path | None,
    output: Path | None,
    column: str,
    into: str,
    encoding: str,
    prefix: str | None,
    options: dict[str, Any],
    looks: Looks | None,
) -> None:
    from jumok.systems.lines import read_table

    if source is None:
        raise ValueError("--column: goes with --input FILE.csv or FILE.tsv")
    table = read_table(source, encoding)
    found = list(_predictions(translator, iter(table.column(column, source)), prefix, options))
    with written(output) as file:
        table.with_column(into, [best.text for best, *_ in found]).write(file)
    if looks is not None:
        for best, *_ in found:
            looks.add(best.attention)
        looks.save()
