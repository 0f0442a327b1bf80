"""What a token is made of: how text is cut before it is looked up, and how a tokenizer's file is put together.

A space belongs to the token after it, and the first word has one too, so that a word is the same token wherever it
stands, and joining the tokens gives the text back. Special tokens have a space inside: no text can spell them.
"""

from __future__ import annotations

from functools import cache

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers

from jumok.data.tokenization.settings import Kind

PAD, UNKNOWN, START, END = range(4)
SPECIAL = ("< pad >", "< unknown >", "< start >", "< end >")

_SUBWORDS = r" ?[\p{L}\p{M}]+| ?\p{N}+| ?[^ \p{L}\p{M}\p{N}]+| "  # letters, digits and the rest are never in one piece
_WORDS = r" ?[\p{L}\p{M}\p{N}]+| ?[^ ]| "
_CHARACTERS = r"[^ ]| "
RULES: dict[Kind, str] = {"bpe": _SUBWORDS, "unigram": _SUBWORDS, "word": _WORDS, "character": _CHARACTERS}


def pipeline(kind: Kind, model: models.Model) -> tokenizers.Tokenizer:
    """A tokenizer of the `tokenizers` library that cuts text by the rule of `kind` and looks it up in `model`."""
    made = tokenizers.Tokenizer(model)
    if kind != "character":
        made.normalizer = normalizers.Prepend(" ")
    made.pre_tokenizer = _rule(kind)
    made.decoder = decoders.Sequence([decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return made


def cut(kind: Kind, word: str) -> list[str]:
    """The parts of one word (text without spaces) that `kind` looks up, the first with a space before it.

    >>> cut("word", "(어제)"), cut("bpe", "3rd")
    ([' (', '어제', ')'], [' 3', 'rd'])
    """
    return [part for part, _ in _rule(kind).pre_tokenize_str(" " + word)]


@cache
def _rule(kind: Kind) -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Split(Regex(RULES[kind]), "isolated")
