"""`jumok show`: a look that was saved as JSON, in the terminal or as a picture; a model as a diagram."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jumok.cli.streams import check_folder

if TYPE_CHECKING:
    from jumok.viewing import AttentionMap, GraphLook

FORMS = "matrix, lines, heads (layers by heads), story (sentences with bars) or panels (over a picture)"


def show(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="What --attention FILE.json wrote; or a preset, such as bahdanau."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The picture: .svg, .png, .pdf, .gif or .html. Without it, the terminal.",
        ),
    ] = None,
    form: Annotated[
        str | None, typer.Option("--form", metavar="FORM", help=f"What is drawn: {FORMS}; by default what fits.")
    ] = None,
    layer: Annotated[
        int | None, typer.Option("--layer", metavar="N", help="One layer, from 0; -1 is the last.")
    ] = None,
    head: Annotated[
        int | None, typer.Option("--head", metavar="N", help="One head, from 0; without it their mean.")
    ] = None,
    words: Annotated[bool, typer.Option("--words", help="Put subwords together to words.")] = False,
    special: Annotated[
        bool, typer.Option("--special/--no-special", help="With or without the end of the sentence and its like.")
    ] = True,
    rows: Annotated[str, typer.Option("--rows", metavar="SIDE", help="The side at the left: target or source.")] = (
        "target"
    ),
    palette: Annotated[
        str,
        typer.Option("--palette", metavar="NAME", help="blue, grey (white is 1, as in the paper), viridis or cividis."),
    ] = "blue",
    language: Annotated[
        str, typer.Option("--language", "-l", metavar="CODE", help="Of a diagram's words: en or ko.")
    ] = "en",
) -> None:
    """Draw what was looked at, from the JSON that it was saved as.

    Several files, or one with several maps, become one picture or one page.
    A preset is drawn as a diagram: what reads, looks and writes, and what feeds what.

    \b
    jumok translate runs/korean "나는 왔다." --attention look.json
    jumok show look.json -o look.svg --form lines
    jumok show bahdanau -o bahdanau.svg
    """
    from jumok.viewing import GraphLook, read_looks

    if output is not None:
        check_folder(output, "--output")
    if len(files) == 1 and files[0].suffix.lower() != ".json" and not files[0].exists():
        _show_preset(str(files[0]), output, language)
        return
    for file in files:
        if not file.exists():
            raise FileNotFoundError(
                f"{file}: there is no such file; --attention FILE.json of other commands writes one"
            )
    looks = [look for file in files for look in read_looks(file)]
    graphs = [look for look in looks if isinstance(look, GraphLook)]
    maps = [_chosen(look, layer, head, words, special) for look in looks if not isinstance(look, GraphLook)]
    if graphs and (maps or len(graphs) > 1):
        raise ValueError("the looks of a graph stand alone; show one file of them at a time")
    if graphs:
        _show_graph(graphs[0], output, layer)
    elif output is None:
        _print(maps, rows)
    else:
        _save(maps, output, form, rows, palette)


def _show_preset(name: str, output: Path | None, language: str) -> None:
    from jumok.core.names import unknown
    from jumok.models.drawing import diagram
    from jumok.models.settings import PRESETS, ModelSettings
    from jumok.viewing.saving import write_scene

    if name not in PRESETS:
        raise ValueError(f"{name}: is no .json of a look; and as a preset: {unknown('preset', name, PRESETS)}")
    if output is None:
        raise ValueError(f"{name}: a diagram goes into a file; give --output, such as -o {name}.svg")
    write_scene(diagram(ModelSettings(preset=name), language=language), output)


def _chosen(look: AttentionMap, layer: int | None, head: int | None, words: bool, special: bool) -> AttentionMap:
    if layer is not None or head is not None:
        look = look.select(-1 if layer is None else layer, head)
    look = look.words() if words else look
    return look if special else look.without_special()


def _save(maps: list[AttentionMap], output: Path, form: str | None, rows: str, palette: str) -> None:
    from jumok.viewing import save_together

    if len(maps) == 1:
        maps[0].save(output, form=form, rows=rows, palette=palette)
    else:
        save_together(maps, output, form=form, rows=rows, palette=palette)


def _print(maps: list[AttentionMap], rows: str) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for number, look in enumerate(maps):
        if number:
            console.print()
        console.print(look.draw(rows=rows))


def _show_graph(look: GraphLook, output: Path | None, layer: int | None) -> None:
    number = -1 if layer is None else layer
    if output is not None:
        look.save(output, layer=number)
    else:
        _print([look.map(layer=number)], "target")
