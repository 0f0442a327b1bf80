"""What a selector is, and how random numbers are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from jumok.core import unknown

Evaluate = Literal["expected", "argmax", "sample"]


class Selected(NamedTuple):
    """Coefficients for the values, and what was chosen where one key was."""

    weights: Tensor  # (..., T, S)
    choice: Tensor | None = None  # (..., T), -1 where every key was masked
    log_prob: Tensor | None = None  # (..., T), 0 there


class Selector(nn.Module):
    """`forward(probabilities, generator)` makes of `(..., T, S)` probabilities the coefficients of the values."""

    needs_distribution: bool = False
    """Whether rows must sum to 1, because it samples from them."""

    def forward(self, probabilities: Tensor, generator: torch.Generator | None = None) -> Selected:
        """The coefficients `(..., T, S)`."""
        raise NotImplementedError


class Sampler(Selector):
    """A selector that draws while it learns; in eval it takes the expectation, the likeliest key, or a sample."""

    needs_distribution = True

    def __init__(self, evaluate: Evaluate = "expected") -> None:
        super().__init__()
        if evaluate not in ("expected", "argmax", "sample"):
            raise ValueError(unknown("way to evaluate", evaluate, ("expected", "argmax", "sample")))
        self.evaluate = evaluate

    @property
    def draws(self) -> bool:
        """Whether it draws now, so that what is asked twice may look elsewhere."""
        return self.training or self.evaluate == "sample"

    def forward(self, probabilities: Tensor, generator: torch.Generator | None = None) -> Selected:
        way = "sample" if self.draws else self.evaluate
        if way == "expected":
            return Selected(probabilities)
        if way == "sample":
            return self.sample(probabilities, generator)
        return self.chosen(probabilities, probabilities.argmax(-1))

    def sample(self, probabilities: Tensor, generator: torch.Generator | None) -> Selected:
        """Draw one key for each row."""
        return self.chosen(probabilities, draw(probabilities, generator))

    def chosen(self, probabilities: Tensor, choice: Tensor) -> Selected:
        """The coefficients when key `choice` `(..., T)` was taken."""
        one_hot, choice, log_prob = take(probabilities, choice)
        return Selected(one_hot, choice, log_prob)

    def extra_repr(self) -> str:
        return f"evaluate={self.evaluate!r}"


def draws(module: nn.Module) -> bool:
    """Whether any attention within draws its looks."""
    return any(isinstance(part, Sampler) and part.draws for part in module.modules())


def take(probabilities: Tensor, choice: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """One-hot rows, the choice and the log of its probability; zeros, -1 and 0 for rows without any probability."""
    empty = probabilities.detach().sum(-1) == 0
    one_hot = torch.zeros_like(probabilities).scatter(-1, choice.unsqueeze(-1), 1).masked_fill(empty.unsqueeze(-1), 0)
    picked = probabilities.gather(-1, choice.unsqueeze(-1)).squeeze(-1)
    return one_hot, choice.masked_fill(empty, -1), picked.masked_fill(empty, 1).log()


def uniform(shape: Sequence[int], steps: int, like: Tensor, generator: torch.Generator | None) -> Tensor:
    """Random numbers in [0, 1), drawn along the axis `steps` first.

    So one call on a sequence draws the numbers that stepping through it draws (on the CPU).
    """
    drawn = [shape[steps], *shape[:steps], *shape[steps + 1 :]]
    numbers = torch.rand(drawn, generator=generator, dtype=like.dtype, device=like.device)
    return numbers.movedim(0, steps)


def draw(probabilities: Tensor, generator: torch.Generator | None) -> Tensor:
    """One key for each row `(..., T)`, by inverting the cumulative distribution at one random number.

    A key without probability is never drawn, and padding behind the keys does not change what is.
    """
    cumulative = probabilities.detach().cumsum(-1)
    total = cumulative[..., -1]
    random = uniform(total.shape, total.dim() - 1, total, generator)
    target = torch.minimum(random * total, total.nextafter(torch.zeros_like(total)))
    return (cumulative <= target.unsqueeze(-1)).sum(-1).clamp_max(probabilities.shape[-1] - 1)
