"""Every combination of parts that makes sense, and small inputs for it. Sizes are small because the twin is slow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import torch
from torch import Tensor

from jumok.attention import NORMALIZERS, SCORES, SELECTORS, WINDOWS, Attention, build

BATCH, ROWS, COLUMNS, QUERY, KEY, VALUE = 2, 3, 5, 4, 6, 3

SCORE_SETTINGS: dict[str, dict[str, Any]] = {
    "dot": {},
    "scaled_dot": {},
    "cosine": {},
    "general": {},
    "additive": {"hidden_size": 3},
    "additive without v": {"v": False, "bias": True},
    "additive with coverage": {"hidden_size": 3, "history": "coverage"},
    "additive with last": {"hidden_size": 3, "history": "last", "filters": 2, "filter_width": 3},
    "concat": {"hidden_size": 3},
    "concat with coverage": {"hidden_size": 3, "history": "coverage", "filters": 2, "filter_width": 3},
    "location": {"max_length": 9},
    "content": {},
    "gaussian": {"width": "learned"},
    "boxcar": {"width": 3.0},
    "epanechnikov": {"width": 3.5},
    "constant": {},
}
WINDOW_SETTINGS: dict[str, dict[str, Any]] = {"local_m": {"width": 1}, "local_p": {"width": 2}, "shift": {}}
SELECTOR_SETTINGS: dict[str, dict[str, Any]] = {"top_k": {"k": 2}, "gumbel": {"temperature": 0.7}}
KERNELS = ("gaussian", "boxcar", "epanechnikov", "constant")
SAMPLERS = ("hard", "straight_through", "gumbel")


@dataclass(frozen=True)
class Combination:
    """One way to put the parts together."""

    score: str
    normalizer: str
    window: str | None
    selector: str

    def __str__(self) -> str:
        return f"{self.score}-{self.normalizer}-{self.window or 'everywhere'}-{self.selector}"

    @property
    def score_name(self) -> str:
        return self.score.split()[0]

    @property
    def same_size(self) -> bool:
        return self.score_name in ("dot", "scaled_dot", "cosine", *KERNELS)

    @property
    def knows_places(self) -> bool:
        return self.window is not None or self.score in (
            "location",
            "additive with last",
            "concat with coverage",
        )

    @property
    def may_see_nothing(self) -> bool:
        """Kernels that end somewhere."""
        return self.score in ("boxcar", "epanechnikov") and self.normalizer == "sum"

    @property
    def may_tie(self) -> bool:
        """Kernels that give many keys one score leave it open which are the best."""
        return self.score in ("boxcar", "epanechnikov", "constant") and self.selector == "top_k"

    def build(self, **settings: Any) -> Attention:
        window: Any = None
        if self.window is not None:
            window = {"name": self.window, **WINDOW_SETTINGS[self.window]}
            if self.window == "local_p" and self.selector in SAMPLERS:
                window["renormalize"] = True
        torch.manual_seed(1)
        attend = build(
            self.score_name,
            query_size=KEY if self.same_size else QUERY,
            key_size=KEY,
            normalize=self.normalizer,
            window=window,
            select={"name": self.selector, **SELECTOR_SETTINGS.get(self.selector, {})},
            **SCORE_SETTINGS[self.score],
            **settings,
        )
        for parameter in attend.parameters():  # away from the small numbers that initialisation gives
            torch.nn.init.normal_(parameter, std=0.8)
        return attend.double()

    def inputs(self, grad: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        generator = torch.Generator().manual_seed(2)
        shapes = (
            (BATCH, ROWS, KEY if self.same_size else QUERY),
            (BATCH, COLUMNS, KEY),
            (BATCH, COLUMNS, VALUE),
        )
        tensors = [torch.randn(shape, generator=generator, dtype=torch.double) for shape in shapes]
        return tuple(tensor.requires_grad_(grad) for tensor in tensors)  # type: ignore[return-value]


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(3)


def padding() -> Tensor:
    """The second sentence has three words."""
    return torch.tensor([[True] * COLUMNS, [True] * 3 + [False] * (COLUMNS - 3)])


ALL = [
    Combination(*parts)
    for parts in product(SCORE_SETTINGS, NORMALIZERS, (None, *WINDOWS), SELECTORS)
    if parts[1] != "sum" or parts[0].split()[0] in KERNELS
]
SCORES_OF_ALL = {combination.score_name for combination in ALL}
assert set(SCORES) == SCORES_OF_ALL, "a new score is missing from SCORE_SETTINGS"
