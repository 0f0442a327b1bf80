"""Tokenizers of a corpus, learned once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import tokenizers

from jumok.data.cache import entry_name, fill_entry
from jumok.data.corpora.rows import TextPair
from jumok.data.tokenization.pair import Tokenizers, train_tokenizers
from jumok.data.tokenization.settings import TokenizerSettings

_FORMAT = 1


def cached_tokenizers(
    pairs: Iterable[TextPair],
    fingerprint: str,
    settings: TokenizerSettings,
    cache: Path,
    where: str,
    notice: Callable[[str], None] | None = None,
) -> Tokenizers:
    """`train_tokenizers`, or what it gave before for a corpus of this fingerprint."""
    key = {
        "format": _FORMAT,
        "library": tokenizers.__version__,
        "corpus": fingerprint,
        "settings": settings.model_dump(exclude={"dropout"}),
    }
    folder = cache / "tokenizers" / entry_name(key)

    def whole() -> bool:
        try:
            return bool(Tokenizers.load(folder))
        except (OSError, ValueError):
            return False

    fill_entry(folder, whole, lambda beside: train_tokenizers(pairs, settings, where, notice).save(beside))
    return Tokenizers.load(folder)
