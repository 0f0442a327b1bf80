"""Bad input, by the place that its error names: the files, and the command that reads them."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.guides.commands import invoke
from tests.guides.desk import text, triples

PAIRS = 'jumok train translation --set "data.train={{source: {}, target: {}}}"'
TEXTS = "jumok train classify --set data.train=reviews.csv"
ENGLISH, GERMAN = ([row[place] for row in triples(300)] for place in (1, 2))
LABELLED = ["text,label", *["fine,good", "poor,bad"] * 8]
WRONG: dict[str, tuple[dict[str, list[str]], str]] = {
    "a.de:17": ({"a.en": ENGLISH, "a.de": [*GERMAN[:16], "", *GERMAN[17:]]}, PAIRS.format("a.en", "a.de")),
    "a.en:300": ({"a.en": ENGLISH, "a.de": GERMAN[:299]}, PAIRS.format("a.en", "a.de")),
    "old.ko:1": ({"old.ko": ["가자."], "old.en": ["Let us go."]}, PAIRS.format("old.ko", "old.en")),
    "reviews.csv:17": ({"reviews.csv": [*LABELLED[:16], ",bad"]}, TEXTS),
    "test.csv:3": (
        {"reviews.csv": LABELLED, "test.csv": ["text,label", "so,bad", "so,middling"]},
        f"{TEXTS} --set data.validation.file=test.csv",
    ),
    "mine.yaml:5": (
        {"mine.yaml": ["inherits: multi30k", "data: {root: corpus}", "seed: 1", "model:", "  prest: hard"]},
        "jumok train mine.yaml",
    ),
}


def error_at(place: str) -> str:
    """What is said of the bad input; files stand there without their folders, as on the pages."""
    files, command = WRONG[place]
    for file, lines in files.items():
        text(Path(file), lines, encoding="cp949" if file.startswith("old.ko") else "utf-8")
    done = invoke([*shlex.split(command)[1:], "--out", "runs/wrong"])
    assert done.code == 2
    return done.text.replace(f"{Path.cwd()}/", "")
