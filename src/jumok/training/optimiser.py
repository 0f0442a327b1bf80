"""The optimiser of a model, and its memory as flat names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from jumok.training.muon import Muon, turned_by_muon
from jumok.training.settings import TrainingSettings


def optimiser_of(model: nn.Module, settings: TrainingSettings) -> torch.optim.AdamW:
    """AdamW (Loshchilov and Hutter 2019), or Muon on top of it; matrices decay, vectors (biases, norms) do not.

    A module with a number `learning_rate_factor` learns at so many times the rate (`factor` of its groups).
    Fused: one pass over weights and gradients, about five times as fast as the others on a CPU.
    """
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if not learned:
        raise ValueError("the model has no parameters to train")
    factors: dict[Tensor, float] = {}
    for module in model.modules():
        if (factor := getattr(module, "learning_rate_factor", None)) is not None:
            factors |= dict.fromkeys(module.parameters(), float(factor))
    muon = settings.optimiser == "muon"
    turned = turned_by_muon(model) if muon else set()
    groups: dict[tuple[float, bool, bool], list[Tensor]] = {}
    for factor in (1.0, *sorted({*factors.values()} - {1.0})):
        for decays, turns in ((True, True), (True, False), (False, False)):
            groups[factor, decays, turns] = [
                p for p in learned if (factors.get(p, 1.0), p.ndim > 1, p in turned) == (factor, decays, turns)
            ]
    return (Muon if muon else torch.optim.AdamW)(
        [
            {
                "params": parameters,
                "weight_decay": settings.weight_decay if decays else 0.0,
                "factor": factor,
                "turned": turns,
            }
            for (factor, decays, turns), parameters in groups.items()
            if parameters
        ],
        lr=settings.learning_rate,
        betas=settings.betas,
        eps=settings.epsilon,
        fused=True,
    )


def memory_of(optimiser: torch.optim.Optimizer, model: nn.Module) -> dict[str, Tensor]:
    """What the optimiser remembers, by parameter and kind: `layer.weight/exp_avg`."""
    names: dict[Tensor, str] = {parameter: name for name, parameter in model.named_parameters()}
    return {
        f"{names[parameter]}/{kind}": value
        for parameter, memory in optimiser.state.items()
        for kind, value in memory.items()
    }


def remember(optimiser: torch.optim.Optimizer, model: nn.Module, memory: Mapping[str, Tensor]) -> None:
    """Put back what `memory_of` gave."""
    by_name: dict[str, dict[str, Tensor]] = {}
    for flat, value in memory.items():
        name, kind = flat.rsplit("/", 1)
        by_name.setdefault(name, {})[kind] = value.clone()  # not a view of the file
    names = {parameter: name for name, parameter in model.named_parameters()}
    ordered = [names[parameter] for group in optimiser.param_groups for parameter in group["params"]]
    strange = sorted(set(by_name) - set(ordered))
    if strange:
        raise ValueError(f"optimiser.safetensors remembers {strange[0]!r}, which this model does not train")
    state: dict[str, Any] = optimiser.state_dict()
    state["state"] = {number: by_name[name] for number, name in enumerate(ordered) if name in by_name}
    optimiser.load_state_dict(state)
