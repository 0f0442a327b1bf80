"""Models that several tests of this room use."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems.trained import train

from jumok.systems import Translator


@pytest.fixture(scope="session")
def attending(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model that attends."""
    return train(tmp_path_factory.mktemp("models") / "attending", model__preset="bahdanau")


@pytest.fixture(scope="session")
def plain(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one that does not."""
    return train(
        tmp_path_factory.mktemp("models") / "plain", model__preset="plain-first", model__decoder__output="state"
    )


@pytest.fixture(scope="session")
def translator(attending: Path) -> Translator:
    """The model that attends, loaded."""
    return Translator.load(attending)
