"""A model's card: README.md in its folder, with what it is, what it learned from, and how good it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jumok
from jumok.core.files import write_whole
from jumok.evaluation import Report, Score
from jumok.evaluation.score import shown
from jumok.systems.folders import read_config

CARD, SCORES, RECIPE = "README.md", "scores.json", "recipe.yaml"

_HEAD = """---
library_name: jumok
pipeline_tag: {task}
tags:
- jumok
- attention
- {system}
---

# {name}

{what}, trained with jumok {version}: {parameters:,} parameters.
Every output carries what the model looked at.

```python
{loading}
prediction = model({asked})
prediction.{told}
prediction.attention.save("look.{form}")
```
"""


_HERE = 'import jumok\n\nmodel = jumok.load("{name}")          # this folder'
_THERE = 'from jumok.systems import {loader}\n\nmodel = {loader}.from_pretrained("{name}")'


class OnHub(NamedTuple):
    """What the Hub calls a model, and the class that brings it from there."""

    name: str
    loader: str


class _Kind(NamedTuple):
    """How the models of a system are spoken of, and called."""

    task: str  # as the Hub names it
    what: str
    asked: str
    told: str = "text"
    form: str = "html"


_KINDS = {
    "answering": _Kind("question-answering", "An answerer", '["Mary went to the garden."], "Where is Mary?"'),
    "captioning": _Kind("image-to-text", "A captioner", '"photo.jpg"'),
    "graphs": _Kind("graph-ml", "A graph classifier", '"graph.npz"', "labels", "svg"),
    "reading": _Kind("text-classification", "A reader", '"..."'),
    "translation": _Kind("translation", "A translator", '"..."'),
}


_SEES = _Kind("image-classification", "A reader of pictures", '"photo.jpg"', form="png")
_COUNTS = _Kind("tabular-regression", "A reader of series of numbers", "[(0.3, 0), (0.9, 1)]")


def _kind(folder: Path) -> tuple[str, _Kind]:
    """The system of a folder, and how its models are spoken of; readers differ by what they read."""
    config = read_config(folder)
    if config.system == "reading" and config.model.get("encoder") is not None:
        return config.system, _SEES
    if config.system == "reading" and config.words.get("features") is not None:
        return config.system, _COUNTS
    return config.system, _KINDS[config.system]


def write_card(folder: Path, parameters: int, figures: Mapping[str, float]) -> None:
    """Write the card of a model that was just trained; figures are those of its last evaluation."""
    keep = {"parameters": parameters, "validation": dict(figures), "evaluations": []}
    write_whole(folder / SCORES, json.dumps(keep, ensure_ascii=False, indent=2) + "\n")
    _render(folder)


def write_card_like(origin: Path | None, folder: Path, parameters: int, scored: bool, hub: OnHub | None = None) -> None:
    """Write the card of a model that was saved, with the recipe of its origin, and its figures where they hold."""
    kept = _kept(origin) if origin is not None and scored else {"validation": {}, "evaluations": []}
    write_whole(folder / SCORES, json.dumps(kept | {"parameters": parameters}, ensure_ascii=False, indent=2) + "\n")
    if origin is not None and (origin / RECIPE).exists():
        write_whole(folder / RECIPE, (origin / RECIPE).read_text(encoding="utf-8"))
    _render(folder, hub)


def keep_scores(folder: Path, report: Report, data: str, options: Mapping[str, Any]) -> None:
    """Keep what an evaluation found in the model's folder, in place of an earlier one on the same data."""
    kept = _kept(folder)
    others = [one for one in kept["evaluations"] if one["data"] != data]
    kept["evaluations"] = [*others, {"data": data, "search": dict(options), **report.to_dict()}]
    write_whole(folder / SCORES, json.dumps(kept, ensure_ascii=False, indent=2) + "\n")
    _render(folder)


def _kept(folder: Path) -> dict[str, Any]:
    path = folder / SCORES
    if not path.exists():
        return {"parameters": 0, "validation": {}, "evaluations": []}
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {name: kept[name] for name in ("parameters", "validation", "evaluations")}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: damaged ({error!r}); delete it, and evaluate again") from None


def _render(folder: Path, hub: OnHub | None = None) -> None:
    kept, (system, kind) = _kept(folder), _kind(folder)
    name = folder.resolve().name if hub is None else hub.name
    parts = [
        _HEAD.format(
            **kind._asdict(),
            system=system,
            name=name,
            loading=_HERE.format(name=name) if hub is None else _THERE.format(**hub._asdict()),
            version=jumok.__version__,
            parameters=kept["parameters"],
        )
    ]
    if kept["validation"]:
        rows = "".join(f"| {name} | {value:.4g} |\n" for name, value in kept["validation"].items())
        parts.append(f"## While it learned\n\nOn the validation data:\n\n| figure | value |\n|---|---:|\n{rows}")
    for one in kept["evaluations"]:
        how = ", ".join(f"{name} {value}" for name, value in one["search"].items())
        title = f"## On {one['data']}\n\n{one['sentences']:,} sentences{f'; {how}' if how else ''}.\n\n"
        table = "| figure | value | 95 % interval | signature |\n|---|---:|---|---|\n"
        parts.append(title + table + "".join(map(_row, one["scores"])))
    recipe = folder / RECIPE
    if recipe.exists():
        parts.append(f"## Recipe\n\n```yaml\n{recipe.read_text(encoding='utf-8').rstrip()}\n```\n")
    write_whole(folder / CARD, "\n".join(parts))


def _row(values: Mapping[str, Any]) -> str:
    value = float("nan") if values["value"] is None else values["value"]
    score = Score(values["name"], value, values["signature"], values.get("low"), values.get("high"))
    return f"| {score.name} | {shown(score.value)} | {score.interval.strip(' ()')} | `{score.signature}` |\n"
