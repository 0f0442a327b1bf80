"""How do probabilities become one vector? One file an idea."""

from jumok.attention.selectors.base import Selected, Selector, draws
from jumok.attention.selectors.gumbel import Gumbel
from jumok.attention.selectors.hard import Hard, StraightThrough
from jumok.attention.selectors.soft import Soft
from jumok.attention.selectors.top_k import TopK

__all__ = ["Gumbel", "Hard", "Selected", "Selector", "Soft", "StraightThrough", "TopK", "draws"]
