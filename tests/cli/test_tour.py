"""The tour tells what is true, in both languages, and the commands fail in one line."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from rich.cells import cell_len
from rich.console import Console, RenderableType
from typer.testing import CliRunner

import jumok
from jumok import cli
from jumok.cli.drawing import bars
from jumok.cli.speaking import locale_language
from jumok.cli.tour import trained_weights

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
FIGURES = ("2.8235", "3.7478", "KeyError: 'puppy'", "'Mu'", "'Zachary'", "0.4409", "고양이를")


def jumok_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).parent / "jumok"
    return subprocess.run([command, *arguments], capture_output=True, text=True, encoding="utf-8")


def told(arguments: Sequence[str] = ()) -> str:
    result = CliRunner().invoke(cli.app, ["tour", *arguments])
    assert result.exit_code == 0
    return result.stdout


@pytest.mark.parametrize(("language", "word"), [("en", "attention"), ("ko", "어텐션")])
def test_the_tour_shows_every_figure(language: str, word: str) -> None:
    page = told(["--language", language])
    assert word in page.splitlines()[1]
    assert [figure for figure in FIGURES if figure not in page] == []


def test_the_tour_speaks_the_language_of_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    assert told() == told(["--language", "ko"])


@pytest.mark.parametrize(
    ("settings", "language"),
    [
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": ""}, "ko"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_locale_language(settings: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LOCALE:
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert locale_language() == language


def test_what_is_learned_is_the_translation_of_each_word() -> None:
    before, after = trained_weights(steps=200)
    assert before.diagonal().max() < 0.5
    assert after.diagonal().min() > 0.9
    assert torch.allclose(after.sum(-1), torch.ones(len(after)))


def test_learning_leaves_the_random_numbers_alone() -> None:
    state = torch.get_rng_state()
    first = trained_weights(steps=1)
    assert torch.equal(torch.get_rng_state(), state)
    torch.rand(7)
    assert torch.equal(trained_weights(steps=1)[1], first[1])


def drawn(drawing: RenderableType) -> list[str]:
    console = Console(width=100, file=io.StringIO())
    with console.capture() as captured:
        console.print(drawing)
    return captured.get().splitlines()


def test_bars_are_as_long_as_the_weights_and_begin_in_one_column() -> None:
    lines = drawn(bars([("cat", 0.25), ("고양이", 0.75), ("개", 1.0)], width=40))
    assert [line.count("█") for line in lines] == [10, 30, 40]
    assert len({cell_len(line[: line.index("█")]) for line in lines}) == 1


def test_output_that_is_no_terminal_is_plain_and_whole() -> None:
    run = jumok_command("tour", "--language", "ko")
    assert run.returncode == 0
    assert run.stderr == ""
    assert "\x1b" not in run.stdout
    assert "docs/attention.ko.md" in run.stdout


def test_version() -> None:
    assert jumok_command("--version").stdout == f"jumok {jumok.__version__}\n"


def test_help_names_the_commands_and_does_not_wait_for_torch() -> None:
    code = "import sys; from jumok.cli import main\ntry: main()\nfinally: print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, encoding="utf-8")
    assert run.stdout.endswith("False\n")
    assert "demo" in run.stdout


@pytest.mark.parametrize("arguments", [("tuor",), ("tour", "--language", "fr"), ("demo", "--wrong")])
def test_what_was_typed_wrong_exits_with_2(arguments: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert arguments[-1] in result.stderr


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("unknown score 'dto':\ndid you mean 'dot'?"), "unknown score 'dto': did you mean 'dot'?"),
        (FileNotFoundError(2, "No such file or directory", "corpus.txt"), "corpus.txt"),
    ],
)
def test_a_user_error_is_one_line_and_exit_code_2(
    error: Exception, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    out, err = capsys.readouterr()
    assert stopped.value.code == 2
    assert out == ""
    assert err.startswith("jumok: ")
    assert err.count("\n") == 1
    assert line in err


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        cli.main()
