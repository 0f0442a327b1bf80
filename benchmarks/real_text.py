"""What to expect of real text: Tatoeba, English to French by the size of the corpus, and Korean and English.

    python benchmarks/real_text.py french --data TATOEBA --runs FOLDER    # 3,500, 10,000, 30,000 and 100,000 pairs
    python benchmarks/real_text.py korean --data TATOEBA --runs FOLDER    # both directions; after practice, too

TATOEBA has en-fr.tsv and en-ko.tsv, English first. Pairs are divided by the English sentence: all its translations are
on one side, and every corpus of a language is tested on the same sentences. Each model is the one that `jumok new
translation` proposes for a corpus of its size; the whole of English-French is the recipe `tatoeba`. "After practice"
starts (`init`) from a model that has learned the practice language together with the training pairs, whose pieces it
must know. A model that is in FOLDER is not trained again; one that was interrupted goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

import jumok
from jumok.core.files import write_whole
from jumok.data import TextPair
from jumok.data.corpora.settings import TableFile
from jumok.data.korean import Korean
from jumok.evaluation import bleu, chrf
from jumok.recipes.proposing import propose
from jumok.systems.evaluating import evaluate
from jumok.viewing import LineChart, Point, Series

SIZES = (3_500, 10_000, 30_000, 100_000)
TESTED, VALIDATED = 0.012, 0.006  # of the English sentences, at least 300 and 150
PRACTICE, WORDS = 60_000, 12

Pair = tuple[str, str]


class Corpus(NamedTuple):
    """Pairs of two languages, English first, divided by the English sentence."""

    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]


def read_pairs(path: Path) -> Corpus:
    """The pairs of a file, in an order that a hash of the English sentence decides."""
    rows = [line.split("\t")[:2] for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]
    by_english: dict[str, list[Pair]] = {}
    for english, other in rows:
        by_english.setdefault(english.strip().casefold(), []).append((english, other))
    names = sorted(by_english, key=lambda english: hashlib.sha256(english.encode()).digest())
    tested = max(300, round(TESTED * len(names)))
    validated = tested + max(150, round(VALIDATED * len(names)))
    parts = names[validated:], names[tested:validated], names[:tested]
    return Corpus(*([pair for name in part for pair in by_english[name]] for part in parts))


def write_pairs(path: Path, pairs: Iterable[Pair]) -> Path:
    """A pair a row, English first."""
    write_whole(path, "".join(f"{english}\t{other}\n" for english, other in pairs))
    return path


def table(path: Path, reverse: bool) -> dict[str, Any]:
    """The settings of a file of pairs; `reverse`: into English."""
    return {"file": str(path.resolve()), "source": int(reverse), "target": int(not reverse)}


def proposed(train: Path, reverse: bool) -> Path:
    """The recipe that `jumok new translation` writes for a file, beside it."""
    settings = TableFile.model_validate(table(train, reverse))
    out = train.with_suffix(".reverse.yaml" if reverse else ".yaml")
    text = propose(settings, None, train.parent, "luong-general", out.name, speed=lambda: 1e11).text
    write_whole(out, text)
    return out


def trained(folder: Path, recipe: Path | str, changes: dict[str, Any]) -> float:
    """Train, unless it is there; returns its CPU minutes."""
    known = folder / "run.json"
    if not known.exists():
        begun = (folder / "recipe.yaml").exists()
        done = jumok.train(None if begun else recipe, folder, set={} if begun else changes, resume=begun)
        if not done.outcome.finished:
            sys.exit(f"{folder}: stopped; it goes on the next time")
        write_whole(known, json.dumps({"cpu_minutes": done.outcome.cpu_seconds / 60}))
    minutes: float = json.loads(known.read_text())["cpu_minutes"]
    return minutes


def told(folder: Path, minutes: float, pairs: list[Pair], name: str, reverse: bool, language: str) -> list[Any]:
    """One row of a table: the name, CPU minutes, BLEU and chrF of pairs that were not trained on."""
    texts = [TextPair(*(pair[::-1] if reverse else pair)) for pair in pairs]
    report, _ = evaluate(jumok.load(folder), texts, metrics=(bleu, chrf), language=language)
    print(f"{name}: {minutes:.0f} CPU minutes; " + ", ".join(str(score) for score in report.scores), flush=True)
    return [name, minutes, *report.scores[:2]]


def french(arguments: argparse.Namespace) -> None:
    """The learning curve from English to French."""
    corpus = read_pairs(arguments.data / "en-fr.tsv")
    held_out = held_out_files(arguments.runs, "fr", corpus, False)
    rows = []
    for size in (*arguments.sizes, len(corpus.train)):
        folder = arguments.runs / f"french-{size}"
        train = write_pairs(arguments.runs / f"train-{size}.fr.tsv", corpus.train[:size])
        recipe = "tatoeba" if size > max(SIZES) else proposed(train, False)
        changes = {**held_out, "data.train": table(train, False), "training.threads": arguments.threads}
        minutes = trained(folder, recipe, changes | shorter(arguments))
        rows.append([size, *told(folder, minutes, corpus.test[: arguments.scored], f"{size:,} pairs", False, "fr")])
    points = [Point(log10(row[0]), row[3].value, row[3].low, row[3].high) for row in rows]
    chart = LineChart(
        "English to French by the size of the corpus",
        "pairs to learn from",
        "BLEU",
        [Series("Tatoeba", points)],
        x_ticks={log10(row[0]): f"{row[0]:,}" for row in rows},
    )
    chart.save(arguments.runs / "bleu-by-pairs.svg")
    write_table(arguments.runs / "french.md", [row[1:] for row in rows])


def korean(arguments: argparse.Namespace) -> None:
    """Both directions between Korean and English, from nothing and after practice."""
    corpus = read_pairs(arguments.data / "en-ko.tsv")
    train = write_pairs(arguments.runs / "train.ko.tsv", corpus.train)
    practice = [Korean(seed=0).pair(number, max_words=WORDS) for number in range(arguments.practice)]
    mixed = [(pair.target, pair.source) for pair in practice] + corpus.train
    both = write_pairs(arguments.runs / "practice.ko.tsv", mixed)
    rows = []
    for name, reverse, language in (("English to Korean", False, "ko"), ("Korean to English", True, "en")):
        short = "en-ko" if language == "ko" else "ko-en"
        held_out = held_out_files(arguments.runs, "ko", corpus, reverse)
        own = {**held_out, "data.train": table(train, reverse), "training.threads": arguments.threads}
        recipe = proposed(train, reverse)
        minutes = trained(arguments.runs / short, recipe, own | shorter(arguments))
        test = corpus.test[: arguments.scored]
        rows.append(told(arguments.runs / short, minutes, test, f"{name}, from nothing", reverse, language))
        before = arguments.runs / f"{short}-practice"
        first = own | {"data.train": table(both, reverse), "training.updates": arguments.practice // 12}
        minutes = trained(before, recipe, first | shorter(arguments))
        after = arguments.runs / f"{short}-after"
        minutes += trained(after, recipe, own | {"init": str(before.resolve())} | shorter(arguments))
        rows.append(told(after, minutes, test, f"{name}, after practice", reverse, language))
    write_table(arguments.runs / "korean.md", rows)


def held_out_files(runs: Path, language: str, corpus: Corpus, reverse: bool) -> dict[str, Any]:
    """Files for validation and test, as changes of a recipe."""
    validation = write_pairs(runs / f"validation.{language}.tsv", corpus.validation)
    test = write_pairs(runs / f"test.{language}.tsv", corpus.test)
    return {"data.validation": table(validation, reverse), "data.test": table(test, reverse)}


def shorter(arguments: argparse.Namespace) -> dict[str, Any]:
    """For a trial: fewer updates than the recipe has."""
    return {"training.updates": arguments.updates, "training.warmup": 0} if arguments.updates else {}


def write_table(path: Path, rows: list[list[Any]]) -> None:
    """Rows as a table of Markdown."""
    lines = ["| corpus | CPU minutes | BLEU | chrF |", "|---|---:|---:|---:|"]
    for name, minutes, *scores in rows:
        cells = [f"{one.value:.1f}{one.interval}" for one in scores]
        lines.append(f"| {name} | {minutes:.0f} | {' | '.join(cells)} |")
    write_whole(path, "\n".join(lines) + "\n")


def main() -> None:
    """Read what was typed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("french", "korean"))
    parser.add_argument("--data", type=Path, required=True, help="the folder with en-fr.tsv and en-ko.tsv")
    parser.add_argument("--runs", type=Path, required=True, help="where the models go, or are")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES), help="pairs, beside all of them")
    parser.add_argument("--scored", type=int, default=2000, help="pairs to translate at most")
    parser.add_argument("--practice", type=int, default=PRACTICE, help="practice sentences")
    parser.add_argument("--updates", type=int, help="of training, for a trial")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    arguments.runs.mkdir(parents=True, exist_ok=True)
    (french if arguments.what == "french" else korean)(arguments)


if __name__ == "__main__":
    main()
