"""From text to token ids and back, exactly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

import tokenizers

from jumok.core.files import write_whole
from jumok.data.tokenization import pieces
from jumok.data.tokenization.sample import Sample
from jumok.data.tokenization.settings import Kind, TokenizerSettings
from jumok.data.tokenization.training import learn

_REMEMBERED = 200_000  # words; the frequent ones come early, and these are tens of megabytes

_STRANGE = "\U0010ffff"  # no character


class Tokenizer:
    """Text as token ids.

    `decode(encode(text)) == text` for every text with single spaces inside, none around it, and known characters only.
    What is not known becomes `UNKNOWN`, and reads `⁇`. It is made of what `save` writes, a JSON of `tokenizers`.
    """

    PAD = pieces.PAD
    UNKNOWN = pieces.UNKNOWN
    START = pieces.START
    END = pieces.END

    def __init__(self, text: str) -> None:
        self._json = text
        self._inner = tokenizers.Tokenizer.from_str(text)
        self.kind = _kind(text)
        self._ids = self._inner.get_vocab(with_added_tokens=False)
        self._pieces = sorted(self._ids, key=self._ids.__getitem__)
        if tuple(self._pieces[:4]) != pieces.SPECIAL:
            raise ValueError("its first four tokens are not those of jumok")
        if self._ids[self._pieces[-1]] != len(self._pieces) - 1:
            raise ValueError("the ids of its tokens have gaps")
        if _STRANGE not in self._ids and self.UNKNOWN not in self._inner.encode(_STRANGE).ids:
            raise ValueError("it has no token for what is unknown")
        unknown = " ⁇" if self.kind == "word" else "⁇"
        self._read = ["", unknown, "", "", *self._pieces[4:]]
        self._shown = ["<pad>", "⁇", "<start>", "<end>", *(piece.replace(" ", "▁") for piece in self._pieces[4:])]
        self._begins = [piece.startswith(" ") for piece in self._read]
        self._remembered: dict[str, list[int]] = {"": [self._ids.get(" ", self.UNKNOWN)]}

    @classmethod
    def train(
        cls, texts: Iterable[str], settings: TokenizerSettings, where: str, notice: Callable[[str], None] | None = None
    ) -> Tokenizer:
        """A tokenizer for `texts`, which are read once; the same texts give the same tokenizer.

        where: begins the line of an error. notice: is told what is left out, in a line each.
        """
        sample = Sample()
        for text in texts:
            sample.add(text)
        return cls(learn(sample, settings, where, notice))

    @property
    def size(self) -> int:
        """Number of tokens, special ones included."""
        return len(self._pieces)

    def encode(self, text: str) -> list[int]:
        """The ids of `text`, without `START` and `END`. Nothing in a text is ever read as a special token."""
        ids: list[int] = []
        if not text:
            return ids
        if self.kind == "character":
            return [self._ids.get(character, self.UNKNOWN) for character in text]
        remembered = self._remembered
        for word in text.split(" "):
            ids += remembered.get(word) or self._look_up(word)
        return ids

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of each text."""
        return [self.encode(text) for text in texts]

    def decode(self, ids: Iterable[int], unknown: Iterable[str] = ()) -> str:
        """The text of these ids; `PAD`, `START` and `END` are left out.

        unknown: what to write for each `UNKNOWN`, in their order; `⁇` when there is nothing left.
        """
        known = iter(unknown)
        read = [self._read[id] if id != self.UNKNOWN else self._written(next(known, None)) for id in ids]
        return "".join(read).removeprefix(" ")

    def _written(self, word: str | None) -> str:
        """What an unknown piece reads; words begin with a space."""
        if word is None:
            return self._read[self.UNKNOWN]
        return f" {word}" if self.kind == "word" else word

    def tokens(self, ids: Iterable[int]) -> list[str]:
        """Each id as people read it, `▁` for the space before a word."""
        return [self._shown[id] for id in ids]

    def spelt(self, text: str) -> list[str]:
        """`tokens(encode(text))`, with unknown words and characters as they are written."""
        ids = self.encode(text)
        parts = [part for word in text.split(" ") for part in pieces.cut(self.kind, word)] if text else []
        if self.kind == "character":
            parts = list(text)
        if len(parts) != len(ids):  # subwords: what is unknown in them has no place of its own
            return self.tokens(ids)
        known = zip(ids, self.tokens(ids), parts, strict=True)
        return [part.replace(" ", "▁") if id == self.UNKNOWN else token for id, token, part in known]

    def words_of(self, text: str) -> list[int]:
        """For each id of `encode(text)` the number of the word in `text.split(" ")` that it is a part of."""
        if self.kind == "character":
            return [text.count(" ", 0, place + 1) for place in range(len(text))]
        lengths = [len(self.encode(word)) or 1 for word in text.split(" ")] if text else []
        return [number for number, length in enumerate(lengths) for _ in range(length)]

    def words(self, ids: Iterable[int]) -> list[int]:
        """For each id the number of the word in `decode(ids).split(" ")` that it is a part of; -1 for special ones."""
        numbers = []
        last = -1
        for id in ids:
            special = id in (self.PAD, self.START, self.END)
            last += not special and (self._begins[id] or last < 0)
            numbers.append(-1 if special else last)
        return numbers

    def ids_of(self, tokens: Iterable[str]) -> list[int]:
        """The ids of pieces as `tokens` showed them; one that is not known is a `ValueError`."""
        shown = self._ids_as_shown
        ids = []
        for token in tokens:
            if token not in shown:
                raise ValueError(f"there is no token {token!r}")
            ids.append(shown[token])
        return ids

    @cached_property
    def _ids_as_shown(self) -> dict[str, int]:
        return {token: id for id, token in reversed(list(enumerate(self._shown)))}

    def to_json(self) -> str:
        """What `save` writes."""
        return self._json

    def fingerprint(self) -> str:
        """The same for the same tokenizer, on every machine."""
        return hashlib.sha256(self._json.encode()).hexdigest()

    def save(self, path: Path) -> None:
        """Write the tokenizer to `path`, whole or not at all."""
        write_whole(path, self._json)

    @classmethod
    def load(cls, path: Path) -> Tokenizer:
        """The tokenizer that `save` wrote."""
        text = path.read_bytes()
        try:
            return cls(text.decode())
        except Exception as error:  # the library raises nothing more special
            reason, *_ = str(error).splitlines() or [type(error).__name__]
            raise ValueError(f"{path}: is damaged, or no tokenizer of jumok ({reason}); train again") from None

    def _look_up(self, word: str) -> list[int]:
        ids: list[int] = self._inner.encode(word).ids
        if len(self._remembered) < _REMEMBERED:
            self._remembered[word] = ids
        return ids

    def ids(self) -> Mapping[str, int]:
        """The id of each piece, as it is joined to text."""
        return self._ids

    def merges(self) -> list[tuple[str, str]]:
        """The pairs of pieces that BPE joins, in the order in which it learned them; none for other kinds."""
        return [(left, right) for left, right in json.loads(self._json)["model"].get("merges", ())]


def _kind(text: str) -> Kind:
    file = json.loads(text)
    model, rule = file["model"]["type"], file["pre_tokenizer"]["pattern"]["Regex"]
    names: dict[tuple[str, str], Kind] = {
        ("BPE", pieces.RULES["bpe"]): "bpe",
        ("Unigram", pieces.RULES["unigram"]): "unigram",
        ("WordLevel", pieces.RULES["word"]): "word",
        ("WordLevel", pieces.RULES["character"]): "character",
    }
    return names[model, rule]
