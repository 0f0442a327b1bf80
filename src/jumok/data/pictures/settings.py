"""What a recipe says about its pictures: where they and their captions are."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from pydantic import Field, Tag, field_validator

from jumok.core.settings import Settings
from jumok.data.corpora.settings import Column, FileName
from jumok.data.corpora.splits import HeldOut, SplitData, told_by
from jumok.data.scenes.scene import LARGEST, MOST, SMALLEST


class FlickrPictures(Settings):
    """Flickr8k as it is published: captions in `Flickr8k.token.txt`, lists of the splits, and a folder of photos."""

    flickr8k: FileName
    """The folder that has all of them."""

    split: Literal["train", "dev", "test"]
    """Which list: `Flickr_8k.trainImages.txt`, `devImages` or `testImages`."""


class KarpathyPictures(Settings):
    """The JSON of Karpathy's splits (`dataset_flickr8k.json`, `dataset_flickr30k.json`, `dataset_coco.json`)."""

    karpathy: FileName
    """The JSON file."""

    images: FileName
    """The folder of the photos."""

    split: FileName | tuple[FileName, ...]
    """Which of its splits: `train`, `val` or `test`; COCO is usually trained on `[train, restval]`."""


class CocoPictures(Settings):
    """Captions in the JSON of COCO (`captions_train2017.json`)."""

    coco: FileName
    """The JSON file."""

    images: FileName
    """The folder of the photos."""


class TablePictures(Settings):
    """A folder of pictures, and a table with a picture and a caption a row; a picture may have several rows."""

    file: FileName
    """The table: `.csv`, `.tsv`, `.txt` (tabs, or commas if the first line has no tab) or `.jsonl`; also as `.gz`."""

    images: FileName = "."
    """The folder from which the pictures are named."""

    picture: Column = "image"
    """The column with the name of the picture's file. By name, the first row of a CSV or TSV file holds the names; by
    number (from 0) every row is a picture."""

    caption: Column = "caption"
    """The column with the caption; in JSONL it may be a list of captions."""


class PracticePictures(Settings):
    """The practice pictures: drawn scenes with captions, the same on every machine. No download."""

    practice: Literal["scenes"]
    """Which practice pictures."""

    pictures: int = Field(ge=1)
    """How many."""

    objects: tuple[int, int] = (1, MOST)
    """The fewest and the most objects in a picture."""

    language: Literal["english", "korean"] = "english"
    """The language of the captions."""

    size: int = Field(default=128, ge=SMALLEST, le=LARGEST)
    """Width and height in pixels."""

    seed: int = 0
    """Another seed gives other pictures."""

    held_out: bool = False
    """Whether each picture has a thing in a colour that it never has in training: true tests more than memory."""

    @field_validator("objects")
    @classmethod
    def _objects(cls, objects: tuple[int, int]) -> tuple[int, int]:
        if not 1 <= objects[0] <= objects[1] <= MOST:
            raise ValueError(f"expected [fewest, most] with 1 <= fewest <= most <= {MOST}")
        return objects


_KEYS: dict[str, type[Settings]] = {
    "practice": PracticePictures,
    "flickr8k": FlickrPictures,
    "karpathy": KarpathyPictures,
    "coco": CocoPictures,
    "file": TablePictures,
    "share": HeldOut,
}
_EXPECTED = (
    "{flickr8k: FOLDER, split: NAME}, {karpathy: JSON, images: FOLDER, split: NAME}, {coco: JSON, images: FOLDER}, "
    "{file: TABLE, images: FOLDER, picture: COLUMN, caption: COLUMN}"
)

PictureSettings = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[FlickrPictures, Tag("FlickrPictures")],
        Annotated[KarpathyPictures, Tag("KarpathyPictures")],
        Annotated[CocoPictures, Tag("CocoPictures")],
        Annotated[TablePictures, Tag("TablePictures")],
        Annotated[PracticePictures, Tag("PracticePictures")],
    ],
    told_by(_KEYS, f"{_EXPECTED} or {{practice: scenes, pictures: NUMBER}}"),
]
"""Where pictures and captions come from; which kind it is, its keys say."""

PictureSplitSettings = Annotated[
    Union[  # noqa: UP007
        Annotated[FlickrPictures, Tag("FlickrPictures")],
        Annotated[KarpathyPictures, Tag("KarpathyPictures")],
        Annotated[CocoPictures, Tag("CocoPictures")],
        Annotated[TablePictures, Tag("TablePictures")],
        Annotated[PracticePictures, Tag("PracticePictures")],
        Annotated[HeldOut, Tag("HeldOut")],
    ],
    told_by(_KEYS, f"{_EXPECTED}, {{practice: scenes, pictures: NUMBER}} or {{share: 0.05}}, a share of train"),
]
"""The same, or a share of the training pictures."""


class PictureDataSettings(SplitData):
    """The pictures of a recipe, and how their captions are read."""

    train: PictureSettings
    """The pictures to learn from."""

    validation: PictureSplitSettings
    """The pictures that tell how the training goes: others, or `{share: 0.05}` of `train`, left out there. A picture's
    name decides on which side it falls, with all of its captions."""

    test: PictureSplitSettings | None = None
    """The pictures kept apart for scores after training, if any."""

    max_length: int = Field(default=50, ge=1)
    """The most tokens of a caption; longer training captions are left out, counted and reported."""
