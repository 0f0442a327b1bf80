"""Model folders on the Hugging Face Hub: the same files, brought and sent by its own client."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILES = ("config.json", "model.safetensors", "tokenizer*.json", "recipe.yaml", "scores.json", "README.md")
"""What belongs to a model, and all that is ever brought or sent."""


def brought(name: str | Path, revision: str | None = None, token: str | None = None) -> Path:
    """The folder of a model: `name` itself where it is one, else that of the Hub's `owner/name`, downloaded once."""
    if Path(name).is_dir():
        return Path(name)
    if str(name).count("/") != 1:
        raise FileNotFoundError(f"{name}: there is no such folder, and a model of the Hub is named owner/name")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        found = snapshot_download(str(name), revision=revision, token=token, allow_patterns=list(FILES))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise FileNotFoundError(
            f"{name}: no such folder, and it could not be brought from the Hub ({reason})"
        ) from None
    return Path(found)


def sent(save: Callable[[Path, str], None], name: str, private: bool, token: str | None, message: str) -> str:
    """Send what `save` writes into a folder, given the model's name there, to `owner/name`; returns where it is."""
    from huggingface_hub import HfApi

    api: Any = HfApi(token=token)
    address = api.create_repo(name, private=private, exist_ok=True)
    name = getattr(address, "repo_id", name)  # with the owner, where only the model was named
    with tempfile.TemporaryDirectory() as folder:
        save(Path(folder), name)
        api.upload_folder(repo_id=name, folder_path=folder, commit_message=message, allow_patterns=list(FILES))
    return str(address)
