"""The two pictures at the head of the README: an alignment and a caption, made by models of jumok's own recipes.

jumok train korean --set model.preset=bahdanau --out runs/bahdanau
jumok train scenes
python docs/hooks/looks.py runs/bahdanau runs/scenes
"""

from __future__ import annotations

import argparse
from pathlib import Path

import jumok
from jumok.data.scenes import Scenes

ASSETS = Path(__file__).parent.parent / "assets"
SENTENCE = "할머니께서는 어제 시장에서 사과 세 개를 사셨다."


def main() -> None:
    """Read what was typed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("translator", type=Path)
    parser.add_argument("captioner", type=Path)
    parser.add_argument("--scene", type=int, default=8, help="the number of the drawing, with seed 21")
    typed = parser.parse_args()
    told = jumok.load(typed.translator)(SENTENCE)
    print(told.text)
    told.attention.words().without_special().save(ASSETS / "alignment.png")
    scene = Scenes(seed=21, size=192).scene(typed.scene, objects=(2, 2))
    told = jumok.load(typed.captioner)(scene.picture())
    print(told.text, "" if told.text == scene.english else f"(right: {scene.english})")
    told.attention.without_special().save(ASSETS / "caption.png")


if __name__ == "__main__":
    main()
