"""Tokenizers: text as ids and back, learned from the corpus, without any download."""

from jumok.data.tokenization.bpe_dropout import BpeDropout
from jumok.data.tokenization.cached import cached_tokenizers
from jumok.data.tokenization.pair import Tokenizers, train_tokenizers
from jumok.data.tokenization.settings import TokenizerSettings
from jumok.data.tokenization.tokenizer import Tokenizer

__all__ = ["BpeDropout", "Tokenizer", "TokenizerSettings", "Tokenizers", "cached_tokenizers", "train_tokenizers"]
