"""Scores by the length of the sentence: does a model that reads well still read well when sentences grow long?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from jumok.evaluation.metric import Metric, References
from jumok.evaluation.score import Score
from jumok.evaluation.scores import bleu
from jumok.evaluation.tables import plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from jumok.viewing.charts import LineChart

_FEWEST = 30
_MOST_BINS = 8
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True)
class LengthRow:
    """The sentences of `shortest` to `longest` words, and their score with its interval."""

    shortest: int
    longest: int
    sentences: int
    mean_length: float
    score: Score

    @property
    def label(self) -> str:
        """The lengths for people."""
        return str(self.shortest) if self.shortest == self.longest else f"{self.shortest}-{self.longest}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "shortest": self.shortest,
            "longest": self.longest,
            "sentences": self.sentences,
            "mean_length": self.mean_length,
            "score": self.score.to_dict(),
        }


def word_counts(texts: Iterable[str]) -> list[int]:
    """How many words each text has, words being what spaces separate."""
    return [len(text.split()) for text in texts]


def by_length(
    outputs: Sequence[str],
    references: References,
    lengths: Sequence[int],
    edges: Sequence[int] | None = None,
    metric: Metric = bleu,
    language: str | None = None,
) -> list[LengthRow]:
    """The score of short, longer and long sentences, each with its bootstrap interval.

    lengths: the number of words of each sentence, for instance `word_counts(sources)`.
    edges: the longest length of every bin but the last, such as (10, 20, 30) for 1-10, 11-20, 21-30 and the rest.
        Without them bins are of one width, and small ones are merged until they hold 30 sentences.
    """
    statistics = metric.statistics(outputs, references, language)
    if len(lengths) != len(outputs):
        raise ValueError(f"{len(outputs):,} outputs, but {len(lengths):,} lengths: give one for each output")
    rows = []
    for first, last in bins(lengths, edges):
        chosen = [number for number, length in enumerate(lengths) if first <= length <= last]
        if chosen:
            mean = sum(lengths[number] for number in chosen) / len(chosen)
            rows.append(LengthRow(first, last, len(chosen), mean, statistics.only(chosen).score(interval=True)))
    return rows


def bins(lengths: Sequence[int], edges: Sequence[int] | None = None) -> list[tuple[int, int]]:
    """Stretches of length, first and last included, that hold every length once.

    >>> bins([3, 7, 12, 25, 41], edges=(10, 20))
    [(1, 10), (11, 20), (21, 41)]
    """
    if not len(lengths):
        raise ValueError("no lengths: there is nothing to put into bins")
    smallest, largest = int(min(lengths)), int(max(lengths))
    if smallest < 0:
        raise ValueError(f"a sentence has {smallest} words; lengths are not negative")
    first = min(1, smallest)
    if edges is not None:
        if not len(edges) or any(low >= high for low, high in pairwise((first - 1, *edges))):
            raise ValueError(f"edges must be lengths that grow, such as (10, 20, 30), not {tuple(edges)}")
        ends = [int(edge) for edge in edges if edge < largest]
        return _between(first, [*ends, largest])
    width = next((width for width in _WIDTHS if largest <= width * _MOST_BINS), largest // _MOST_BINS + 1)
    stretches = _between(first, [*range(width, largest, width), largest])
    if stretches[-1][1] < width * len(stretches):  # the last bin of one width ends where the others would
        stretches[-1] = (stretches[-1][0], width * len(stretches))
    return _merged(stretches, lengths)


def _between(first: int, ends: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip([first, *(end + 1 for end in ends)], ends, strict=False))


def _merged(stretches: Sequence[tuple[int, int]], lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbours joined from the left until each holds enough; what is left over joins the last."""
    joined: list[tuple[int, int]] = []
    start: int | None = None
    for first, last in stretches:
        start = first if start is None else start
        if sum(start <= length <= last for length in lengths) >= _FEWEST:
            joined.append((start, last))
            start = None
    if start is not None:
        joined = [*joined[:-1], (joined[-1][0] if joined else start, stretches[-1][1])]
    return joined


def length_table(models: Mapping[str, Sequence[LengthRow]], unit: str = "words", sentences: str = "sentences") -> Table:
    """Several models side by side, a row for each stretch of length, for the terminal.

    unit, sentences: what stands above the lengths, and above how many sentences have them.
    """
    every = _same_bins(models)
    table = plain_table((unit, sentences, *models), whole=(sentences,))
    for number, row in enumerate(every):
        scores = (rows[number].score for rows in models.values())
        table.add_row(row.label, f"{row.sentences:,}", *(f"{score.value:.2f}{score.interval}" for score in scores))
    return table


def length_chart(
    models: Mapping[str, Sequence[LengthRow]], unit: str = "words", title: str = "{score} by length"
) -> LineChart:
    """Several models as lines over the length, each with its intervals; a point stands at the mean of its lengths.

    unit: what stands below the lengths. title: what stands above, with the name of the score in its place.
    """
    from jumok.viewing.charts import LineChart, Point, Series

    every = _same_bins(models)
    name = every[0].score.name
    series = []
    for model, rows in models.items():
        points = []
        for row in rows:
            value, low, high = row.score.value, row.score.low, row.score.high
            ends = (None, None) if low is None or high is None else (min(low, value), max(high, value))
            points.append(Point(row.mean_length, value, *ends))
        series.append(Series(model, points))
    return LineChart(title.format(score=name), unit, name, series, {row.mean_length: row.label for row in every})


def _same_bins(models: Mapping[str, Sequence[LengthRow]]) -> Sequence[LengthRow]:
    """The rows of the first model; models that were scored on other sentences cannot stand beside it."""
    if not models:
        raise ValueError("no model: give the rows of at least one")
    name, first = next(iter(models.items()))
    for other, rows in models.items():
        if [(row.label, row.sentences) for row in rows] != [(row.label, row.sentences) for row in first]:
            raise ValueError(f"{other!r} and {name!r} have other bins: score them on the same sentences and lengths")
        if [row.score.name for row in rows] != [row.score.name for row in first]:
            raise ValueError(f"{other!r} and {name!r} have other scores: use one metric for all")
    return first
