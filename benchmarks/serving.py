"""The studio's API under load: many clients at once beside one at a time.

    python benchmarks/serving.py MODEL [--clients 64] [--seconds 60]

Starts `jumok studio MODEL` on a free port, asks it one sentence at a time by one client, then by many clients at once,
each as fast as it gets its answers; sentences are of the practice language unless --input names a file. It tells
sentences a second, the times of answers, errors, and the server's memory at the beginning, in the middle and at the
end. Then it asks for more than the queue holds, and counts who is sent away.
"""

from __future__ import annotations

import argparse
import http.client
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from measuring import machine

from jumok.data.korean import Korean


class Asked(NamedTuple):
    """What came of asking for a while."""

    seconds: float
    times: list[float]
    statuses: Counter[int]

    @property
    def rate(self) -> float:
        return self.statuses[200] / self.seconds

    def and_then(self, other: Asked) -> Asked:
        return Asked(self.seconds + other.seconds, self.times + other.times, self.statuses + other.statuses)

    def told(self) -> str:
        ordered = sorted(self.times)
        p99 = ordered[min(int(0.99 * len(ordered)), len(ordered) - 1)]
        wrong = sum(self.statuses.values()) - self.statuses[200]
        return (
            f"{self.rate:7.1f} sentences/s, median {1000 * median(ordered):.0f} ms, p99 {1000 * p99:.0f} ms,"
            f" longest {1000 * ordered[-1]:.0f} ms, {wrong} errors"
        )


class Server:
    """`jumok studio` in a process of its own."""

    def __init__(self, model: Path) -> None:
        command = [sys.executable, "-m", "jumok", "studio", str(model), "--port", "0", "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = next(line for line in self.process.stdout if line.startswith("listening"))
        self.port = int(line.split(":")[2].split("/")[0])

    def memory(self) -> float:
        """Megabytes that the server holds."""
        text = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return next(int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("VmRSS"))


def ask(port: int, texts: list[str], clients: int, seconds: float, beam: int, at_once: int = 1) -> Asked:
    """Let clients ask for a while."""
    number, lock = count(), threading.Lock()
    times: list[float] = []
    statuses: Counter[int] = Counter()
    end = time.monotonic() + seconds

    def work() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while time.monotonic() < end:
            with lock:
                first = next(number)
            chosen = [texts[(first + place) % len(texts)] for place in range(at_once)]
            body = json.dumps({"texts": chosen, "beam": beam, "attention": False})
            start = time.monotonic()
            connection.request("POST", "/api/translate", body, {"content-type": "application/json"})
            reply = connection.getresponse()
            reply.read()
            with lock:
                times.append(time.monotonic() - start)
                statuses[reply.status] += at_once

    start = time.monotonic()
    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Asked(time.monotonic() - start, times, statuses)


def main() -> None:
    """`serving.py MODEL`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="the folder of a translator")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60, help="of the many; of the one a fourth")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--input", type=Path, help="sentences, one a line")
    asked = parser.parse_args()
    if asked.input is not None:
        texts = asked.input.read_text("utf-8").splitlines()
    else:
        texts = [pair.source for pair in Korean(7).pairs(500, max_words=15)]
    print(machine())
    server = Server(asked.model)
    try:
        ask(server.port, texts, asked.clients, 3, asked.beam)  # whatever is made once is made now
        alone = ask(server.port, texts, 1, asked.seconds / 4, asked.beam)
        held = [server.memory()]
        halves = []
        for _ in range(2):
            halves.append(ask(server.port, texts, asked.clients, asked.seconds / 2, asked.beam))
            held.append(server.memory())
        many = halves[0].and_then(halves[1])
        flood = ask(server.port, texts, asked.clients, 3, asked.beam, at_once=16)
    finally:
        server.process.terminate()
    print(f"1 client     {alone.told()}")
    print(f"{asked.clients:2} clients   {many.told()}")
    print(f"together {many.rate / alone.rate:.1f} times the sentences of one at a time")
    print("memory {:.0f} MB before, {:.0f} MB in the middle, {:.0f} MB after".format(*held))
    sent_away = flood.statuses[503] / sum(flood.statuses.values())
    print(f"flood, 16 sentences a request: {sent_away:.0%} sent away, {dict(flood.statuses)}")


if __name__ == "__main__":
    main()
