"""`build`: an attention from names and settings, as recipes write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from jumok.attention.attention import Attention, PartName
from jumok.attention.normalizers import Normalizer
from jumok.attention.parts import NORMALIZERS, SCORES, WINDOWS, make
from jumok.attention.scores import Score
from jumok.attention.selectors import Selector
from jumok.attention.windows import Window


def build(
    score: PartName | Score,
    *,
    query_size: int | None = None,
    key_size: int | None = None,
    normalize: PartName | Normalizer | None = None,
    temperature: float | Literal["learned"] | None = None,
    select: PartName | Selector = "soft",
    window: PartName | Window | None = None,
    dropout: float = 0.0,
    **settings: Any,
) -> Attention:
    """The attention of this name; `settings` go to the score, sizes to every part that asks for them.

    >>> build("additive", query_size=8, key_size=6, hidden_size=4, normalize="entmax15", select="hard").score
    Additive(
      query_size=8, key_size=6
      (query): Linear(in_features=8, out_features=4, bias=False)
      (key): Linear(in_features=6, out_features=4, bias=False)
    )
    """
    sizes = {"query_size": query_size, "key_size": key_size}
    if not isinstance(score, Score):
        score = {**(dict(score) if isinstance(score, Mapping) else {"name": score}), **settings}
    elif settings:
        raise ValueError(f"settings: {', '.join(settings)} cannot be given to a score that is built already")
    made = make(SCORES, score, **sizes)
    normalize = made.normalizer if normalize is None else normalize
    if isinstance(normalize, Normalizer) and temperature is not None:
        raise ValueError("temperature: cannot be given to a normalizer that is built already")
    if window is not None:
        window = make(WINDOWS, window, **sizes)
    return Attention(made, make(NORMALIZERS, normalize, temperature=temperature), select, window, dropout)
