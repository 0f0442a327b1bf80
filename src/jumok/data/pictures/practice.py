"""The practice pictures as a corpus; their captions are kept in the cache, the pictures are drawn when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jumok.data.cache import cache_folder, entry_name, fill_entry
from jumok.data.corpora.normalizing import normalize
from jumok.data.pictures.corpus import CaptionedPicture
from jumok.data.pictures.refs import PictureScene
from jumok.data.pictures.settings import PracticePictures
from jumok.data.scenes import VERSION, Scenes

_WORTH_KEEPING = 200


def practice_pictures(settings: PracticePictures, lowercase: bool = False) -> Iterator[CaptionedPicture]:
    """Yields the pictures by number, each with its one caption."""
    captions = _kept(settings) if settings.pictures >= _WORTH_KEEPING else _captions(settings)
    for number, caption in enumerate(captions):
        picture = PictureScene(settings.seed, number, settings.objects, settings.held_out, settings.size)
        yield CaptionedPicture(picture, (normalize(caption, lowercase),))


def _captions(settings: PracticePictures) -> Iterator[str]:
    scenes = Scenes(settings.seed, settings.size)
    for scene in scenes.scenes(settings.pictures, objects=settings.objects, held_out=settings.held_out):
        yield scene.korean if settings.language == "korean" else scene.english


def _kept(settings: PracticePictures) -> Iterator[str]:
    key = {"captions": VERSION, **settings.model_dump(mode="json", exclude={"size"})}
    folder = cache_folder() / "practice" / entry_name(key)
    text = folder / "captions.txt"

    def whole() -> bool:
        return text.is_file() and len(text.read_bytes().splitlines()) == settings.pictures

    def fill(beside: Path) -> None:
        (beside / text.name).write_text("".join(f"{line}\n" for line in _captions(settings)), "utf-8", newline="\n")

    fill_entry(folder, whole, fill)
    yield from text.read_text("utf-8").splitlines()
