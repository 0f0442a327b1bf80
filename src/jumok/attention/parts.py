"""The parts by name: registries of scores, normalisers, windows and selectors, and how a part is made from its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from torch import nn

from jumok.attention import normalizers, scores, selectors, windows
from jumok.attention.normalizers import Normalizer
from jumok.attention.scores import Score
from jumok.attention.selectors import Selector
from jumok.attention.windows import Window
from jumok.core import Registry, keyword_settings, unknown

SCORES: Registry[Score] = Registry("score")
NORMALIZERS: Registry[Normalizer] = Registry("normalizer")
WINDOWS: Registry[Window] = Registry("window")
SELECTORS: Registry[Selector] = Registry("selector")

Part = TypeVar("Part", bound=nn.Module)
_BASES: dict[type[nn.Module], Registry[Any]] = {
    Score: SCORES,
    Normalizer: NORMALIZERS,
    Window: WINDOWS,
    Selector: SELECTORS,
}


def register(name: str) -> Callable[[type[Part]], type[Part]]:
    """A class decorator: makes a score, normaliser, window or selector known by name, to `build` and to recipes."""

    def add(kind: type[Part]) -> type[Part]:
        for base, registry in _BASES.items():
            if isinstance(kind, type) and issubclass(kind, base):
                registry.add(name, kind)
                return kind
        raise TypeError(f"register({name!r}): {kind!r} is no subclass of Score, Normalizer, Window or Selector")

    return add


def make(registry: Registry[Part], part: str | Mapping[str, Any] | Part, **known: Any) -> Part:
    """The part itself, or the one of this name, or of the mapping's `name` with its other entries as settings.

    What is `known` (the sizes, say) is given to kinds that ask for it.
    """
    if isinstance(part, nn.Module):
        base = next(base for base, kinds in _BASES.items() if kinds is registry)
        if not isinstance(part, base):
            raise TypeError(f"{registry.what}: expected a name or a {base.__name__}, got {type(part).__name__}")
        return part
    settings = dict(part) if isinstance(part, Mapping) else {"name": part}
    name = settings.pop("name", None)
    if not isinstance(name, str):
        raise TypeError(f"{registry.what}: expected a name, a mapping with a 'name', or a module, got {part!r}")
    kind = registry[name]
    takes = keyword_settings(kind)
    for setting in settings:
        if setting not in takes and not takes:
            raise ValueError(f"{registry.what} {name!r} takes no settings, so not {setting!r} either")
        if setting not in takes:
            raise ValueError(unknown(f"setting of {registry.what} {name!r}:", setting, takes))
    settings = {key: value for key, value in known.items() if key in takes and value is not None} | settings
    for setting, parameter in takes.items():
        if parameter.default is inspect.Parameter.empty and setting not in settings:
            raise ValueError(f"{registry.what} {name!r} needs {setting}; known settings: {', '.join(takes)}")
    return kind(**settings)


for _name, _score in {
    "dot": scores.Dot,
    "scaled_dot": scores.ScaledDot,
    "cosine": scores.Cosine,
    "general": scores.General,
    "additive": scores.Additive,
    "concat": scores.Concat,
    "location": scores.Location,
    "content": scores.Content,
    "gaussian": scores.Gaussian,
    "boxcar": scores.Boxcar,
    "epanechnikov": scores.Epanechnikov,
    "constant": scores.Constant,
}.items():
    SCORES.add(_name, _score)

for _name, _normalizer in {
    "softmax": normalizers.Softmax,
    "sparsemax": normalizers.Sparsemax,
    "entmax15": normalizers.Entmax15,
    "sum": normalizers.Sum,
}.items():
    NORMALIZERS.add(_name, _normalizer)

for _name, _window in {"local_m": windows.LocalM, "local_p": windows.LocalP, "shift": windows.Shift}.items():
    WINDOWS.add(_name, _window)

for _name, _selector in {
    "soft": selectors.Soft,
    "hard": selectors.Hard,
    "straight_through": selectors.StraightThrough,
    "gumbel": selectors.Gumbel,
    "top_k": selectors.TopK,
}.items():
    SELECTORS.add(_name, _selector)
