"""Pictures that are given to a model: whatever their form, it sees the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from jumok.systems.seeing import seen_as


def grey16() -> Image.Image:
    return Image.fromarray(np.tile(np.linspace(0, 65535, 24).astype(np.uint16), (16, 1)))


def transparent() -> Image.Image:
    image = Image.new("RGBA", (24, 16), (200, 30, 30, 255))
    image.paste((0, 0, 0, 0), (0, 0, 12, 16))
    return image


def lying() -> Image.Image:
    image = Image.new("RGB", (24, 16), "blue")
    image.getexif()[0x0112] = 6
    return image


@pytest.mark.parametrize("given", [grey16(), transparent(), lying()], ids=["16 bits", "alpha", "orientation"])
def test_a_pillow_image_is_seen_as_its_file(given: Image.Image, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    given.save(path, exif=given.getexif())
    from_file = seen_as(path).image
    for form in (Image.open(path), path.read_bytes(), str(path), from_file, given):
        seen = seen_as(form).image
        assert (seen.mode, seen.size) == ("RGB", from_file.size)
        assert seen.tobytes() == from_file.tobytes()
    assert seen_as(Image.open(path)).name == str(path)


def test_what_is_no_picture_is_told_by_its_kind() -> None:
    for given, kind in ((np.zeros((400, 400, 3), np.uint8), "ndarray"), (3, "int"), (None, "NoneType")):
        with pytest.raises(ValueError, match=f"^{kind} is no picture; give a path") as caught:
            seen_as(given)  # type: ignore[arg-type]
        assert "\n" not in str(caught.value)
