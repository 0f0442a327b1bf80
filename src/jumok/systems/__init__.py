"""The systems, one file each: what ties the rooms below together."""

from __future__ import annotations

from collections.abc import Mapping

from jumok.systems.answerer import Answer, Answerer
from jumok.systems.answering import Answering, AnsweringRecipe
from jumok.systems.captioner import Captioner
from jumok.systems.captioning import Captioning, CaptioningRecipe
from jumok.systems.graphs import GraphRecipe, Graphs
from jumok.systems.loading import load
from jumok.systems.node_classifier import GraphPrediction, NodeClassifier, NodePrediction
from jumok.systems.prediction import Prediction
from jumok.systems.reader import Reader, Reading
from jumok.systems.reading import ReadingRecipe, ReadingSystem
from jumok.systems.system import System
from jumok.systems.translation import Translation, TranslationRecipe
from jumok.systems.translator import Translator

SYSTEMS: Mapping[str, type[System]] = {
    "answering": Answering,
    "graphs": Graphs,
    "captioning": Captioning,
    "reading": ReadingSystem,
    "translation": Translation,
}
"""The systems by the name that a recipe gives."""

__all__ = [
    "SYSTEMS",
    "Answer",
    "Answerer",
    "Answering",
    "AnsweringRecipe",
    "Captioner",
    "Captioning",
    "CaptioningRecipe",
    "GraphPrediction",
    "GraphRecipe",
    "Graphs",
    "NodeClassifier",
    "NodePrediction",
    "Prediction",
    "Reader",
    "Reading",
    "ReadingRecipe",
    "ReadingSystem",
    "System",
    "Translation",
    "TranslationRecipe",
    "Translator",
    "load",
]
