"""Every preset of the encoder-decoder on the practice language, in one table; and the chart of the texts.

    python benchmarks/presets.py --runs FOLDER                       # the table of all presets
    python benchmarks/presets.py --runs FOLDER --lengths             # by length, trained on up to 20 and 40 words

A model that is in FOLDER already is not trained again; one that was interrupted goes on. Budgets are CPU minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import jumok
from jumok.core.files import write_whole
from jumok.data import TextPair
from jumok.data.corpora.practice import PracticeReader
from jumok.data.corpora.settings import PracticeData
from jumok.data.korean.speech import part_of_speech
from jumok.evaluation import LengthRow, Report, bleu, by_length, length_chart, parse_alignment, word_counts
from jumok.models import PRESETS
from jumok.systems.evaluating import evaluate

DROPOUT = 0.2  # without it, less is looked at where it comes from: alignment error 15 % in place of 12
OWN: dict[str, dict[str, Any]] = {
    "transformer": {"training.learning_rate": 0.001, "training.warmup": 400},
    "plain-first": {"training.learning_rate": 0.002, "model.dropout": 0.0},  # what is best for it: it learns slowly
    "luong-local-p": {"training.learning_rate": 0.002},  # at the recipe's 0.005 it learns no looks
}
EDGES = (10, 20, 30, 40, 50)


def changes(preset: str, words: int, updates: int, pairs: int, threads: int) -> dict[str, Any]:
    """What a run changes in the recipe `korean`."""
    return {
        "model.preset": preset,
        "model.dropout": DROPOUT,
        **OWN.get(preset, {}),
        "data.train.max_words": words,
        "data.train.pairs": pairs,
        "data.validation.max_words": words,
        "training.updates": updates,
        "training.threads": threads,
    }


def trained(folder: Path, set: dict[str, Any]) -> dict[str, Any]:
    """Train, unless it is there; returns what is known of the run."""
    known = folder / "run.json"
    if not known.exists():
        begun = (folder / "recipe.yaml").exists()
        done = jumok.train(None if begun else "korean", folder, set={} if begun else set, resume=begun)
        if not done.outcome.finished:
            sys.exit(f"{folder}: stopped; it goes on the next time")
        facts = {"cpu_minutes": done.outcome.cpu_seconds / 60, "best": dict(done.outcome.best)}
        write_whole(known, json.dumps(facts))
    facts = json.loads(known.read_text())
    facts["parameters"] = json.loads((folder / "scores.json").read_text())["parameters"]
    return facts


def held_out_pairs(pairs: int, shortest: int, longest: int) -> tuple[list[TextPair], list[Any]]:
    """Held-out sentences with their gold alignment."""
    settings = PracticeData(
        practice="korean", pairs=pairs, min_words=shortest, max_words=longest, held_out=True, seed=1
    )
    reader = PracticeReader(settings)
    texts = [TextPair(row[1], row[2]) for row in reader.rows()]
    return texts, [parse_alignment(line) for line in reader.alignments()]


def scored(folder: Path, pairs: int, shortest: int, longest: int) -> tuple[Report, list[LengthRow]]:
    """The figures of a model on held-out sentences, and its BLEU by halves: to 20, to 40, and longer."""
    texts, golds = held_out_pairs(pairs, shortest, longest)
    references = [pair.target for pair in texts]
    labels = [[part_of_speech(word) for word in reference.split(" ")] for reference in references]
    report, found = evaluate(jumok.load(folder), texts, metrics=(bleu,), edges=EDGES, golds=golds, labels=labels)
    halves = by_length([one.text for one in found], references, word_counts(references), (20, 40), bleu)
    return report, halves


def table(arguments: argparse.Namespace) -> None:
    """Parameters, CPU minutes, BLEU by length and alignment error of every preset; the error by part of speech.

    The last two columns: the error when each word is given the look of the word after it, and of the word before.
    """
    rows = ["| preset | parameters | CPU minutes | BLEU | to 10 words | 11 to 20 | alignment error | +1 | -1 |"]
    rows.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    by_speech: list[str] = []
    for preset in arguments.presets:
        folder = arguments.runs / preset
        facts = trained(folder, changes(preset, 20, arguments.updates, arguments.pairs, arguments.threads))
        report, _ = scored(folder, arguments.scored, 3, 20)
        score = report.scores[0]
        lengths = [f"{row.score.value:.1f}" for row in report.by_length]
        errors = ["", "", ""]
        if report.alignment is not None:
            errors = [f"{report.alignment.shifts[shift].error_rate:.1%}" for shift in (0, 1, -1)]
            parts = [(name, part.error_rate) for name, part in report.alignment.labels.items() if part.links]
            by_speech.append(f"{preset}: " + ", ".join(f"{name} {error:.1%}" for name, error in parts))
        rows.append(
            f"| `{preset}` | {facts['parameters']:,} | {facts['cpu_minutes']:.1f} |"
            f" {score.value:.1f} ({score.low:.1f} to {score.high:.1f}) | {' | '.join([*lengths, *errors])} |"
        )
        print(rows[-1], flush=True)
    print("\n".join(by_speech))
    write_whole(arguments.runs / "presets.md", "\n".join([*rows, "", *by_speech]) + "\n")


def lengths(arguments: argparse.Namespace) -> None:
    """`plain-first` and `bahdanau`, trained on up to 20 and 40 words, on sentences of 3 to 60."""
    reports = {}
    for preset in ("bahdanau", "plain-first"):
        for words in (20, 40):
            folder = arguments.runs / f"{preset}-{words}"
            more = 2 if words == 40 else 1  # each length comes half as often there, and sentences are longer
            sizes = arguments.updates * more, arguments.pairs * more
            facts = trained(folder, changes(preset, words, *sizes, arguments.threads))
            name = f"{preset}, up to {words} words"
            report, halves = scored(folder, arguments.scored, 3, 60)
            reports[name] = report.by_length
            rows = [*report.by_length, *halves]
            cells = ", ".join(f"{row.label}: {row.score.value:.1f}{row.score.interval}" for row in rows)
            print(f"{name} ({facts['cpu_minutes']:.1f} CPU minutes): {cells}", flush=True)
    length_chart(reports, "words of the translation").save(arguments.runs / "lengths.svg")
    write_whole(arguments.runs / "lengths.json", json.dumps({k: [r.to_dict() for r in v] for k, v in reports.items()}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=Path, required=True, help="where the models go, or are")
    parser.add_argument("--presets", nargs="*", default=list(PRESETS), help="only these")
    parser.add_argument("--lengths", action="store_true", help="the chart by length instead of the table")
    parser.add_argument("--updates", type=int, default=4000)
    parser.add_argument("--pairs", type=int, default=120_000)
    parser.add_argument("--scored", type=int, default=1000, help="held-out sentences to translate")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    arguments.runs.mkdir(parents=True, exist_ok=True)
    (lengths if arguments.lengths else table)(arguments)


if __name__ == "__main__":
    main()
