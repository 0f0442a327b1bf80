"""`jumok recipes`: the list of recipes, and one of them as it was written."""

from __future__ import annotations

from typing import Annotated

import typer

from jumok.cli.completing import recipe_names

app = typer.Typer(help="List the recipes that come with jumok, or show one.")


@app.callback(invoke_without_command=True)
def recipes(context: typer.Context) -> None:
    """List the recipes that come with jumok: what each trains, what data it needs, how long it takes.

    'jumok recipes show NAME' prints one; 'jumok train NAME' runs it.
    """
    if context.invoked_subcommand is None:
        _list()


@app.command()
def show(
    recipe: Annotated[
        str,
        typer.Argument(
            help="The recipe: a name from the list, or a file.", metavar="RECIPE", autocompletion=recipe_names
        ),
    ],
    resolved: Annotated[
        bool, typer.Option("--resolved", help="The whole recipe, with all that it inherits and every default.")
    ] = False,
) -> None:
    """Print a recipe as it was written, with its comments.

    A recipe of your own can start from it: jumok recipes show korean > mine.yaml
    """
    from jumok.recipes.listing import text_of
    from jumok.recipes.loading import load
    from jumok.recipes.writing import dump

    typer.echo(dump(load(recipe).settings) if resolved else text_of(recipe), nl=False)


def _list() -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from jumok.recipes.listing import listed

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("recipe", style="cyan", no_wrap=True)
    table.add_column("what it trains", ratio=3)
    table.add_column("needs", ratio=2, overflow="fold")
    table.add_column("time", no_wrap=True)
    for name, about in listed():
        table.add_row(name, escape(about.what), escape(about.needs), duration(about.minutes))
    console = Console(highlight=False)
    console.print(table)
    console.print("\nTimes are for two cores, without a GPU. Next: jumok recipes show NAME, jumok train NAME")


def duration(minutes: float | None) -> str:
    """How long, in the unit that is easiest to read.

    >>> [duration(minutes) for minutes in (None, 0.4, 3, 150, 4000)]
    ['', '1 min', '3 min', '2.5 h', '2.8 days']
    """
    if minutes is None:
        return ""
    if minutes < 90:
        return f"{max(1, round(minutes))} min"
    return f"{minutes / 60:.2g} h" if minutes < 48 * 60 else f"{minutes / 1440:.2g} days"
