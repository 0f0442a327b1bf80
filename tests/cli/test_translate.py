"""`jumok translate`, `jumok evaluate` and `jumok demo`: what they print and write, and one line for what is wrong."""

from __future__ import annotations

import csv
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from tests.systems.trained import train
from typer.testing import CliRunner, Result

import jumok
from jumok import cli
from jumok.data.korean import Korean
from jumok.systems.folders import read_config, write_config
from jumok.systems.translator import LONGEST_SOURCE
from jumok.viewing import AttentionMap

TEXTS = [pair.source for pair in Korean(9).pairs(4, max_words=7)]


@pytest.fixture(scope="session")
def model(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("models") / "attending", model__preset="bahdanau")


@pytest.fixture(scope="session")
def plain(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    changes = {"model__preset": "plain-first", "model__decoder__output": "state"}
    return train(tmp_path_factory.mktemp("models") / "plain", **changes)


def invoke(*arguments: object, given: str | None = None) -> Result:
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments], input=given)


def complaint(*arguments: object) -> str:
    result = invoke(*arguments)
    assert isinstance(result.exception, ValueError | OSError), result.exception
    assert "\n" not in str(result.exception)
    return str(result.exception)


def expected(model: Path, texts: list[str]) -> list[str]:
    return [found.text for found in jumok.load(model)(texts)]


def test_texts_are_translated_in_their_order(model: Path) -> None:
    result = invoke("translate", model, *TEXTS)
    assert result.stdout.splitlines() == expected(model, TEXTS)


def test_it_is_a_filter_line_for_line(model: Path) -> None:
    """By the command as it is installed, with empty lines, blanks and a line separator inside a line."""
    lines = [TEXTS[0], "", TEXTS[1], "   ", f"{TEXTS[2]}\u2028{TEXTS[3]}"]
    command = [Path(sys.executable).parent / "jumok", "translate", model]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.split("\n") == [*expected(model, lines), ""]


def test_files_are_whole_and_in_step(model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(("\ufeff" + "\r\n".join(TEXTS)).encode())
    result = invoke("translate", model, "--input", tmp_path / "in.txt", "--output", tmp_path / "out.txt")
    assert result.stdout == ""
    assert (tmp_path / "out.txt").read_text("utf-8").splitlines() == expected(model, TEXTS)
    (tmp_path / "korean.txt").write_bytes("\n".join(TEXTS).encode("cp949"))
    assert "give --encoding" in complaint(
        "translate", model, "--input", tmp_path / "korean.txt", "-o", tmp_path / "no.txt"
    )
    assert not (tmp_path / "no.txt").exists()
    read = invoke("translate", model, "--input", tmp_path / "korean.txt", "--encoding", "cp949")
    assert read.stdout.splitlines() == expected(model, TEXTS)


def test_a_column_of_a_table_is_translated(model: Path, tmp_path: Path) -> None:
    with (tmp_path / "in.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "text"], ["1", TEXTS[0]], ["2", 'a "quoted", one'], ["3", ""]])
    invoke(
        "translate", model, "-i", tmp_path / "in.csv", "--column", "text", "--into", "english", "-o", tmp_path / "o.csv"
    )
    with (tmp_path / "o.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["id", "text", "english"]
    assert [row[2] for row in rows[1:]] == expected(model, [TEXTS[0], 'a "quoted", one', ""])
    assert "unknown column 'txt': did you mean 'text'" in complaint(
        "translate", model, "-i", tmp_path / "in.csv", "--column", "txt"
    )


def test_a_table_and_what_does_not_go_with_it_are_one_line(model: Path, tmp_path: Path) -> None:
    table, output = tmp_path / "in.csv", tmp_path / "out.csv"
    table.write_text(f"id,text\n1,{TEXTS[0]}\n", "utf-8")
    asked = ("translate", model, "-i", table, "-o", output)
    assert "in.csv: is a table; name the column to translate with --column" in complaint(*asked)
    assert "leave out --json" in complaint(*asked, "--column", "text", "--json")
    assert "leave out --n-best" in complaint(*asked, "--column", "text", "--n-best", "2")
    assert "--into: goes with --column" in complaint("translate", model, "x", "--into", "english")
    assert not output.exists()
    assert invoke(*asked, "--column", "text").exit_code == 0
    assert output.read_text("utf-8").startswith("id,text,translation\n")


def test_a_line_that_is_refused_is_told_with_its_place_and_how_far_it_got(model: Path, tmp_path: Path) -> None:
    long = "사과 " * (LONGEST_SOURCE + 1)
    lines = [TEXTS[0], "", TEXTS[1], long, TEXTS[2], long]
    (tmp_path / "in.txt").write_text("\n".join(lines), "utf-8")
    for given, where in (
        ((model, "-i", tmp_path / "in.txt"), f"{tmp_path / 'in.txt'}:4: "),
        ((model, *lines), "text 4: "),
    ):
        result = invoke("translate", *given)
        assert isinstance(result.exception, ValueError)
        assert str(result.exception).startswith(f"{where}has ")
        assert str(result.exception).endswith("cut it into sentences (the 3 before it are translated)")
        assert result.stdout.split("\n") == [*expected(model, lines[:3]), ""]
    typed = invoke("translate", model, given="\n".join(lines))
    assert str(typed.exception).startswith("standard input:4: ")
    output = tmp_path / "out.txt"
    assert "in.txt:4: has" in (told := complaint("translate", model, "-i", tmp_path / "in.txt", "-o", output))
    assert told.endswith("(nothing is written)")
    assert not output.exists()
    (tmp_path / "in.csv").write_text(f"text\n{TEXTS[0]}\n{long}\n", "utf-8")
    told = complaint("translate", model, "-i", tmp_path / "in.csv", "--column", "text", "-o", output)
    assert "in.csv:3: has" in told
    assert told.endswith("(nothing is written)")


def test_scripts_that_it_never_saw_are_lines_like_others(model: Path) -> None:
    lines = ["Ђурђевак", "😀🎉", "漢字。", TEXTS[0], "ბავშვი", "\u0301"]
    result = invoke("translate", model, "--replace-unknown", "--protect", "tags,placeholders,numbers", *lines)
    assert result.exit_code == 0, result.exception
    told = result.stdout.split("\n")
    assert len(told) == len(lines) + 1
    assert told[3] == expected(model, TEXTS[:1])[0]


def test_n_best_and_json(model: Path) -> None:
    lists = invoke("translate", model, TEXTS[0], "--n-best", "3").stdout.rstrip("\n").split("\n")
    assert len(lists) == 3
    assert lists[0].split("\t")[1] == expected(model, TEXTS[:1])[0]
    plain = json.loads(invoke("translate", model, TEXTS[0], "--json").stdout)
    assert plain["text"] == expected(model, TEXTS[:1])[0]
    assert AttentionMap.from_dict(plain["attention"]).rows == tuple(plain["tokens"])
    several = json.loads(invoke("translate", model, TEXTS[0], "--json", "--n-best", "2").stdout)
    assert several[0]["text"] == plain["text"]
    drawn = [invoke("translate", model, TEXTS[0], "--draw", "1.5", "--seed", seed).stdout for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]


def test_every_setting_of_the_search_can_be_typed(model: Path) -> None:
    short = jumok.load(model)(TEXTS, max_length=3, length_penalty=0.5)
    typed = ("--search", "max_length=3", "--search", "length_penalty=0.5")
    assert invoke("translate", model, *TEXTS, *typed).stdout.splitlines() == [found.text for found in short]
    drawn = jumok.load(model).n_best(TEXTS[:1], n_best=7, draw={"temperature": 2.0, "top_k": 3})[0]
    lines = invoke("translate", model, TEXTS[0], "--draw", 2, "--search", "draw.top_k=3", "--search", "n_best=7").stdout
    assert [line.split("\t")[1] for line in lines.rstrip("\n").split("\n")] == [found.text for found in drawn]
    scored = json.loads(invoke("evaluate", model, "--json", *typed).stdout)["models"]["attending"]["scores"]
    longer = json.loads(invoke("evaluate", model, "--json").stdout)["models"]["attending"]["scores"]
    assert scored[0]["name"] == "BLEU"
    assert scored[0]["value"] != longer[0]["value"]
    told = complaint("translate", model, "x", "--search", "covrage_penalty=1")
    assert told.startswith(
        "--search covrage_penalty=1: covrage_penalty: no such field; did you mean 'coverage_penalty'"
    )
    told = complaint("evaluate", model, "--search", "n_best=9")
    assert told == "--search n_best=9: n_best: 9 hypotheses cannot come from a beam of 5; raise beam"
    assert "there is no '='" in complaint("translate", model, "x", "--search", "max_length")


@pytest.mark.parametrize("ending", ["html", "json", "pharaoh", "svg", "png"])
def test_attention_is_written_as_the_ending_says(model: Path, ending: str, tmp_path: Path) -> None:
    invoke("translate", model, *TEXTS[:2], "--attention", tmp_path / f"look.{ending}")
    names = sorted(path.name for path in tmp_path.iterdir())
    if ending in ("svg", "png"):
        assert names == [f"look-1.{ending}", f"look-2.{ending}"]
        return
    assert names == [f"look.{ending}"]
    text = (tmp_path / names[0]).read_text("utf-8")
    if ending == "json":
        assert len(json.loads(text)) == 2
    if ending == "pharaoh":
        words = [len(found.split()) for found in expected(model, TEXTS[:2])]
        assert [len(line.split()) for line in text.splitlines()] == words


def test_what_is_wrong_is_one_line(model: Path, plain: Path, tmp_path: Path) -> None:
    assert "not both" in complaint("translate", model, "text", "--input", "file")
    assert "there is no such file" in complaint("translate", model, "--input", tmp_path / "none.txt")
    assert "is a folder" in complaint("translate", model, "--input", tmp_path)
    assert "end the name in" in complaint("translate", model, "x", "--attention", tmp_path / "look.doc")
    assert "there is no folder" in complaint("translate", model, "x", "--attention", tmp_path / "no" / "look.svg")
    assert "no attention" in complaint("translate", plain, TEXTS[0], "--attention", tmp_path / "look.svg")
    assert "unknown 'dates'" in complaint("translate", model, "x", "--protect", "dates")
    assert "--column: goes with --input" in complaint("translate", model, "x", "--column", "text")
    assert "there is no such folder" in complaint("translate", tmp_path / "nowhere", "x")


def test_evaluate_scores_aligns_and_compares(model: Path, plain: Path, tmp_path: Path) -> None:
    result = invoke(
        "evaluate", model, "--against", plain, "--by-length", "--chart", tmp_path / "chart.svg", "--beam", "1"
    )
    assert result.exit_code == 0, result.exception
    for word in ("BLEU", "chrF2", "TER", "perplexity", "alignment error", "attending", "plain", "words of reference"):
        assert word in result.stdout
    assert "plain" in (tmp_path / "chart.svg").read_text("utf-8")


def test_models_that_decide_together_are_scored_as_one(model: Path, plain: Path) -> None:
    """A model beside itself decides as it does alone; another one changes what is decided."""
    told = {}
    for asked in ((), ("--with", model), ("--with", plain)):
        report = json.loads(invoke("evaluate", model, *asked, "--json", "--beam", "1").stdout)
        ((name, values),) = report["models"].items()
        told[name] = {score["name"]: score["value"] for score in values["scores"]}
    alone, itself, both = (told.pop(name) for name in ("attending", "attending + attending", "attending + plain"))
    assert itself == pytest.approx(alone)
    assert both != pytest.approx(alone)
    assert "leave out --with" in complaint("evaluate", model, "--with", plain, "--save")


def test_what_cannot_be_evaluated_is_told_before_anything_is_translated(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jumok.systems.Translator, "n_best", None)
    told = complaint("evaluate", model, "--chart", tmp_path / "x.foo")
    assert "x.foo: cannot tell what to write; end the name in .svg, .html, .png, .pdf" in told
    assert "there is no folder" in complaint("evaluate", model, "--chart", tmp_path / "none" / "x.svg")
    other = tmp_path / "other"
    other.mkdir()
    write_config(other, read_config(model)._replace(system="captioning"))
    told = complaint("evaluate", model, "--against", other)
    assert told == f"--against {other}: holds a model for captioning, {model} one for translation"
    source, target = tmp_path / "a.ko", tmp_path / "a.en"
    files = ("evaluate", model, "--source", source, "--target", target)
    for korean, english, said in (
        (f"{TEXTS[0]}\n{TEXTS[1]}\n".encode(), b"a\n\n", "a.en:2: the target is empty; mend it, or take that line out"),
        (f"{TEXTS[0]}\n{TEXTS[1]}\n".encode(), b"a\n", "a.ko:2: the line has no partner"),
        (f"{TEXTS[0]}\n".encode("cp949"), b"a\n", "not utf-8 but cp949, as it seems"),
    ):
        source.write_bytes(korean)
        target.write_bytes(english)
        told = complaint(*files)
        assert said in told
        assert "data." not in told


def test_evaluate_takes_a_file_of_pairs(model: Path, tmp_path: Path) -> None:
    pairs = list(Korean(7).pairs(12, max_words=6))
    table = tmp_path / "own.tsv"
    table.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in pairs), "utf-8")
    for side in ("source", "target"):
        (tmp_path / side).write_text("".join(f"{getattr(pair, side)}\n" for pair in pairs), "utf-8")
    own = json.loads(invoke("evaluate", model, "--data", table, "--json").stdout)
    files = ("--source", tmp_path / "source", "--target", tmp_path / "target")
    assert own["data"] == "own.tsv"
    assert own["models"] == json.loads(invoke("evaluate", model, *files, "--json").stdout)["models"]
    assert "there is no such file" in complaint("evaluate", model, "--data", tmp_path / "none.tsv")
    assert "leave out --split" in complaint("evaluate", model, "--data", table, "--split", "test")
    assert "leave out --data" in complaint("evaluate", model, "--data", table, *files)


def test_evaluate_for_programs_and_for_the_card(model: Path, tmp_path: Path) -> None:
    pairs = list(Korean(4).pairs(12, max_words=6))
    (tmp_path / "a.ko").write_text("".join(f"{pair.source}\n" for pair in pairs), "utf-8")
    (tmp_path / "a.en").write_text("".join(f"{pair.target}\n" for pair in pairs), "utf-8")
    gold = "".join(" ".join(f"{i + 1}-{j + 1}" for i, j in pair.sure) + "\n" for pair in pairs)
    (tmp_path / "gold").write_text(gold, "utf-8")
    files = ["--source", tmp_path / "a.ko", "--target", tmp_path / "a.en"]
    result = invoke("evaluate", model, *files, "--gold", tmp_path / "gold", "--gold-first", "1", "--json", "--save")
    figures = json.loads(result.stdout)["models"]["attending"]
    assert figures["sentences"] == 12
    assert 0 <= figures["alignment"]["shifts"]["0"]["error_rate"] <= 1
    assert "tok:13a" in figures["scores"][0]["signature"]
    assert "## On a.ko" in (model / "README.md").read_text("utf-8")
    again = json.loads((model / "scores.json").read_text("utf-8"))
    assert [one["data"] for one in again["evaluations"]] == ["a.ko"]
    (tmp_path / "short").write_text("1-1\n", "utf-8")
    assert "has 1 lines, but there are 12 pairs" in complaint("evaluate", model, *files, "--gold", tmp_path / "short")
    assert "give both" in complaint("evaluate", model, "--source", tmp_path / "a.ko")
    assert "such as --language de" in complaint("evaluate", model, "--paper")
    assert "give numbers" in complaint("evaluate", model, "--edges", "a,b")
    assert "unknown split 'tset'" in complaint("evaluate", model, "--split", "tset")


def test_paper_bleu_takes_the_language_of_the_recipe(model: Path) -> None:
    changes = ["--set", "data.test={practice: korean, pairs: 6, max_words: 6, seed: 8}", "--set=evaluation.language=en"]
    result = invoke("evaluate", model, "--paper", "--beam", "1", "--json", *changes)
    scores = json.loads(result.stdout)["models"]["attending"]["scores"]
    assert "tok:moses-en" in scores[0]["signature"]


def test_faithfulness_is_told(model: Path) -> None:
    changes = ["--set", "data.test={practice: korean, pairs: 6, max_words: 6, seed: 8}"]
    result = invoke("evaluate", model, "--faithful", "--beam", "1", *changes)
    assert "looked at most" in result.stdout
    assert "weights moved about" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_demo_trains_draws_and_ends(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo_module = importlib.import_module("jumok.cli.translation_demo")
    monkeypatch.setattr(demo_module, "FAST", demo_module.Size(pairs=300, updates=6, looks=2, scored=4))
    out = tmp_path / "demo"
    torch.set_num_threads(2)  # else the second model waits for the first
    result = invoke("demo", "--fast", "--language", language, "--out", out)
    assert result.exit_code == 0, result.exception
    assert ("beside the other" in result.stdout) == (language == "en")
    assert {"alignments.html", "learning.gif", "by-length.svg", "alignment-3.png"} <= {p.name for p in out.iterdir()}
    assert ("어텐션" in result.stdout) == (language == "ko")
    second = invoke("demo", "--fast", "--language", language, "--out", out)
    assert "--again" in second.stdout
