"""From files to batches: corpora, tokenizers, shards, practice data. Knows no model.

Names are imported when they are first used, so that the practice language and Hangul come without torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jumok.core.lazy import lazy

if TYPE_CHECKING:
    from jumok.data import hangul as hangul
    from jumok.data.batch import Batch as Batch
    from jumok.data.batching import Batches as Batches
    from jumok.data.batching import every_pair as every_pair
    from jumok.data.cache import cache_folder as cache_folder
    from jumok.data.checking import check as check
    from jumok.data.checking import check_lines as check_lines
    from jumok.data.corpora.corpus import Corpus as Corpus
    from jumok.data.corpora.opening import open_corpus as open_corpus
    from jumok.data.corpora.opening import open_split as open_split
    from jumok.data.corpora.opening import open_splits as open_splits
    from jumok.data.corpora.report import CorpusReport as CorpusReport
    from jumok.data.corpora.rows import TextPair as TextPair
    from jumok.data.corpora.settings import DataSettings as DataSettings
    from jumok.data.korean import Korean as Korean
    from jumok.data.planning import BatchSettings as BatchSettings
    from jumok.data.scenes import Scene as Scene
    from jumok.data.scenes import Scenes as Scenes
    from jumok.data.sharding import build_shards as build_shards
    from jumok.data.shards import Shards as Shards
    from jumok.data.stories import Question as Question
    from jumok.data.stories import Stories as Stories
    from jumok.data.stories import read_babi as read_babi
    from jumok.data.tokenization.cached import cached_tokenizers as cached_tokenizers
    from jumok.data.tokenization.pair import Tokenizers as Tokenizers
    from jumok.data.tokenization.pair import train_tokenizers as train_tokenizers
    from jumok.data.tokenization.settings import TokenizerSettings as TokenizerSettings
    from jumok.data.tokenization.tokenizer import Tokenizer as Tokenizer

_HOMES = {
    "Batch": "jumok.data.batch",
    "BatchSettings": "jumok.data.planning",
    "Batches": "jumok.data.batching",
    "Corpus": "jumok.data.corpora.corpus",
    "CorpusReport": "jumok.data.corpora.report",
    "DataSettings": "jumok.data.corpora.settings",
    "Korean": "jumok.data.korean",
    "Scene": "jumok.data.scenes",
    "Scenes": "jumok.data.scenes",
    "Shards": "jumok.data.shards",
    "Question": "jumok.data.stories",
    "Stories": "jumok.data.stories",
    "TextPair": "jumok.data.corpora.rows",
    "Tokenizer": "jumok.data.tokenization.tokenizer",
    "TokenizerSettings": "jumok.data.tokenization.settings",
    "Tokenizers": "jumok.data.tokenization.pair",
    "build_shards": "jumok.data.sharding",
    "cache_folder": "jumok.data.cache",
    "cached_tokenizers": "jumok.data.tokenization.cached",
    "check": "jumok.data.checking",
    "check_lines": "jumok.data.checking",
    "every_pair": "jumok.data.batching",
    "hangul": "jumok.data.hangul",
    "open_corpus": "jumok.data.corpora.opening",
    "open_split": "jumok.data.corpora.opening",
    "open_splits": "jumok.data.corpora.opening",
    "read_babi": "jumok.data.stories",
    "train_tokenizers": "jumok.data.tokenization.pair",
}

__all__ = sorted(_HOMES)

__getattr__, __dir__ = lazy(__name__, _HOMES)
