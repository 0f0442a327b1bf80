"""`python -m jumok.data.scenes`: show scenes, draw them on a contact sheet, or measure the practice pictures."""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections import Counter
from pathlib import Path

from jumok.core.files import write_whole
from jumok.core.pipes import end_with_reader
from jumok.data.scenes.lexicon import is_held_out, words
from jumok.data.scenes.sampling import VERSION, Scenes
from jumok.data.scenes.scene import LARGEST, SMALLEST, Scene
from jumok.data.scenes.sheet import contact_sheet, korean_font


def show(scene: Scene) -> str:
    """A scene as lines: its captions, then each English word that says something of an object, with its boxes."""
    lines = [scene.english, scene.korean]
    for word in scene.words("english"):
        if word.objects:
            boxes = [scene.objects[number].box for number in word.objects]
            lines.append(f"    {word.text:<12} {'  '.join(' '.join(f'{side:.2f}' for side in box) for box in boxes)}")
    return "\n".join(lines)


def figures(seed: int, size: int, count: int) -> str:
    """The practice pictures in figures, over `count` scenes."""
    started = time.process_time()
    scenes = list(Scenes(seed, size).scenes(count))
    told = time.process_time()
    captions = [(scene.english, scene.korean) for scene in scenes]
    captioned = time.process_time()
    for scene in scenes:
        scene.picture()
    drawn = time.process_time()
    lines = [f"version {VERSION}"]
    lines.append(
        f"{count / (told - started):,.0f} scenes, {count / (captioned - told):,.0f} pairs of captions a second"
    )
    lines.append(f"{count / (drawn - captioned):,.0f} pictures a second at {size} pixels")
    for name, texts in zip(("English", "Korean"), zip(*captions, strict=True), strict=True):
        types = {word.strip(".,").lower() for text in texts for word in text.split()}
        lengths = [len(text.split()) for text in texts]
        middle = sum(lengths) / count
        lines.append(f"{len(types)} {name} word types; {min(lengths)} to {max(lengths)} words, {middle:.1f} on average")
    numbers = Counter(len(scene.objects) for scene in scenes)
    lines.append("objects: " + ", ".join(f"{number}: {numbers[number] / count:.0%}" for number in sorted(numbers)))
    kinds = words().kinds.values()
    pairs = [is_held_out(colour, kind.name) for kind in kinds for colour in kind.colours]
    held = f"{sum(pairs)} of {len(pairs)} combinations of colour and kind held out ({sum(pairs) / len(pairs):.1%})"
    lines.append(f"{len(kinds)} kinds; {held}")
    lines.append(f"{len({text for text, _ in captions}) / count:.0%} of the captions differ")
    return "\n".join(lines)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m jumok.data.scenes", description=__doc__)
    parser.add_argument("--show", type=int, default=12, metavar="N", help="show N scenes")
    parser.add_argument("--out", type=Path, metavar="PNG", help="draw them on a contact sheet")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=128, help="width and height of a picture in pixels")
    parser.add_argument("--held-out", action="store_true", help="scenes that are kept for testing")
    parser.add_argument("--figures", type=int, metavar="N", help="measure over N scenes")
    given = parser.parse_args()
    if given.show < 1:
        parser.error(f"--show must be at least 1, not {given.show}")
    if not SMALLEST <= given.size <= LARGEST:
        parser.error(f"--size must be from {SMALLEST} to {LARGEST}, not {given.size}")
    if given.out is not None and not given.out.parent.is_dir():
        parser.error(f"--out: there is no folder {given.out.parent}; make it first")
    if given.figures:
        print(figures(given.seed, given.size, given.figures))
        return
    scenes = list(Scenes(given.seed, given.size).scenes(given.show, held_out=given.held_out))
    if given.out is None:
        print("\n\n".join(map(show, scenes)))
        return
    if korean_font() is None:
        print("no font with Hangul was found, so the sheet has English captions only", file=sys.stderr)
    png = io.BytesIO()
    contact_sheet(scenes).save(png, "PNG")
    write_whole(given.out, png.getvalue())


if __name__ == "__main__":
    end_with_reader()
    main()
