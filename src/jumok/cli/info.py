"""`jumok info`: what is installed here, what it runs on, and which models there are."""

from __future__ import annotations

import json
import platform
import re
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated, Any

import typer

EXTRAS = ("vision", "timm", "fonts", "parquet", "hub")
PLACES = (Path("runs"), Path("jumok-demo"))


def info(
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON, for programs.")] = False,
) -> None:
    """Say what is installed, what it runs on, and which models are in this folder."""
    found: dict[str, Any] = {
        "versions": _versions(),
        "machine": _machine(),
        "extras": {extra: _missing(extra) for extra in EXTRAS},
        "cache": _cache(),
        "models": _models(),
    }
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    for name, one in found["versions"].items():
        typer.echo(f"{name:14} {one}")
    typer.echo(f"{'runs on':14} {_runs_on(found['machine'])}")
    for extra, missing in found["extras"].items():
        told = f'no ({", ".join(missing)}): pip install "jumok[{extra}]"' if missing else "installed"
        typer.echo(f"{'extra ' + extra:14} {told}")
    cache = found["cache"]
    typer.echo(f"{'cache':14} {cache['folder']} ({cache['megabytes']:,} MB; what is in it can be made again)")
    for model in found["models"]:
        typer.echo(f"{'model':14} {model['folder']} ({model['what']})")
    if not found["models"]:
        typer.echo(f"{'models':14} none in {' or '.join(map(str, PLACES))}; train one: jumok train korean")


def _versions() -> dict[str, str]:
    """Those of jumok, Python, and what jumok needs."""
    needed = [_name(line) for line in requires("jumok") or () if "extra ==" not in line]
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    return {"jumok": version("jumok"), "Python": f"{platform.python_version()} on {system}"} | {
        name: version(name) for name in sorted(needed)
    }


def _machine() -> dict[str, Any]:
    import torch

    from jumok.training.devices import choose

    devices = ["cpu"]
    devices += [f"cuda:{n} ({torch.cuda.get_device_name(n)})" for n in range(torch.cuda.device_count())]
    devices += ["mps"] if torch.backends.mps.is_available() else []
    instructions = torch.backends.cpu.get_cpu_capability()
    threads = torch.get_num_threads()
    return {"devices": devices, "auto": str(choose("auto")), "threads": threads, "instructions": instructions}


def _runs_on(machine: dict[str, Any]) -> str:
    """The devices, which of several is taken where none is named, and how the CPU is used."""
    devices = ", ".join(machine["devices"])
    devices += f"; --device auto takes {machine['auto']}" if len(machine["devices"]) > 1 else ""
    threads = "1 thread" if machine["threads"] == 1 else f"{machine['threads']} threads"
    return f"{devices}; {threads}, {machine['instructions']}"


def _missing(extra: str) -> list[str]:
    """The packages of an extra that are not installed."""
    lines = [line for line in requires("jumok") or () if re.search(rf"extra == ['\"]{extra}['\"]", line)]
    return [name for name in map(_name, lines) if not _is_there(name)]


def _name(requirement: str) -> str:
    """The package that a requirement is about."""
    return re.split(r"[\s<>=!~;\[]", requirement, maxsplit=1)[0]


def _is_there(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _cache() -> dict[str, Any]:
    from jumok.data import cache_folder

    folder = cache_folder()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {"folder": str(folder), "megabytes": round(size / 1e6)}


def _models() -> list[dict[str, str]]:
    """The model folders below this one, where commands put them."""
    from jumok.systems.folders import CONFIG, WEIGHTS, read_config

    found = []
    for folder in sorted(path.parent for place in PLACES for path in place.glob(f"*/{CONFIG}")):
        try:
            config = read_config(folder)
            what = ", ".join(filter(None, [config.system, str(config.model.get("preset") or "")]))
            what += "" if (folder / WEIGHTS).exists() else "; has not come to its first evaluation"
        except (ValueError, OSError) as error:
            what = str(error)
        found.append({"folder": str(folder), "what": what})
    return found
