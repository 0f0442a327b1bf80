"""A recipe as YAML again: whole, with every default, nothing inherited."""

from __future__ import annotations

import yaml

from jumok.core.settings import Settings
from jumok.recipes.reading import Dumper


def dump(settings: Settings) -> str:
    """The settings of a recipe as YAML; loaded again, it gives the same settings.

    A data root that was not set is left out: it would be taken for the folder in which the file then stands.
    """
    values = settings.model_dump(mode="json")
    if isinstance(data := values.get("data"), dict) and data.get("root") == ".":
        del data["root"]
    return yaml.dump(values, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)
