"""The practice language as a corpus: the same pairs however they are made."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from jumok.core.settings import read_settings
from jumok.data.corpora import DataSettings, PracticeData, open_splits
from jumok.data.corpora import practice as practice_module
from jumok.data.corpora.generating import line_of
from jumok.data.corpora.practice import PracticeReader
from jumok.data.korean import Korean


@pytest.mark.parametrize(("processes", "held_out"), [(1, False), (2, False), (3, False), (3, True)])
def test_the_pairs_are_the_same_from_any_number_of_processes(processes: int, held_out: bool) -> None:
    count = 5 if held_out else 135
    wanted = PracticeData(practice="korean", pairs=count, max_words=6, seed=3, held_out=held_out)
    expected = [line_of(pair).rstrip("\n") for pair in Korean(3).pairs(count, 3, 6, held_out)]
    assert list(PracticeReader(wanted, processes).made()) == expected


def test_pairs_come_with_their_gold_alignment() -> None:
    wanted = PracticeData(practice="korean", pairs=250, max_words=9, seed=5)
    reader, pairs = PracticeReader(wanted), list(Korean(5).pairs(250, 3, 9))
    assert [row[:3] for row in reader.rows()] == [(n, pair.source, pair.target) for n, pair in enumerate(pairs)]
    for links, pair in zip(reader.alignments(), pairs, strict=True):
        sure = [tuple(map(int, link.split("-"))) for link in links.split() if "-" in link]
        possible = [tuple(map(int, link.split("?"))) for link in links.split() if "?" in link]
        assert (tuple(sure), tuple(possible)) == (pair.sure, pair.possible)


def test_a_reader_that_stops_early_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: object, **more: object) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **more))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(practice_module.subprocess, "Popen", start)
    rows = PracticeReader(PracticeData(practice="korean", pairs=100_000), 2).made()
    assert len(list(islice(rows, 3))) == 3
    rows.close()  # type: ignore[attr-defined]
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


def test_a_process_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice_module, "_START", "raise SystemExit(3)")
    with pytest.raises(OSError, match="practice korean: a process that makes pairs stopped with code 3"):
        list(PracticeReader(PracticeData(practice="korean", pairs=100), 2).made())


def test_processes_work_without_a_guard_and_whatever_the_folder_holds(tmp_path: Path) -> None:
    """A script without `if __name__ == "__main__"`, in a folder whose files have the names of modules."""
    (tmp_path / "json.py").write_text("raise SystemExit('code of a data folder ran')", "utf-8")
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "mine.py"
    script.write_text(
        "from jumok.data.corpora.practice import PracticeData, PracticeReader\n"
        "rows = PracticeReader(PracticeData(practice='korean', pairs=70, max_words=5), 2).made()\n"
        "print(len(list(rows)))\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("70\n", "")


def test_many_pairs_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path))
    reader = PracticeReader(PracticeData(practice="korean", pairs=300, max_words=5), 1)
    first = list(reader.rows())
    assert [[source, target] for _, source, target in first] == [line.split("\t")[:2] for line in reader.made()]
    (kept,) = tmp_path.rglob("pairs.tsv")
    monkeypatch.setattr(PracticeReader, "made", lambda self: pytest.fail("made again"))
    assert list(reader.rows()) == first
    monkeypatch.undo()
    monkeypatch.setenv("JUMOK_CACHE", str(tmp_path))
    kept.write_text("보다 짧다\n", "utf-8")  # damaged: it is made anew
    assert list(reader.rows()) == first


def test_making_pairs_imports_no_torch() -> None:
    code = "import jumok.data.corpora.generating, sys; print('torch' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_training_and_validation_share_no_sentence(tmp_path: Path) -> None:
    practice = {"practice": "korean", "max_words": 4}
    values = {"train": {**practice, "pairs": 300}, "validation": {**practice, "pairs": 5, "held_out": True}}
    splits = open_splits(read_settings(DataSettings, values, "recipe"), tmp_path)
    train, validation = (set(splits[name]) for name in ("train", "validation"))
    assert len(validation) >= 4
    assert not {pair.target for pair in train} & {pair.target for pair in validation}


def test_the_fingerprint_follows_the_settings(tmp_path: Path) -> None:
    def fingerprint(**more: int) -> str:
        practice = {"practice": "korean", "pairs": 9, **more}
        values = {"train": practice, "validation": practice}
        return open_splits(read_settings(DataSettings, values, "recipe"), tmp_path)["train"].fingerprint()

    assert fingerprint() == fingerprint(seed=0)
    assert len({fingerprint(), fingerprint(seed=1), fingerprint(pairs=10), fingerprint(min_words=4)}) == 4
