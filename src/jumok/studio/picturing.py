"""Practice pictures whose things can be moved by hand."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from typing import Any

from pydantic import Field

from jumok.data.scenes import Scene
from jumok.studio.asking import Asked

SIZE = 256
"""Pixels of the picture that the page shows, and that is captioned."""


class Move(Asked):
    """A scene, and which of its things goes where: its middle, from 0 to 1."""

    scene: dict[str, Any] = Field(max_length=8)
    thing: int = Field(ge=0, lt=4)
    x: float = Field(ge=0, le=1)
    y: float = Field(ge=0, le=1)

    def made(self) -> Scene:
        """The scene with the thing at its new place, or as near to it as the picture allows."""
        scene = Scene.from_dict(self.scene)
        if self.thing >= len(scene.objects):
            raise ValueError(f"thing: there is no {self.thing}; the scene has {len(scene.objects)}, counted from 0")
        things = list(scene.objects)
        things[self.thing] = things[self.thing].moved(self.x, self.y)
        return replace(scene, objects=tuple(things))


def drawn(scene: Scene) -> dict[str, Any]:
    """The picture, its own form, its captions, and the box of each thing, from 0 to 1."""
    content = io.BytesIO()
    scene.picture(SIZE).save(content, "PNG")
    return {
        "scene": scene.to_dict(),
        "picture": base64.b64encode(content.getvalue()).decode(),
        "english": scene.english,
        "korean": scene.korean,
        "things": [
            {"english": thing.english, "korean": thing.korean, "x": thing.x, "y": thing.y, "box": list(thing.box)}
            for thing in scene.objects
        ],
    }
