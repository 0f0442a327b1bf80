"""How well does this key fit this query? One file an idea; the base says what a score is."""

from jumok.attention.scores.additive import Additive, Concat
from jumok.attention.scores.base import Score
from jumok.attention.scores.content import Content
from jumok.attention.scores.dot import Cosine, Dot, ScaledDot
from jumok.attention.scores.general import General
from jumok.attention.scores.kernels import Boxcar, Constant, Epanechnikov, Gaussian, Kernel
from jumok.attention.scores.location import Location

__all__ = [
    "Additive",
    "Boxcar",
    "Concat",
    "Constant",
    "Content",
    "Cosine",
    "Dot",
    "Epanechnikov",
    "Gaussian",
    "General",
    "Kernel",
    "Location",
    "ScaledDot",
    "Score",
]
