"""How many sentences a second are translated with a beam of 5, beside JoeyNMT, Eole, Hugging Face and CTranslate2.

    python benchmarks/translation.py train --peers PEERS --data MULTI30K --runs FOLDER     # once; hours of CPU time
    python benchmarks/translation.py --peers PEERS --data MULTI30K --runs FOLDER

`training.py --how` says how to make the environments of JoeyNMT and Eole; that of the other two is

    python3.11 -m venv PEERS/marian
    PEERS/marian/bin/pip install torch==2.13.0
    PEERS/marian/bin/pip install transformers sentencepiece sacremoses ctranslate2

Each toolkit has trained its own model of the same kind: the recurrent one that training.py compares (jumok: the recipe
`multi30k`), with as many German pieces in each, and a Transformer of the sizes of `multi30k-transformer`. All of
test_2016_flickr is translated in turns, from text to text, each by its own batching; attention is returned by all but
JoeyNMT and Eole, which give none with a beam.
The BLEU beside it (sacreBLEU) says that the models are comparable, not which is best: they were trained briefly.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from measuring import machine
from training import prepared

from jumok.evaluation import bleu

HERE = Path(__file__).parent
OUTPUTS = 5480  # German pieces, as many as occur in that of the peers


@dataclass(frozen=True)
class Peer:
    """A toolkit that translates."""

    environment: str | None  # None: this one
    script: str
    model: str  # below the runs' folder
    more: tuple[str, ...] = ()


PARTS: dict[str, dict[str, tuple[Peer, float | None]]] = {
    "recurrent": {
        "jumok": (Peer(None, "search_jumok.py", "recurrent"), None),
        "JoeyNMT 2.3.0": (Peer("joey", "search_joey.py", "joey"), 5.0),
        "Eole 0.6.4": (Peer("eole", "search_eole.py", "eole"), 2.0),
    },
    "transformer": {
        "jumok": (Peer(None, "search_jumok.py", "transformer"), None),
        "Hugging Face generate": (Peer("marian", "search_marian.py", "marian", ("hf",)), 2.0),
        "CTranslate2 float32": (Peer("marian", "search_marian.py", "marian", ("float32",)), None),
        "CTranslate2 int8": (Peer("marian", "search_marian.py", "marian", ("int8",)), None),
    },
}


class Worker:
    """A process that translates on request; it is killed when the block ends."""

    def __init__(self, name: str, peer: Peer, arguments: argparse.Namespace, work: Path) -> None:
        python = Path(sys.executable) if peer.environment is None else python_of(arguments, peer.environment)
        counts = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(arguments.threads))
        numbers = [str(arguments.beam), str(arguments.threads)]
        self.name, self.log = name, arguments.runs / f"{name}.log"
        with self.log.open("w") as errors:
            self.process = subprocess.Popen(
                [python, HERE / peer.script, work, arguments.runs / peer.model, *numbers, *peer.more],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, **counts},
                text=True,
            )
        self.answer()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            last = (self.log.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
            raise SystemExit(f"{self.name} stopped: {last} (its log: {self.log})")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def translate(self, sentences: list[str]) -> tuple[float, list[str]]:
        """Seconds, and the translations."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(sentences) + "\n")
        self.process.stdin.flush()
        answer = self.answer()
        return answer["seconds"], answer["translated"]

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def python_of(arguments: argparse.Namespace, environment: str) -> Path:
    path: Path = arguments.peers / environment / "bin" / "python"
    return path


def measure(part: str, arguments: argparse.Namespace, work: Path) -> None:
    """One part, its toolkits taking turns."""
    sentences, references = (
        (arguments.data / f"test_2016_flickr.{side}").read_text(encoding="utf-8") for side in ("en", "de")
    )
    texts, wanted = sentences.rstrip("\n").split("\n"), references.rstrip("\n").split("\n")
    workers = {name: Worker(name, peer, arguments, work) for name, (peer, _) in PARTS[part].items()}
    times: dict[str, list[float]] = {name: [] for name in workers}
    scores: dict[str, float] = {}
    try:
        for turn in range(arguments.rounds + 1):
            for name, worker in workers.items():
                seconds, found = worker.translate(texts if turn else texts[:128])
                if turn:
                    times[name].append(seconds)
                    scores[name] = bleu(found, wanted).value
                    print(f"{part}, round {turn}: {name} {len(texts) / seconds:.1f} sentences/s", flush=True)
    finally:
        for worker in workers.values():
            worker.__exit__()
    speeds = {name: len(texts) / median(taken) for name, taken in times.items()}
    for name, (_, goal) in PARTS[part].items():
        ratio = speeds["jumok"] / speeds[name]
        aim = "" if goal is None else f"  {'ok ' if ratio >= goal else 'LOW'} (>= {goal:g}x)"
        print(
            f"{name:24} {speeds[name]:7.1f} sentences/s  BLEU {scores[name]:4.1f}  jumok is {ratio:5.2f}x as fast{aim}"
        )


def train(part: str, arguments: argparse.Namespace, work: Path) -> None:
    """A model of each toolkit of one part, unless it is there."""
    numbers = [str(arguments.updates), str(arguments.threads)]
    changes: dict[str, Any] = {"training.updates": arguments.updates, "training.warmup": 300}
    recipe = "multi30k-transformer"
    if part == "recurrent":
        recipe = "multi30k"
        changes |= {"tokenizer.joint": "false", "tokenizer.size": OUTPUTS}
        changes |= {"training.learning_rate": 0.003, "model.dropout": 0.2, "batches.size": 32}  # much in a short time
    if not (arguments.runs / part / "model.safetensors").exists():
        changes |= {"data.root": arguments.data.resolve(), "training.threads": arguments.threads}
        options = [word for name, value in changes.items() for word in ("--set", f"{name}={value}")]
        command = [sys.executable, "-m", "jumok", "train", recipe, "--out", arguments.runs / part, *options]
        subprocess.run(command, check=True)
    for name in ("joey", "eole") if part == "recurrent" else ():
        out = arguments.runs / name
        if out.exists():
            continue
        script = [python_of(arguments, name), HERE / f"quality_{name}.py", work, out, *numbers, "short"]
        with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            print(name, process.stdout.readline(), end="")  # it goes on for ever: the first validation is the end
            process.kill()
    marian = arguments.runs / "marian"
    if part == "transformer" and not (marian / "int8").exists():
        script = [python_of(arguments, "marian"), HERE / "search_marian.py", work, marian, *numbers, "train"]
        subprocess.run(script, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["train", "measure"], default="measure")
    parser.add_argument("--peers", type=Path, required=True, help="the folder with the peers' environments")
    parser.add_argument("--data", type=Path, required=True, help="the folder with Multi30k")
    parser.add_argument("--runs", type=Path, required=True, help="the folder with the trained models")
    parser.add_argument("--only", choices=list(PARTS), help="one part")
    parser.add_argument("--updates", type=int, default=1200, help="of training")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.runs.mkdir(parents=True, exist_ok=True)
    work = prepared(arguments.data, arguments.peers / "work", python_of(arguments, "joey"))
    parts = PARTS if arguments.only is None else [arguments.only]
    if arguments.what == "train":
        for part in parts:
            train(part, arguments, work)
        return
    print(machine())
    for part in parts:
        measure(part, arguments, work)


if __name__ == "__main__":
    main()
