"""A curve through noisy points, as attention: every kernel of Nadaraya and Watson, and its attention matrix.

The value at x is the mean of the points' values, weighted by how near they are: a query, keys and values. The width of
the kernel says what near is; here it is learned, by telling each point from all the others.

    python examples/kernel_regression.py [FOLDER]

writes the curves (curves.svg) and the matrix of each kernel (gaussian.svg, ...) into FOLDER.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from jumok.attention import NadarayaWatson
from jumok.viewing import AttentionMap, LineChart, Point, Series

KERNELS = ("gaussian", "epanechnikov", "boxcar", "constant")


class Fit(NamedTuple):
    """A kernel with the width that it learned, its curve, and what it looked at."""

    width: float
    curve: Tensor  # (T,)
    weights: Tensor  # (T, S)
    error: float  # the mean distance from the truth


def truth(x: Tensor) -> Tensor:
    """The curve that the points lie about."""
    return torch.sin(2 * x) + x / 2


def points(count: int = 40, noise: float = 0.3, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Noisy points of the curve, from left to right."""
    generator = torch.Generator().manual_seed(seed)
    x = (5 * torch.rand(count, generator=generator)).sort().values
    return x, truth(x) + noise * torch.randn(count, generator=generator)


def best_width(kernel: str, x: Tensor, y: Tensor) -> float:
    """The width with which each point is told best from all the others: by gradient where the kernel is smooth, by
    trying where it has an edge, at which no gradient passes."""
    others = ~torch.eye(len(x), dtype=torch.bool)
    if kernel == "gaussian":
        smooth = NadarayaWatson(kernel, width="learned")
        optimizer = torch.optim.Adam(smooth.parameters(), lr=0.1)
        for _ in range(60):
            loss = (smooth(x, x, y, mask=others).context - y).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return float(smooth.attend.score.width.detach())

    def missed(width: float) -> float:
        told = NadarayaWatson(kernel, width)(x, x, y, mask=others)
        alone = told.weights.sum(1) == 0  # no other point is near: it has to guess
        return float(torch.where(alone, y.mean(), told.context).sub(y).square().mean())

    return min((0.1 * step for step in range(1, 31)), key=missed)


def fit(kernel: str, x: Tensor, y: Tensor, at: Tensor) -> Fit:
    """The curve of a kernel at the places `at`."""
    width = 1.0 if kernel == "constant" else best_width(kernel, x, y)  # to whom all are alike, width is nothing
    curve, weights = NadarayaWatson(kernel, width)(at, x, y)
    return Fit(width, curve, weights, float((curve - truth(at)).abs().mean()))


def main(folder: Path) -> dict[str, Fit]:
    """Fit every kernel, and draw."""
    x, y = points()
    at = torch.linspace(0.2, 4.8, 47)
    fits = {kernel: fit(kernel, x, y, at) for kernel in KERNELS}
    named = {"truth": truth(at)} | {kernel: found.curve for kernel, found in fits.items()}
    lines = [
        Series(name, [Point(float(a), float(b)) for a, b in zip(at, curve, strict=True)])
        for name, curve in named.items()
    ]
    LineChart("Nadaraya-Watson regression", "x", "y", lines, x_ticks=range(6)).save(folder / "curves.svg")
    for kernel, found in fits.items():
        rows, columns = [f"{place:.1f}" for place in at], [f"{place:.1f}" for place in x]
        names = {"row_name": "x", "column_name": "points", "title": f"{kernel} kernel"}
        AttentionMap.from_arrays(found.weights, rows, columns, **names).save(folder / f"{kernel}.svg")
        print(f"{kernel:13} width {found.width:.2f}  mean error {found.error:.3f}")
    return fits


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
