"""Training speed beside JoeyNMT 2.3.0 and Eole 0.6.4, as one table.

    python benchmarks/training.py --peers FOLDER --data FOLDER                # all of it
    python benchmarks/training.py --peers FOLDER --data FOLDER --only luong   # one part
    python benchmarks/training.py --how                                       # how to make the peers' environments

The model: Multi30k English to German, a joint BPE of 8,000 pieces, embeddings of 256, a bidirectional LSTM of
256 + 256, an LSTM decoder of 512 with input feeding, additive attention of 512, nothing tied, dropout 0.3, batches of
64 sentences, label smoothing 0.1, AdamW at 0.001.

joey    that model
eole    the same with the pieces that occur on each side as vocabularies, as Eole makes them
luong   the bilinear score and no input feeding, beside JoeyNMT's luong

Each toolkit trains with its own loop and its own way of making batches, in a process and an environment of its own
(peer_*.py). They take turns: a segment of updates by jumok, one by the peer, some products of 2048^3. A process that
has no turn waits, and each goes on where it stopped. What counts are the target tokens that the loss is taken over,
without padding, and the time of everything that an update needs: batching, forward, backward, clipping, optimiser.
Stop everything else on the machine: a busy core slows short pieces of work more than long ones.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import torch
from measuring import Row, machine
from peer_gate import Work

HERE = Path(__file__).parent
SIDE = 2048  # of the square product that says what the machine can do

HOW = """\
The peers' environments, one folder each below PEERS (Python 3.11; none of this is needed to use jumok):

  python3.11 -m venv PEERS/joey
  PEERS/joey/bin/pip install torch==2.13.0
  PEERS/joey/bin/pip install --no-deps joeynmt==2.3.0
  PEERS/joey/bin/pip install numpy "setuptools<80" sacrebleu pyyaml tensorboard matplotlib packaging subword-nmt \\
      datasets importlib_metadata portalocker future pillow sacremoses seaborn pandas plotly sentencepiece==0.1.99

  python3.11 -m venv PEERS/eole
  PEERS/eole/bin/pip install torch==2.13.0
  PEERS/eole/bin/pip install eole==0.6.4 aiohttp

Take the same build of torch for all. DATA holds train.en, train.de, val.en and val.de of Multi30k
(github.com/multi30k/dataset, data/task1/raw, unpacked)."""


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model, and what training it needs at least."""

    outputs: int
    feeding: bool
    embedding: int = 256
    encoder: int = 256  # of each direction
    decoder: int = 512
    attention: int = 512

    def flops(self, work: Work) -> float:
        """Useful floating point operations of a segment: the matrix products of forward, on tokens that are real.

        A multiply-add is 2; backward needs each product twice more, once for its input and once for its weight, so
        everything counts x 3. Element-wise work, padding and what a toolkit does more than once count nothing.
        """
        states = 2 * self.encoder
        gates = 4 * self.decoder
        source = 2 * 4 * self.encoder * (self.embedding + self.encoder)  # the cells of both directions
        source += states * self.attention  # the key
        target = gates * (self.embedding + self.decoder)  # the cell
        target += gates * self.decoder if self.feeding else 0  # what is fed back into it
        target += self.decoder * self.attention if self.feeding else 0  # the query; a bilinear score has only keys
        target += (self.decoder + states) * self.decoder  # state and context become the attentional vector
        target += self.decoder * self.outputs
        pair = self.attention + states  # the score of one key, and its value's part in the context
        first = states * self.decoder  # the decoder's first state
        products = work.source * source + work.target * target + work.products * pair + work.sentences * first
        return 2.0 * 3.0 * products


@dataclass(frozen=True)
class Part:
    """Two toolkits that train the same model."""

    peer: str
    environment: str
    worker: tuple[str, ...]  # the peer's script and what it takes
    ours: tuple[str, ...]  # model and vocabulary of our own worker
    faster: float  # goal: times the peer's tokens a second
    share: float | None  # goal: of the machine's FLOP/s


PARTS = {
    "joey": Part("JoeyNMT 2.3.0", "joey", ("peer_joey.py", "bahdanau"), ("additive", "joint"), 3.0, 0.65),
    "eole": Part("Eole 0.6.4", "eole", ("peer_eole.py",), ("additive", "each"), 1.5, None),
    "luong": Part("JoeyNMT 2.3.0 luong", "joey", ("peer_joey.py", "luong"), ("general", "joint"), 3.7, 0.80),
}


class Worker:
    """A process that trains on request; it is killed when the block ends."""

    def __init__(self, python: Path, script: tuple[str, ...], work: Path, threads: int, log: Path) -> None:
        name, *options = script
        counts = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))
        self.log = log
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                [str(python), str(HERE / name), str(work), *options, str(threads)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, **counts},
                cwd=work,
                text=True,
            )
        self.facts = self.answer()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            last = (self.log.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
            raise SystemExit(f"a worker stopped: {last} (its log: {self.log})")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def train(self, updates: int) -> Work:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{updates}\n")
        self.process.stdin.flush()
        return Work(**self.answer())

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def product_rate(seconds: float = 2.0) -> float:
    """FLOP/s of the square product, the median of as many as fit into some seconds."""
    left, right = torch.randn(SIDE, SIDE), torch.randn(SIDE, SIDE)
    result = left @ right
    times: list[float] = []
    while sum(times) < seconds:
        start = time.perf_counter()
        torch.mm(left, right, out=result)
        times.append(time.perf_counter() - start)
    return 2.0 * SIDE**3 / median(times)


@dataclass(frozen=True)
class Rates:
    """What one toolkit reached: medians over the rounds, and the rounds."""

    tokens: float  # unpadded target tokens a second
    gflops: float  # useful ones a second
    share: float  # of what the machine's product reaches
    rounds: list[Work]


def rates(sizes: Sizes, works: list[Work], best: float) -> Rates:
    useful = median(sizes.flops(work) / work.seconds for work in works)
    return Rates(median(work.target / work.seconds for work in works), useful / 1e9, useful / best, works)


def prepared(data: Path, work: Path, python: Path) -> Path:
    """The folder with the data as every worker wants it, made when it is not there."""
    files = [data / f"{part}.{side}" for part in ("train", "val") for side in ("en", "de")]
    missing = [path.name for path in files if not path.is_file()]
    if missing:
        raise SystemExit(f"{data} has no {', '.join(missing)}; --how says where Multi30k is found")
    script = HERE / "peer_data.py"
    content = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in [*files, script]))
    folder = work / f"multi30k-{content.hexdigest()[:12]}"
    if not all((folder / f"ids.{side}.npz").exists() for side in ("en", "de")):
        print("preparing the data ...", file=sys.stderr)
        subprocess.run([python, script, data, folder], check=True, stdout=sys.stderr)
    return folder


def measured(name: str, python: Path, arguments: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """What the two toolkits of one part reached."""
    part = PARTS[name]
    ours = Worker(Path(sys.executable), ("peer_jumok.py", *part.ours), folder, arguments.threads, folder / "jumok.log")
    theirs = Worker(python, part.worker, folder, arguments.threads, folder / f"{name}.log")
    works: dict[str, list[Work]] = {"jumok": [], part.peer: []}
    products = []
    with ours, theirs:
        if ours.facts["outputs"] != theirs.facts["outputs"]:
            raise SystemExit(f"jumok has {ours.facts['outputs']} outputs, {part.peer} {theirs.facts['outputs']}")
        for worker in (ours, theirs):
            worker.train(arguments.warm_up)
        for turn in range(arguments.rounds):
            for worker, seen in zip((ours, theirs), works.values(), strict=True):
                seen.append(worker.train(arguments.updates))
            products.append(product_rate())
            speeds = ", ".join(f"{who} {seen[-1].target / seen[-1].seconds:.0f}" for who, seen in works.items())
            speeds = f"{speeds} target tokens/s, product {products[-1] / 1e9:.0f} GFLOP/s"
            print(f"{name}, round {turn + 1} of {arguments.rounds}: {speeds}", file=sys.stderr)
    sizes = Sizes(ours.facts["outputs"], feeding=part.ours[0] == "additive")
    best = median(products)
    reached = {who: asdict(rates(sizes, seen, best)) for who, seen in works.items()}
    return {"sizes": asdict(sizes), "product_gflops": best / 1e9, "products": products, "reached": reached}


def rows(part: Part, seen: dict[str, Any]) -> Iterator[Row]:
    """Times for the same work, so that smaller is better: of a target token, and of a useful GFLOP."""
    ours, theirs = seen["reached"]["jumok"], seen["reached"][part.peer]
    model = f"{part.ours[0]}, {seen['sizes']['outputs']} outputs"
    mine, peers = 1e6 / ours["tokens"], 1e6 / theirs["tokens"]
    yield Row(f"{model}: a target token", part.peer, mine, peers, "us", f">= {part.faster:g}x", part.faster)
    if part.share is not None:
        mine, best = 1e3 / ours["gflops"], 1e3 / seen["product_gflops"]
        yield Row(f"{model}: a useful GFLOP", f"product {SIDE}^3", mine, best, "ms", f">= {part.share:g}x", part.share)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, help="folder with the environments joey and eole")
    parser.add_argument("--data", type=Path, help="folder with Multi30k")
    parser.add_argument("--work", type=Path, help="folder for prepared data and logs (default: work, in PEERS)")
    parser.add_argument("--only", choices=PARTS, help="one part of the table")
    parser.add_argument("--rounds", type=int, default=7, help="turns that are measured (default 7)")
    parser.add_argument("--updates", type=int, default=30, help="updates of a turn (default 30)")
    parser.add_argument("--warm-up", type=int, default=20, help="updates before the first turn (default 20)")
    parser.add_argument("--threads", type=int, default=2, help="threads of each process (default 2)")
    parser.add_argument("--json", type=Path, help="file for all figures (default: training.json, in the work folder)")
    parser.add_argument("--how", action="store_true", help="say how to make the peers' environments")
    arguments = parser.parse_args()
    if arguments.how or arguments.peers is None or arguments.data is None:
        print(HOW)
        sys.exit(0 if arguments.how else 2)
    torch.set_num_threads(arguments.threads)
    wanted = [arguments.only] if arguments.only else list(PARTS)
    there = {name: arguments.peers.absolute() / PARTS[name].environment / "bin" / "python" for name in wanted}
    missing = sorted({PARTS[name].environment for name, python in there.items() if not python.exists()})
    if missing:
        print(f"left out, for {arguments.peers} has no {' and no '.join(missing)}\n\n{HOW}\n")
    parts = [name for name, python in there.items() if python.exists()]
    if not parts:
        sys.exit(2)
    work = (arguments.work or arguments.peers / "work").absolute()
    folder = prepared(arguments.data.absolute(), work, there[parts[0]])
    report: dict[str, Any] = {"machine": machine(), "load": os.getloadavg()[0]}
    print(report["machine"], f"load before {report['load']:.1f}", sep=", ")
    for name in parts:
        report[name] = measured(name, there[name], arguments, folder)
        for row in rows(PARTS[name], report[name]):
            print(row)
        for who, reached in report[name]["reached"].items():
            print(
                f"    {who:20} {reached['tokens']:6.0f} target tokens/s, {reached['share']:.0%} of the product",
                flush=True,
            )
        place = arguments.json or work / "training.json"
        place.write_text(json.dumps(report, indent=1) + "\n")
    print(f"every round: {place}")


if __name__ == "__main__":
    main()
