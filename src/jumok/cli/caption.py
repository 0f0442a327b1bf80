"""`jumok caption`: pictures in, captions out, and what was looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

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
from jumok.cli.picture_files import found, readable, tell_broken
from jumok.cli.streams import is_elsewhere, written

if TYPE_CHECKING:
    from PIL.Image import Image

    from jumok.systems import Captioner, Prediction
    from jumok.viewing import AttentionMap

KINDS = (".html", ".png", ".pdf", ".svg", ".gif", ".json")
"""How attention is written."""
CHUNK = 32


def caption(
    model: Annotated[Path, typer.Argument(help="The folder of a trained captioner.", metavar="MODEL")],
    images: Annotated[
        list[str] | None,
        typer.Argument(help="Pictures, folders of pictures, or patterns such as 'photos/*.jpg'.", metavar="IMAGE"),
    ] = None,
    examples: Annotated[
        int | None,
        typer.Option(
            "--examples",
            metavar="N",
            min=1,
            help="N new drawings in place of IMAGE, of a model that learned from such.",
        ),
    ] = None,
    beside: Beside = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="MODEL", help="Another model to see below it; may be repeated."),
    ] = None,
    beam: Beam = 5,
    n_best: NBest = 1,
    length_penalty: LengthPenalty = 1.0,
    draw: Draw = None,
    seed: Seed = 0,
    searching: Searching = None,
    prefix: Prefix = None,
    attention: Annotated[
        Path | None,
        typer.Option("--attention", metavar="FILE", help=f"What was looked at, as {', '.join(KINDS)}."),
    ] = None,
    output: Output = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object a picture, with scores and attention.")
    ] = False,
    device: Device = "auto",
    quiet: Quiet = False,
) -> None:
    """Say what is in pictures, with a trained model.

    \b
    jumok caption runs/scenes --examples 3 --attention look.png   new drawings
    jumok caption runs/flickr8k photo.jpg
    jumok caption runs/flickr8k photo.jpg --attention look.html
    jumok caption runs/soft photo.jpg --against runs/hard --attention rows.png
    jumok caption runs/flickr8k photos/ > captions.tsv
    """
    from jumok.systems import Captioner

    looks = None if attention is None else Looks(attention, KINDS, _draw)
    pictures = _pictures(model, images, examples)
    paths = pictures.paths
    alone = len(paths) == 1 and not against
    options = search_options(beam, length_penalty, n_best, draw, seed, more=searching or ())
    n_best = options.get("n_best", 1)
    captioners = {_name(model, ()): Captioner.load(model, *(beside or ()), device=device)}
    for folder in against or ():
        captioners[_name(folder, captioners)] = Captioner.load(folder, device=device)
    broken: list[str] = []
    with written(output) as file:
        for path, by_model in _captions(captioners, pictures, prefix, options, broken, quiet, output):
            for name, predictions in by_model.items():
                label = "\t".join([*([] if len(paths) == 1 else [str(path)]), *([name] if against else [])])
                _print(predictions, file, as_json, label, n_best, pictures.right.get(path))
            if looks is not None:
                looks.add(*(_titled(path, len(paths), name, against, by_model[name]) for name in by_model))
    if broken and alone:
        raise ValueError(broken[0])
    if looks is not None:
        looks.save()
    tell_broken(broken, len(paths))


class _Pictures(NamedTuple):
    """Files, or practice pictures that are drawn, with what is on them."""

    paths: list[Path]
    drawn: dict[Path, Image]
    right: dict[Path, str]


def _pictures(model: Path, images: list[str] | None, examples: int | None) -> _Pictures:
    if bool(images) == (examples is not None):
        raise ValueError("name pictures, folders, or patterns such as 'photos/*.jpg'; or give --examples N, not both")
    if examples is None:
        return _Pictures(found(images or ()), {}, {})
    from jumok.recipes.learned_from import drawn_like

    told = {Path(f"drawing-{number}"): one for number, one in enumerate(drawn_like(model, examples), 1)}
    drawn = {path: picture.load() for path, (picture, _) in told.items()}
    return _Pictures(list(told), drawn, {path: right for path, (_, right) in told.items()})


def _captions(
    captioners: dict[str, Captioner],
    pictures: _Pictures,
    prefix: str | None,
    options: dict[str, Any],
    broken: list[str],
    quiet: bool,
    output: Path | None,
) -> Iterator[tuple[Path, dict[str, list[Prediction]]]]:
    """Each picture with the captions of each model; what cannot be read is told in `broken`, and left out."""
    from jumok.systems.waiting import Waiting

    done, paths = 0, pictures.paths
    with Waiting(quiet or not is_elsewhere(output))("captioning") as progress:
        for start in range(0, len(paths), CHUNK):
            some = paths[start : start + CHUNK]
            seen = {path: pictures.drawn[path] for path in some} if pictures.drawn else readable(some, broken)
            prefixes = None if prefix is None else [prefix] * len(seen)
            told = {
                name: captioner.n_best(list(seen.values()), prefixes=prefixes, first=start, **options) if seen else []
                for name, captioner in captioners.items()
            }
            for number, path in enumerate(seen):
                by_model = {name: predictions[number] for name, predictions in told.items()}
                for predictions in by_model.values():
                    for prediction in predictions:
                        prediction.source = str(path)
                yield path, by_model
            done += len(some)
            if progress is not None:
                progress(done)


def _print(
    predictions: list[Prediction], file: IO[str], as_json: bool, label: str, n_best: int, right: str | None
) -> None:
    if as_json:
        more = {} if right is None else {"right": right}
        plain = [prediction.to_dict() | more for prediction in predictions]
        if "\t" in label or label not in ("", plain[0]["source"]):
            plain = [{"model": label.split("\t")[-1], **one} for one in plain]
        print(json.dumps(plain[0] if n_best == 1 else plain, ensure_ascii=False), file=file, flush=True)
        return
    known = [] if right is None else [f"right: {right}"]
    for prediction in predictions:
        score = [] if n_best == 1 else [f"{prediction.rank_score:.4f}"]
        print("\t".join([*([label] if label else []), *score, prediction.text, *known]), file=file, flush=True)


def _titled(path: Path, paths: int, name: str, against: object, told: list[Prediction]) -> AttentionMap | None:
    """The look of the best caption, with the picture and the model in its title where there are several."""
    look = told[0].attention
    title = "  ".join([*([path.name] if paths > 1 else []), *([name] if against else [])])
    return None if look is None else replace(look, title=title)


def _draw(looks: Sequence[AttentionMap], path: Path) -> None:
    """The models of a picture, in one file."""
    from jumok.viewing.gif import save_gif
    from jumok.viewing.panels import save_panels

    (save_gif if path.suffix.lower() == ".gif" else save_panels)(looks, path)


def _name(folder: Path, taken: Any) -> str:
    """What a model is called: its folder's name, or its path where that name is taken."""
    name = folder.resolve().name
    return str(folder) if name in taken else name
