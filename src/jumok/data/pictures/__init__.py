"""Pictures with captions: from known data sets, from tables, or drawn; decoded right, or one clear line."""

from jumok.data.pictures.augmenting import Augmentation, View
from jumok.data.pictures.batching import PictureBatch, PictureBatches, every_picture
from jumok.data.pictures.captions import CaptionTokens, tokenize_captions
from jumok.data.pictures.corpus import CaptionedPicture, PictureCorpus
from jumok.data.pictures.features import FeatureMaps, cached_features
from jumok.data.pictures.labels import (
    LabelledPictureData,
    PictureFolders,
    PictureTable,
    PracticeObjects,
    open_labelled_pictures,
)
from jumok.data.pictures.live import LivePictures
from jumok.data.pictures.opening import open_picture_split, open_picture_splits, open_pictures
from jumok.data.pictures.reading import PictureError, read_picture
from jumok.data.pictures.refs import PictureFile, PictureRef, PictureScene
from jumok.data.pictures.report import PictureReport
from jumok.data.pictures.settings import (
    CocoPictures,
    FlickrPictures,
    KarpathyPictures,
    PictureDataSettings,
    PictureSettings,
    PracticePictures,
    TablePictures,
)
from jumok.data.pictures.views import CachedViews

__all__ = [
    "Augmentation",
    "CachedViews",
    "CaptionTokens",
    "CaptionedPicture",
    "CocoPictures",
    "FeatureMaps",
    "FlickrPictures",
    "KarpathyPictures",
    "LabelledPictureData",
    "LivePictures",
    "PictureBatch",
    "PictureBatches",
    "PictureCorpus",
    "PictureDataSettings",
    "PictureError",
    "PictureFile",
    "PictureFolders",
    "PictureRef",
    "PictureReport",
    "PictureScene",
    "PictureSettings",
    "PictureTable",
    "PracticeObjects",
    "PracticePictures",
    "TablePictures",
    "View",
    "cached_features",
    "every_picture",
    "open_labelled_pictures",
    "open_picture_split",
    "open_picture_splits",
    "open_pictures",
    "read_picture",
    "tokenize_captions",
]
