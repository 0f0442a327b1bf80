"""The check of a recipe's corpora: every rule on every split, and what the splits share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from jumok.data.checking.findings import EXAMPLES, Checked, Example, Finding, SplitFigures
from jumok.data.checking.leaking import leaks, other_scripts
from jumok.data.checking.measuring import Measures, measure
from jumok.data.checking.rules import Found, all_rules
from jumok.data.corpora.corpus import Corpus
from jumok.data.corpora.rows import Row


def check(splits: Mapping[str, Corpus]) -> Checked:
    """Read every split, and say what is odd about it; rows that cannot be read are findings, not errors.

    Of every pair some 50 bytes are kept, so ten million take about a gigabyte.
    """
    measured = [measure(corpus) for corpus in splits.values()]
    findings: list[Finding] = []
    for at, split in enumerate(measured):
        found = [one for earlier in measured[:1] if at for one in other_scripts(split, earlier)]
        found += [one for earlier in measured[:at] for one in leaks(split, earlier)]
        found += all_rules(split)
        findings += [*_unread(split), *_findings(split, [one for one in found if one.found])]
    return Checked(tuple(map(_figures, measured)), tuple(findings))


def _figures(split: Measures) -> SplitFigures:
    source, target = split.source, split.target
    return SplitFigures(split.corpus.name, split.pairs, source.words, target.words, source.script, target.script)


def _unread(split: Measures) -> Iterator[Finding]:
    """Yields a finding for each reason for which rows are no pairs."""
    report = split.report
    rows = report.pairs + report.held_out + sum(skipped.count for skipped in report.skipped.values())
    for reason, skipped in report.skipped.items():
        examples = tuple(Example(place) for place in skipped.places)
        rule, advice = f"no pair: {reason}", "mend them; or data.on_error=skip leaves them out"
        yield Finding(report.name, "unreadable", skipped.count, skipped.count / rows, examples, rule, advice)


def _findings(split: Measures, found: list[Found]) -> Iterator[Finding]:
    """Yields the findings with their places, for which the corpus is read again as far as needed."""
    numbers = [[int(split.numbers[row]) for row in one.rows[:EXAMPLES]] for one in found]
    rows = _rows(split.corpus, {number for few in numbers for number in few})
    for one, few in zip(found, numbers, strict=True):
        twins = one.twins or [""] * len(few)
        examples = tuple(
            Example(split.corpus.place(number), rows[number].source, rows[number].target, twin)
            for number, twin in zip(few, twins, strict=True)
        )
        share = one.found / split.pairs
        yield Finding(split.corpus.name, one.name, one.found, share, examples, one.rule, one.advice)


def _rows(corpus: Corpus, numbers: Iterable[int]) -> dict[int, Row]:
    """The rows of these numbers."""
    missing, rows = set(numbers), {}
    if missing:
        for row in corpus.rows():
            if row.number in missing:
                rows[row.number] = row
                missing.remove(row.number)
                if not missing:
                    break
    return rows
