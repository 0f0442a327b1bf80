"""Recipes: YAML files, each a whole experiment, and what reads, lists and runs them."""

from jumok.recipes.about import About
from jumok.recipes.changing import Change, changes_of, parse_change
from jumok.recipes.finding import find, names
from jumok.recipes.loading import Recipe, load
from jumok.recipes.writing import dump

__all__ = ["About", "Change", "Recipe", "changes_of", "dump", "find", "load", "names", "parse_change"]
