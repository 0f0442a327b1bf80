"""Attention: every mechanism of the literature as one small, exchangeable part.

A score says how well a key fits a query, a normaliser makes probabilities of scores, a window says where it may
look at all, a selector makes one vector of probabilities; `Attention` puts them together, and the rest is built
from it.
"""

from jumok.attention.addressing import Addressing
from jumok.attention.attended import Attended
from jumok.attention.attention import Attention
from jumok.attention.building import build
from jumok.attention.dictionary import Answer, SoftDictionary
from jumok.attention.edges import PreparedEdges, prepare_edges
from jumok.attention.graph import AttendedEdges, GraphAttention
from jumok.attention.key_value import KeyValueMemory, Recalled
from jumok.attention.masks import causal_mask, lengths_to_mask
from jumok.attention.memory import Memory, State
from jumok.attention.multihead import MultiHead
from jumok.attention.normalizers import Entmax15, Normalizer, Softmax, Sparsemax, Sum, entmax15, sparsemax
from jumok.attention.parts import NORMALIZERS, SCORES, SELECTORS, WINDOWS, register
from jumok.attention.pooling import AttentionPooling, NadarayaWatson
from jumok.attention.scores import (
    Additive,
    Boxcar,
    Concat,
    Constant,
    Content,
    Cosine,
    Dot,
    Epanechnikov,
    Gaussian,
    General,
    Kernel,
    Location,
    ScaledDot,
    Score,
)
from jumok.attention.selectors import Gumbel, Hard, Selected, Selector, Soft, StraightThrough, TopK
from jumok.attention.windows import LocalM, LocalP, Place, Shift, Window

__all__ = [
    "NORMALIZERS",
    "SCORES",
    "SELECTORS",
    "WINDOWS",
    "Additive",
    "Addressing",
    "Answer",
    "Attended",
    "AttendedEdges",
    "Attention",
    "AttentionPooling",
    "Boxcar",
    "Concat",
    "Constant",
    "Content",
    "Cosine",
    "Dot",
    "Entmax15",
    "Epanechnikov",
    "Gaussian",
    "General",
    "GraphAttention",
    "Gumbel",
    "Hard",
    "Kernel",
    "KeyValueMemory",
    "LocalM",
    "LocalP",
    "Location",
    "Memory",
    "MultiHead",
    "NadarayaWatson",
    "Normalizer",
    "Place",
    "PreparedEdges",
    "Recalled",
    "ScaledDot",
    "Score",
    "Selected",
    "Selector",
    "Shift",
    "Soft",
    "SoftDictionary",
    "Softmax",
    "Sparsemax",
    "State",
    "StraightThrough",
    "Sum",
    "TopK",
    "Window",
    "build",
    "causal_mask",
    "entmax15",
    "lengths_to_mask",
    "prepare_edges",
    "register",
    "sparsemax",
]
