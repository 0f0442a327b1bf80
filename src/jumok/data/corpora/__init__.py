"""Text corpora: pairs of sentences from plain files, tables, the Hub or the practice language, always in step."""

from jumok.data.corpora.corpus import Corpus
from jumok.data.corpora.normalizing import normalize
from jumok.data.corpora.opening import open_corpus, open_split, open_splits
from jumok.data.corpora.report import CorpusReport, Skipped
from jumok.data.corpora.rows import TextPair
from jumok.data.corpora.settings import (
    CorpusSettings,
    DataSettings,
    HubData,
    PairFiles,
    PracticeData,
    SplitSettings,
    TableFile,
)
from jumok.data.corpora.splits import HeldOut

__all__ = [
    "Corpus",
    "CorpusReport",
    "CorpusSettings",
    "DataSettings",
    "HeldOut",
    "HubData",
    "PairFiles",
    "PracticeData",
    "Skipped",
    "SplitSettings",
    "TableFile",
    "TextPair",
    "normalize",
    "open_corpus",
    "open_split",
    "open_splits",
]
