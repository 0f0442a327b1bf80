"""Pictures one after the other: a GIF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jumok.core.files import written_beside
from jumok.viewing.png import INCH

if TYPE_CHECKING:
    from PIL.Image import Image


def check_gif(path: Path) -> None:
    """One line where a name is not that of a GIF."""
    if path.suffix.lower() != ".gif":
        raise ValueError(f"{path}: is no name of an animation; end it in .gif")


def painted(figure: Any) -> Image:
    """A matplotlib figure as an image, a pixel for each of its layout."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(INCH)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")


def write_gif(frames: Sequence[Image], times: Sequence[int], path: Path) -> None:
    """Write frames, each for its milliseconds, again and again; smaller ones stand at the top left of white paper."""
    from PIL import Image

    width, height = (max(size) for size in zip(*(frame.size for frame in frames), strict=True))
    same = []
    for frame in frames:
        sheet = Image.new("RGB", (width, height), "white")
        sheet.paste(frame, (0, 0))
        same.append(sheet.quantize(128, dither=Image.Dither.NONE))
    with written_beside(path) as beside, beside.open("wb") as file:
        same[0].save(file, "GIF", save_all=True, append_images=same[1:], duration=list(times), loop=0, disposal=1)
