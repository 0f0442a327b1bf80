"""The systems, one file each: what ties the rooms below together."""

from __future__ import annotations

from collections.abc import Mapping

from jumok.systems.loading import load
from jumok.systems.prediction import Prediction
from jumok.systems.system import System
from jumok.systems.translation import Translation, TranslationRecipe
from jumok.systems.translator import Translator

SYSTEMS: Mapping[str, type[System]] = {"translation": Translation}
"""The systems by the name that a recipe gives."""

__all__ = ["SYSTEMS", "Prediction", "System", "Translation", "TranslationRecipe", "Translator", "load"]
