"""`python -m jumok.data.korean`: show pairs with their alignment, or measure the language."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from jumok.core.pipes import end_with_reader
from jumok.data.korean.dice import Dice
from jumok.data.korean.english_side import english
from jumok.data.korean.growing import Grower
from jumok.data.korean.lexicon import lexicon
from jumok.data.korean.planning import plan
from jumok.data.korean.sampling import VERSION, Korean, Pair, is_held_out

_RANGES = ((3, 10), (11, 20), (21, 40), (41, 60))


def show(pair: Pair) -> str:
    """A pair as lines: the sentences, then each English word with the Korean words it belongs to.

    Words in brackets are possible links, the others sure ones.
    """
    source, target = pair.source.split(), pair.target.split()
    lines = [pair.source, pair.target]
    for index, word in enumerate(target):
        sure = [source[i] for i, j in pair.sure if j == index]
        possible = [f"({source[i]})" for i, j in pair.possible if j == index]
        lines.append(f"    {word:<14} {' '.join(sure + possible) or '-'}")
    return "\n".join(lines)


def crossing(pairs: Sequence[Pair]) -> float:
    """The share of sure links that cross at least one other."""
    total = sum(len(pair.sure) for pair in pairs)
    crossed = sum(any((i - k) * (j - m) < 0 for k, m in pair.sure) for pair in pairs for i, j in pair.sure)
    return crossed / total


def figures(seed: int, count: int) -> str:
    """The language in figures, over `count` pairs of each range of lengths."""
    grammar, lines = Korean(seed), [f"version {VERSION}"]
    korean: set[str] = set()
    targets: set[str] = set()
    for low, high in _RANGES:
        started = time.process_time()
        pairs = list(grammar.pairs(count, low, high))
        speed = count / (time.process_time() - started)
        korean.update(word.strip(".,") for pair in pairs for word in pair.source.split())
        targets.update(word.strip(".,").lower() for pair in pairs for word in pair.target.split())
        shared = f"{crossing(pairs):.0%} of sure links cross"
        lines.append(f"{low}-{high} English words: {speed:,.0f} pairs a second, {shared}")
    dice, words = Dice(f"held out {seed}"), lexicon()
    held = 0
    for _ in range(count):
        make, sentence = plan(words, dice, 8)
        Grower(make, sentence).grow(8)
        held += is_held_out(" ".join(word for word, _, _ in english(sentence)))
    lines.append(f"{len(korean)} Korean and {len(targets)} English word types; {held / count:.1%} held out")
    nouns, frames = len(words.nouns), len(words.frames) + len(words.causes)
    lines.append(f"{nouns} nouns, {frames} uses of verbs, {len(words.adjectives)} adjectives")
    return "\n".join(lines)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m jumok.data.korean", description=__doc__)
    parser.add_argument("--show", type=int, default=5, metavar="N", help="show N pairs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--min-words", type=int, default=3)
    parser.add_argument("--max-words", type=int, default=20)
    parser.add_argument("--figures", type=int, metavar="N", help="measure the language over N pairs of each length")
    given = parser.parse_args()
    if given.figures:
        print(figures(given.seed, given.figures))
        return
    for pair in Korean(given.seed).pairs(given.show, given.min_words, given.max_words):
        print(show(pair), end="\n\n")


if __name__ == "__main__":
    end_with_reader()
    main()
