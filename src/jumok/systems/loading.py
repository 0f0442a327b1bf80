"""`jumok.load`: a trained model, ready to use."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jumok.core.names import unknown
from jumok.systems.folders import CONFIG, read_config


def load(*folders: str | Path, device: str = "auto") -> Any:
    """The model in a folder, ready to use; of several folders, models that decide together.

    >>> import jumok
    >>> translator = jumok.load("runs/korean")          # doctest: +SKIP
    >>> translator("나는 어제 공원에서 고양이를 봤다.").text    # doctest: +SKIP
    'Yesterday I saw a cat in the park.'
    """
    from jumok.systems import SYSTEMS

    if not folders:
        raise ValueError("load: give the folder of a trained model")
    first = Path(folders[0])
    system = read_config(first).system
    if system not in SYSTEMS:
        raise ValueError(f"{first / CONFIG}: {unknown('system', system, SYSTEMS)}")
    return SYSTEMS[system].load(*folders, device=device)
