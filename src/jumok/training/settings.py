"""The settings of a training run."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, model_validator

from jumok.core.settings import Settings

LOWER = frozenset({"loss", "perplexity", "error", "errors", "aer", "ter", "wer", "cer", "distance", "entropy"})
HIGHER = frozenset({"accuracy", "bleu", "chrf", "cider", "rouge", "meteor", "f1", "precision", "recall", "reward"})

Count = Annotated[int, Field(ge=1)]
Better = Literal["lower", "higher"]


class TrainingSettings(Settings):
    """How long, how fast and how carefully to train."""

    updates: Count | None = None
    """Stop after so many updates of the weights."""
    epochs: Count | None = None
    """Stop after so many passes over the data."""
    minutes: float | None = Field(default=None, gt=0)
    """Stop after so many minutes, evaluations included (the minutes before a resume count too)."""
    optimiser: Literal["adamw", "muon"] = "adamw"
    """What turns gradients into updates; muon needs about half as many of them where there are matrices and much to
    learn, each somewhat dearer, and takes the same learning rates."""
    learning_rate: float = Field(default=1e-3, gt=0)
    """The highest learning rate."""
    warmup: int = Field(default=0, ge=0)
    """Updates over which the learning rate rises from near 0."""
    schedule: Literal["constant", "cosine", "inverse_sqrt"] = "constant"
    """What the learning rate does after the warm-up: stays, falls to 0 at the last update, or falls as 1/sqrt."""
    weight_decay: float = Field(default=0.0, ge=0)
    """How fast weights decay; biases, norms and other vectors do not."""
    betas: tuple[Annotated[float, Field(ge=0, lt=1)], Annotated[float, Field(ge=0, lt=1)]] = (0.9, 0.999)
    """AdamW's memory of gradients and of their squares."""
    epsilon: float = Field(default=1e-8, gt=0)
    """AdamW's guard against division by zero."""
    clip: float | None = Field(default=1.0, gt=0)
    """Gradients with a larger norm are scaled down to it; null: never."""
    accumulate: Count = 1
    """Batches per update."""
    evaluate_every: Count | None = None
    """Updates between evaluations; null: at the end of each epoch."""
    figure: str = "loss"
    """The figure of an evaluation that says which weights are best."""
    better: Better | None = None
    """Which is better, a lower or a higher figure; needed only where its name does not say so."""
    patience: Count | None = None
    """Stop after so many evaluations without a better figure; null: never."""
    average: int = Field(default=0, ge=0)
    """At the end, average the weights of so many last evaluations, and keep the average if it is better; 0: do not."""
    checkpoint_every: Count | None = None
    """Updates between checkpoints; there is one after each evaluation anyway."""
    checkpoint_minutes: float | None = Field(default=10.0, gt=0)
    """Minutes between checkpoints; null: only by updates and evaluations."""
    keep: Count = 2
    """How many last checkpoints to keep (the weights of the best are always kept)."""
    log_every: Count = 20
    """Updates per line of `metrics.jsonl`."""
    device: str = "auto"
    """'cpu', 'cuda', 'cuda:1', 'mps'; 'auto' takes CUDA where it is there, else the CPU."""
    autocast: bool = False
    """Whether the forward pass runs in bfloat16 where it is safe; on CUDA only, elsewhere nothing changes."""
    threads: Count | None = None
    """CPU threads; null: what torch chooses."""

    @model_validator(mode="after")
    def _ends(self) -> TrainingSettings:
        if self.updates is None and self.epochs is None and self.minutes is None:
            raise ValueError("give `updates`, `epochs` or `minutes`, so that the training ends")
        if self.schedule == "cosine" and self.updates is None and self.epochs is None:
            raise ValueError("schedule 'cosine' needs `updates` or `epochs`, to know where it ends")
        if self.better is None and better_by_name(self.figure) is None:
            raise ValueError(f"figure {self.figure!r}: say `better: lower` or `better: higher`")
        return self

    @property
    def higher_is_better(self) -> bool:
        return (self.better or better_by_name(self.figure)) == "higher"


def better_by_name(figure: str) -> Better | None:
    """Which is better where the figure's name says so.

    >>> better_by_name("bleu-4"), better_by_name("validation_loss"), better_by_name("charm")
    ('higher', 'lower', None)
    """
    words = set(re.split(r"[^a-z]+", figure.lower().replace("f1", "recall")))
    return "lower" if words & LOWER else "higher" if words & HIGHER else None
