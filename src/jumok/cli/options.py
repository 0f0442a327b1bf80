"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from jumok.cli.completing import recipe_names

RecipeName = Annotated[
    str,
    typer.Argument(help="One of 'jumok recipes', or a file of yours.", metavar="RECIPE", autocompletion=recipe_names),
]

Changes = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a field, such as training.updates=500 or model.preset=hard; as often as you like.",
        default_factory=list,
        show_default=False,
    ),
]

Beside = Annotated[
    list[Path] | None,
    typer.Option("--with", metavar="MODEL", help="Another model that decides together with it; may be repeated."),
]
Beam = Annotated[int, typer.Option("--beam", metavar="N", min=1, help="Hypotheses to follow at once; 1 is fastest.")]
NBest = Annotated[int, typer.Option("--n-best", metavar="N", min=1, help="So many of each, the best first.")]
LengthPenalty = Annotated[
    float, typer.Option("--length-penalty", metavar="P", min=0, help="The higher, the longer what is written.")
]
Draw = Annotated[
    float | None,
    typer.Option("--draw", metavar="TEMPERATURE", help="Draw words by their probability instead of searching."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Where drawing starts.")]
Searching = Annotated[
    list[str] | None,
    typer.Option(
        "--search",
        metavar="FIELD=VALUE",
        help="Any other setting of the search, such as coverage_penalty=0.2, block_ngrams=3, max_length=40 or"
        " draw.top_k=10; as often as you like.",
    ),
]
Prefix = Annotated[str | None, typer.Option("--prefix", metavar="TEXT", help="How what is written begins.")]

Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, not to standard output.")
]
Device = Annotated[
    str,
    typer.Option(
        "--device", metavar="NAME", help="cpu, cuda, cuda:1 or mps; auto: CUDA where there is one, else the CPU."
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


def search_options(
    beam: int, length_penalty: float, n_best: int = 1, draw: float | None = None, seed: int = 0, *, more: Sequence[str]
) -> dict[str, Any]:
    """How to search, as a writer takes it: the beam has room for all that are asked for.

    more: what was typed after --search, which comes last.
    """
    from jumok.core.settings import read_settings
    from jumok.decoding import SearchSettings
    from jumok.recipes.changing import parse_change
    from jumok.recipes.merging import merge
    from jumok.recipes.reading import nodes

    options: dict[str, Any] = {"beam": max(beam, n_best), "length_penalty": length_penalty}
    options |= {} if n_best == 1 else {"n_best": n_best}
    options |= {} if draw is None else {"draw": {"temperature": draw, "seed": seed}}
    told = nodes(options, "the search")
    for change in (parse_change(typed, "--search") for typed in more):
        change.check(told, ())
        told = merge(told, change.node(), SearchSettings)
    read_settings(SearchSettings, told.plain(), told.place_of)
    return dict(told.plain())
