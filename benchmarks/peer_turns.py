"""How a worker of translation.py takes its turns. Needs the standard library only: it runs in every environment.

It reads a line of JSON from standard input, a list of sentences, and answers with one: the translations and the seconds
that they took. While it waits, it costs nothing.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable


def take_turns(translated: Callable[[list[str]], list[str]]) -> None:
    """Translate whatever is asked for, until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the toolkit prints goes with its log
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        sentences = json.loads(line)
        start = time.perf_counter()
        found = translated(sentences)
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, "translated": found}), file=answers, flush=True)
