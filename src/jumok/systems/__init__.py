"""The systems, one file each: what ties the rooms below together."""

from __future__ import annotations

from collections.abc import Mapping

from jumok.systems.translation import Translation, TranslationRecipe

SYSTEMS: Mapping[str, type[Translation]] = {"translation": Translation}
"""The systems by the name that a recipe gives."""

__all__ = ["SYSTEMS", "Translation", "TranslationRecipe"]
