"""The practice language as data: pairs by number, each with its gold alignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count as numbers

from jumok.data.korean.alignment import Links, align
from jumok.data.korean.dice import Dice
from jumok.data.korean.english_side import Word, english
from jumok.data.korean.growing import Grower
from jumok.data.korean.korean_side import korean
from jumok.data.korean.lexicon import lexicon
from jumok.data.korean.planning import plan
from jumok.data.korean.tenses import settle
from jumok.data.korean.tree import Sentence

VERSION = "4"
"""The version of words, grammar and gold conventions; any change to the pairs raises it."""

HELD_OUT_OF = 50
SHORTEST, LONGEST = 3, 60


@dataclass(frozen=True)
class Pair:
    """A Korean sentence, its English translation, and which words belong together.

    Words are what spaces separate, punctuation included. `sure` and `possible` hold (source word, target word), and
    no link is in both.
    """

    source: str
    target: str
    sure: Links
    possible: Links
    held_out: bool


def is_held_out(target: str) -> bool:
    """Whether a sentence is kept out of training: one in fifty, by a hash of its English text.

    English is a function of the Korean sentence, so all ways of saying the same in Korean fall on the same side.
    """
    return int.from_bytes(blake2b(target.encode(), digest_size=8).digest(), "big") % HELD_OUT_OF == 0


def _text(words: Sequence[Word]) -> str:
    return " ".join(word for word, _, _ in words)


def _pair(sentence: Sentence, target: Sequence[Word]) -> Pair:
    source, text = korean(sentence), _text(target)
    return Pair(_text(source), text, *align(source, target), is_held_out(text))


class Korean:
    """An endless Korean-English corpus; pair `number` follows from the seed and the settings alone.

    >>> grammar = Korean(seed=0)
    >>> pair = grammar.pair(0, min_words=4, max_words=8)
    >>> pair == Korean(seed=0).pair(0, min_words=4, max_words=8)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._words = lexicon()

    def pair(self, number: int, min_words: int = 3, max_words: int = 20, held_out: bool = False) -> Pair:
        """Pair `number`, of `min_words` to `max_words` English words; all lengths come about equally often."""
        return _pair(*self._sentence(number, min_words, max_words, held_out))

    def _sentence(self, number: int, min_words: int, max_words: int, held_out: bool) -> tuple[Sentence, Sequence[Word]]:
        if not SHORTEST <= min_words <= max_words <= LONGEST:
            raise ValueError(
                f"min_words and max_words must satisfy {SHORTEST} <= min_words <= max_words <= {LONGEST}, "
                f"not {min_words} and {max_words}"
            )
        dice = Dice(f"{VERSION} {self.seed} {number} {min_words} {max_words} {held_out}")
        length = min_words + dice.below(max_words - min_words + 1)
        tries = 0
        while True:
            make, sentence = plan(self._words, dice, length)
            words = Grower(make, sentence).grow(length)
            tries += 1
            if abs(len(words) - length) > length // 10 + tries // 12 or not min_words <= len(words) <= max_words:
                continue
            if is_held_out(_text(words)) == held_out:
                return sentence, words

    def variants(
        self, number: int, word: int, min_words: int = 3, max_words: int = 20, held_out: bool = False
    ) -> tuple[Pair, ...]:
        """Pair `number` with every other noun that fits where its Korean word `word` stands (none for other words).

        The sentences are translated and aligned anew, so they show what else changes with the word.
        """
        sentence, _ = self._sentence(number, min_words, max_words, held_out)
        words = korean(sentence)
        if not 0 <= word < len(words):
            raise ValueError(f"word must be from 0 to {len(words) - 1}, not {word}")
        keys = words[word][1]
        phrase = next((p for p in sentence.phrases() if p.key in keys and p.options and not p.idiom), None)
        if phrase is None:
            return ()
        own, found = (phrase.noun, phrase.article), []
        for noun, article in phrase.options:
            fits = all(adjective in self._words.fitting[noun] for adjective in phrase.adjectives)
            counts = not phrase.number or (noun.counter and bool(noun.piece) == bool(own[0].piece) and not noun.pairs)
            if noun is not own[0] and article == own[1] and fits and counts and not phrase.relative:
                phrase.noun = noun
                settle(sentence)
                found.append(_pair(sentence, english(sentence)))
        phrase.noun = own[0]
        return tuple(found)

    def pairs(self, count: int, min_words: int = 3, max_words: int = 20, held_out: bool = False) -> Iterator[Pair]:
        """Yields the first `count` pairs."""
        return (self.pair(number, min_words, max_words, held_out) for number in range(count))

    def __iter__(self) -> Iterator[Pair]:
        return (self.pair(number) for number in numbers())
