"""What a score is."""

from __future__ import annotations

from typing import Literal

from torch import Tensor, nn

History = Literal["coverage", "last"]


class Score(nn.Module):
    """`forward(queries, keys)` gives one number for each query and key: `(..., T, Q)`, `(..., S, K')` -> `(..., T, S)`.

    `prepare` does what depends on the keys alone; it is called once, and its result is the `keys` of `forward`.
    A kind that is subclassed and given a name by `@jumok.attention.register("name")` can be used wherever a score
    is named. The score of one key must not depend on the other keys.
    """

    query_size: int | None = None
    """The size of a query that this score takes; None where any will do."""
    key_size: int | None = None
    """The size of a key; None where any will do."""
    nonnegative: bool = False
    """Whether no score is below 0, so that `sum` can normalise it."""
    normalizer: str = "softmax"
    """The normaliser that goes with it where none is named."""
    history: History | None = None
    """What of the earlier steps it sees: `forward` then takes it as a third argument `(..., T, S)`."""

    def prepare(self, keys: Tensor) -> Tensor:
        """The part of the score that depends on the keys alone, `(..., S, K')`."""
        return keys

    def beside(self, keys: Tensor) -> Tensor | None:
        """What else is worth having of prepared keys that are asked step after step; `forward` takes it by name."""
        return None

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """The scores `(..., T, S)`."""
        raise NotImplementedError

    def extra_repr(self) -> str:
        return "" if self.query_size is None else f"query_size={self.query_size}, key_size={self.key_size}"


def checked_size(name: str, size: int, least: int = 1) -> int:
    """`size`, when it is a whole number of at least `least`."""
    if not isinstance(size, int) or isinstance(size, bool):
        raise TypeError(f"{name}: expected a whole number, got {size!r}")
    if size < least:
        raise ValueError(f"{name}: must be at least {least}, got {size}")
    return size
