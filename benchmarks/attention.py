"""Attention against its peers and its slow twins, as one table.

    make benchmark                                   # all of it, some minutes
    python benchmarks/attention.py --only additive   # one part
    python benchmarks/attention.py --alternations 21

Every ratio is of medians over alternating calls in one process; memory is the peak in a fresh process each. Needs
the extra `benchmarks` (entmax, torch_geometric).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import torch
from graphs import graph_rows
from measuring import Row, machine, medians, peak_growth, peak_growth_elsewhere
from torch import Tensor, nn
from torch.nn.functional import linear, scaled_dot_product_attention

from jumok.attention import MultiHead, build, entmax15, sparsemax

BATCH, ROWS, COLUMNS, HIDDEN = 16, 128, 128, 512


def backward(output: Tensor, pull: Tensor, *inputs: Tensor) -> None:
    torch.autograd.grad(output, inputs, pull)


def additive_calls(batch: int = BATCH, rows: int = ROWS, columns: int = COLUMNS) -> dict[str, Callable[[], None]]:
    """Additive attention, forward and backward: ours, and the sum written out."""
    attend = build("additive", query_size=HIDDEN, key_size=HIDDEN, hidden_size=HIDDEN)
    queries, keys = torch.randn(batch, rows, HIDDEN), torch.randn(batch, columns, HIDDEN)
    inputs = queries.requires_grad_(), keys.requires_grad_(), *attend.parameters()
    pull = torch.randn(batch, rows, HIDDEN)

    def broadcast() -> Tensor:
        hidden = torch.tanh(attend.score.query(queries).unsqueeze(2) + attend.score.key(keys).unsqueeze(1))
        return (hidden @ attend.score.v).softmax(-1) @ keys

    assert torch.allclose(attend(queries, keys).context, broadcast(), atol=1e-4)
    return {
        "ours": lambda: backward(attend(queries, keys).context, pull, *inputs),
        "theirs": lambda: backward(broadcast(), pull, *inputs),
    }


def long_call(length: int) -> Callable[[], None]:
    """Additive attention of one long sequence on another, weights unread, forward and backward."""
    attend = build("additive", query_size=64, key_size=64, hidden_size=64)
    queries, keys = torch.randn(1, length, 64, requires_grad=True), torch.randn(1, length, 64, requires_grad=True)
    pull = torch.randn(1, length, 64)
    return lambda: backward(attend(queries, keys).context, pull, queries, keys, *attend.parameters())


def additive_rows(alternations: int) -> Iterator[Row]:
    shape = f"B{BATCH} T{ROWS} S{COLUMNS} H{HIDDEN}"
    times = medians(additive_calls(), alternations)
    yield Row(f"additive {shape}", "broadcast", times["ours"], times["theirs"], "ms", ">= 1.5x", 1.5)
    ours, theirs = (peak_growth_elsewhere(__file__, f"additive-{who}") for who in ("ours", "theirs"))
    yield Row(f"additive {shape}, peak", "broadcast", ours, theirs, "MB", "<= 1/25", 25)
    peaks = {length: peak_growth_elsewhere(__file__, f"long-{length}") for length in (1024, 2048, 4096)}
    for length in (2048, 4096):
        name = f"additive T = S = {length}, weights unread, peak"
        half = peaks[length // 2]
        yield Row(name, f"4 x that of {length // 2}", peaks[length], 4 * half, "MB", "linear: >= 1.8x", 1.8)


def normalizer_rows(alternations: int) -> Iterator[Row]:
    import entmax  # type: ignore[import-untyped]

    scores = torch.randn(4096, 64, requires_grad=True)
    pull = torch.randn(4096, 64)
    for name, ours, theirs in (("sparsemax", sparsemax, entmax.sparsemax), ("entmax15", entmax15, entmax.entmax15)):
        assert torch.allclose(ours(scores), theirs(scores), atol=1e-6)
        calls = {
            "ours": lambda ours=ours: backward(ours(scores), pull, scores),
            "theirs": lambda theirs=theirs: backward(theirs(scores), pull, scores),
        }
        times = medians(calls, 5 * alternations)
        yield Row(f"{name} 4096 x 64", "entmax", times["ours"], times["theirs"], "ms", ">= 4x", 4)


def head_rows(alternations: int) -> Iterator[Row]:
    batch, length, size, heads = 16, 128, 512, 8
    ours, theirs = MultiHead(size, heads), nn.MultiheadAttention(size, heads, batch_first=True)
    x, pull = torch.randn(batch, length, size, requires_grad=True), torch.randn(batch, length, size)

    def bare() -> Tensor:
        maps = (ours.query, ours.key, ours.value)
        q, k, v = (linear(x, m.weight, m.bias).view(batch, length, heads, -1).transpose(1, 2) for m in maps)
        context = scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(-2)
        return linear(context, ours.output.weight, ours.output.bias)

    assert torch.allclose(ours(x).context, bare(), atol=1e-5)
    calls = {
        "ours": lambda: backward(ours(x).context, pull, x, *ours.parameters()),
        "bare": lambda: backward(bare(), pull, x, *ours.parameters()),
        "module": lambda: backward(theirs(x, x, x, need_weights=True)[0], pull, x, *theirs.parameters()),
    }
    times = medians(calls, 3 * alternations)
    name = f"MultiHead B{batch} T{length} {heads} x {size // heads}, weights unread"
    yield Row(name, "bare SDPA + projections", times["ours"], times["bare"], "ms", "<= 1.10x of it", 1 / 1.10)
    yield Row(name, "nn.MultiheadAttention, weights", times["ours"], times["module"], "ms", "faster", 1)


PARTS = {"additive": additive_rows, "normalizers": normalizer_rows, "heads": head_rows, "graphs": graph_rows}


def measured_memory(name: str) -> float:
    """The peak of one of the calls in this process, after a small one has loaded what is needed."""
    kind, which = name.split("-")
    if kind == "additive":
        additive_calls(1, 2, 2)[which]()
        return peak_growth(additive_calls()[which])
    long_call(600)()
    return peak_growth(long_call(int(which)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alternations", type=int, default=9, help="turns that are measured, at least 9 (default)")
    parser.add_argument("--only", choices=PARTS, help="one part of the table")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("memory").add_argument("name")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    if arguments.command == "memory":
        print(measured_memory(arguments.name))
        return
    print(machine())
    for part in [arguments.only] if arguments.only else PARTS:
        for row in PARTS[part](arguments.alternations):
            print(row, flush=True)


if __name__ == "__main__":
    main()
