"""Attention without recurrence: the tables of the reader, the answerer and the graph classifier.

    python benchmarks/without_recurrence.py reading --out FOLDER          adding and multiplication, by length
    python benchmarks/without_recurrence.py babi RUNS --data FOLDER       the bAbI tasks together, ten seeds
    python benchmarks/without_recurrence.py cora FILE.npz                 Cora, twenty seeds
    python benchmarks/without_recurrence.py time FILE.npz                 its training beside PyTorch Geometric's
    python benchmarks/without_recurrence.py lookup                        dictionaries, GATv2 and GAT
    python benchmarks/without_recurrence.py all --out FOLDER --babi FOLDER --cora FILE.npz

Each of them says more with --help. What was stopped goes on where it was. With OMP_NUM_THREADS=1 times are of one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import answering_tables
import graph_tables
import reading_tables

TABLES = {"reading": reading_tables.main, "babi": answering_tables.main}
GRAPHS = ("cora", "time", "lookup")


def everything(typed: Sequence[str]) -> None:
    """All tables, one after the other."""
    parser = argparse.ArgumentParser(prog="without_recurrence.py all")
    parser.add_argument("--out", type=Path, required=True, help="where runs and rows go")
    parser.add_argument("--babi", type=Path, required=True, help="the folder of the bAbI tasks")
    parser.add_argument("--cora", type=Path, required=True, help="Cora as docs/graphs.md makes it")
    asked = parser.parse_args(typed)
    graph_tables.main(["lookup"])
    graph_tables.main(["cora", str(asked.cora)])
    graph_tables.main(["time", str(asked.cora)])
    reading_tables.main(["--out", str(asked.out)])
    answering_tables.main([str(asked.out / "babi"), "--data", str(asked.babi)])


def main() -> None:
    """Read which table is asked for; the rest is for that table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, add_help=len(sys.argv) < 3
    )
    parser.add_argument("table", choices=(*TABLES, *GRAPHS, "all"))
    asked, rest = parser.parse_known_args()
    if asked.table == "all":
        everything(rest)
    elif asked.table in GRAPHS:
        graph_tables.main([asked.table, *rest])
    else:
        TABLES[asked.table](rest)


if __name__ == "__main__":
    main()
