"""Looks read back from the JSON that they were saved as."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jumok.viewing.graph_look import KIND as GRAPH
from jumok.viewing.graph_look import GraphLook
from jumok.viewing.map import AttentionMap


def read_looks(path: str | Path) -> list[AttentionMap | GraphLook]:
    """The maps of a `.json`: one, or a list of them as `jumok translate --attention` writes for several sentences.

    Sentences without a map (of a model without attention) are left out.
    """
    path = Path(path)
    if path.suffix.lower() != ".json":
        raise ValueError(f"{path}: looks are read from .json; pictures cannot be read back")
    try:
        values = json.loads(path.read_bytes())
        several = values if isinstance(values, list) else [values]
        found = [_look(each) for each in several if each is not None]
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not found:
        raise ValueError(f"{path}: holds no look; models without attention have none")
    return found


def _look(values: Any) -> AttentionMap | GraphLook:
    if isinstance(values, dict) and values.get("jumok") == GRAPH:
        return GraphLook.from_dict(values)
    return AttentionMap.from_dict(values)
