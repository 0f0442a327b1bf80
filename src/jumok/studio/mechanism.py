"""Looks, stage by stage: what the page's *Mechanism* shows is computed by the mechanism itself."""

from __future__ import annotations

from typing import Any, Literal

import torch
from pydantic import Field, model_validator
from torch import Tensor

from jumok.attention import Attention, build
from jumok.attention.windows import LocalP, Place
from jumok.studio.asking import Asked

Vector = list[float]
SIZE, QUERIES, KEYS, DRAWS = 16, 8, 50, 1000
"""Numbers of a vector, queries, keys, and draws, at most."""
LEARNED = ("general", "additive", "concat", "location")
"""Scores with weights of their own, to which query and key may differ in size."""
DRAWN = ("hard", "straight_through", "gumbel")


class Mechanism(Asked):
    """Queries, keys and values, and how it is looked."""

    queries: list[Vector] = Field(min_length=1, max_length=QUERIES)
    keys: list[Vector] = Field(min_length=1, max_length=KEYS)
    values: list[Vector] = Field(min_length=1, max_length=KEYS)
    """One for each key."""
    score: Literal[
        "dot",
        "scaled_dot",
        "cosine",
        "general",
        "additive",
        "concat",
        "location",
        "gaussian",
        "boxcar",
        "epanechnikov",
        "constant",
    ] = "dot"
    """Parts with weights of their own (general, additive, concat, location, local_p) get those that chance gives."""
    normalize: Literal["softmax", "sparsemax", "entmax15", "sum"] = "softmax"
    temperature: float = Field(default=1.0, gt=0, le=100)
    window: Literal["none", "local_m", "local_p"] = "none"
    """local_m: the first query looks around the first key, the second around the second, and so on."""
    width: int = Field(default=1, ge=0, le=KEYS)
    """Neighbours on each side that a window lets in; local_p needs one."""
    select: Literal["soft", "hard", "straight_through", "gumbel", "top_k"] = "soft"
    k: int = Field(default=2, ge=1, le=KEYS)
    """Keys that top_k keeps."""
    draws: int = Field(default=1, ge=1, le=DRAWS)
    """How often a look is drawn, where it is; one more keeps those before."""
    seed: int = Field(default=0, ge=0, lt=2**31)
    """Of what chance gives."""

    @model_validator(mode="after")
    def _fits(self) -> Mechanism:
        if len(self.values) != len(self.keys):
            raise ValueError(f"values: {len(self.values)} for {len(self.keys)} keys; give one for each")
        for name, vectors in (("queries", self.queries), ("keys", self.keys), ("values", self.values)):
            if len({len(vector) for vector in vectors}) > 1 or not 1 <= len(vectors[0]) <= SIZE:
                raise ValueError(f"{name}: all must have the same length, from 1 to {SIZE}")
        if any(abs(number) > 1e6 for vector in (*self.queries, *self.keys, *self.values) for number in vector):
            raise ValueError("numbers are from -1,000,000 to 1,000,000")
        return self


def stages(asked: Mechanism) -> dict[str, Any]:
    """Scores, probabilities, weights, weighted values and context of each query; of drawn looks how often each key
    was taken (with gumbel: weighed most)."""
    queries, keys, values = (torch.tensor([each]) for each in (asked.queries, asked.keys, asked.values))
    if asked.score not in LEARNED and queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"score {asked.score} compares query and key number by number: a query has {queries.shape[-1]}, a key"
            f" {keys.shape[-1]}; make them equal, or take general"
        )
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(asked.seed)
        attend = _built(asked, queries.shape[-1], keys.shape[-1])
        scores = attend.score(queries, attend.score.prepare(keys))[0]  # (T, S)
        if asked.select not in DRAWN:
            look, last, counts = attend(queries, keys, values), 0, None
        else:  # all at once, as rows of a batch, so that one draw more does not change the others
            attend.train()
            rows = (each.expand(DRAWS, -1, -1) for each in (queries, keys, values))
            look, last = attend(*rows, generator=torch.Generator().manual_seed(asked.seed)), asked.draws - 1
            drawn = look.weights[: asked.draws]  # (draws, T, S)
            taken = torch.nn.functional.one_hot(drawn.argmax(-1), len(asked.keys))
            counts = (taken * (drawn.sum(-1, keepdim=True) > 0)).sum(0).tolist()  # none where no key may be taken
    weights = look.weights[last]  # (T, S)
    return {
        "scores": scores.tolist(),
        "allowed": _allowed(asked, attend, queries).tolist(),
        "probabilities": look.probabilities[last].tolist(),
        "weights": weights.tolist(),
        "weighted": (weights.unsqueeze(-1) * values).tolist(),
        "context": look.context[last].tolist(),
        "choice": None if look.choice is None else look.choice[last].tolist(),
        "counts": counts,
    }


def _built(asked: Mechanism, query_size: int, key_size: int) -> Attention:
    window: dict[str, Any] | None = None
    if asked.window != "none":
        window = {"name": asked.window, "width": asked.width}
    if asked.window == "local_p" and asked.select in DRAWN:
        window = {"name": "local_p", "width": asked.width, "renormalize": True}  # what is drawn from must sum to 1
    return build(
        asked.score,
        query_size=query_size,
        key_size=key_size,
        normalize=asked.normalize,
        temperature=asked.temperature,
        window=window,
        select={"name": "top_k", "k": asked.k} if asked.select == "top_k" else asked.select,
        **({"max_length": len(asked.keys)} if asked.score == "location" else {}),
    ).eval()


def _allowed(asked: Mechanism, attend: Attention, queries: Tensor) -> Tensor:
    """Where each query may look at all, `(T, S)`."""
    count, places = len(asked.queries), torch.arange(len(asked.keys))
    if asked.window == "none":
        return torch.ones(count, len(places), dtype=torch.bool)
    middle = torch.arange(count).clamp_max(len(places) - 1).unsqueeze(-1).float()
    if isinstance(attend.window, LocalP):
        with torch.no_grad():
            middle = attend.window.middle(Place(queries, None, torch.arange(count), len(places), None))[0]
    return (places - middle).abs() <= asked.width
