"""`caption_demo`: it learns, says how well, and leaves pictures to look at; in two languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from jumok.cli import caption_demo as told
from jumok.cli.caption_demo import Size, caption_demo


@pytest.mark.slow
@pytest.mark.parametrize(("language", "words"), [("en", "It learns"), ("ko", "어디를 보는가")])
def test_it_learns_scores_and_draws(
    language: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(told, "FAST", Size(40, 4, 4))
    monkeypatch.setattr(told, "SHOWN", 1)
    monkeypatch.setattr(told, "LONGEST", 6)
    out = tmp_path / "demo"
    caption_demo(out, language, fast=True)
    said = capsys.readouterr().out
    assert words in said
    names = {path.name for path in out.iterdir()}
    assert {"captioner", "looks.html", "look-1.png", "look-1.gif", "picture-1.png"} <= names
    before = (out / "captioner" / "model.safetensors").stat().st_mtime_ns
    told._learn(told.Page(language), out / "captioner", told.FAST, {"en": "english", "ko": "korean"}[language], False)
    assert (out / "captioner" / "model.safetensors").stat().st_mtime_ns == before
