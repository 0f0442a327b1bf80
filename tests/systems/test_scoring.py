"""Scores while a model learns."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tests.systems.trained import train


def test_scores_are_measured_at_every_evaluation_and_choose_the_best(cache: Path, tmp_path: Path) -> None:
    before = time.process_time()
    folder = train(
        tmp_path / "scored",
        evaluation={"scores": ["bleu", "chrf"], "sentences": 10},
        training__figure="chrf",
        training__updates=20,
        training__evaluate_every=10,
    )
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text("utf-8").splitlines()]
    evaluations = [line for line in lines if "evaluation" in line]
    assert len(evaluations) == 2
    assert all({"bleu", "chrf", "loss", "perplexity", "accuracy"} == set(line["evaluation"]) for line in evaluations)
    best = max(evaluations, key=lambda line: line["evaluation"]["chrf"])
    assert best["best"]
    assert evaluations[-1]["cpu_seconds"] >= evaluations[-1]["update_cpu_seconds"] > 0
    assert evaluations[-1]["cpu_seconds"] <= time.process_time() - before  # not what the process did before the run
    assert "| chrf |" in (folder / "README.md").read_text("utf-8")
