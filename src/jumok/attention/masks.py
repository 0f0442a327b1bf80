"""Masks: boolean, True = may be looked at. Checked once, and brought to one form."""

from __future__ import annotations

import torch
from torch import Tensor


def lengths_to_mask(lengths: Tensor, size: int | None = None) -> Tensor:
    """`(B, S)`, True on the first `lengths[b]` keys of each row; S is `size`, or the longest length.

    >>> lengths_to_mask(torch.tensor([2, 3])).int()
    tensor([[1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    if lengths.dim() != 1 or lengths.is_floating_point() or lengths.dtype == torch.bool:
        raise ValueError(f"lengths: expected whole numbers of shape (B,), got {lengths.dtype} {tuple(lengths.shape)}")
    size = int(lengths.max()) if size is None else size
    return torch.arange(size, device=lengths.device) < lengths[:, None]


def causal_mask(rows: int, columns: int, device: torch.device | None = None, part: slice = slice(None)) -> Tensor:
    """`(T, S)`, True where key s is not after query t, aligned to the right: the last query sees every key.

    >>> causal_mask(2, 3).int()
    tensor([[1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    row = torch.arange(rows, device=device)[part, None]
    return torch.arange(columns, device=device) <= row + (columns - rows)


def with_past(mask: Tensor | None, past: Tensor) -> Tensor:
    """What both allow."""
    return past if mask is None else mask & past


def checked_mask(mask: Tensor, batch: int, columns: int, heads: int | None = None) -> Tensor:
    """The mask with an axis for the queries (and one for heads where there are some), S written out.

    2-D is `(B, S)`, 3-D `(B, T, S)`, 4-D `(B, heads, T, S)`; each axis full or 1. T is checked at the call.
    """
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask: expected a boolean mask (True = may be looked at), got {mask.dtype}; write mask.bool()"
            " if 1 means look, mask == 0 if 1 means hide"
        )
    forms = {2: "(B, S)", 3: "(B, T, S)"} if heads is None else {2: "(B, S)", 3: "(B, T, S)", 4: "(B, heads, T, S)"}
    if mask.dim() not in forms:
        raise ValueError(f"mask: expected {' or '.join(forms.values())}, got shape {tuple(mask.shape)}")
    wanted = {0: ("B", batch), mask.dim() - 1: ("S", columns)}
    if mask.dim() == 4 and heads is not None:
        wanted[1] = ("heads", heads)
    for axis, (name, size) in wanted.items():
        if mask.shape[axis] != size and mask.shape[axis] != 1:
            raise ValueError(
                f"mask: axis {axis} of {forms[mask.dim()]} must be {name} = {size} or 1, got shape {tuple(mask.shape)}"
            )
    if mask.dim() == 2:
        mask = mask[:, None]
    if heads is not None and mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(*mask.shape[:-1], columns)


def rows_of_mask(mask: Tensor, rows: int) -> Tensor:
    """The mask, when its axis of queries fits; otherwise one line that says so."""
    if mask.shape[-2] != rows and mask.shape[-2] != 1:
        raise ValueError(f"mask: it has {mask.shape[-2]} rows for T = {rows} queries; T must be {rows} or 1")
    return mask


def last_visible(mask: Tensor) -> Tensor:
    """How far each row can see: the place after its last visible key, 0 where there is none; `(..., T, 1)`."""
    places = torch.arange(1, mask.shape[-1] + 1, device=mask.device)
    return (mask * places).amax(-1, keepdim=True)
