"""What commands say: each reader in a language of theirs, and what has no language to all."""

from __future__ import annotations

import pytest

from jumok.cli.speaking import Page


@pytest.mark.parametrize(("language", "said"), [("en", "hello\nx → y\n\n"), ("ko", "안녕하세요\nx → y\n\n")])
def test_a_text_without_a_translation_is_said_to_all(
    language: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Page(language)
    page.say("hello", "안녕하세요")
    page.say("x → y")
    page.say("")
    assert capsys.readouterr().out == said
