"""Picture files: whatever the kind of pixels, right RGB comes out; what cannot be read is one clear line."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jumok.data.pictures import PictureError, read_picture
from jumok.data.pictures.reading import LONGEST_SIDE, MOST_PIXELS, as_picture

Image = pytest.importorskip("PIL.Image", reason="pictures are read by Pillow")
ImageCms = pytest.importorskip("PIL.ImageCms", reason="colour profiles need Little CMS")

WIDE, HIGH = 24, 16


def saved(image: Any, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def colours() -> Any:
    """A picture of four corners: red, green, blue, white."""
    pixels = np.zeros((HIGH, WIDE, 3), np.uint8)
    pixels[: HIGH // 2, : WIDE // 2] = (255, 0, 0)
    pixels[: HIGH // 2, WIDE // 2 :] = (0, 255, 0)
    pixels[HIGH // 2 :, : WIDE // 2] = (0, 0, 255)
    pixels[HIGH // 2 :, WIDE // 2 :] = (255, 255, 255)
    return Image.fromarray(pixels)


def ramp() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Grey from black on the left to white on the right."""
    return np.tile(np.linspace(0, 255, WIDE).astype(np.uint8), (HIGH, 1))


def pixels_of(content: bytes) -> np.ndarray[Any, np.dtype[np.int16]]:
    image = read_picture(content, "picture")
    assert image.mode == "RGB"
    return np.asarray(image).astype(np.int16)


@pytest.mark.parametrize(("kind", "off"), [("PNG", 0), ("BMP", 0), ("TIFF", 0), ("PPM", 0), ("WEBP", 12), ("JPEG", 40)])
def test_formats(kind: str, off: int) -> None:
    options = {"quality": 95, "subsampling": 0} if kind == "JPEG" else {}
    found = pixels_of(saved(colours(), kind, **options))
    middle = found[[4, 4, 12, 12], [6, 18, 6, 18]]
    assert np.abs(middle - [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]).max() <= off


def test_grey_becomes_three_equal_colours() -> None:
    for image in (Image.fromarray(ramp()), Image.fromarray(ramp() > 127)):
        found = pixels_of(saved(image, "PNG"))
        assert (found == np.asarray(image.convert("L"))[..., None]).all()


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_16_bits_are_scaled_and_not_cut_off(kind: str) -> None:
    wide = ramp().astype(np.uint16) * 257
    assert (pixels_of(saved(Image.fromarray(wide), kind)) == ramp()[..., None]).all()


def test_16_bits_of_each_colour() -> None:
    rows = np.stack([ramp(), ramp()[:, ::-1], ramp()], -1).astype(np.uint16) * 257
    assert (pixels_of(png(rows.astype(">u2").tobytes(), depth=16, colour=2)) == rows // 257).all()


def test_grey_as_real_numbers() -> None:
    for scale in (1.0, 255.0):
        real = ramp().astype(np.float32) / 255 * scale
        assert np.abs(pixels_of(saved(Image.fromarray(real), "TIFF")) - ramp()[..., None]).max() <= 1


def test_inks() -> None:
    found = pixels_of(saved(colours().convert("CMYK"), "JPEG", quality=100, subsampling=0))
    middle = found[[4, 4, 12, 12], [6, 18, 6, 18]]
    assert np.abs(middle - [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]).max() <= 8


def test_a_palette_and_its_transparent_colour() -> None:
    palette = colours().quantize(4)
    assert (pixels_of(saved(palette, "PNG")) == np.asarray(colours())).all()
    red = palette.getpixel((0, 0))
    found = pixels_of(saved(palette, "PNG", transparency=red))
    assert (found[0, 0] == 255).all()
    assert (found[0, -1] == (0, 255, 0)).all()
    found = pixels_of(saved(palette, "GIF", transparency=red))
    assert (found[0, 0] == 255).all()


def test_what_is_transparent_lies_on_white() -> None:
    alpha = np.full((HIGH, WIDE), 255, np.uint8)
    alpha[:8] = 0
    alpha[8:12] = 128
    for image, opaque in ((colours(), (0, 0, 255)), (colours().convert("L"), (29, 29, 29))):
        image.putalpha(Image.fromarray(alpha))
        for kind in ("PNG", "TIFF"):
            found = pixels_of(saved(image, kind))
            assert (found[0, 0] == 255).all()
            assert (found[-1, 0] == opaque).all()
            assert np.abs(found[9, 0] - (np.array(opaque) + 255) / 2).max() <= 1.5


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_becomes_upright(orientation: int, kind: str) -> None:
    """A picture is turned away as a camera turns it, and tagged; reading brings it back."""
    turned = {
        1: lambda a: a,
        2: lambda a: a[:, ::-1],
        3: lambda a: a[::-1, ::-1],
        4: lambda a: a[::-1],
        5: lambda a: a.transpose(1, 0, 2),
        6: lambda a: np.rot90(a, 1),
        7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
        8: lambda a: np.rot90(a, -1),
    }[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = Image.fromarray(np.ascontiguousarray(turned(np.asarray(colours()))))
    assert (pixels_of(saved(stored, kind, exif=exif)) == np.asarray(colours())).all()


@pytest.mark.parametrize("exif", [b"Exif\0\0rubbish", b"Exif\0\0II*\0\x08\0\0\0\xff\xff", b"MM\0*\xff\xff\xff\xff"])
def test_damaged_tags_do_not_matter(exif: bytes) -> None:
    assert pixels_of(saved(colours(), "JPEG", exif=exif)).shape == (HIGH, WIDE, 3)


def red_and_green_changed(profile: bytes) -> bytes:
    """A profile in which red and green have changed their places."""
    other = profile.replace(b"rXYZ", b"rrrr").replace(b"gXYZ", b"rXYZ").replace(b"rrrr", b"gXYZ")
    return other.replace("sRGB".encode("utf-16-be"), "RGB-".encode("utf-16-be"))


def test_a_colour_profile_is_followed_and_a_damaged_one_is_not() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    other = red_and_green_changed(srgb)
    found = pixels_of(saved(colours(), "PNG", icc_profile=other))
    assert np.abs(found[[4, 4, 12], [6, 18, 6]] - [[0, 255, 0], [255, 0, 0], [0, 0, 255]]).max() <= 2
    for profile in (srgb, b"rubbish", other[:200]):
        assert (pixels_of(saved(colours(), "PNG", icc_profile=profile)) == np.asarray(colours())).all()


def oriented() -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    return saved(colours(), "JPEG", exif=exif)


def transparent() -> Any:
    image = colours()
    image.putalpha(Image.fromarray(ramp()))
    return image


def profiled() -> bytes:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return saved(colours(), "PNG", icc_profile=red_and_green_changed(srgb))


@pytest.mark.parametrize(
    "content",
    [
        saved(Image.fromarray(ramp().astype(np.uint16) * 257), "PNG"),
        saved(transparent(), "PNG"),
        saved(colours().quantize(4), "PNG", transparency=0),
        oriented(),
        profiled(),
    ],
    ids=["16 bits", "alpha", "palette", "orientation", "profile"],
)
def test_an_opened_image_becomes_what_its_file_does_and_then_stays(content: bytes) -> None:
    right = read_picture(content)
    for image in (Image.open(io.BytesIO(content)), right):
        again = as_picture(image)
        assert (again.mode, again.size) == ("RGB", right.size)
        assert again.tobytes() == right.tobytes()


def test_an_opened_image_has_the_limits_of_a_file() -> None:
    for size, told in (((1, 1), "mine: the picture is too small"), ((20_000, 9), "mine: the picture is too large")):
        with pytest.raises(PictureError, match=told):
            as_picture(Image.new("RGB", size), "mine")
    cut = Image.open(io.BytesIO(JPEG[: len(JPEG) // 2]))
    with pytest.raises(PictureError, match="mine: the picture is broken"):
        as_picture(cut, "mine")


def test_a_bomb_is_not_unpacked_to_be_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", lambda image: pytest.fail("it was unpacked"))
    with pytest.raises(PictureError, match="too large"):
        read_picture(BROKEN["bomb.png"][0])


def test_of_several_frames_it_is_the_first() -> None:
    frames = [colours(), Image.new("RGB", (WIDE, HIGH))]
    content = saved(frames[0], "PNG", save_all=True, append_images=frames[1:])
    assert (pixels_of(content) == np.asarray(colours())).all()


def png(data: bytes, width: int = WIDE, height: int = HIGH, depth: int = 8, colour: int = 2) -> bytes:
    """A PNG file written by hand."""
    per_row = len(data) // height if height and data else 0
    rows = b"".join(b"\0" + data[start : start + per_row] for start in range(0, len(data), per_row or 1))

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


JPEG = saved(colours().resize((240, 160)), "JPEG")
BROKEN = {
    "nothing.jpg": (b"", "the file is empty"),
    "text.jpg": (b"hello, I am no picture", r"not a picture \(read are JPEG"),
    "page.png": (b"<!DOCTYPE html><html></html>", "not a picture"),
    "drawing.eps": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 90 90\n%%EndComments\n", "not a picture"),
    "half.jpg": (JPEG[: len(JPEG) // 2], r"the picture is broken \("),
    "half.png": (saved(colours().resize((240, 160)), "PNG")[:150], r"the picture is broken \("),
    "head.jpg": (JPEG[:20], r"not a picture|the picture is broken"),
    "damaged.png": (png(b"\0" * 10), r"the picture is broken \("),
    "dot.png": (saved(Image.new("RGB", (1, 1)), "PNG"), "too small .1 x 1 pixels; each side needs at least 8"),
    "strip.png": (png(b"", 20_000, 20), "too large .20,000 x 20 pixels; at most 16,384 a side"),
    "bomb.png": (png(b"", 10_000, 10_000), "too large .10,000 x 10,000 pixels"),
    "larger_bomb.png": (png(b"", 60_000, 60_000), "too large"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_one_line_with_its_name(name: str, tmp_path: Path) -> None:
    content, told = BROKEN[name]
    (tmp_path / name).write_bytes(content)
    for source in (tmp_path / name, content):
        with pytest.raises(PictureError, match=told) as caught:
            read_picture(source, None if isinstance(source, Path) else name)
        assert name in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"cat\.jpg: there is no such picture$"):
        read_picture(tmp_path / "cat.jpg")
    with pytest.raises(PictureError, match="the picture cannot be read"):
        read_picture(tmp_path)


def test_the_limits_of_pillow_stay_as_they_are() -> None:
    before = Image.MAX_IMAGE_PIXELS
    with pytest.raises(PictureError):
        read_picture(BROKEN["larger_bomb.png"][0])
    assert before == Image.MAX_IMAGE_PIXELS
    assert MOST_PIXELS < before < LONGEST_SIDE**2


def test_many_threads_read_at_once_and_leave_the_warnings_alone() -> None:
    before = list(warnings.filters)
    contents = [content for content, _ in BROKEN.values()] + [JPEG] * 20
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(outcome, contents * 5))
    assert found == [outcome(content) for content in contents] * 5
    assert warnings.filters == before


def outcome(content: bytes) -> object:
    try:
        return read_picture(content).size
    except PictureError as error:
        return str(error)
