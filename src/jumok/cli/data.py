"""`jumok data`: what the corpora of a recipe are like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jumok.cli.options import Changes, RecipeName

if TYPE_CHECKING:
    from rich.console import RenderableType

    from jumok.data.checking import Checked, Example

SHOWN = 3

app = typer.Typer(no_args_is_help=True, help="Look at the data of a recipe before a model learns from it.")


@app.callback()
def data() -> None:
    """Look at the data of a recipe before a model learns from it."""


@app.command()
def check(
    recipe: RecipeName,
    *,
    changes: Changes,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON, for programs.")] = False,
) -> None:
    """Read all corpora of a recipe, and report what is odd about them.

    Duplicates, odd lengths, other scripts, lines out of step, sentences that are in two splits.
    """
    from jumok.data.checking import check as check_corpora
    from jumok.data.corpora.opening import open_splits
    from jumok.data.corpora.settings import DataSettings
    from jumok.recipes.changing import parse_change
    from jumok.recipes.loading import load

    read = load(recipe, [parse_change(one) for one in changes])
    settings = getattr(read.settings, "data", None)
    if not isinstance(settings, DataSettings):
        raise ValueError(f"{recipe}: a recipe for {read.system} has no text corpora to check")
    checked = check_corpora(open_splits(settings, Path()))
    if as_json:
        typer.echo(json.dumps(_plain(checked), ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    console = Console(highlight=False)
    for part in page(checked):
        console.print(part)


def page(checked: Checked) -> list[RenderableType]:
    """The report: a table of the splits, a table of the findings, and where to look."""
    from rich.cells import cell_len
    from rich.markup import escape
    from rich.padding import Padding
    from rich.table import Table

    from jumok.data.checking.findings import percent

    splits = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("split", "pairs", "source words", "target words", "scripts"):
        splits.add_column(title, justify="right" if title.endswith(("pairs", "words")) else "left")
    for split in checked.figures:
        numbers = (f"{number:,}" for number in (split.pairs, split.source_words, split.target_words))
        splits.add_row(split.name, *numbers, f"{split.source_script} to {split.target_script}")
    parts: list[RenderableType] = [splits, ""]
    if not checked.findings:
        return [*parts, "Nothing odd was found."]
    for finding in checked.findings:
        head = f"[bold]{escape(finding.split)}: {escape(finding.name)}[/], {finding.found:,} ({percent(finding.share)})"
        shown = [_words(example) for example in finding.examples[:SHOWN]]
        where = Table.grid(padding=(0, 2))
        where.add_column(no_wrap=True, min_width=max((cell_len(place) for place, _ in shown), default=0))
        where.add_column(no_wrap=True, overflow="ellipsis", style="dim")
        for words in shown:
            where.add_row(*map(escape, words))
        said = escape(f"{finding.rule}. {finding.advice[:1].upper()}{finding.advice[1:]}.")
        parts += [head, Padding(said, (0, 2)), Padding(where, (0, 4)), ""]
    return parts[:-1]


def _words(example: Example) -> tuple[str, str]:
    """Where an example is, without folders, and its text."""
    places = (Path(place).name for place in (example.place, example.other) if place)
    return " = ".join(places), f"{example.source} | {example.target}" if example.source else ""


def _plain(value: Any) -> Any:
    """Records as mappings, for JSON."""
    if hasattr(value, "_asdict"):
        return {name: _plain(inner) for name, inner in value._asdict().items()}
    return [_plain(inner) for inner in value] if isinstance(value, tuple) else value
