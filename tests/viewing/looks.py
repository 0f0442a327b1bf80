"""Maps that the tests of this room share."""

from __future__ import annotations

import numpy as np

from jumok.viewing import AttentionMap

HOSTILE = ("</script><b>bold</b>", "<!-- & \"quoted\" 'too' -->", "{data}", "]]>", "\\u003c", "a\nb\x00\u2028c\u202ed")


def look(*shape: int, special: bool = True, title: str = "", seed: int = 0) -> AttentionMap:
    """A map of probabilities: `(rows, columns)` with heads or layers before them, Korean and English and emoji."""
    numbers = np.random.default_rng(seed).gamma(0.3, size=shape)
    numbers /= numbers.sum(axis=-1, keepdims=True)
    words = ["▁나", "는", "▁app", "le", "▁학교", "에서", "▁샀다", "🍎", "▁incomprehensibilities", "."]
    rows, columns = ([words[place % len(words)] for place in range(count)] for count in shape[-2:])
    row_words, column_words = ([place // 2 for place in range(count)] for count in shape[-2:])
    if special:
        rows[-1] = columns[-1] = "<end>"
        row_words[-1] = column_words[-1] = -1
    return AttentionMap.from_arrays(numbers, rows, columns, row_words=row_words, column_words=column_words, title=title)


def simple(title: str = "") -> AttentionMap:
    """Two words by three, with letters that every font has."""
    return AttentionMap.from_arrays(
        [[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]], ["I", "came"], ["to", "the", "school"], title=title
    )


def hostile() -> AttentionMap:
    """Labels that would be markup if they were not text."""
    count = len(HOSTILE)
    return AttentionMap.from_arrays(
        np.eye(count), HOSTILE, HOSTILE, row_name=HOSTILE[0], column_name=HOSTILE[1], title=HOSTILE[0]
    )
