"""The check of a corpus: it finds what was put in, says where, and says nothing of a corpus that is well."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from jumok.core.settings import read_settings
from jumok.data.checking import Checked, Finding, check, check_lines
from jumok.data.corpora import DataSettings, open_splits

Pairs = list[tuple[str, str]]


def good(count: int, seed: int = 0) -> Pairs:
    """Pairs of all lengths, none twice, with sides that are about as long as each other."""
    dice = random.Random(seed)
    lengths = [dice.randint(2, 15) for _ in range(count)]
    return [
        (" ".join(["단어", f"{seed}가{number}", *["나는"] * length]), f"word {seed}x{number}{' they' * length}")
        for number, length in enumerate(lengths)
    ]


def checked(folder: Path, on_error: str = "stop", **splits: Pairs) -> Checked:
    values: dict[str, object] = {"on_error": on_error}
    for name, pairs in splits.items():
        (folder / f"{name}.ko").write_text("".join(f"{source}\n" for source, _ in pairs), "utf-8")
        (folder / f"{name}.en").write_text("".join(f"{target}\n" for _, target in pairs), "utf-8")
        values[name] = {"source": f"{name}.ko", "target": f"{name}.en"}
    return check(open_splits(read_settings(DataSettings, values, "recipe"), folder))


def found(folder: Path, train: Pairs, **splits: Pairs) -> dict[str, Finding]:
    """The findings about training pairs, or about another split if one is given, by name."""
    name = next(iter(splits), "train")
    splits = splits or {"validation": good(20, seed=9)}
    return {
        finding.name: finding for finding in checked(folder, train=train, **splits).findings if finding.split == name
    }


def places(finding: Finding) -> list[str]:
    return [example.place.rsplit("/", 1)[-1] for example in finding.examples]


def test_a_good_corpus_is_let_be(tmp_path: Path) -> None:
    told = checked(tmp_path, train=good(3000), validation=good(50, 1), test=good(50, 2))
    assert told.findings == ()
    assert [(split.name, split.pairs) for split in told.figures] == [("train", 3000), ("validation", 50), ("test", 50)]
    assert (told.figures[0].source_script, told.figures[0].target_script) == ("Hangul", "Latin")
    assert told.figures[1].source_words == sum(len(source.split()) for source, _ in good(50, 1))
    assert check_lines(told)[-1] == "nothing to complain of"


def test_duplicates_and_several_translations(tmp_path: Path) -> None:
    train = good(100)
    train += [train[7], (train[8][0], f"{train[8][1]} again"), train[7]]
    findings = found(tmp_path, train)
    assert findings.keys() == {"duplicates", "several translations"}
    again = findings["duplicates"]
    assert (again.found, places(again)) == (2, ["train.ko:101", "train.ko:103"])
    assert again.share == pytest.approx(2 / 103)
    assert [example.other.rsplit("/", 1)[-1] for example in again.examples] == ["train.ko:8", "train.ko:8"]
    several = findings["several translations"]
    assert (several.found, places(several)) == (2, ["train.ko:102"])
    assert several.examples[0].target == f"{train[8][1]} again"


def test_odd_lengths(tmp_path: Path) -> None:
    train = good(100)
    train[4] = (train[4][0], "no " * 90)
    train[5] = ("단어 " * 90, "yes")
    findings = found(tmp_path, train)
    assert findings.keys() == {"odd lengths"}
    assert places(findings["odd lengths"]) == ["train.ko:5", "train.ko:6"]


def test_short_pairs_may_differ_in_length(tmp_path: Path) -> None:
    assert found(tmp_path, [*good(100), ("가.", "Please do go away."), ("안녕히 가십시오", "Bye")]) == {}


def test_wrong_scripts(tmp_path: Path) -> None:
    train = good(100)
    train[10] = ("This is not Korean, nor 한국어.", train[10][1])
    train[20] = ("나는 YouTube를 본다.", "I watch it on 유튜브.")
    train[30] = (train[30][0], "번역하지 않은 문장")
    train[40] = ("2002", "2002")
    train[50] = (train[50][0], "@@")
    findings = found(tmp_path, train)
    assert places(findings["source in another script"]) == ["train.ko:11"]
    assert places(findings["target in another script"]) == ["train.ko:31"]
    assert places(findings["target without letters"]) == ["train.ko:51"]
    assert "source without letters" not in findings


def test_copies_and_lost_letters(tmp_path: Path) -> None:
    train = good(100)
    train[3] = ("Tom Sawyer!", "tom sawyer")
    train[6] = (train[6][0], f"{train[6][1]} caf\ufffd")
    findings = found(tmp_path, train)
    assert places(findings["copies"]) == ["train.ko:4"]
    assert places(findings["lost letters"]) == ["train.ko:7"]


def test_leaks_are_found_whatever_the_case_and_the_punctuation(tmp_path: Path) -> None:
    train = [*good(50), ("그는 갔다.", "He has left."), ("눈이 온다.", "It is snowing.")]
    validation = [
        *good(20, 1),
        ("그는 갔다", "he has LEFT!"),
        ("눈이 온다!", "Snow falls."),
        ("눈 온다.", "It is snowing"),
    ]
    findings = found(tmp_path, train, validation=validation)
    assert {name: places(finding) for name, finding in findings.items()} == {
        "pairs of train": ["validation.ko:21"],
        "sources of train": ["validation.ko:21", "validation.ko:22"],
        "targets of train": ["validation.ko:21", "validation.ko:23"],
    }
    assert findings["pairs of train"].examples[0].other.endswith("train.ko:51")
    assert findings["sources of train"].share == pytest.approx(2 / 23)
    told = checked(tmp_path, train=good(50), validation=validation, test=validation[-1:])
    assert {finding.name for finding in told.findings if finding.split == "test"} >= {"pairs of validation"}


def test_a_share_of_train_leaks_no_source(tmp_path: Path) -> None:
    pairs = [(f"문장 {number % 300}{'.!?'[number % 3]}", f"line {number} of many") for number in range(900)]
    (tmp_path / "a.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in pairs), "utf-8")
    values = {
        "train": {"file": "a.tsv", "source": 0, "target": 1},
        "validation": {"share": 0.1},
        "test": {"share": 0.1},
    }
    told = check(open_splits(read_settings(DataSettings, values, "recipe"), tmp_path))
    assert sum(split.pairs for split in told.figures) == 900
    assert [finding.name for finding in told.findings if " of " in finding.name] == []


def test_swapped_sides_are_told(tmp_path: Path) -> None:
    findings = found(tmp_path, good(50), validation=[(target, source) for source, target in good(50, 1)])
    assert {"source in another script", "target in another script"} <= findings.keys()
    assert findings["source in another script"].advice == "are source and target swapped?"


def test_a_shift_is_found_where_it_starts(tmp_path: Path) -> None:
    pairs = good(6001)
    targets = [target for _, target in pairs]
    del targets[2000]
    shifted = list(zip((source for source, _ in pairs[:-1]), targets, strict=True))
    finding = found(tmp_path, shifted)["shifted lines"]
    assert finding.found == 4000
    assert places(finding) == [f"train.ko:{line}" for line in (2001, 3001, 4001, 5001)]


def test_what_cannot_be_read_is_a_finding_and_not_the_end(tmp_path: Path) -> None:
    train = good(100)
    train[10:12] = [("", train[10][1]), (train[11][0], " ")]
    findings = checked(tmp_path, train=train, validation=good(20, 1)).findings
    assert [(finding.name, finding.rule, finding.found, places(finding)) for finding in findings] == [
        ("unreadable", "no pair: the source is empty", 1, ["train.ko:11"]),
        ("unreadable", "no pair: the target is empty", 1, ["train.en:12"]),
    ]


def test_only_the_first_places_are_shown(tmp_path: Path) -> None:
    findings = found(tmp_path, good(40) * 2)
    assert findings["duplicates"].found == 40
    assert places(findings["duplicates"]) == [f"train.ko:{line}" for line in range(41, 46)]


def test_the_lines_say_all(tmp_path: Path) -> None:
    train = good(100)
    lines = check_lines(checked(tmp_path, train=[*train, train[0]], validation=good(20, 1)))
    assert lines[0].startswith("train: 101 pairs, ")
    assert "train: duplicates: 1 (1.0 %); the same pair was there before" in lines
    place = f"    {tmp_path}/train.ko:101 = {tmp_path}/train.ko:1: "
    assert any(line.startswith(place) for line in lines)
    assert all("\n" not in line for line in lines)
