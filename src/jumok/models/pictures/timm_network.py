"""Any backbone of `timm` as a network of blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from jumok.models.pictures.network import Network

_PACKAGE = 'timm is not installed: pip install "jumok[timm]"'
_ENDS = {"global_pool", "pre_logits", "head", "head_drop", "fc", "fc_norm", "classifier", "dropout"}


class Whole(nn.Module):
    """A backbone that is no chain of its children, as one block."""

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone

    def forward(self, pictures: Tensor) -> Tensor:
        """The last map `(B, K, h, w)`."""
        backbone: Any = self.backbone
        if not hasattr(backbone, "forward_intermediates"):
            found: Tensor = backbone.forward_features(pictures)
            return found
        maps: list[Tensor] = backbone.forward_intermediates(pictures, indices=1, norm=True, intermediates_only=True)
        return maps[-1]


def timm_network(name: str, stride: int, size: int | None, pretrained: bool = False) -> Network:
    """The backbone `name`, without its classifier; with `pretrained`, `timm` fetches its weights.

    Its blocks are its children, where running these one after the other is what it does (ResNet, VGG and the like),
    else it is one block.
    """
    timm = _timm()
    try:
        backbone = _created(timm, name, stride, pretrained).eval()
    except (RuntimeError, ValueError, TypeError, OSError) as error:
        first = (str(error) or type(error).__name__).splitlines()[0]
        raise ValueError(f"model.encoder.kind: timm/{name}: {first}") from None
    known: Any = backbone.pretrained_cfg
    pixels = size or known["input_size"][-1]
    blocks = _blocks(backbone, pixels, stride)
    mean, std = ([255.0 * value for value in known[part]] for part in ("mean", "std"))
    with torch.no_grad():
        shape = Network(blocks, 0, pixels)(torch.zeros(1, 3, pixels, pixels)).shape
    if len(shape) != 4:
        raise ValueError(f"model.encoder.kind: timm/{name} gives no map of regions, but {tuple(shape)}; take another")
    if not stride / 1.4 < pixels / shape[-1] < stride * 1.4:
        other = f"{pixels} pixels become {shape[-2]} x {shape[-1]} regions"
        raise ValueError(f"model.encoder.stride: timm/{name} cannot have {stride} ({other}); try the other stride")
    return Network(blocks, shape[1], pixels, mean, std)


def load_timm_weights(network: Network, weights: Mapping[str, Tensor], path: Path) -> None:
    """Put weights by timm's names into the blocks; those of the classifier are left aside."""
    for name, block in zip(network.names, network.blocks, strict=True):
        before = "" if isinstance(block, Whole) else f"{name}."
        inner = block.backbone if isinstance(block, Whole) else block
        own = {key.removeprefix(before): value for key, value in weights.items() if key.startswith(before)}
        asked = inner.state_dict()
        missing = [key for key in asked if key not in own and not key.endswith("num_batches_tracked")]
        if missing:
            raise ValueError(f"{path}: has no {before}{missing[0]}; are these the weights of another network?")
        strange = [key for key in asked if key in own and own[key].shape != asked[key].shape]
        if strange:
            shapes = f"{tuple(own[strange[0]].shape)}, not {tuple(asked[strange[0]].shape)}"
            raise ValueError(f"{path}: {before}{strange[0]} is {shapes}; are these the weights of another network?")
        inner.load_state_dict({**asked, **{key: own[key] for key in asked if key in own}})


def _timm() -> Any:
    try:
        return import_module("timm")
    except ImportError:
        raise ValueError(f"model.encoder.kind: {_PACKAGE}") from None


def _created(timm: Any, name: str, stride: int, pretrained: bool) -> nn.Module:
    """The backbone, with this stride where it can have another than 32."""
    asked = {"pretrained": pretrained, "num_classes": 0}
    if stride != 32:
        try:
            created: nn.Module = timm.create_model(name, **asked, output_stride=stride)
            return created
        except (AssertionError, NotImplementedError, TypeError):  # it has one stride only
            pass
    created = timm.create_model(name, **asked)
    return created


def _blocks(backbone: nn.Module, pixels: int, stride: int) -> dict[str, nn.Module]:
    blocks = dict(_children(backbone))
    pictures = torch.randn(1, 3, pixels, pixels, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        expected = backbone.forward_features(pictures)  # type: ignore[operator]
        try:
            same = torch.equal(Network(blocks, 0, pixels)(pictures), expected)
        except (RuntimeError, TypeError, ValueError, NotImplementedError, AttributeError):
            same = False  # they are not meant to be run one after the other
    if not same or expected.ndim != 4 or expected.shape[1] < expected.shape[-1]:  # a row of tokens, or channels last
        return {"whole": Whole(backbone)}
    last = next(reversed(blocks))
    if isinstance(blocks[last], nn.MaxPool2d) and expected.shape[-1] * stride < pixels:
        del blocks[last]  # VGG: the maps before its last pooling are those of stride 16 (Xu et al. 2015)
    return blocks


def _children(backbone: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Yields the children up to the classifier; those of `features` and the like one by one."""
    for name, child in backbone.named_children():
        if name in _ENDS:
            return
        if isinstance(child, nn.Sequential) and name in ("features", "blocks", "stages"):
            yield from ((f"{name}.{number}", inner) for number, inner in child.named_children())
        else:
            yield name, child
