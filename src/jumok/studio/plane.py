"""*The map W*: keys, the query and the query that W made of it, in the plane that the two queries span.

Luong's general score is `q . W k = (W^T q) . k`: W turns the query, so that it points at the keys that it is to find.
In the plane of both queries every product of a query and a key is the same as in the whole space, so what is seen there
is true: how far a key reaches along an arrow, times the arrow's length, is its score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import torch
from pydantic import Field
from torch import Tensor

from jumok.attention import Attention, Dot, General
from jumok.data import Tokenizer
from jumok.decoding import padded
from jumok.models.recurrent_decoder import RecurrentDecoder
from jumok.studio.asking import Asked
from jumok.systems import Translator

if TYPE_CHECKING:
    from jumok.studio.shelf import Held

MOST = 60
"""Words of the translation, and tokens of the text, that are drawn."""


class Turn(Asked):
    """A text, and the translator whose queries are looked at."""

    model: str | None = Field(default=None, max_length=200)
    """A translator whose score is dot or general; the first translator where none is given."""
    text: str = Field(min_length=1, max_length=1000)


def plane_of(model: Any) -> Literal["dot", "general"] | None:
    """How a translator compares queries and keys: by their product, with W between them, or otherwise (None)."""
    decoder = _decoder(model)
    if decoder is None or decoder.attend is None:
        return None
    return "general" if isinstance(decoder.attend.score, General) else "dot"


def turned(held: Held, text: str) -> dict[str, Any]:
    """For each token of the translation the plane of its query: keys, query, turned query, scores and weights."""
    decoder = _decoder(held.model)
    if decoder is None:
        raise ValueError(f"model {held.name}: only recurrent translators with the score dot or general have this plane")
    found = held.model(text)
    source = held.model.tokenizers.source
    tokens = held.model.tokenizers.target.ids_of(found.tokens)[:MOST]
    columns = [*source.spelt(found.source), *source.tokens([Tokenizer.END])]
    if not tokens or len(columns) > MOST:
        raise ValueError(f"text: give a sentence of 1 to {MOST - 1} tokens; this one has {len(columns) - 1}")
    attend = decoder.attend
    assert attend is not None
    with torch.no_grad():
        device = held.model.machine.device
        words, lengths = padded([[*source.encode(found.source), Tokenizer.END]], device)
        encoded = held.model.machine.models[0].encoder(words, lengths)
        keys = encoded.states[0].float()  # (S, K)
        state, steps = decoder.start(encoded), []
        for before in [Tokenizer.START, *tokens[:-1]]:
            step = decoder.step(torch.tensor([[before]], device=device), state)
            asking = (state if decoder.settings.query == "before" else step.state).hidden[-1].output[0, 0].float()
            weights = step.attended[0].weights[0, 0]
            steps.append(_seen(asking, _turned(attend, asking), keys, weights))
            state = step.state
    return {
        "model": held.name,
        "score": plane_of(held.model),
        "text": found.text,
        "columns": columns,
        "steps": [one | {"token": name} for one, name in zip(steps, found.tokens, strict=False)],
    }


def _seen(query: Tensor, turned_query: Tensor, keys: Tensor, weights: Tensor) -> dict[str, Any]:
    """All in the plane; the turned query lies along its first axis."""
    there = query.shape == turned_query.shape
    first = turned_query / turned_query.norm().clamp_min(1e-12)
    rest = query - (query @ first) * first if there else torch.zeros_like(first)
    if float(rest.norm()) < 1e-4 * float(
        turned_query.norm()
    ):  # W turns nothing: take the way in which keys differ most
        apart = keys - (keys @ first).unsqueeze(-1) * first
        rest = torch.linalg.svd(apart - apart.mean(0), full_matrices=False).Vh[0]
    second = rest / rest.norm().clamp_min(1e-12)
    axes = torch.stack([first, second], dim=-1)  # (K, 2)
    return {
        "query": (query @ axes).tolist() if there else None,
        "turned": (turned_query @ axes).tolist(),
        "keys": (keys @ axes).tolist(),
        "scores": (keys @ turned_query).tolist(),
        "raw_scores": (keys @ query).tolist() if there else None,
        "weights": weights.tolist(),
    }


def _turned(attend: Attention, query: Tensor) -> Tensor:
    """`W^T q`, or the query itself where there is no W."""
    return query @ attend.score.key.weight.float() if isinstance(attend.score, General) else query


def _decoder(model: Any) -> RecurrentDecoder | None:
    """The decoder, where its attention is a product."""
    if not isinstance(model, Translator):
        return None
    decoder = model.machine.models[0].decoder
    if not isinstance(decoder, RecurrentDecoder) or decoder.attend is None:
        return None
    return decoder if decoder.attend.score.__class__ in (Dot, General) else None  # cosine and scaled_dot are Dots, too
