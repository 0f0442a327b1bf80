"""How attention looks at all: sharp or blurred, moving or still, at words or at the end of the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jumok.viewing.map import SPECIAL, AttentionMap

_COVERED = 0.1
_SAME_LOOK = 0.05
_BLURRED = 0.98
_SAME_PLACE = 0.95
_AT_END = 0.9


@dataclass(frozen=True)
class Diagnosis:
    """Figures of many looks, and what is wrong with them. Rows are the target's words, columns the source's.

    entropy: the mean of $-\\sum_s p_s \\log_2 p_s$ over the rows, in bits; 0 where one word gets all.
    relative_entropy: the same over $\\log_2 S$, so that 1 is a look at everything alike.
    coverage: the share of source words that get at least a tenth of the look of some row.
    end_share: the share of the weight that falls on special pieces, such as the end of the sentence.
    change: the mean of $\\frac{1}{2} \\sum_s |p_{t,s} - p_{t+1,s}|$, from 0 (the same look always) to 1 (none shared).
    same_place: the share of rows that look most at the one place at which most rows of the sentence do.
    diagonal: the mean of $1 - |t/(T-1) - s/(S-1)|$ under the weights: 1 along it, about 2/3 for a uniform look.
    over_pictures: whether columns are regions of pictures, of which nobody looks at all; `diagonal` then means nothing.
    """

    maps: int
    rows: int
    entropy: float
    relative_entropy: float
    coverage: float
    end_share: float
    change: float
    same_place: float
    diagonal: float
    over_pictures: bool = False

    @property
    def reasons(self) -> tuple[str, ...]:
        """The signs of dead attention that are there: `uniform`, `end`, `same look`, `same place`."""
        signs = {
            "uniform": self.relative_entropy > _BLURRED,
            "end": self.end_share > _AT_END,
            "same look": self.change < _SAME_LOOK,
            "same place": self.same_place > _SAME_PLACE,
        }
        return tuple(name for name, there in signs.items() if there)

    @property
    def warning(self) -> str | None:
        """One line where attention is dead, else None."""
        return self.warning_in("en")

    def warning_in(self, language: str) -> str | None:
        """The same in English ("en") or Korean ("ko")."""
        if not self.reasons:
            return None
        name, english, korean = ({**_WORDS, **_OF_PICTURES} if self.over_pictures else _WORDS)[self.reasons[0]]
        share = 100 * float(getattr(self, name))
        if language == "ko":
            return f"제구실을 못 하는 어텐션: {korean.format(share)}"
        return f"dead attention: {english.format(share)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, the warning among them."""
        return {**self.__dict__, "warning": self.warning}


_WORDS = {
    "uniform": (
        "relative_entropy",
        "it looks everywhere alike (its entropy is {:.0f} % of the highest)",
        "모든 곳을 똑같이 봅니다 (엔트로피가 최댓값의 {:.0f}%)",
    ),
    "end": (
        "end_share",
        "{:.0f} % of it falls on the end of the sentence",
        "가중치의 {:.0f}%가 문장 끝에 몰려 있습니다",
    ),
    "same look": (
        "change",
        "every target word has the same look (it changes by {:.1f} % from word to word)",
        "모든 출력 단어가 같은 곳을 봅니다 (단어 사이의 변화 {:.1f}%)",
    ),
    "same place": (
        "same_place",
        "{:.0f} % of the target words look most at one place of their sentence",
        "출력 단어의 {:.0f}%가 문장의 한 곳을 가장 많이 봅니다",
    ),
}
_OF_PICTURES = {
    "same place": (
        "same_place",
        "{:.0f} % of the words look most at one place of their picture",
        "출력 단어의 {:.0f}%가 그림의 한 곳을 가장 많이 봅니다",
    ),
}


class _Sums(NamedTuple):
    """Sums of one map, and over how many rows, words or steps each is."""

    entropy: float
    relative_entropy: float
    covered: int
    columns: int
    end: float
    change: float
    steps: int
    same_place: int
    diagonal: float
    rows: int


def diagnose(looks: Iterable[AttentionMap]) -> Diagnosis:
    """What the looks of many sentences are like, in their last layer, by the mean of its heads.

    For one layer or head: `diagnose(look.select(layer, head) for look in looks)`. Maps of fewer than two source
    words or three target words tell nothing, and are left out; so are rows that look at nothing.
    """
    maps = list(looks)
    found = list(_measured(maps))
    if not found:
        raise ValueError("no attention map with at least two source words and three target words: nothing to diagnose")
    total = _Sums(*(sum(values) for values in zip(*found, strict=True)))
    rows = total.rows
    return Diagnosis(
        maps=len(found),
        rows=rows,
        entropy=total.entropy / rows,
        relative_entropy=total.relative_entropy / rows,
        coverage=total.covered / total.columns,
        end_share=total.end / rows,
        change=total.change / total.steps,
        same_place=total.same_place / rows,
        diagonal=total.diagonal / rows,
        over_pictures=all(look.grid is not None for look in maps),
    )


def _measured(looks: Iterable[AttentionMap]) -> Iterator[_Sums]:
    for look in looks:
        words = look.select().words()
        keep = [row for row, word in enumerate(words.row_words) if word != SPECIAL and words.matrix[row].sum() > 0]
        matrix = words.matrix[keep].astype(np.float64)
        special = np.array([word == SPECIAL for word in words.column_words])
        if len(keep) > 2 and (~special).sum() > 1:
            yield _measure(matrix / matrix.sum(1, keepdims=True), special)


def _measure(looks: NDArray[np.float64], special: NDArray[np.bool_]) -> _Sums:
    """`(rows, columns)` of rows that sum to one."""
    rows, columns = looks.shape
    entropies = -(looks * np.log2(np.where(looks > 0, looks, 1.0))).sum(1)
    places = np.bincount(looks.argmax(1), minlength=columns)
    across, down = np.linspace(0, 1, columns), np.linspace(0, 1, rows)
    return _Sums(
        entropy=float(entropies.sum()),
        relative_entropy=float(entropies.sum() / np.log2(columns)),
        covered=int((looks[:, ~special].max(0) >= _COVERED).sum()),
        columns=int((~special).sum()),
        end=float(looks[:, special].sum()),
        change=float(np.abs(np.diff(looks, axis=0)).sum() / 2),
        steps=rows - 1,
        same_place=int(places.max()),
        diagonal=float((looks * (1 - np.abs(down[:, None] - across))).sum()),
        rows=rows,
    )
