"""How long the page of a large map takes until it is drawn, in Chromium.

    python benchmarks/large_map.py [--side 1000] [--times 5]

Writes a map of SIDE x SIDE weights as one HTML file, and opens it in a browser that already runs, each time a new one.
The clock stops two frames after the page says that it is loaded, when its picture is on the screen. Needs Playwright
and the system's Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from measuring import machine

from jumok.viewing import AttentionMap

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def main() -> None:
    """`large_map.py`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=1000)
    parser.add_argument("--times", type=int, default=5)
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("there is no Chromium on this machine; install the system's package chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("pip install playwright: it drives the browser")
    weights = np.random.default_rng(1).gamma(0.05, size=(asked.side, asked.side))
    weights /= weights.sum(axis=1, keepdims=True)
    labels = [f"word{number}" for number in range(asked.side)]
    look = AttentionMap.from_arrays(weights, labels, labels)
    print(machine())
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder) / "look.html"
        start = time.monotonic()
        look.save(page)
        written, size = time.monotonic() - start, page.stat().st_size / 1e6
        print(f"{asked.side} x {asked.side}: written in {written:.2f} s, {size:.1f} MB")
        seconds = []
        for _ in range(asked.times):
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            tab = browser.new_page()
            tab.goto("about:blank")
            start = time.monotonic()
            tab.goto(page.as_uri())
            tab.evaluate(DRAWN)
            seconds.append(time.monotonic() - start)
            browser.close()
        told = ", ".join(f"{one:.2f}" for one in sorted(seconds))
        print(f"opened and drawn in {median(seconds):.2f} s (median of {told})")


if __name__ == "__main__":
    main()
