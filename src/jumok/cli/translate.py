"""`jumok translate`: text in, translations out, and what was looked at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
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
    Searching,
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
        str | None,
        typer.Option("--into", metavar="NAME", help="The column that they become; translation, unless it is given."),
    ] = None,
    encoding: Annotated[str, typer.Option("--encoding", metavar="NAME", help="Of the input file.")] = "utf-8",
    beam: Beam = 5,
    n_best: NBest = 1,
    length_penalty: LengthPenalty = 1.0,
    draw: Draw = None,
    seed: Seed = 0,
    searching: Searching = None,
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
            "--attention",
            metavar="FILE",
            help="What was looked at, as .html, .svg, .png, .pdf, .gif, .json or .pharaoh.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line, with scores and attention.")] = False,
    device: Device = "auto",
    quiet: Quiet = False,
) -> None:
    """Translate with a trained model.

    \b
    jumok translate runs/korean "나는 어제 공원에서 고양이를 봤다."
    jumok translate runs/korean "..." --attention look.html  where words looked
    jumok translate runs/mine < input.txt > output.txt       line for line
    jumok translate runs/mine -i table.csv --column text -o out.csv
    """
    from jumok.systems import Translator
    from jumok.systems.protecting import Protection
    from jumok.viewing.saving import WRITERS

    if text and source:
        raise ValueError("give either TEXT or --input, not both")
    kinds = [kind.strip() for kind in protect.split(",") if kind.strip()]
    options = search_options(beam, length_penalty, n_best, draw, seed, more=searching or ())
    n_best = options.get("n_best", 1)
    _check_table(source, column, into, as_json, n_best)
    options |= {"replace_unknown": replace_unknown, "protection": Protection(kinds)}
    looks = None if attention is None else Looks(attention, (*WRITERS, ".pharaoh"))
    translator = Translator.load(model, *(beside or ()), device=device)
    if column is not None and source is not None:
        _translate_table(translator, source, output, column, into, encoding, prefix, options, looks)
        return
    place = partial(_place, "text" if text else source or "standard input", 1)
    results = _predictions(translator, lines(text, source, encoding), prefix, options, place, output is None)
    with written(output) as file:
        for predictions in _shown(results, quiet, output):
            if looks is not None:
                looks.add(predictions[0].attention)
            _print(predictions, file, as_json, n_best)
    if looks is not None:
        looks.save()


def _check_table(source: Path | None, column: str | None, into: str | None, as_json: bool, n_best: int) -> None:
    """Refuse what does not go together: a table comes out as a table, with one column more."""
    from jumok.systems.lines import is_table

    if column is None and into is not None:
        raise ValueError("--into: goes with --column, the column to translate")
    if column is None and source is not None and is_table(source):
        raise ValueError(f"{source}: is a table; name the column to translate with --column")
    if column is not None and source is None:
        raise ValueError("--column: goes with --input FILE.csv or FILE.tsv")
    if column is not None and (as_json or n_best > 1):
        other = "--json" if as_json else "--n-best"
        raise ValueError(f"--column: writes a table with one translation a row; leave out {other}")


def _place(where: object, first: int, number: int) -> str:
    """Where a text came from: the file and the line, or which of those that were typed."""
    return f"{where} {first + number}" if where == "text" else f"{where}:{first + number}"


def _predictions(
    translator: Translator,
    given: Iterator[str],
    prefix: str | None,
    options: dict[str, Any],
    place: Callable[[int], str],
    told_at_once: bool,
) -> Iterator[list[Prediction]]:
    """The translations, up to a text that is refused; that is told with its place, and with what has become of them.

    told_at_once: each is shown as soon as it is there, not only when all are.
    """
    from jumok.systems.lines import chunks
    from jumok.systems.translator import RefusedText

    done = 0
    for chunk in chunks(given):
        refused: RefusedText | None = None
        results: list[list[Prediction]] = []
        while chunk:
            prefixes = None if prefix is None else [prefix] * len(chunk)
            try:
                results = translator.n_best(chunk, prefixes=prefixes, first=done, **options)
                break
            except RefusedText as error:
                refused, chunk = error, chunk[: error.place - done]
        yield from results
        done += len(chunk)
        if refused is not None:
            kept = f"the {done:,} before it are translated" if done and told_at_once else "nothing is written"
            raise ValueError(f"{place(refused.place)}: {refused.reason} ({kept})")


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
    source: Path,
    output: Path | None,
    column: str,
    into: str | None,
    encoding: str,
    prefix: str | None,
    options: dict[str, Any],
    looks: Looks | None,
) -> None:
    from jumok.systems.lines import read_table

    table = read_table(source, encoding)
    place = partial(_place, source, 2)  # below the names of the columns
    found = list(_predictions(translator, iter(table.column(column, source)), prefix, options, place, False))
    with written(output) as file:
        table.with_column(into or "translation", [best.text for best, *_ in found]).write(file)
    if looks is not None:
        for best, *_ in found:
            looks.add(best.attention)
        looks.save()
