"""One look, stage by stage: what the page's *Mechanism* shows is computed by the mechanism itself."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

import torch
from pydantic import Field, model_validator

from jumok.attention import build
from jumok.studio.asking import Asked

Vector = list[float]
ScoreName = Literal[
    "dot", "scaled_dot", "cosine", "general", "additive", "concat", "gaussian", "boxcar", "epanechnikov"
]
SIZE, KEYS = 16, 50
"""Numbers of a vector, and keys, at most."""


class Mechanism(Asked):
    """A query, keys and values, and how it is looked."""

    query: Vector = Field(min_length=1, max_length=SIZE)
    keys: list[Vector] = Field(min_length=1, max_length=KEYS)
    values: list[Vector] = Field(min_length=1, max_length=KEYS)
    """One for each key."""
    score: Literal[
        "dot", "scaled_dot", "cosine", "general", "additive", "concat", "gaussian", "boxcar", "epanechnikov"
    ] = "dot"
    """Scores with weights of their own (general, additive, concat) get those that chance gives, by the seed."""
    normalize: Literal["softmax", "sparsemax", "entmax15", "sum"] = "softmax"
    temperature: float = Field(default=1.0, gt=0, le=100)
    centre: int | None = Field(default=None, ge=0, lt=KEYS)
    """Look at this key and its neighbours only; at all where it is not given."""
    width: int = Field(default=1, ge=0, le=KEYS)
    """Neighbours on each side of the centre."""
    select: Literal["soft", "hard"] = "soft"
    draws: int = Field(default=1, ge=1, le=1000)
    """How often a hard look is drawn."""
    seed: int = Field(default=0, ge=0, lt=2**31)

    @model_validator(mode="after")
    def _fits(self) -> Mechanism:
        if len(self.values) != len(self.keys):
            raise ValueError(f"values: {len(self.values)} for {len(self.keys)} keys; give one for each")
        for name, vectors in (("keys", self.keys), ("values", self.values)):
            if len({len(vector) for vector in vectors}) > 1 or not 1 <= len(vectors[0]) <= SIZE:
                raise ValueError(f"{name}: all must have the same length, from 1 to {SIZE}")
        if any(abs(number) > 1e6 for vector in (self.query, *self.keys, *self.values) for number in vector):
            raise ValueError("numbers are from -1,000,000 to 1,000,000")
        if self.centre is not None and self.centre >= len(self.keys):
            raise ValueError(f"centre: there is no key {self.centre}; they are counted from 0")
        return self


def stages(asked: Mechanism) -> dict[str, Any]:
    """Scores, probabilities, weights, weighted values and context; of hard looks how often each key was drawn."""
    torch_query, keys, values = (torch.tensor(each) for each in ([asked.query], [asked.keys], [asked.values]))
    alike = asked.score not in ("general", "additive", "concat")
    if alike and len(asked.query) != len(asked.keys[0]):
        raise ValueError(
            f"score {asked.score} compares query and key number by number: the query has {len(asked.query)}, a key"
            f" {len(asked.keys[0])}; make them equal, or take general"
        )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(asked.seed)
        attend = build(
            asked.score,
            query_size=torch_query.shape[-1],
            key_size=keys.shape[-1],
            normalize=asked.normalize,
            temperature=asked.temperature,
            select=asked.select,
        ).eval()
        generator = torch.Generator().manual_seed(asked.seed)
        mask = _window(asked)
        with torch.no_grad():
            scores = attend.score(torch_query.unsqueeze(1), attend.score.prepare(keys))[0, 0]
            attend.train(asked.select == "hard")
            looks = [
                attend(torch_query, keys, values, mask=mask, generator=generator)
                for _ in range(asked.draws if asked.select == "hard" else 1)
            ]
    last = looks[-1]
    drawn = Counter(int(look.choice) for look in looks if look.choice is not None)
    return {
        "scores": scores.tolist(),
        "allowed": mask[0].tolist(),
        "probabilities": last.probabilities[0].tolist(),
        "weights": last.weights[0].tolist(),
        "weighted": (last.weights[0][:, None] * values[0]).tolist(),
        "context": last.context[0].tolist(),
        "choice": None if last.choice is None else int(last.choice),
        "counts": [drawn[place] for place in range(len(asked.keys))] if asked.select == "hard" else None,
    }


def _window(asked: Mechanism) -> torch.Tensor:
    places = torch.arange(len(asked.keys))
    if asked.centre is None:
        return torch.ones(1, len(places), dtype=torch.bool)
    return ((places - asked.centre).abs() <= asked.width).unsqueeze(0)
