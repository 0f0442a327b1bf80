"""CPU minutes of training until val of Multi30k reaches 33 paper BLEU, greedy, beside JoeyNMT 2.3.0 and Eole 0.6.4.

    python benchmarks/time_to_quality.py jumok --data MULTI30K --runs FOLDER
    python benchmarks/time_to_quality.py joey --data MULTI30K --runs FOLDER --peers PEERS     # or eole
    python benchmarks/time_to_quality.py table --runs FOLDER

Each is a sitting of its own, or several: one that was stopped goes on from its last validation when it is started
again. `training.py --how` says how to make the peers' environments. The peers train the model that training.py
compares; jumok trains its own recipe, with val translated every 500 updates. What is counted are the CPU seconds of all
threads in training itself: validation, translation and checkpoints are left out. One that has not arrived after 300 CPU
minutes, or when it was stopped, is reported so.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

from measuring import machine
from training import prepared

from jumok.core.files import write_whole
from jumok.evaluation import paper_bleu

HERE = Path(__file__).parent
LIMIT = 300.0

Steps = Generator[tuple[int, float, float], None, None]
"""Updates, CPU minutes and BLEU of each validation."""


def found(runs: Path) -> dict[str, dict[str, Any]]:
    """What the last validation of each toolkit told."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(runs.glob("*.json"))}


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def of_a_peer(arguments: argparse.Namespace) -> Steps:
    """A peer's own training, translating as it goes; by its own checkpoints it goes on."""
    name: str = arguments.toolkit
    work = prepared(arguments.data, arguments.peers / "work", arguments.peers / "joey" / "bin" / "python")
    folder = arguments.runs / name
    counts = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(arguments.threads))
    python = arguments.peers / name / "bin" / "python"
    command = [python, HERE / f"quality_{name}.py", work, folder, str(arguments.every), str(arguments.threads)]
    earlier = 0.0
    if facts := found(arguments.runs).get(name):
        earlier = facts["minutes"]
        command.append(str(facts["updates"]))
    folder.mkdir(parents=True, exist_ok=True)
    references = lines(arguments.data / "val.de")
    with (folder / "log").open("a") as log:
        environment = {**os.environ, **counts}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            told: dict[str, Any] = json.loads(line)
            score = paper_bleu(lines(Path(told["translated"])), references, "de").value
            yield told["update"], earlier + told["cpu_seconds"] / 60, score
        raise SystemExit(f"{name} stopped by itself; its log: {folder / 'log'}")
    finally:
        process.kill()
        process.wait()


def of_jumok(arguments: argparse.Namespace) -> Steps:
    """The same from our own recipe; one that was stopped goes on."""
    folder = arguments.runs / "jumok"
    command = [sys.executable, "-m", "jumok", "train", "--out", str(folder)]
    if (folder / "recipe.yaml").exists():
        command += ["--resume"]
    else:
        changes = {
            "data.root": arguments.data.resolve(),
            "training.evaluate_every": arguments.every,
            "training.threads": arguments.threads,
            "evaluation.scores": "[paper_bleu]",
            "evaluation.language": "de",
        }
        command += [
            arguments.recipe,
            *(part for name, value in changes.items() for part in ("--set", f"{name}={value}")),
        ]
    counts = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(arguments.threads))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (arguments.runs / "jumok.log").open("a") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **counts})
    told = 0
    try:
        while True:
            ended = process.poll() is not None
            metrics = folder / "metrics.jsonl"
            rows = [json.loads(line) for line in lines(metrics)] if metrics.exists() and metrics.stat().st_size else []
            for row in rows:
                if "evaluation" in row and row["update"] > told:
                    told = row["update"]
                    yield told, row["update_cpu_seconds"] / 60, row["evaluation"]["paper_bleu"]
            if ended:
                raise SystemExit(f"jumok's recipe ended below the goal; its log: {arguments.runs / 'jumok.log'}")
            time.sleep(5)
    finally:
        process.terminate()
        process.wait()


def table(runs: Path) -> None:
    """What was found so far, as Markdown."""
    print("| toolkit | model | updates | CPU minutes | paper BLEU on val |\n|---|---|---:|---:|---:|")
    for name, facts in found(runs).items():
        minutes = f"{facts['minutes']:.1f}" if facts["arrived"] else f"not within {facts['minutes']:.0f}"
        print(f"| {name} | {facts['model']} | {facts['updates']:,} | {minutes} | {facts['bleu']:.1f} |")
    print(machine())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toolkit", choices=["jumok", "joey", "eole", "table"])
    parser.add_argument("--data", type=Path, help="the folder with train, val of Multi30k")
    parser.add_argument("--runs", type=Path, required=True, help="where the runs go, and what was found")
    parser.add_argument("--peers", type=Path, help="the folder with the peers' environments")
    parser.add_argument("--recipe", default="multi30k-quick", help="jumok's")
    parser.add_argument("--goal", type=float, default=33.0)
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    name: str = arguments.toolkit
    if name == "table":
        table(arguments.runs)
        return
    if found(arguments.runs).get(name, {}).get("arrived"):
        print(f"{name} has arrived; `table` says when")
        return
    if arguments.data is None or (name != "jumok" and arguments.peers is None):
        parser.error("--data is needed, and --peers for a peer")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what trains ends with this
    steps = (of_jumok if name == "jumok" else of_a_peer)(arguments)
    for updates, minutes, score in steps:
        print(f"{name}, update {updates:,}: {minutes:.1f} CPU minutes, {score:.2f} paper BLEU", flush=True)
        model = arguments.recipe if name == "jumok" else "as in training.py"
        facts = {"updates": updates, "minutes": minutes, "bleu": score, "arrived": score >= arguments.goal}
        write_whole(arguments.runs / f"{name}.json", json.dumps({"model": model, **facts}))
        if score >= arguments.goal or minutes >= LIMIT:
            break
    steps.close()


if __name__ == "__main__":
    main()
