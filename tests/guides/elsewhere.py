"""What the pages show and their walk does not run, each with where it is run, or why it cannot be."""

from __future__ import annotations

import re

ELSEWHERE = {
    r"make (demo|test)$": ".ci/run installs with make and runs make test; what make demo shows is run as jumok demo",
    r"make benchmark": "needs peers, and minutes; tests/test_benchmarks.py imports it",
    r"python3 -m venv|\. \.venv/|pip install -c constraints.txt": (
        ".ci/package.py reads the line in the README, and installs by it in an empty environment"
    ),
    r"py -m venv|\.venv\\Scripts": "Windows, which CI has not; what pip installs there is the README's line",
    r"!pip install -q git\+|git clone": ".ci/package.py installs from git, beside a torch that stays as it is",
    r"(OMP_NUM_THREADS=1 )?python benchmarks/|export OMP_": "minutes; test_benchmarks_take_what_is_typed",
    r"torchrun --nnodes .* --resume": "as above it on the page; tests/training/test_processes.py resumes",
    r"encode -> attend|files -> data": "a drawing",
    r"translator\.push_to_hub": "needs a token of the Hub; tests/systems/test_translator.py sees what is sent",
    r"import pickle\n": "needs SciPy and the files of Planetoid; tests/data/test_graph_data.py reads what it writes",
    r"from pathlib import Path\n\nfrom jumok.data import cache_folder": (
        "needs Flickr8k and the weights of jumok[vision]; tests/models/test_picture_encoders.py has its own of both"
    ),
}


def is_elsewhere(text: str) -> bool:
    """Whether a line of a shell, or a block that is none, is one of these."""
    return any(re.match(pattern, text) for pattern in ELSEWHERE)
