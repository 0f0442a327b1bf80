"""Corpora: both sides stay in step whatever is in them, and every kind of file gives the same pairs."""

from __future__ import annotations

import csv
import gzip
import io
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jumok.core.settings import read_settings
from jumok.data.corpora import Corpus, DataSettings, TextPair, normalize, open_corpus, open_split, open_splits

PAIRS = [
    TextPair("나는 학교에 간다.", "I go to school."),
    TextPair("그는 말했다.", 'He said "yes", then\u2014no.'),
    TextPair("커피를 마신다.", "He drinks café au lait."),
]

SEPARATORS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\u00a0\u202f\u200b\ufeff\t"
line = st.text(st.one_of(st.sampled_from(SEPARATORS), st.characters(exclude_characters="\n\0", codec="utf-8")))
lines = st.lists(st.tuples(line, line), min_size=1, max_size=8)
in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def recipe(train: dict[str, Any], **more: Any) -> DataSettings:
    return read_settings(DataSettings, {"train": train, "validation": {"share": 0.5}, **more}, "recipe")


def alone(train: dict[str, Any], folder: Path, **more: Any) -> Corpus:
    """The corpus of `train`, of which nothing is held out."""
    return open_split("train", recipe(train, validation=train, **more), folder)


def pair_files(folder: Path, source: bytes, target: bytes, **more: Any) -> Corpus:
    (folder / "a.en").write_bytes(source)
    (folder / "a.de").write_bytes(target)
    return alone({"source": "a.en", "target": "a.de"}, folder, **more)


def encoded(texts: list[str], end: str = "\n", encoding: str = "utf-8") -> bytes:
    return "".join(text + end for text in texts).encode(encoding)


@in_one_folder
@given(lines)
def test_pair_files_stay_in_step_whatever_is_in_a_line(tmp_path: Path, found: list[tuple[str, str]]) -> None:
    corpus = pair_files(
        tmp_path, encoded([source for source, _ in found]), encoded([target for _, target in found]), on_error="skip"
    )
    normal = [TextPair(normalize(source), normalize(target)) for source, target in found]
    expected = [(number, *pair) for number, pair in enumerate(normal, start=1) if pair.source and pair.target]
    if expected:
        assert list(corpus.rows()) == expected
        assert corpus.report.pairs == len(expected)
        assert sum(skipped.count for skipped in corpus.report.skipped.values()) == len(found) - len(expected)
    else:
        with pytest.raises(ValueError, match="there is not one pair in"):
            list(corpus)


@in_one_folder
@given(lines)
def test_tables_keep_what_is_in_a_field(tmp_path: Path, found: list[tuple[str, str]]) -> None:
    """CSV holds anything in quotes, JSONL anything escaped: after a good pair at each end, all pairs are theirs."""
    rows = [("first", "erste"), *found, ("last", "letzte")]
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    (tmp_path / "a.csv").write_bytes(text.getvalue().encode())
    expected = [TextPair(normalize(source), normalize(target)) for source, target in rows]
    expected = [pair for pair in expected if pair.source and pair.target]
    assert list(alone({"file": "a.csv", "source": 0, "target": 1}, tmp_path, on_error="skip")) == expected
    (tmp_path / "a.jsonl").write_bytes(encoded([json.dumps({"x": {"s": s, "t": t}}) for s, t in rows]))
    assert list(alone({"file": "a.jsonl", "source": "x.s", "target": "x.t"}, tmp_path, on_error="skip")) == expected


@given(st.text(), st.booleans())
def test_normal_text_is_normal(text: str, lowercase: bool) -> None:
    try:
        once = normalize(text, lowercase)
    except ValueError:
        assert any("\ud800" <= character <= "\udfff" for character in text)
        return
    assert normalize(once, lowercase) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split())
    assert not any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in once)
    assert not lowercase or once == once.lower()


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Cafe\u0301", "Café"),
        ("\u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("a\u00a0b\u202fc\u2007d\u3000e", "a b c d e"),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\rg\th", "a b c d e f g h"),
        ("\ufeff so\u00adft \u200bzero\u200b\u2060 ", "soft zero"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\u200d \u200c", ""),
        ("a\x00b\x07\x9fc", "a b c"),
        ("e\u200b\u0301", "é"),
    ],
)
def test_what_normalising_does(text: str, normal: str) -> None:
    assert normalize(text) == normal


def written(folder: Path, kind: str) -> dict[str, Any]:
    """The pairs in a file of that kind, and the settings that read it."""
    path = folder / f"pairs.{kind.split('-')[0]}"
    names = {"source": "ko", "target": "translation.en"}
    if kind == "tsv":
        path.write_text("".join(f"x\t{pair.target}\t{pair.source}\n" for pair in PAIRS), "utf-8")
        return {"file": path.name, "source": 2, "target": 1}
    if kind == "txt-named":
        path.write_text("id\ten\tko \n" + "".join(f"x\t{p.target}\t{p.source}\n" for p in PAIRS), "utf-8")
        return {"file": path.name, "source": "ko", "target": "en"}
    if kind in ("csv", "csv-named"):
        named = kind == "csv-named"
        with path.open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerows([("ko", "en")] if named else [])
            rows.writerows((pair.source, pair.target.replace(" ", "\n")) for pair in PAIRS)
        return {"file": path.name, "source": "ko" if named else 0, "target": "en" if named else 1}
    if kind == "jsonl":
        text = "".join(json.dumps({"ko": pair.source, "translation": {"en": pair.target}}) + "\n" for pair in PAIRS)
        path.write_text(text, "utf-8")
        return {"file": path.name, **names}
    assert kind == "parquet"
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = {"ko": [pair.source for pair in PAIRS], "translation": [{"en": pair.target} for pair in PAIRS]}
    parquet.write_table(arrow.table(rows), path)
    return {"file": path.name, **names}


KINDS = ["tsv", "txt-named", "csv", "csv-named", "jsonl", "parquet"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_gives_the_same_pairs(tmp_path: Path, kind: str) -> None:
    corpus = alone(written(tmp_path, kind), tmp_path)
    assert list(corpus) == PAIRS
    assert list(corpus) == PAIRS  # as often as wanted
    assert corpus.report.pairs == len(PAIRS)
    assert corpus.report.skipped == {}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "parquet"])
def test_gzip_gives_what_is_packed(tmp_path: Path, kind: str) -> None:
    plain = written(tmp_path, kind)
    packed = tmp_path / f"{plain['file']}.gz"
    packed.write_bytes(gzip.compress((tmp_path / plain["file"]).read_bytes()))
    assert list(alone({**plain, "file": packed.name}, tmp_path)) == PAIRS


def test_gzip_of_one_side_is_enough(tmp_path: Path) -> None:
    (tmp_path / "a.ko").write_bytes(encoded([pair.source for pair in PAIRS]))
    (tmp_path / "a.en.gz").write_bytes(gzip.compress(encoded([pair.target for pair in PAIRS])))
    assert list(alone({"source": "a.ko", "target": "a.en.gz"}, tmp_path)) == PAIRS


@pytest.mark.parametrize(
    ("encoding", "setting"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-8-sig", "UTF8"),
        ("utf-8", "utf-8-sig"),
        ("cp949", "cp949"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, setting: str, end: str) -> None:
    pairs = [
        (f"꼬리 {number} ਊ" if "utf" in encoding else f"꼬리 {number}", f"tail {number}") for number in range(9000)
    ]
    source = encoded([source for source, _ in pairs], end, encoding)
    target = encoded([target for _, target in pairs], end, encoding)
    assert list(pair_files(tmp_path, source, target, encoding=setting)) == pairs


def test_the_last_line_needs_no_end(tmp_path: Path) -> None:
    assert list(pair_files(tmp_path, b"one\ntwo", b"eins\nzwei\n")) == [("one", "eins"), ("two", "zwei")]


def test_lower_case(tmp_path: Path) -> None:
    assert list(pair_files(tmp_path, "ÉTÉ\n".encode(), "İ Σ\n".encode(), lowercase=True)) == [("été", "i̇ σ")]


def test_a_row_of_several_lines_is_told_by_its_first(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('s,t\n"a\nb",c\n"d",\n', "utf-8")
    corpus = alone({"file": "a.csv", "source": "s", "target": "t"}, tmp_path)
    with pytest.raises(ValueError, match=r"a\.csv:4: the target is empty"):
        list(corpus)


def test_a_share_of_train_is_left_out_there(tmp_path: Path) -> None:
    rows = [(f"Sentence {number % 500}{'.!?'[number % 3]}", f"Satz {number}") for number in range(2000)]
    (tmp_path / "a.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in rows), "utf-8")
    table = {"file": "a.tsv", "source": 0, "target": 1}
    data = recipe(table, validation={"share": 0.1}, test={"share": 0.2})
    splits = open_splits(data, tmp_path)
    pairs = {name: list(corpus) for name, corpus in splits.items()}
    assert sorted(pair for split in pairs.values() for pair in split) == sorted(rows)
    assert len(pairs["validation"]) / 2000 == pytest.approx(0.1, abs=0.05)
    assert len(pairs["test"]) / 2000 == pytest.approx(0.2, abs=0.05)
    sources = [{pair.source.strip(".!?") for pair in split} for split in pairs.values()]
    assert sum(map(len, sources)) == len(set().union(*sources)) == 500
    assert splits["train"].report.held_out == 2000 - len(pairs["train"])
    without_test = open_split("validation", recipe(table, validation={"share": 0.1}), tmp_path)
    assert list(without_test) == pairs["validation"]  # a test set may be added later


def test_a_corpus_is_opened_by_its_settings(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("".join(f"s{number}\tt{number}\n" for number in range(100)), "utf-8")
    data = recipe({"file": "a.tsv", "source": 0, "target": 1})
    opened = [list(open_corpus(settings, data, tmp_path)) for settings in (data.train, data.validation)]
    assert len(opened[0]) + len(opened[1]) == 100
    assert not set(opened[0]) & set(opened[1])
    twice = recipe({"file": "a.tsv", "source": 0, "target": 1}, validation={"share": 0.2}, test={"share": 0.2})
    assert not set(open_corpus(twice.validation, twice, tmp_path)) & set(open_corpus(twice.test, twice, tmp_path))
    with pytest.raises(ValueError, match="a share of train is that of one split, not of 2: open it with open_split"):
        open_corpus(twice.validation.model_copy(), twice, tmp_path)


def test_a_share_that_nothing_falls_into_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tb\n", "utf-8")
    data = recipe({"file": "a.tsv", "source": 0, "target": 1}, validation={"share": 0.000001})
    with pytest.raises(
        ValueError, match=r"validation: there is not one pair in .*a\.tsv: 1 pairs? belongs? to another"
    ):
        list(open_split("validation", data, tmp_path))


def base(folder: Path) -> Corpus:
    return pair_files(folder, b"a\nb\n", b"c\nd\n")


@pytest.mark.parametrize(
    "other",
    [
        lambda folder: pair_files(folder, b"a\nb\n", b"c\ne\n"),
        lambda folder: pair_files(folder, b"a\nb\nc", b"\nd\n"),
        lambda folder: pair_files(folder, b"a\nb\n", b"c\nd\n", lowercase=True),
        lambda folder: pair_files(folder, b"a\nb\n", b"c\nd\n", encoding="cp949"),
        lambda folder: pair_files(folder, b"a\nb\n", b"c\nd\n", on_error="skip"),
        lambda folder: open_split("train", recipe({"source": "a.en", "target": "a.de"}), folder),
        lambda folder: open_split("validation", recipe({"source": "a.en", "target": "a.de"}), folder),
        lambda folder: alone({"source": "a.de", "target": "a.en"}, folder),
    ],
)
def test_a_fingerprint_changes_with_the_text(tmp_path: Path, other: Callable[[Path], Corpus]) -> None:
    before = base(tmp_path).fingerprint()
    assert other(tmp_path).fingerprint() != before


def test_a_fingerprint_stays_where_the_text_stays(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    assert base(tmp_path).fingerprint() == base(tmp_path / "elsewhere").fingerprint()
    again = recipe({"source": "a.en", "target": "a.de"}, validation={"source": "a.en", "target": "a.de"}, max_length=7)
    assert open_split("train", again, tmp_path).fingerprint() == base(tmp_path).fingerprint()


@pytest.mark.parametrize("kind", KINDS)
def test_a_fingerprint_changes_with_the_columns(tmp_path: Path, kind: str) -> None:
    table = written(tmp_path, kind)
    swapped = {**table, "source": table["target"], "target": table["source"]}
    assert alone(table, tmp_path).fingerprint() != alone(swapped, tmp_path).fingerprint()


def test_a_hub_data_set_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder is to `datasets` what a data set on the Hub is, so this needs no network."""
    pytest.importorskip("datasets", reason="the extra 'hub' is not installed")
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    (tmp_path / "set").mkdir()
    table = written(tmp_path / "set", "parquet")
    (tmp_path / "set" / table["file"]).rename(tmp_path / "set" / "train-00000-of-00001.parquet")
    hub = {"hub": str(tmp_path / "set"), "split": "train", "source": "ko", "target": "translation.en"}
    corpus = alone(hub, tmp_path)
    assert list(corpus) == list(corpus) == PAIRS
    assert corpus.place(2) == f"{tmp_path / 'set'}/train:2"
    assert corpus.fingerprint() == alone(hub, tmp_path).fingerprint()
    with pytest.raises(ValueError, match="unknown column 'kr': did you mean 'ko'"):
        alone({**hub, "source": "kr"}, tmp_path)
    with pytest.raises(ValueError, match=r"data\.train\.hub: .*set: .*[Ss]plit"):
        alone({**hub, "split": "tain"}, tmp_path)
