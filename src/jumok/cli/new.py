"""`jumok new`: a recipe for a corpus that nobody has looked at yet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jumok.cli.completing import preset_names
from jumok.cli.recipes import duration

app = typer.Typer(no_args_is_help=True, help="Write a recipe for your own data.")


@app.callback()
def new() -> None:
    """Write a recipe for your own data."""


@app.command()
def translation(
    source: Annotated[
        str,
        typer.Option(
            "--source", metavar="FILE", help="The sentences to translate from, one a line; with --file, the column."
        ),
    ],
    target: Annotated[
        str, typer.Option("--target", metavar="FILE", help="Their translations, line by line; or the column.")
    ],
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="TABLE",
            help="One file with both (.tsv, .csv, .jsonl, .parquet); columns by name, or by number from 0.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The recipe to write.")] = Path("recipe.yaml"),
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="The model; see 'jumok recipes show translation'.",
            autocompletion=preset_names,
        ),
    ] = "luong-general",
    encoding: Annotated[
        str | None,
        typer.Option(
            "--encoding",
            metavar="NAME",
            help="How the files write their letters; guessed without it.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a recipe that is there.")] = False,
) -> None:
    """Look at a corpus, and write a recipe for it: sizes, a split, the time to expect.

    \b
    jumok new translation --source train.en --target train.de
    jumok new translation --file pairs.tsv --source 0 --target 1 --out mine.yaml
    """
    from jumok.core.files import write_whole
    from jumok.core.settings import read_settings
    from jumok.data.corpora.settings import PairFiles, TableFile
    from jumok.recipes.finding import ENDINGS
    from jumok.recipes.loading import load
    from jumok.recipes.proposing import propose

    if out.suffix not in ENDINGS:
        raise ValueError(f"--out {out}: the name of a recipe ends in .yaml")
    if out.exists() and not force:
        raise ValueError(f"--out {out}: is there already; write over it with --force, or choose another name")
    if not out.absolute().parent.is_dir():
        raise ValueError(f"--out {out}: there is no folder {out.parent}")
    corpus: PairFiles | TableFile
    for option, name in {"--file": str(file)}.items() if file else {"--source": source, "--target": target}.items():
        _check_file(option, name)
    if file is None:
        corpus = read_settings(PairFiles, {"source": source, "target": target}, "--source, --target")
    else:
        values = {"file": str(file), "source": _column(source), "target": _column(target)}
        corpus = read_settings(TableFile, values, "--file, --source, --target")
    proposal = propose(corpus, encoding, out.absolute().parent, preset, str(out))
    write_whole(out, proposal.text)
    load(out)  # what we write can be read
    seen = proposal.look
    for line in proposal.report.lines()[1:]:
        typer.echo(line)
    if encoding is None and proposal.encoding != "utf-8":
        typer.echo(f"the files look like {proposal.encoding}; see data.encoding in the recipe")
    typer.echo(f"{seen.pairs:,} pairs, {seen.source.script} to {seen.target.script}")
    typer.echo(f"wrote {out}; about {duration(proposal.minutes)} on this machine (an estimate)")
    typer.echo(f"next: jumok data check {out}, then: jumok train {out}")


def _check_file(option: str, name: str) -> None:
    """Refuse a file that is not there, by the option that names it."""
    from jumok.core.names import nearest

    path = Path(name).expanduser()
    if path.is_dir():
        raise ValueError(f"{option} {name}: is a folder; name a file")
    if path.is_file():
        return
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{option} {name}: there is no folder {path.parent}")
    close = nearest(path.name, [one.name for one in path.absolute().parent.iterdir() if one.is_file()])
    meant = f"did you mean {close!r}?" if close else f"there is none like it in {path.absolute().parent}"
    column = "" if option == "--file" else "; a column goes with --file TABLE"
    raise FileNotFoundError(f"{option} {name}: there is no such file; {meant}{column}")


def _column(text: str) -> int | str:
    return int(text) if text.isdecimal() else text
