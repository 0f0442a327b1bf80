"""The commands around recipes: what they print, their exit codes, and one line for what was typed wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jumok import cli
from jumok.cli.recipes import duration
from jumok.data.korean import Korean
from jumok.recipes import find, load, names

SMALL = [
    "data.train.pairs=60",
    "data.validation.pairs=10",
    "data.test=null",
    "model={embedding_size: 8, encoder: {hidden_size: 8}, decoder: {hidden_size: 16}}",
    "training={updates: 3, warmup: 0, schedule: constant, evaluate_every: 2}",
]
TRAIN_SMALL = ["train", "korean", "--quiet", *(part for one in SMALL for part in ("--set", one))]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return tmp_path


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, arguments)


def jumok(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as it is installed."""
    command = Path(sys.executable).parent / "jumok"
    return subprocess.run([command, *arguments], capture_output=True, text=True, encoding="utf-8")


def complaint(*arguments: str) -> str:
    """What `main` makes of a mistake: it is a `ValueError` or an `OSError`, and its text is one line."""
    result = invoke(*arguments)
    assert isinstance(result.exception, ValueError | OSError), result.exception
    assert "\n" not in str(result.exception)
    return str(result.exception)


def test_the_list_names_every_recipe_with_what_it_needs() -> None:
    page = invoke("recipes")
    assert page.exit_code == 0
    for name in names():
        assert name in page.stdout
    assert "nothing" in page.stdout
    assert "3 min" in page.stdout


def test_the_list_does_not_wait_for_torch() -> None:
    code = "import sys; from jumok.cli import main\ntry: main()\nfinally: print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code, "recipes"], capture_output=True, text=True, encoding="utf-8")
    assert run.stdout.endswith("False\n")


def test_a_recipe_is_shown_as_it_was_written_and_whole() -> None:
    assert invoke("recipes", "show", "korean").stdout == find("korean").path.read_text(encoding="utf-8")
    Path("whole.yaml").write_text(invoke("recipes", "show", "korean", "--resolved").stdout, encoding="utf-8")
    assert "inherits" not in Path("whole.yaml").read_text(encoding="utf-8")
    assert load("whole.yaml").settings == load("korean").settings
    Path("mine.yaml").write_text(invoke("recipes", "show", "korean").stdout, encoding="utf-8")
    assert load("mine.yaml").settings == load("korean").settings


@pytest.mark.parametrize(
    ("minutes", "words"), [(None, ""), (0.2, "1 min"), (89, "89 min"), (90, "1.5 h"), (5760, "4 days")]
)
def test_times_are_told_in_a_unit_that_fits(minutes: float | None, words: str) -> None:
    assert duration(minutes) == words


def test_training_ends_with_a_summary_and_goes_on() -> None:
    first = invoke(*TRAIN_SMALL)
    assert first.exit_code == 0
    assert first.stdout.startswith("done: 3 updates in ")
    assert "best: loss " in first.stdout
    assert "the model is in " + str(Path("runs/korean")) in first.stdout
    assert "jumok train --resume --out" in first.stdout
    longer = invoke("train", "--resume", "--out", "runs/korean", "--set", "training.updates=5", "-q")
    assert longer.stdout.startswith("done: 5 updates in ")


def test_a_run_that_was_interrupted_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    from jumok.training import Outcome

    monkeypatch.setattr("jumok.systems.Translation.train", lambda *_, **__: Outcome("interrupted", 1, 0, 1.0))
    assert invoke(*TRAIN_SMALL).exit_code == 130

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jumok.systems.Translation.train", stop)
    stopped = invoke(*TRAIN_SMALL, "--out", "other")
    assert stopped.exit_code == 130
    assert stopped.stderr == "jumok: stopped; nothing was learned yet, or kept\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["train", "koraen"], "there is no recipe 'koraen': did you mean 'korean'?"),
        (["train", "mine.yaml"], "mine.yaml: there is no such file"),
        (["train", "bad.yaml"], "bad.yaml:2: not valid YAML"),
        (["train", "wrong.yaml"], "wrong.yaml:3: training.udpates: no such field; did you mean 'updates'?"),
        (["train", "korean", "--set", "seed"], "--set seed: there is no '='"),
        (["train", "korean", "--set", "seed=one"], "--set seed=one: seed: should be a valid integer"),
        (["train", "korean", "--set", "model.prest=hard"], "--set model.prest=hard: model.prest: no such field"),
        (["train", "korean", "--set", "model.preset=hart"], "unknown preset 'hart': did you mean 'hard'?"),
        (["train"], "which recipe? 'jumok recipes' lists them"),
        (["train", "korean", "--out", "full"], "full exists and is not empty"),
        (["train", "multi30k", "--set", "data.root=nowhere"], "data.train.source: there is no folder"),
        (["recipes", "show", "koraen"], "there is no recipe 'koraen': did you mean 'korean'?"),
        (["data", "check", "multi30k"], "data.train.source: there is no file"),
        (["new", "translation", "--source", "a", "--target", "b"], "--source a: there is no such file; "),
        (
            ["new", "translation", "--source", "bad.yaml", "--target", "bd.yaml"],
            "--target bd.yaml: there is no such file",
        ),
        (["new", "translation", "--source", "bad.yml", "--target", "bad.yaml"], "did you mean 'bad.yaml'?"),
        (["new", "translation", "--source", "no/a", "--target", "b"], "--source no/a: there is no folder no"),
        (["new", "translation", "--file", "a.tsv", "--source", "0", "--target", "1"], "--file a.tsv: there is no such"),
        (["new", "translation", "--source", "full", "--target", "b"], "--source full: is a folder; name a file"),
        (["new", "translation", "--source", "a", "--target", "b", "--out", "a.txt"], "a recipe ends in .yaml"),
        (["new", "translation", "--source", "a", "--target", "b", "--out", "bad.yaml"], "is there already"),
        (["new", "translation", "--source", "a", "--target", "b", "--out", "no/a.yaml"], "there is no folder no"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], line: str, folder: Path) -> None:
    Path("bad.yaml").write_text("a: [\n", encoding="utf-8")
    Path("wrong.yaml").write_text("inherits: korean\ntraining:\n  udpates: 3\n", encoding="utf-8")
    (folder / "full").mkdir()
    (folder / "full" / "thing").touch()
    assert line in complaint(*arguments)


def write_pairs(pairs: int = 700) -> None:
    made = list(Korean(2).pairs(pairs, min_words=3, max_words=9))
    made[5] = made[4]
    Path("a.ko").write_text("".join(f"{pair.source}\n" for pair in made), encoding="utf-8")
    Path("a.en").write_text("".join(f"{pair.target}\n" for pair in made), encoding="utf-8")


def test_a_new_recipe_is_written_checked_and_not_written_over() -> None:
    write_pairs()
    first = invoke("new", "translation", "--source", "a.ko", "--target", "a.en")
    assert first.exit_code == 0
    assert "700 pairs, Hangul to Latin" in first.stdout
    assert "an estimate" in first.stdout
    assert "next: jumok data check recipe.yaml, then: jumok train recipe.yaml" in first.stdout
    assert "is there already" in complaint("new", "translation", "--source", "a.ko", "--target", "a.en")
    forced = invoke("new", "translation", "--source", "a.ko", "--target", "a.en", "--force", "--preset", "luong-dot")
    assert forced.exit_code == 0
    assert "preset: luong-dot" in Path("recipe.yaml").read_text(encoding="utf-8")
    assert [path.name for path in Path().glob("*.yaml")] == ["recipe.yaml"]


def test_the_check_tells_what_it_found_to_people_and_to_programs() -> None:
    write_pairs()
    assert invoke("new", "translation", "--source", "a.ko", "--target", "a.en").exit_code == 0
    page = invoke("data", "check", "recipe.yaml")
    assert page.exit_code == 0
    assert "train: duplicates" in page.stdout
    assert "a.ko:6 = a.ko:5" in page.stdout
    found = json.loads(invoke("data", "check", "recipe.yaml", "--json").stdout)
    assert [split["name"] for split in found["figures"]] == ["train", "validation", "test"]
    assert any(finding["name"] == "duplicates" and finding["examples"] for finding in found["findings"])


def test_a_mistake_is_one_line_on_stderr_and_no_traceback() -> None:
    run = jumok("train", "korean", "--set", "model.layers=2")
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("jumok: --set model.layers=2: model.layers: no such field")
    assert run.stderr.count("\n") == 1


def test_the_commands_run_as_a_module() -> None:
    run = subprocess.run([sys.executable, "-m", "jumok", "recipes"], capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0
    assert "korean-transformer" in run.stdout
    assert run.stderr == ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_saves_exits_with_130_and_the_run_goes_on() -> None:
    import signal

    command = Path(sys.executable).parent / "jumok"
    changes = [*SMALL, "training.updates=1000000"]
    arguments = ["train", "korean", *(part for one in changes for part in ("--set", one))]
    with subprocess.Popen([command, *arguments], stderr=subprocess.PIPE, text=True, encoding="utf-8") as run:
        assert run.stderr is not None
        for line in run.stderr:
            if line.startswith("update "):  # an evaluation: training has begun
                break
        run.send_signal(signal.SIGINT)
        rest = run.stderr.read()
    assert run.returncode == 130
    assert "go on with jumok train --resume --out" in rest
    assert "Traceback" not in rest
    done = int(rest.partition("stopped after update ")[2].partition(",")[0])
    again = jumok("train", "--resume", "--out", "runs/korean", "--set", f"training.updates={done + 2}")
    assert again.returncode == 0
    assert f"done: {done + 2:,} updates" in again.stdout
