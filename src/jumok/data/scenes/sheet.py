"""A contact sheet: pictures with their captions beside them, for people to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jumok.data.scenes.scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

FONTS = ("NanumGothic.ttf", "NotoSansCJK-Regular.ttc", "NotoSansKR-Regular.otf", "malgun.ttf", "AppleSDGothicNeo.ttc")
"""Fonts that have Hangul, by the names under which systems keep them."""

_GAP, _TEXT, _LETTERS, _LINE = 12, 280, 14, 20


def korean_font() -> FreeTypeFont | None:
    """A font of this system that has Hangul, if there is one."""
    from PIL import ImageFont

    for name in FONTS:
        try:
            return ImageFont.truetype(name, _LETTERS)
        except OSError:
            continue
    return None


def contact_sheet(scenes: Sequence[Scene], columns: int = 2) -> Image:
    """All pictures on one; Korean captions are left out where the system has no font for them."""
    from PIL import Image, ImageDraw, ImageFont

    font = korean_font()
    size = max(scene.size for scene in scenes)
    wide, high = size + _TEXT + 3 * _GAP, max(size, 8 * _LINE) + _GAP
    columns = min(columns, len(scenes))
    rows = -(-len(scenes) // columns)
    sheet = Image.new("RGB", (columns * wide + _GAP, rows * high + _GAP), "white")
    draw = ImageDraw.Draw(sheet)
    for number, scene in enumerate(scenes):
        x, y = _GAP + number % columns * wide, _GAP + number // columns * high
        sheet.paste(scene.picture(), (x, y))
        for text in (scene.english, scene.korean) if font else (scene.english,):
            for line in _lines(draw, text, font or ImageFont.load_default(_LETTERS)):
                draw.text((x + size + _GAP, y), line, fill=(40, 36, 58), font=font or ImageFont.load_default(_LETTERS))
                y += _LINE
            y += _LINE // 2
    return sheet


def _lines(draw: ImageDraw, text: str, font: Any) -> Iterator[str]:
    """The text in lines that fit beside a picture."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and draw.textlength(longer, font=font) > _TEXT:
            yield line
            longer = word
        line = longer
    yield line
