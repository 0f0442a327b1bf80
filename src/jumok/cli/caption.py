"""`jumok caption`: pictures in, captions out, and what was looked at."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from PIL.Image import Image

    from jumok.systems import Captioner, Prediction
    from jumok.viewing import AttentionMap

ENDINGS = frozenset((".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm"))
"""The files of a folder that are taken for pictures."""
KINDS = (".html", ".png", ".pdf", ".svg", ".gif", ".json")
"""How attention is written."""
CHUNK = 32


def caption(
    model: Annotated[Path, typer.Argument(help="The folder of a trained captioner.", metavar="MODEL")],
    images: Annotated[
        list[str],
        typer.Argument(help="Pictures, folders of pictures, or patterns such as 'photos/*.jpg'.", metavar="IMAGE"),
    ],
    beside: Annotated[
        list[Path] | None,
        typer.Option("--with", metavar="MODEL", help="Another model that decides together with it; may be repeated."),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="MODEL", help="Another model to see below it; may be repeated."),
    ] = None,
    beam: Annotated[int, typer.Option("--beam", min=1, help="Hypotheses to follow at once; 1 is fastest.")] = 5,
    n_best: Annotated[int, typer.Option("--n-best", min=1, help="Captions of each picture, the best first.")] = 1,
    length_penalty: Annotated[
        float, typer.Option("--length-penalty", min=0, help="The higher, the longer the captions.")
    ] = 1.0,
    draw: Annotated[
        float | None,
        typer.Option("--draw", metavar="TEMPERATURE", help="Draw words by their probability instead of searching."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Where drawing starts.")] = 0,
    prefix: Annotated[str | None, typer.Option("--prefix", metavar="TEXT", help="How the captions begin.")] = None,
    attention: Annotated[
        Path | None,
        typer.Option("--attention", metavar="FILE", help=f"What was looked at, as {', '.join(KINDS)}."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, not to standard output.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object a picture, with scores and attention.")
    ] = False,
    device: Annotated[str, typer.Option("--device", help="cpu, cuda, mps; auto takes the best there is.")] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Say what is in pictures, with a trained model.

    \b
    jumok caption runs/flickr8k photo.jpg
    jumok caption runs/flickr8k photo.jpg --attention look.html
    jumok caption runs/soft photo.jpg --against runs/hard --attention rows.png
    jumok caption runs/flickr8k photos/ > captions.tsv
    """
    from jumok.systems import Captioner

    if attention is not None:
        _check_attention(attention)
    paths = found(images)
    alone = len(paths) == 1 and not against
    options: dict[str, Any] = {"beam": max(beam, n_best), "n_best": n_best, "length_penalty": length_penalty}
    if draw is not None:
        options["draw"] = {"temperature": draw, "seed": seed}
    captioners = {_name(model, ()): Captioner.load(model, *(beside or ()), device=device)}
    for folder in against or ():
        captioners[_name(folder, captioners)] = Captioner.load(folder, device=device)
    broken: list[str] = []
    looks: list[AttentionMap | None] = []
    with _written(output) as file:
        for path, by_model in _captions(captioners, paths, prefix, options, broken, quiet, output):
            for name, predictions in by_model.items():
                label = "\t".join([*([] if len(paths) == 1 else [str(path)]), *([name] if against else [])])
                _print(predictions, file, as_json, label, n_best)
                if attention is not None:
                    look = predictions[0].attention
                    title = "  ".join([*([path.name] if len(paths) > 1 else []), *([name] if against else [])])
                    looks.append(None if look is None else replace(look, title=title))
    if broken and alone:
        raise ValueError(broken[0])
    if attention is not None and looks:
        _save(looks, attention, len(captioners))
    if broken:
        for line in broken:
            print(f"jumok: {line}", file=sys.stderr)
        print(f"jumok: {len(broken):,} of {len(paths):,} pictures could not be read", file=sys.stderr)
        raise typer.Exit(1)


def found(images: Sequence[str]) -> list[Path]:
    """The files that are meant: pictures by name, those in a folder (and the folders in it), those of a pattern."""
    paths: list[Path] = []
    for image in images:
        path = Path(image)
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.suffix.lower() in ENDINGS and one.is_file())
            if not inside:
                raise ValueError(f"{path}: has no picture in it ({', '.join(sorted(ENDINGS))})")
            paths += inside
        elif not path.exists() and any(letter in image for letter in "*?["):
            matched = sorted(_matching(path))
            if not matched:
                raise ValueError(f"{image}: there is no such file")
            paths += matched
        else:
            paths.append(path)
    return list(dict.fromkeys(paths))


def _matching(pattern: Path) -> Iterator[Path]:
    """The files that a pattern names, from the first folder without a sign of one."""
    parts = pattern.parts
    fixed = next(number for number, part in enumerate(parts) if any(letter in part for letter in "*?["))
    start = Path(*parts[:fixed]) if fixed else Path()
    return (one for one in start.glob(str(Path(*parts[fixed:]))) if one.is_file())


def _captions(
    captioners: dict[str, Captioner],
    paths: Sequence[Path],
    prefix: str | None,
    options: dict[str, Any],
    broken: list[str],
    quiet: bool,
    output: Path | None,
) -> Iterator[tuple[Path, dict[str, list[Prediction]]]]:
    """Each picture with the captions of each model; what cannot be read is told in `broken`, and left out."""
    from jumok.systems.waiting import Waiting

    elsewhere = output is not None or not sys.stdout.isatty()
    done = 0
    with Waiting(quiet or not elsewhere)("captioning") as progress:
        for start in range(0, len(paths), CHUNK):
            seen = _read(paths[start : start + CHUNK], broken)
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
            done += len(paths[start : start + CHUNK])
            if progress is not None:
                progress(done)


def _read(paths: Sequence[Path], broken: list[str]) -> dict[Path, Image]:
    from jumok.data.pictures import PictureError, read_picture

    seen = {}
    for path in paths:
        try:
            seen[path] = read_picture(path)
        except PictureError as error:
            broken.append(str(error))
    return seen


def _print(predictions: list[Prediction], file: IO[str], as_json: bool, label: str, n_best: int) -> None:
    if as_json:
        plain = [prediction.to_dict() for prediction in predictions]
        if "\t" in label or label not in ("", plain[0]["source"]):
            plain = [{"model": label.split("\t")[-1], **one} for one in plain]
        print(json.dumps(plain[0] if n_best == 1 else plain, ensure_ascii=False), file=file, flush=True)
        return
    for prediction in predictions:
        score = [] if n_best == 1 else [f"{prediction.rank_score:.4f}"]
        print("\t".join([*([label] if label else []), *score, prediction.text]), file=file, flush=True)


def _save(looks: Sequence[AttentionMap | None], path: Path, models: int) -> None:
    """One file for all where it can hold them, else one a picture, numbered; models of a picture share a file."""
    from jumok.core.files import write_whole
    from jumok.viewing import save_html
    from jumok.viewing.gif import save_gif
    from jumok.viewing.panels import save_panels

    there = [look for look in looks if look is not None]
    if not there:
        raise ValueError("--attention: this model has no attention, so there is nothing to see")
    kind = path.suffix.lower()
    if kind == ".html":
        save_html(there, path)
        return
    if kind == ".json":
        plain = [None if look is None else look.to_dict() for look in looks]
        write_whole(path, json.dumps(plain[0] if len(plain) == 1 else plain, ensure_ascii=False) + "\n")
        return
    write = save_gif if kind == ".gif" else save_panels
    rows = [looks[start : start + models] for start in range(0, len(looks), models)]
    for number, row in enumerate(rows, start=1):
        shown = [look for look in row if look is not None]
        if shown:
            write(shown, path if len(rows) == 1 else path.with_stem(f"{path.stem}-{number}"))


def _check_attention(path: Path) -> None:
    if path.suffix.lower() not in KINDS:
        raise ValueError(f"--attention {path}: cannot tell what to write; end the name in {', '.join(KINDS)}")
    _check_folder(path, "--attention")


def _check_folder(path: Path, option: str) -> None:
    if not path.absolute().parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise ValueError(f"{option} {path}: is a folder; name a file")


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


def _name(folder: Path, taken: Any) -> str:
    """What a model is called: its folder's name, or its path where that name is taken."""
    name = folder.resolve().name
    return str(folder) if name in taken else name
