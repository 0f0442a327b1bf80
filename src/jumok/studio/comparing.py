"""Models side by side: scores by the length of sentences, as a chart."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from jumok.data.korean import Korean
from jumok.evaluation import bleu, length_chart
from jumok.evaluation.lengths import by_length, word_counts
from jumok.recipes.running import KEPT, kept_recipe
from jumok.studio.asking import Asked
from jumok.studio.batching import Gone
from jumok.studio.shelf import Held
from jumok.systems.pairs import pairs_of_split
from jumok.viewing.chart_drawing import scene_of
from jumok.viewing.chart_page import BY_NAME
from jumok.viewing.svg import to_svg

PRACTICE = "practice: korean"
EDGES = (10, 20, 30)
LONGEST = 30
SEED = 20_261_116
"""Of practice sentences that no recipe trains on."""


class Compare(Asked):
    """Which translators, and on how many sentences."""

    models: list[str] = Field(min_length=1, max_length=6)
    sentences: int = Field(default=90, ge=6, le=600)


def compared(held: list[Held], asked: Compare, gone: Gone | None = None) -> dict[str, Any]:
    """BLEU by length of each model on the same sentences, with intervals, and the chart.

    Practice models are asked about fresh sentences of up to 30 words, held out from training; others about the test
    split that the first one's recipe names. gone: asked after every step which sentences nobody waits for any more.
    """
    name, pairs = _pairs(held, asked.sentences)
    sources, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    lengths = word_counts(references)
    rows = {}
    for one in held:
        outputs = [best.text for best, *_ in one.model.n_best(sources, beam=1, gone=gone)]
        rows[one.name] = list(by_length(outputs, references, lengths, EDGES, bleu, None))
    chart = length_chart(rows)
    return {
        "data": name,
        "sentences": len(pairs),
        "svg": to_svg(scene_of(chart), BY_NAME),
        "rows": {
            model: [
                {"length": row.label, "sentences": row.sentences, "bleu": row.score.value}
                | {"low": row.score.low, "high": row.score.high}
                for row in found
            ]
            for model, found in rows.items()
        },
    }


def _pairs(held: list[Held], count: int) -> tuple[str, list[tuple[str, str]]]:
    if all(one.domain == PRACTICE for one in held):
        third = count // 3
        korean = Korean(SEED)
        ranges = ((3, 10), (11, 20), (21, LONGEST))
        made = [pair for low, high in ranges for pair in korean.pairs(third, low, high, held_out=True)]
        return PRACTICE, [(pair.source, pair.target) for pair in made]
    folder = held[0].folder
    if folder is None or not (folder / KEPT).exists():
        raise ValueError(f"model {held[0].name}: keeps no recipe, so its test sentences are not known")
    told = pairs_of_split(kept_recipe(folder), None)
    return told.name, [(pair.source, pair.target) for pair in told.pairs[:count]]
