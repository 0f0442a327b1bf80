"""What a system puts out: text, how sure it is, and what it looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jumok.viewing import AttentionMap


class Prediction:
    """One output.

    text: what was said. source: what it was said of.
    tokens: its pieces as people read them, the end included where it is `finished`.
    score: the sum of the tokens' log-probabilities; token_scores: of each.
    rank_score: what several are sorted by. finished: whether it ended by itself, not because it had become too long.
    unknown: words of the source that the model never learned.
    attention: the map of what each token looked at, made when it is read; None for a model without attention.
    """

    __slots__ = (
        "_attention",
        "_look",
        "finished",
        "rank_score",
        "score",
        "source",
        "text",
        "token_scores",
        "tokens",
        "unknown",
    )

    def __init__(
        self,
        text: str,
        source: str,
        tokens: Sequence[str] = (),
        score: float = 0.0,
        rank_score: float = 0.0,
        finished: bool = True,
        token_scores: Sequence[float] = (),
        unknown: Sequence[str] = (),
        look: Callable[[], AttentionMap] | None = None,
    ) -> None:
        self.text, self.source = text, source
        self.tokens, self.token_scores, self.unknown = tuple(tokens), tuple(token_scores), tuple(unknown)
        self.score, self.rank_score, self.finished = score, rank_score, finished
        self._look, self._attention = look, None

    _look: Callable[[], AttentionMap] | None
    _attention: AttentionMap | None

    @property
    def attention(self) -> AttentionMap | None:
        """What each token looked at."""
        if self._attention is None and self._look is not None:
            self._attention, self._look = self._look(), None
        return self._attention

    def to_dict(self, attention: bool = True) -> dict[str, Any]:
        """Plain values for JSON, the attention in its own form, or None where it is not wanted."""
        plain = {name: getattr(self, name) for name in ("source", "text", "score", "rank_score", "finished")}
        plain |= {name: list(getattr(self, name)) for name in ("tokens", "token_scores", "unknown")}
        look = self.attention if attention else None
        return plain | {"attention": None if look is None else look.to_dict()}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        cut = "" if self.finished else ", not finished"
        return f"Prediction({self.text!r}, score {self.score:.3f}{cut})"

    def _repr_html_(self) -> str | None:
        return None if self.attention is None else self.attention._repr_html_()
