"""What is wrong with a corpus is one line: the file, the line, the reason, what to do; `skip` counts it instead."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jumok.core.settings import read_settings
from jumok.data.corpora import Corpus, DataSettings, open_split, open_splits
from jumok.data.corpora import lines as lines_module

MEND = "mend it, or leave such pairs out with data.on_error=skip"


def table(folder: Path, name: str, content: bytes, source: Any = 0, target: Any = 1, **more: Any) -> Corpus:
    (folder / name).write_bytes(content)
    train = {"file": name, "source": source, "target": target}
    return open_split("train", data(train, **more), folder)


def pair_files(folder: Path, source: bytes, target: bytes, **more: Any) -> Corpus:
    (folder / "a.en").write_bytes(source)
    (folder / "a.de").write_bytes(target)
    return open_split("train", data({"source": "a.en", "target": "a.de"}, **more), folder)


def data(train: dict[str, Any], **more: Any) -> DataSettings:
    return read_settings(DataSettings, {"train": train, "validation": train, **more}, "recipe.yaml")


def told(corpus: Corpus, folder: Path) -> str:
    """What is said against a corpus, without the folder's name."""
    with pytest.raises((ValueError, OSError)) as caught:
        list(corpus)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{folder}/", "")


NAMES = ["a.tsv", "a.csv", "a.jsonl", "a.tsv.gz"]
KOREAN = "나는 어제 학교에 갔다.\n고양이가 물을 마신다.\n"


@pytest.mark.parametrize(
    ("source", "target", "line"),
    [
        (b"a\nb\n", b"c\n\n", f"a.de:2: the target is empty; {MEND}"),
        (b"a\n \xc2\xa0\xe2\x80\x8b\n", b"c\nd\n", f"a.en:2: the source is empty; {MEND}"),
        (b"\n", b"\n", f"a.en:1: the source is empty; {MEND}"),
        (b"a\nb\nc\n", b"d\n", f"a.en:2: the line has no partner (a.en has 3 lines, a.de has 1 line); {MEND}"),
        (b"a\n", b"d\ne", f"a.de:2: the line has no partner (a.en has 1 line, a.de has 2 lines); {MEND}"),
        (b"a\n", b"", f"a.en:1: the line has no partner (a.en has 1 line, a.de has 0 lines); {MEND}"),
        (b"", b"", "train: there is not one pair in a.en and a.de"),
        (b"a\n\xc3\xa9t\xff\n", b"c\nd\n", f"a.en:2: not utf-8 (byte 0xff at column 3); {MEND}"),
        (
            "café\n".encode("latin-1"),
            b"c\n",
            "a.en:1: not utf-8 but cp1252, as it seems (byte 0xe9 at column 4); set data.encoding=cp1252",
        ),
        (
            b"ok\n" * 2,
            KOREAN.encode("cp949"),
            "a.de:1: not utf-8 but cp949, as it seems (byte 0xb3 at column 1); set data.encoding=cp949",
        ),
        (b"a\n", "é\n".encode("utf-16"), "a.de: starts with the byte-order mark of utf-16; set data.encoding=utf-16"),
        (
            ("Hello.\n" * 20).encode("utf-16-le"),
            b"c\n",
            "a.en: looks like utf-16-le (every other byte is zero); set data.encoding=utf-16-le",
        ),
        (
            (KOREAN * 20).encode("utf-16-be"),
            b"c\n",
            "a.en: looks like utf-16-be (every other byte is zero); set data.encoding=utf-16-be",
        ),
        (bytes(range(4)) + bytes(4000), b"c\n", "a.en: is not a text file (it holds zero bytes)"),
        (gzip.compress(b"a\n", mtime=0), b"c\n", "a.en: is packed by gzip; give it a name that ends in .gz"),
    ],
)
def test_pair_files(tmp_path: Path, source: bytes, target: bytes, line: str) -> None:
    assert told(pair_files(tmp_path, source, target), tmp_path) == line


@pytest.mark.parametrize(
    ("encoding", "content", "line"),
    [
        (
            "cp949",
            KOREAN.encode(),
            "a.en:1: not cp949 but utf-8, as it seems (byte 0xeb at column 1); set data.encoding=utf-8",
        ),
        (
            "cp949",
            KOREAN.encode("utf-8-sig"),
            "a.en: starts with the byte-order mark of utf-8; set data.encoding=utf-8",
        ),
        ("utf-16", b"a\n", "a.en: has no byte-order mark; set data.encoding=utf-16-le or utf-16-be, or utf-8"),
        (
            "utf-16-le",
            KOREAN.encode() * 9,
            "a.en: does not look like utf-16-le (no byte is zero); is data.encoding right?",
        ),
        ("utf-16", b"\xff\xfea\0\n\0\x00\xd8\n\0", f"a.en:2: not utf-16 (byte 0x00 at column 1); {MEND}"),
    ],
)
def test_the_wrong_encoding_is_named(tmp_path: Path, encoding: str, content: bytes, line: str) -> None:
    assert told(pair_files(tmp_path, content, content, encoding=encoding), tmp_path) == line


@pytest.mark.parametrize(
    ("name", "content", "columns", "line"),
    [
        (
            "a.tsv",
            b"a\tb\nc\n",
            (0, 1),
            "a.tsv:2: the row has too few columns (it has 1, and column number 1 is asked for; the first is number 0)",
        ),
        ("a.tsv", b"a\tb\n\nc\td\n", (0, 1), "a.tsv:2: the line is empty; "),
        ("a.csv", b"a,b\n\nc,d\n", (0, 1), "a.csv:2: the line is empty; "),
        ("a.csv", b"x,y\n1,2\n3\n", ("x", "y"), "a.csv:3: the row has too few columns (it has 1, and column number 1 "),
        ("a.csv", b"x,y\n1,2\n", ("x", "z"), "a.csv:1: unknown column 'z'; known: x, y"),
        (
            "a.csv",
            b"x;y\n1;2\n",
            ("x", "y"),
            "a.csv:1: unknown column 'x': did you mean 'x;y'? Known: x;y (or are",
        ),
        (
            "a.tsv",
            b"x\tx\n1\t2\n",
            ("x", 1),
            "a.tsv:1: two columns are called 'x'; name the column by its number, from 0",
        ),
        ("a.tsv", b"", ("x", "y"), "train: there is not one pair in a.tsv"),
        ("a.tsv", b"x\ty\n", ("x", "y"), "train: there is not one pair in a.tsv"),
        (
            "a.csv",
            b'a,b\n"say "hi", c",d\ne,f\n',
            (0, 1),
            "a.csv:2: not valid CSV (',' expected after '\"'); a quote within a quoted field is written twice; ",
        ),
        ("a.csv", b'a,b\n"never,closed\nc,d\n', (0, 1), "a.csv:2: not valid CSV (unexpected end of data); a quote "),
        ("a.csv", b"a,b\n\xff,c\n", (0, 1), "a.csv:2: not utf-8 (byte 0xff at column 1); "),
        ("a.jsonl", b'{"a": "b"}\n{"a": \n', ("a", "a"), "a.jsonl:2: not valid JSON (Expecting value"),
        ("a.jsonl", b'{"a": "b"}\n\n', ("a", "a"), "a.jsonl:2: the line is empty; "),
        ("a.jsonl", b"[" * 90_000 + b"\n", ("a", "a"), "a.jsonl:1: not valid JSON ("),
        ("a.jsonl", b'{"a": "b"}\n', ("a", "c"), "a.jsonl:1: there is no field 'c' (it has a); "),
        ("a.jsonl", b'{"a": {"b": "x"}}\n', ("a.b", "a.c"), "a.jsonl:1: there is no field 'a.c' (it has a); "),
        ("a.jsonl", b'["a", "b"]\n', ("a", "c"), "a.jsonl:1: there is no field 'a' (it is a list); "),
        ("a.jsonl", b'["a"]\n', (0, 1), "a.jsonl:1: there is no field 1 (it is a list); "),
        ("a.jsonl", b'{"a": "b", "n": 7}\n', ("a", "n"), "a.jsonl:1: the field 'n' is not text (it is a number); "),
        ("a.jsonl", b'{"a": "b", "n": null}\n', ("a", "n"), "a.jsonl:1: the field 'n' is not text (it is null); "),
        (
            "a.jsonl",
            b'{"a": "b", "n": true}\n',
            ("a", "n"),
            "a.jsonl:1: the field 'n' is not text (it is true or false); ",
        ),
        ("a.jsonl", b'{"a": "b\\ud800"}\n', ("a", "a"), "a.jsonl:1: not valid Unicode (half of a surrogate pair); "),
    ],
)
def test_tables(tmp_path: Path, name: str, content: bytes, columns: tuple[Any, Any], line: str) -> None:
    assert told(table(tmp_path, name, content, *columns), tmp_path).startswith(line)


def test_a_line_that_is_no_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "LONGEST_LINE", 100)
    long = b"a\n" + b"x" * 1000 + b"\nb\n"
    message = f"a.en:2: the line is too long to be a sentence (more than 100 bytes); {MEND}"
    assert told(pair_files(tmp_path, long, b"1\n2\n3\n"), tmp_path) == message
    for encoding in ("utf-8", "utf-16-le"):
        source, target = long.decode().encode(encoding), "1\n2\n3\n".encode(encoding)
        corpus = pair_files(tmp_path, source, target, on_error="skip", encoding=encoding)
        assert list(corpus) == [("a", "1"), ("b", "3")]


@pytest.mark.parametrize("cut", [3, 12, 40, -1, -9])
def test_a_gzip_file_that_is_cut_off(tmp_path: Path, cut: int) -> None:
    packed = gzip.compress("".join(f"{number} word\t{number} Wort\n" for number in range(500)).encode())
    for skip in ("stop", "skip"):
        line = told(table(tmp_path, "a.tsv.gz", packed[:cut], on_error=skip), tmp_path)
        assert line == "a.tsv.gz: the gzip file is cut off; copy or download it again"


@pytest.mark.parametrize("at", [0, 20, 300, -6])
def test_a_gzip_file_that_is_damaged(tmp_path: Path, at: int) -> None:
    packed = bytearray(gzip.compress("".join(f"{number} word\t{number} Wort\n" for number in range(500)).encode()))
    packed[at] ^= 0xFF
    assert re.fullmatch(
        r"a\.tsv\.gz: (not a whole gzip file \(.*\)|the gzip file is cut off); copy or download it again",
        told(table(tmp_path, "a.tsv.gz", bytes(packed), on_error="skip"), tmp_path),
    )


def test_a_damaged_parquet_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    line = told(table(tmp_path, "a.parquet", b"PAR1 and then nothing PAR1"), tmp_path)
    assert re.fullmatch(r"a\.parquet: not a whole Parquet file \(.*\); copy or download it again", line)


def test_parquet_that_holds_something_else(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"a": ["x", None, "z"], "n": [1, 2, 3]}), tmp_path / "b.parquet")
    content = (tmp_path / "b.parquet").read_bytes()
    assert told(table(tmp_path, "a.parquet", content, "a", "n"), tmp_path).startswith(
        "a.parquet:1: the field 'n' is not text (it is a number); "
    )
    assert told(table(tmp_path, "a.parquet", content, "a", 0), tmp_path).startswith(
        "a.parquet:2: the field 'a' is not text (it is null); "
    )
    assert told(table(tmp_path, "a.parquet", content, "a", "b"), tmp_path).startswith("a.parquet: unknown column 'b'")
    assert told(table(tmp_path, "a.parquet", content, 0, 2), tmp_path) == (
        "a.parquet: there is no column number 2; the first of 2 is number 0"
    )


@pytest.mark.parametrize(
    ("train", "module", "line"),
    [
        (
            {"file": "a.parquet", "source": 0, "target": 1},
            "pyarrow.parquet",
            r'a\.parquet needs a package that is not installed \(pyarrow.*\): pip install "jumok\[parquet\]"',
        ),
        (
            {"hub": "owner/name", "split": "train", "source": "a", "target": "b"},
            "datasets",
            r'data\.train\.hub: owner/name needs a package .* \(datasets\): pip install "jumok\[hub\]"',
        ),
    ],
)
def test_a_package_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, train: dict[str, Any], module: str, line: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "a.parquet").write_bytes(b"")
    with pytest.raises(ValueError, match=line):
        list(open_split("train", data(train), tmp_path))


@pytest.mark.parametrize(
    ("train", "line"),
    [
        ({"source": "train.en", "target": "train.dee"}, "target: there is no file {}train.dee; did you mean 'train.de"),
        ({"source": "xyz", "target": "train.de"}, "source: there is no file {}xyz; is data.root the folder of"),
        ({"source": "no/train.en", "target": "a"}, "source: there is no folder {}no; set data.root to the folder"),
        ({"source": "inner", "target": "a"}, "source: {}inner is not a file"),
        ({"file": "train.tvs", "source": 0, "target": 1}, "file: there is no file {}train.tvs; did you mean"),
        ({"file": "train.de", "source": 0, "target": 1}, "file: train.de: unknown kind of table '.de'"),
        ({"file": "a.parquet.gz", "source": 0, "target": 1}, "file: a.parquet.gz: Parquet is packed in itself"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_there(tmp_path: Path, train: dict[str, Any], line: str) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("train.en", "train.de", "train.tsv", "a.parquet.gz"):
        (tmp_path / name).touch()
    with pytest.raises((ValueError, OSError)) as caught:
        open_splits(data(train), tmp_path)
    assert str(caught.value).startswith(f"data.train.{line}".format(f"{tmp_path}/"))


def test_skip_counts_by_reason_and_stays_in_step(tmp_path: Path) -> None:
    source = b"".join(
        b"\n" if number % 10 == 3 else b"\xff\n" if number == 25 else b"s%d\n" % number for number in range(90)
    )
    target = b"".join(b"\n" if number % 10 == 7 else b"t%d\n" % number for number in range(100))
    corpus = pair_files(tmp_path, source, target, on_error="skip")
    assert list(corpus) == [(f"s{n}", f"t{n}") for n in range(90) if n % 10 not in (3, 7) and n != 25]
    report = corpus.report
    counts = {reason: skipped.count for reason, skipped in report.skipped.items()}
    expected = {"the source is empty": 9, "the target is empty": 9, "not utf-8": 1, "the line has no partner": 10}
    assert counts == expected
    assert report.pairs + sum(counts.values()) == 100
    assert report.skipped["the source is empty"].places == [f"{tmp_path / 'a.en'}:{n}" for n in (4, 14, 24, 34, 44)]
    assert report.skipped["the line has no partner"].places == [f"{tmp_path / 'a.de'}:91"]
    places = ", ".join(f"{tmp_path / 'a.de'}:{n}" for n in (8, 18, 28, 38, 48))
    assert report.lines()[:1] == ["train: 71 pairs"]
    assert f"train: 9 skipped: the target is empty ({places}, ...)" in report.lines()


def test_csv_goes_on_after_a_broken_row(tmp_path: Path) -> None:
    content = b'a,b\n"x "y" z",c\n"stray,d\ne,f\n"g",h\ni,j\n\xffk,l\nm,n\n'
    corpus = table(tmp_path, "a.csv", content, on_error="skip")
    assert list(corpus) == [("a", "b"), ("i", "j"), ("m", "n")]
    assert {reason: skipped.count for reason, skipped in corpus.report.skipped.items()} == {
        "not valid CSV": 4,
        "not utf-8": 1,
    }


def test_nothing_but_skipped_rows_is_an_error_that_says_why(tmp_path: Path) -> None:
    line = told(pair_files(tmp_path, KOREAN.encode("cp949"), b"a\nb\n", on_error="skip"), tmp_path)
    assert line == (
        "train: there is not one pair in a.en and a.de: 2 skipped: not utf-8 but cp949, as it seems (a.en:1, a.en:2);"
        " set data.encoding=cp949"
    )


def test_the_report_is_that_of_the_last_reading(tmp_path: Path) -> None:
    corpus = pair_files(tmp_path, b"a\n\nb\n", b"c\nd\ne\n", on_error="skip")
    for _ in range(2):
        assert len(list(corpus)) == 2
        assert corpus.report.pairs == 2
        assert corpus.report.skipped["the source is empty"].count == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.binary(max_size=80) | st.text(st.sampled_from('a,"{}[]\t\r\n\\ud80:')).map(str.encode), st.sampled_from(NAMES)
)
def test_whatever_a_file_holds_it_is_pairs_or_one_line(tmp_path: Path, content: bytes, name: str) -> None:
    for on_error in ("stop", "skip"):
        pairs, line = [("none", "read")], ""
        try:
            pairs = list(table(tmp_path, name, content, on_error=on_error))
        except (ValueError, OSError) as error:
            line = str(error)
        assert not line or line.startswith((f"{tmp_path / name}:", "train: there is not one pair in"))
        assert "\n" not in line
        assert all(source and target for source, target in pairs)
        assert pairs
