"""A dictionary that answers by likeness: attention with its terms taken from everyday Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from numbers import Real
from typing import Any, Literal

import torch
from torch import Tensor

from jumok.attention.attention import PartName
from jumok.attention.building import build
from jumok.attention.normalizers import Normalizer
from jumok.attention.parts import NORMALIZERS, SCORES, make
from jumok.core import unknown

Similarity = str | Callable[[Any, Any], float | Tensor]


@dataclass(frozen=True)
class Answer:
    """What a `SoftDictionary` found: the value, and how much each key had a part in it."""

    value: Any
    keys: tuple[Any, ...]
    weights: Tensor  # (S,)

    @property
    def pairs(self) -> list[tuple[Any, float]]:
        """Every key with its weight, in the order of the dictionary."""
        return list(zip(self.keys, self.weights.tolist(), strict=True))

    @property
    def likeliest(self) -> Any:
        """The key with the largest weight."""
        return self.keys[int(self.weights.argmax())]


class SoftDictionary(MutableMapping[Any, Any]):
    """`{key: value}` whose answer is `sum_i weight_i value_i`, the weight by how alike key i and the question are.

    entries: a mapping, or pairs (keys that are vectors cannot be compared as a dict's must).
    similarity: 'exact' (1 where equal, else 0: an ordinary dict), 'spelling' (how alike two words are written, 0 to 1),
        the name of a score for keys that are vectors ('cosine', 'dot', 'scaled_dot', 'gaussian', ...), or a function
        of question and key.
    normalize, temperature: how similarities become weights, as for `build`; `sum` for exact matches unless given.

    Values that are numbers or tensors are averaged; of others the likeliest is the answer. `look` tells the weights.

    >>> alike = {"computer": 0.1, "dog": 0.9, "cat": 0.7}
    >>> soft = SoftDictionary({"computer": 9, "dog": 2, "cat": 3}, lambda question, key: alike[key], normalize="sum")
    >>> round(soft["puppy"], 4)
    2.8235
    """

    def __init__(
        self,
        entries: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (),
        similarity: Similarity = "exact",
        *,
        normalize: PartName | Normalizer | None = None,
        temperature: float | Literal["learned"] | None = None,
    ) -> None:
        self._entries: list[tuple[Any, Any]] = []
        self.update(entries)
        if isinstance(similarity, str) and similarity not in ("exact", "spelling") and similarity not in SCORES:
            raise ValueError(unknown("similarity", similarity, ("exact", "spelling", *SCORES)))
        self._similarity = similarity
        self._attend = None
        if isinstance(similarity, str) and similarity in SCORES:
            self._attend = build(similarity, normalize=normalize, temperature=temperature)
            self._normalizer = self._attend.normalizer
        else:
            usual = "sum" if similarity == "exact" else "softmax"
            self._normalizer = make(NORMALIZERS, normalize or usual, temperature=temperature)

    def look(self, question: Any) -> Answer:
        """The answer with its weights; an exact dictionary without a match raises `KeyError`."""
        if not self._entries:
            raise KeyError(question)
        keys = tuple(key for key, _ in self._entries)
        weights = self._weights(question, keys)
        if not bool(weights.detach().sum() > 0):
            raise KeyError(question)
        values = [value for _, value in self._entries]
        likeliest = values[int(weights.argmax())]
        found = self._similarity == "exact" and not weights.requires_grad
        if found or not all(isinstance(value, Real | Tensor) and not isinstance(value, bool) for value in values):
            return Answer(likeliest, keys, weights)
        rows = torch.stack([torch.as_tensor(value).to(weights.dtype) for value in values])
        mean = torch.tensordot(weights, rows, dims=1)
        plain = mean.dim() == 0 and not mean.requires_grad
        return Answer(mean.item() if plain else mean, keys, weights)

    def _weights(self, question: Any, keys: tuple[Any, ...]) -> Tensor:
        if self._attend is not None:
            rows = torch.stack([_vector(key) for key in keys])  # (S, K)
            weights: Tensor = self._attend(_vector(question)[None], rows[None]).weights[0]
            return weights
        similarity = _NAMED[self._similarity] if isinstance(self._similarity, str) else self._similarity
        alike = [torch.as_tensor(similarity(question, key), dtype=torch.float64) for key in keys]
        probabilities: Tensor = self._normalizer(torch.stack(alike))
        return probabilities

    def __getitem__(self, question: Any) -> Any:
        return self.look(question).value

    def __setitem__(self, key: Any, value: Any) -> None:
        for number, (known, _) in enumerate(self._entries):
            if _same(known, key):
                self._entries[number] = (key, value)
                return
        self._entries.append((key, value))

    def __delitem__(self, key: Any) -> None:
        for number, (known, _) in enumerate(self._entries):
            if _same(known, key):
                del self._entries[number]
                return
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return any(_same(known, key) for known, _ in self._entries)

    def __iter__(self) -> Iterator[Any]:
        return iter([key for key, _ in self._entries])

    def __len__(self) -> int:
        return len(self._entries)

    def values(self) -> Any:
        return [value for _, value in self._entries]

    def items(self) -> Any:
        return list(self._entries)

    def __repr__(self) -> str:
        return f"SoftDictionary({self._entries!r}, similarity={self._similarity!r})"


def _vector(numbers: Any) -> Tensor:
    vector = torch.as_tensor(numbers)
    return vector if vector.is_floating_point() else vector.to(torch.get_default_dtype())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor) or isinstance(other, Tensor):
        return isinstance(one, Tensor) and isinstance(other, Tensor) and torch.equal(one, other)
    return bool(one == other)


def _exact(question: Any, key: Any) -> float | Tensor:
    """1 where they are equal, else 0: a step, so that the gradient for a vector that asks is zero everywhere."""
    if isinstance(question, Tensor) and isinstance(key, Tensor) and question.shape == key.shape:
        return 1 - (question - key).abs().sum().sign()
    return float(_same(question, key))


def _spelling(question: Any, key: Any) -> float:
    return SequenceMatcher(None, str(question), str(key), autojunk=False).ratio()


_NAMED: dict[str, Callable[[Any, Any], float | Tensor]] = {"exact": _exact, "spelling": _spelling}
