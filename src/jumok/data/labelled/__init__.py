"""Sequences with a label or a number each: texts from tables, and sentences of the practice language by their tense."""

from jumok.data.labelled.batches import EncodedTexts, Labelled, LabelledBatches, encode_texts
from jumok.data.labelled.opening import open_texts
from jumok.data.labelled.sequences import Sequences
from jumok.data.labelled.settings import LabelledData, PieceSettings, PracticeTexts, TextFile
from jumok.data.labelled.texts import LabelledText, LabelledTexts

__all__ = [
    "EncodedTexts",
    "Labelled",
    "LabelledBatches",
    "LabelledData",
    "LabelledText",
    "LabelledTexts",
    "PieceSettings",
    "PracticeTexts",
    "Sequences",
    "TextFile",
    "encode_texts",
    "open_texts",
]
