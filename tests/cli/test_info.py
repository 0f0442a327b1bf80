"""`jumok info` tells what is here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jumok
from jumok.cli import app


def told(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["info", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_it_tells_versions_extras_and_the_cache(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = json.loads(told("--json"))
    assert found["versions"]["jumok"] == jumok.__version__
    assert {"torch", "sacrebleu"} <= found["versions"].keys()
    assert not {"pytest", "timm"} & found["versions"].keys()  # what is not required is not listed as if it were
    assert "cpu" in found["machine"]["devices"]
    assert found["extras"]["parquet"] == []  # the tests need it, so it is here
    assert found["cache"]["folder"] == str(cache)
    assert found["models"] == []
    assert "train one: jumok train korean" in told()


def test_it_tells_which_device_is_taken_where_there_are_several(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    monkeypatch.setattr("torch.get_num_threads", lambda: 1)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    assert "cpu; 1 thread," in told()
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: True)
    assert "cpu, mps; --device auto takes cpu; 1 thread," in told()  # MPS is taken where it is named
    monkeypatch.setattr("torch.get_num_threads", lambda: 2)
    assert "2 threads," in told()


def test_it_finds_models_and_says_which_are_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("broken", "young"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    (tmp_path / "runs" / "broken" / "config.json").write_text("{")
    values = {"format": 1, "system": "translation", "model": {"preset": "hard"}, "words": {}, "inputs": {}}
    (tmp_path / "runs" / "young" / "config.json").write_text(json.dumps(values))
    broken, young = json.loads(told("--json"))["models"]
    assert "damaged" in broken["what"]
    assert young["what"] == "translation, hard; has not come to its first evaluation"
