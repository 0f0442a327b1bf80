"""What the shell offers when Tab is pressed."""

from __future__ import annotations

from pathlib import Path


def recipe_names(incomplete: str) -> list[str]:
    """The recipes that come with jumok, and those in the folder, that begin so."""
    from jumok.recipes.finding import ENDINGS, names

    own = sorted(path.name for path in Path().iterdir() if path.suffix in ENDINGS)
    return _begin(incomplete, [*names(), *own])


def preset_names(incomplete: str) -> list[str]:
    """The presets of models that begin so."""
    from jumok.models.settings import PRESETS

    return _begin(incomplete, sorted(PRESETS))


def _begin(incomplete: str, names: list[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
