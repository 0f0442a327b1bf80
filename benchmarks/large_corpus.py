"""The memory of a corpus that is larger than a laptop's: ten million generated pairs, trained from files.

    python benchmarks/large_corpus.py FOLDER                     # ten million; some 6 GB of disk, twenty minutes
    python benchmarks/large_corpus.py FOLDER --pairs 1000000     # a tenth of it

Two files of made-up words (3 to 25 a line, the frequent ones far more frequent, as in a language) go into FOLDER,
and `jumok train` makes a few updates on them, twice: first it has to write its shards, then it finds them. A watcher
reads the process's anonymous memory (RssAnon, Linux) ten times a second. Pages of the shards are not in it: they are
the file's, and the system takes them back when it needs room.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from measuring import machine

VOCABULARY = 50_000
RECIPE = """\
inherits: translation
data:
  root: .
  train: {{source: train.source, target: train.target}}
  validation: {{source: validation.source, target: validation.target}}
tokenizer: {{kind: bpe, size: 8000}}
training: {{updates: {updates}, log_every: 1, evaluate_every: {updates}}}
"""


def words() -> np.ndarray:
    """Made-up words of two to four syllables, none twice."""
    syllables = [first + second for first in "bcdfghjklmnprstvwyz" for second in "aeiou"]
    dice = np.random.default_rng(0)
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        made["".join(dice.choice(syllables, dice.integers(2, 5)))] = None
    return np.array(list(made))


def write(folder: Path, pairs: int) -> None:
    """A corpus whose target is the source backwards, in other words; written beside, then renamed."""
    chosen = words()
    chances = 1.0 / np.arange(1, VOCABULARY + 1)
    edges = np.cumsum(chances / chances.sum())
    for part, count, seed in (("train", pairs, 1), ("validation", 1000, 2)):
        dice = np.random.default_rng(seed)
        names = [folder / f"{part}.source", folder / f"{part}.target"]
        if all(name.exists() for name in names):
            continue
        with names[0].with_suffix(".new").open("w") as source, (folder / "other.new").open("w") as target:
            for start in range(0, count, 100_000):
                lengths = dice.integers(3, 26, min(100_000, count - start))
                numbers = np.searchsorted(edges, dice.random(lengths.sum())).clip(max=VOCABULARY - 1)
                tokens, others = chosen[numbers].tolist(), chosen[VOCABULARY - 1 - numbers].tolist()
                ends = np.cumsum(lengths).tolist()
                for begin, end in zip([0, *ends], ends, strict=False):
                    source.write(" ".join(tokens[begin:end]) + "\n")
                    target.write(" ".join(others[begin:end][::-1]) + "\n")
        os.replace(names[0].with_suffix(".new"), names[0])
        os.replace(folder / "other.new", names[1])


def anonymous(process: int) -> float:
    """RssAnon of a process in MB; 0 when it is gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("RssAnon")), 0.0)


def train(folder: Path, out: Path, cache: Path) -> tuple[float, float, float, float]:
    """Seconds to the shards and to the first update; most anonymous MB before it and from then on."""
    command = [sys.executable, "-m", "jumok", "train", str(folder / "recipe.yaml"), "--out", str(out)]
    environment = {**os.environ, "JUMOK_CACHE": str(cache)}
    start = time.perf_counter()
    with (folder / f"{out.name}.log").open("w") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    metrics = out / "metrics.jsonl"
    shards = first = 0.0
    before, training = [0.0], [0.0]
    while process.poll() is None:
        now = time.perf_counter() - start
        if not shards and any(cache.glob("shards/*/index.json")):
            shards = now
        if not first and metrics.exists() and metrics.stat().st_size:
            first = now
        (training if first else before).append(anonymous(process.pid))
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"jumok train stopped with {process.returncode}; see {folder / f'{out.name}.log'}")
    return shards, first, max(before), max(training)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the corpus, the cache and the runs go")
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--updates", type=int, default=60)
    arguments = parser.parse_args()
    folder: Path = arguments.folder / str(arguments.pairs)
    cache = folder / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    for old in (folder / "first", folder / "second", cache):
        shutil.rmtree(old, ignore_errors=True)
    start = time.perf_counter()
    write(folder, arguments.pairs)
    size = sum(path.stat().st_size for path in folder.glob("train.*")) / 1e9
    print(f"{arguments.pairs:,} pairs, {size:.2f} GB of text, written in {time.perf_counter() - start:.0f} s")
    (folder / "recipe.yaml").write_text(RECIPE.format(updates=arguments.updates))
    shards, first, preparing, training = train(folder, folder / "first", cache)
    _, again, _, second = train(folder, folder / "second", cache)
    weights = (folder / "first" / "model.safetensors").stat().st_size / 1e6
    learning = 4 * weights  # the weights, their gradients and Adam's two averages
    print(f"shards after {shards:.0f} s, first update {first - shards:.0f} s later; found again, {again:.0f} s in all")
    print(f"anonymous memory: preparing {preparing:.0f} MB, training {training:.0f} MB, second run {second:.0f} MB;")
    print(
        f"the model while it learns is {learning:.0f} MB of it, so {max(training, second) - learning:.0f} MB above it"
    )
    print(machine())


if __name__ == "__main__":
    main()
