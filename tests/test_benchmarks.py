"""The benchmarks that need no peer still fit the toolkit that they measure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from jumok.data.korean import Korean

FOLDER = Path(__file__).parent.parent / "benchmarks"
WORKERS = ("peer_", "quality_", "search_")  # they run in the environment of a peer
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith(WORKERS))


def test_they_find_what_they_import() -> None:
    """In a process of their own: their names are those of rooms' tests, too."""
    command = [sys.executable, "-c", f"import {', '.join(SCRIPTS)}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER, timeout=300)
    assert done.returncode == 0, done.stderr


def run(script: str, *options: str) -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, FOLDER / script, *options], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr


SMALL = ("--updates", "3", "--pairs", "200", "--scored", "6")


@pytest.mark.slow
def test_why_attention_draws_its_two_charts(tmp_path: Path) -> None:
    run("why_attention.py", "--runs", str(tmp_path), *SMALL, "--sentences", "12", "--sizes", "16", "32")
    found = json.loads((tmp_path / "why_attention.json").read_text())
    assert [row["size"] for row in found["size"]["bahdanau"]] == [16, 32]
    assert set(found["distance"]) == {"bahdanau", "plain-every", "plain-first"}
    for chart in ("bleu-by-size.svg", "gradient-by-distance.svg"):
        assert "plain-first" in (tmp_path / chart).read_text("utf-8")


@pytest.mark.slow
def test_presets_tells_one_row_a_preset(tmp_path: Path) -> None:
    run("presets.py", "--runs", str(tmp_path), *SMALL, "--presets", "luong-dot", "plain-first")
    rows = (tmp_path / "presets.md").read_text().splitlines()
    assert [row.split("`")[1] for row in rows[2:4]] == ["luong-dot", "plain-first"]
    assert rows[5].startswith("luong-dot: ")  # by part of speech, of those that look
    assert len(rows) == 6


@pytest.mark.slow
def test_real_text_divides_by_the_english_sentence_and_tells_a_row_a_corpus(tmp_path: Path) -> None:
    practice = [Korean(seed=3).pair(number, max_words=8) for number in range(1500)]
    pairs = [f"{pair.target}\t{pair.source}" for pair in practice]
    for name in ("en-fr.tsv", "en-ko.tsv"):
        (tmp_path / name).write_text("".join(f"{pair}\n" for pair in pairs), "utf-8")
    runs = tmp_path / "runs"
    short = ("--data", str(tmp_path), "--runs", str(runs), "--updates", "2", "--scored", "4")
    run("real_text.py", "french", *short, "--sizes", "600")
    run("real_text.py", "korean", *short, "--practice", "60")
    parts = [(runs / f"{part}.fr.tsv").read_text("utf-8").splitlines() for part in ("train-600", "validation", "test")]
    english = [{row.split("\t")[0] for row in part} for part in parts]
    assert all(not one & other for one, other in combinations(english, 2))
    assert len(parts[0]) == 600
    assert min(map(len, english[1:])) >= 150
    assert len((runs / "french.md").read_text("utf-8").splitlines()) == 4
    rows = (runs / "korean.md").read_text("utf-8").splitlines()[2:]
    assert [row.split(" |")[0] for row in rows] == [
        f"| {way}, {start}"
        for way in ("English to Korean", "Korean to English")
        for start in ("from nothing", "after practice")
    ]
