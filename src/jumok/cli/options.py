"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

RecipeName = Annotated[str, typer.Argument(help="One of 'jumok recipes', or a file of yours.", metavar="RECIPE")]

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
