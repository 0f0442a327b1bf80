"""How each kind of tokenizer is learned from text. The same text gives the same tokenizer, byte for byte."""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate

from tokenizers import models, trainers

from jumok.data.tokenization import pieces
from jumok.data.tokenization.sample import Sample
from jumok.data.tokenization.settings import TokenizerSettings
from jumok.data.tokenization.unigram import learn_pieces

_COVERED = 0.99999  # of the text, by the characters that stay where a text has too many

Notice = Callable[[str], None]


def learn(sample: Sample, settings: TokenizerSettings, where: str, notice: Notice | None = None) -> str:
    """A tokenizer for the texts of the sample, as JSON; `where` begins the line of an error."""
    if not sample.texts:
        raise ValueError(f"{where}: there is no text to learn a tokenizer from")
    notice = notice or (lambda line: None)
    if not sample.whole:
        notice(f"the tokenizer is learned from {len(sample.texts):,} of {sample.seen:,} sentences")
    make = {"bpe": _bpe, "unigram": _unigram, "word": _whole, "character": _whole}[settings.kind]
    made = pieces.pipeline(settings.kind, make(sample.texts, settings, notice))
    size = made.get_vocab_size()
    if size < settings.size and settings.kind in ("bpe", "unigram"):
        raise ValueError(
            f"{where}: tokenizer.size is {settings.size}, but this text gives only {size} pieces; "
            f"set tokenizer.size to at most {size}"
        )
    return made.to_str()


def _whole(texts: Sequence[str], settings: TokenizerSettings, notice: Notice) -> models.Model:
    """Words or characters, the most frequent first."""
    if settings.kind == "character":
        counts = Counter(character for text in texts for character in text)
    else:
        counts = _parts(_words(texts), settings)
    kept = _by_count(counts)[: settings.size - len(pieces.SPECIAL)]
    _tell_unknown(counts, kept, f"{settings.kind}s", notice)
    ids = {piece: id for id, piece in enumerate((*pieces.SPECIAL, *kept))}
    return models.WordLevel(ids, unk_token=pieces.SPECIAL[pieces.UNKNOWN])


def _bpe(texts: Sequence[str], settings: TokenizerSettings, notice: Notice) -> models.Model:
    """Byte-pair encoding (Sennrich et al. 2016), by the trainer of the `tokenizers` library."""
    alphabet = _alphabet(_words(texts), settings.size, notice)
    trainer = trainers.BpeTrainer(
        vocab_size=settings.size,
        min_frequency=2,
        special_tokens=list(pieces.SPECIAL),
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        show_progress=False,
    )
    learning = pieces.pipeline("bpe", models.BPE())
    with _one_thread():
        learning.train_from_iterator(texts, trainer)
    learned = json.loads(learning.to_str())["model"]
    merges = [(left, right) for left, right in learned["merges"]]
    return models.BPE(vocab=learned["vocab"], merges=merges, unk_token=pieces.SPECIAL[pieces.UNKNOWN])


def _unigram(texts: Sequence[str], settings: TokenizerSettings, notice: Notice) -> models.Model:
    """A unigram language model of pieces (Kudo 2018), by our own trainer."""
    words = _words(texts)
    alphabet = _alphabet(words, settings.size, notice)
    learned = learn_pieces(_parts(words, settings), alphabet, settings.size - len(pieces.SPECIAL))
    return models.Unigram([*((special, 0.0) for special in pieces.SPECIAL), *learned], pieces.UNKNOWN, False)


def _words(texts: Iterable[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text.split(" "))
    return counts


def _parts(words: Mapping[str, int], settings: TokenizerSettings) -> Counter[str]:
    """How often each part of a word is there."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for part in pieces.cut(settings.kind, word):
            counts[part] += count
    return counts


def _alphabet(words: Mapping[str, int], size: int, notice: Notice) -> list[str]:
    """The space and all characters; where they would fill more than half of the tokenizer, those that are in use."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            counts[character] += count
    kept = _by_count(counts)
    if len(kept) > size // 2:
        covered = list(accumulate(counts[character] for character in kept))
        enough = bisect_left(covered, _COVERED * covered[-1]) + 1
        kept = kept[: min(enough, size - len(pieces.SPECIAL) - 1)]
    _tell_unknown(counts, kept, "characters", notice)
    return [" ", *kept]


def _by_count(counts: Mapping[str, int]) -> list[str]:
    """The most frequent first; equally frequent ones in the order of their letters."""
    return sorted(counts, key=lambda piece: (-counts[piece], piece))


def _tell_unknown(counts: Counter[str], kept: Sequence[str], what: str, notice: Notice) -> None:
    lost = len(counts) - len(kept)
    if lost:
        share = 1 - sum(counts[piece] for piece in kept) / counts.total()
        notice(f"{lost:,} rare {what} ({share:.2%} of the text) do not fit into tokenizer.size and will read ⁇")


@contextmanager
def _one_thread() -> Iterator[None]:
    """Keep the library from starting threads: it warns at each later fork of a process in which it ever had some."""
    name = "TOKENIZERS_PARALLELISM"
    before = os.environ.get(name)
    os.environ[name] = "false"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
