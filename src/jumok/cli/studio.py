"""`jumok studio`: models in the browser, and their API."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from jumok.cli.options import Device

DEMO = Path("jumok-demo")


def studio(
    models: Annotated[
        Optional[list[Path]],  # noqa: UP045 (typer reads this at run time, on Python 3.10 too)
        typer.Argument(metavar="MODEL", help="Folders of trained models; without any, those of 'jumok demo'."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Where it listens; 0: any that is free.")
    ] = 8899,
    host: Annotated[
        str, typer.Option("--host", metavar="NAME", help="Only this machine can ask 127.0.0.1; others need the token.")
    ] = "127.0.0.1",
    token: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--token",
            metavar="TEXT",
            help="What every request must carry; made up where the host is not this machine alone.",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    device: Device = "auto",
) -> None:
    """Serve models in the browser, each with what it looks at; and their API.

    The API's document is at /api/openapi.json.

    \b
    jumok studio runs/korean runs/scenes
    curl localhost:8899/api/translate --json '{"texts": ["나는 왔다."]}'
    """
    from jumok.studio.serving import Serving
    from jumok.studio.shelf import Shelf

    folders = models or [folder for folder in sorted(DEMO.glob("*")) if (folder / "config.json").exists()]
    shelf = Shelf.of(folders, device)
    for refused in shelf.refused:
        typer.echo(f"jumok: left out: {refused.reason}", err=True)
    if folders and not len(shelf):
        raise ValueError("none of the models could be opened")
    serving = Serving(shelf, host, port, token)
    if not folders:
        typer.echo("no model yet: the page offers to train some, and shows how attention works")
    for held in shelf:
        about = f" ({held.domain})" if held.domain else ""
        typer.echo(f"{held.kind:10} {held.name}{about}")
    serving.run(lambda: typer.echo(f"listening at {serving.address}  (Ctrl+C ends it)"), browser)
