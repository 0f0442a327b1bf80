"""`jumok translate`: text in, translations out, and what was looked at."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from jumok.systems import Prediction, Translator


def translate(
    model: Annotated[Path, typer.Argument(help="The folder of a trained model, such as runs/korean.", metavar="MODEL")],
    text: Annotated[
        list[str] | None,
        typer.Argument(help="What to translate; without it, the lines of standard input.", metavar="TEXT"),
    ] = None,
    beside: Annotated[
        list[Path] | None,
        typer.Option("--with", metavar="MODEL", help="Another model that decides together with it; may be repeated."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--input", "-i", metavar="FILE", help="Translate the lines of a file, or a table.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, not to standard output.")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="NAME", help="Of a .csv or .tsv: the column to translate."),
    ] = None,
    into: Annotated[
        str, typer.Option("--into", metavar="NAME", help="The column that the translations become.")
    ] = "translation",
    encoding: Annotated[str, typer.Option("--encoding", metavar="NAME", help="Of the input file.")] = "utf-8",
    beam: Annotated[int, typer.Option("--beam", min=1, help="Hypotheses to follow at once; 1 is fastest.")] = 5,
    n_best: Annotated[int, typer.Option("--n-best", min=1, help="Translations of each line, the best first.")] = 1,
    length_penalty: Annotated[
        float, typer.Option("--length-penalty", min=0, help="The higher, the longer the translations.")
    ] = 1.0,
    draw: Annotated[
        float | None,
        typer.Option("--draw", metavar="TEMPERATURE", help="Draw words by their probability instead of searching."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Where drawing starts.")] = 0,
    prefix: Annotated[str | None, typer.Option("--prefix", metavar="TEXT", help="How the translations begin.")] = None,
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
    device: Annotated[str, typer.Option("--device", help="cpu, cuda, mps; auto takes the best there is.")] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
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

    if text and source:
        raise ValueError("give either TEXT or --input, not both")
    kinds = [kind.strip() for kind in protect.split(",") if kind.strip()]
    options: dict[str, Any] = {
        "beam": max(beam, n_best),
        "n_best": n_best,
        "length_penalty": length_penalty,
        "replace_unknown": replace_unknown,
        "protection": Protection(kinds),
    }
    if draw is not None:
        options["draw"] = {"temperature": draw, "seed": seed}
    sink = None if attention is None else _Looks(attention)
    translator = Translator.load(model, *(beside or ()), device=device)
    if column is not None:
        _translate_table(translator, source, output, column, into, encoding, prefix, options, sink)
        return
    with ExitStack() as stack:
        file = stack.enter_context(_written(output))
        for predictions in _shown(
            _predictions(translator, _lines(text, source, encoding), prefix, options), quiet, output
        ):
            if sink is not None:
                sink.add(predictions[0])
            _print(predictions, file, as_json, n_best)
    if sink is not None:
        sink.save()


def _lines(text: Sequence[str] | None, source: Path | None, encoding: str) -> Iterator[str]:
    from jumok.systems.lines import read_lines

    if text:
        return iter(text)
    if source is not None:
        return read_lines(source, encoding)
    if sys.stdin.isatty():
        print("type a line and press Enter; Ctrl-D ends", file=sys.stderr)
    sys.stdin.reconfigure(encoding="utf-8", errors="strict", newline="\n")  # type: ignore[union-attr]
    return _typed()


def _typed() -> Iterator[str]:
    try:
        for line in sys.stdin:
            yield line.rstrip("\n").rstrip("\r")
    except UnicodeDecodeError as error:
        raise ValueError(f"standard input is not UTF-8 ({error.reason}); use --input with --encoding") from None


def _predictions(
    translator: Translator, lines: Iterator[str], prefix: str | None, options: dict[str, Any]
) -> Iterator[list[Prediction]]:
    from jumok.systems.lines import chunks

    done = 0
    for chunk in chunks(lines):
        prefixes = None if prefix is None else [prefix] * len(chunk)
        yield from translator.n_best(chunk, prefixes=prefixes, first=done, **options)
        done += len(chunk)


def _shown(results: Iterator[list[Prediction]], quiet: bool, output: Path | None) -> Iterator[list[Prediction]]:
    """The results as they come, counted on a terminal where they do not go themselves."""
    from jumok.systems.waiting import Waiting

    elsewhere = output is not None or not sys.stdout.isatty()
    with Waiting(quiet or not elsewhere)("translating") as progress:
        for number, result in enumerate(results, start=1):
            yield result
            if progress is not None and number % 100 == 0:
                progress(number)


@contextmanager
def _written(output: Path | None) -> Iterator[IO[str]]:
    """Standard output, or a file that is there when all is done."""
    from jumok.core.files import written_beside

    if output is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        yield sys.stdout
        return
    _check_folder(output, "--output")
    with written_beside(output) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        yield file


def _check_folder(path: Path, option: str) -> None:
    if not path.absolute().parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise ValueError(f"{option} {path}: is a folder; name a file")


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
    sink: _Looks | None,
) -> None:
    from jumok.systems.lines import read_table

    if source is None:
        raise ValueError("--column: goes with --input FILE.csv or FILE.tsv")
    table = read_table(source, encoding)
    found = list(_predictions(translator, iter(table.column(column, source)), prefix, options))
    with _written(output) as file:
        table.with_column(into, [best.text for best, *_ in found]).write(file)
    if sink is not None:
        for best, *_ in found:
            sink.add(best)
        sink.save()


class _Looks:
    """Gathers what was looked at, and writes it as the file's ending says."""

    def __init__(self, path: Path) -> None:
        from jumok.viewing.saving import WRITERS

        known = (*WRITERS, ".pharaoh")
        if path.suffix.lower() not in known:
            raise ValueError(f"--attention {path}: cannot tell what to write; end the name in {', '.join(known)}")
        _check_folder(path, "--attention")
        self.path = path
        self.predictions: list[Prediction] = []

    def add(self, prediction: Prediction) -> None:
        self.predictions.append(prediction)

    def save(self) -> None:
        """One file for all where it can hold them, else one a sentence, numbered."""
        from jumok.core.files import write_whole
        from jumok.viewing import save_html

        if not any(prediction.attention for prediction in self.predictions):
            raise ValueError("--attention: this model has no attention, so there is nothing to see")
        maps = [prediction.attention for prediction in self.predictions]
        there = [each for each in maps if each is not None]
        kind = self.path.suffix.lower()
        if kind == ".html":
            save_html(there, self.path)
        elif kind == ".json":
            plain = [None if each is None else each.to_dict() for each in maps]
            write_whole(self.path, json.dumps(plain[0] if len(plain) == 1 else plain, ensure_ascii=False) + "\n")
        elif kind == ".pharaoh":
            lines = ("" if each is None else _pharaoh(each) for each in maps)
            write_whole(self.path, "".join(f"{line}\n" for line in lines))
        elif len(there) == 1:
            there[0].save(self.path)
        else:
            for number, each in enumerate(maps, start=1):
                if each is not None:
                    each.save(self.path.with_stem(f"{self.path.stem}-{number}"))


def _pharaoh(look: Any) -> str:
    """`source-target` for each word of the translation, counted from 0."""
    links = sorted((column, row) for row, column in look.words().without_special().links())
    return " ".join(f"{source}-{target}" for source, target in links)
