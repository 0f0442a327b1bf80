"""The systems, one file each: what ties the rooms below together."""

from __future__ import annotations

from collections.abc import Mapping

from jumok.systems.loading import load
from jumok.systems.prediction import Prediction
from jumok.systems.translation import Translation, TranslationRecipe
from jumok.systems.translator import Translator

SYSTEMS: Mapping[str, type[Translation]] = {"translation": Translation}
"""The systems by the name that a recipe gives."""

__all__ = ["SYSTEMS", "Prediction", "Translation", "TranslationRecipe", "Translator", "load"]
