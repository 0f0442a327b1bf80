"""From weights to words: one search for all decoders, whose hypotheses carry what was looked at."""

from jumok.decoding.edits import Edits
from jumok.decoding.forcing import force, force_all
from jumok.decoding.hypothesis import Hypothesis
from jumok.decoding.machine import Machine
from jumok.decoding.search import Search
from jumok.decoding.settings import DrawSettings, SearchSettings
from jumok.decoding.sorting import decode, padded

__all__ = [
    "DrawSettings",
    "Edits",
    "Hypothesis",
    "Machine",
    "Search",
    "SearchSettings",
    "decode",
    "force",
    "force_all",
    "padded",
]
