"""The records that a check gives, and their lines for the terminal."""

from __future__ import annotations

from typing import NamedTuple

EXAMPLES = 5
"""How many places a finding shows."""


class Example(NamedTuple):
    """One place of a finding: the file and line, the pair, and the other place where it is about two."""

    place: str
    source: str = ""
    target: str = ""
    other: str = ""


class Finding(NamedTuple):
    """Something that is found in a split: how often, in which share of its pairs, where first, and what to do."""

    split: str
    name: str
    found: int
    share: float
    examples: tuple[Example, ...]
    rule: str
    advice: str


class SplitFigures(NamedTuple):
    """A split in numbers; a script is that of most letters of a side."""

    name: str
    pairs: int
    source_words: int
    target_words: int
    source_script: str
    target_script: str


class Checked(NamedTuple):
    """All that a check says: the figures of each split, and the findings, the gravest first."""

    figures: tuple[SplitFigures, ...]
    findings: tuple[Finding, ...]


def check_lines(checked: Checked) -> list[str]:
    """A check as plain lines."""
    lines = [_figures(split) for split in checked.figures]
    for finding in checked.findings:
        lines.append(f"{finding.split}: {finding.name}: {finding.found:,} ({percent(finding.share)}); {finding.rule}")
        lines += [f"    {_example(example)}" for example in finding.examples]
        lines.append(f"    -> {finding.advice}")
    return lines if checked.findings else [*lines, "nothing to complain of"]


def percent(share: float) -> str:
    """A share for people; a small one is not nothing.

    >>> percent(0.25), percent(0.000004), percent(0.0)
    ('25.0 %', '< 0.1 %', '0.0 %')
    """
    return "< 0.1 %" if 0 < share < 0.001 else f"{share:.1%}".replace("%", " %")


def _figures(split: SplitFigures) -> str:
    source = f"{split.source_words:,} source words ({split.source_script})"
    target = f"{split.target_words:,} target words ({split.target_script})"
    return f"{split.name}: {split.pairs:,} pairs, {source}, {target}"


def _example(example: Example) -> str:
    other = f" = {example.other}" if example.other else ""
    text = f": {_short(example.source)} | {_short(example.target)}" if example.source else ""
    return f"{example.place}{other}{text}"


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
