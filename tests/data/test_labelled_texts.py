"""Labelled texts: every format gives the same rows, what is wrong is told with its place, splits share nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from jumok.core.settings import read_settings
from jumok.data import BatchSettings, Tokenizer
from jumok.data.labelled import LabelledBatches, LabelledData, PieceSettings, encode_texts, open_texts

ROWS = [("좋은 영화였다", "good"), ("정말, 지루했다", "bad"), ('"또" 보고 싶다', "good")]


def opened(folder: Path, split: str = "train", **fields: Any) -> Any:
    data = read_settings(LabelledData, {"root": str(folder), **fields}, "test")
    return open_texts(split, data, folder)


def write(folder: Path, name: str, text: str) -> dict[str, Any]:
    (folder / name).write_text(text, encoding="utf-8")
    return {"train": {"file": name}, "validation": {"file": name}}


FORMATS = {
    "a.csv": 'text,label\n좋은 영화였다,good\n"정말, 지루했다",bad\n"""또"" 보고 싶다",good\n',
    "a.tsv": 'label\ttext\ngood\t좋은 영화였다\nbad\t정말, 지루했다\ngood\t"또" 보고 싶다\n',
    "a.jsonl": '{"text": "좋은 영화였다", "label": "good"}\n{"label": "bad", "text": "정말, 지루했다"}\n'
    '{"text": "\\"또\\" 보고 싶다", "label": "good"}\n',
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    texts = opened(tmp_path, **write(tmp_path, name, FORMATS[name]))
    assert [(row.text, row.label) for row in texts] == ROWS
    assert [(row.text, row.label) for row in texts] == ROWS  # as often as wanted


def test_columns_by_number_and_labels_that_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1\tfine\n0\tpoor\n", encoding="utf-8")
    train = {"file": "a.txt", "text": 1, "label": 0}
    assert [row.label for row in opened(tmp_path, train=train)] == ["1", "0"]
    told = opened(tmp_path, train=train, validation=train, target="number")
    assert [row.value for row in told] == [1.0, 0.0]
    (tmp_path / "a.jsonl").write_text('{"text": "a b", "label": 2}\n{"text": "c", "label": true}\n', encoding="utf-8")
    assert [row.label for row in opened(tmp_path, train={"file": "a.jsonl"}, validation={"file": "a.jsonl"})] == [
        "2",
        "true",
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "text,label\nfine,good\n,bad\n", r"a\.csv:3: the text is empty; mend it, or leave such texts out"),
        ("a.csv", "text,label\nfine,\n", r"a\.csv:2: the label is empty"),
        ("a.csv", "text,label\nfine\n", r"a\.csv:2: the row has too few columns"),
        ("a.csv", "review,label\nfine,good\n", r"a\.csv:1: unknown column 'text'"),
        ("a.jsonl", '{"text": "fine"}\n', r"a\.jsonl:1: there is no field 'label' \(it has text\)"),
        ("a.jsonl", '{"text": 3, "label": "a"}\n', r"a\.jsonl:1: the field 'text' is not text"),
        ("a.jsonl", '{"text": "a", "label": null}\n', r"a\.jsonl:1: the field 'label' is no label \(it is null\)"),
        ("a.jsonl", "{\n", r"a\.jsonl:1: not valid JSON"),
        ("a.doc", "", r"a\.doc: unknown kind of table '\.doc'"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        list(opened(tmp_path, **write(tmp_path, name, text)))
    assert "\n" not in str(caught.value)


def test_what_is_wrong_can_be_skipped_and_is_counted(tmp_path: Path) -> None:
    texts = opened(tmp_path, on_error="skip", **write(tmp_path, "a.csv", "text,label\nfine,good\n,bad\nx,\n"))
    assert [row.text for row in texts] == ["fine"]
    assert {reason: skipped.count for reason, skipped in texts.report.skipped.items()} == {
        "the text is empty": 1,
        "the label is empty": 1,
    }


def test_a_label_that_training_did_not_have_is_told_with_its_place(tmp_path: Path) -> None:
    texts = opened(tmp_path, **write(tmp_path, "a.csv", "text,label\nfine,good\nso so,middling\n"))
    with pytest.raises(ValueError, match=r"a\.csv:3: the label does not occur in training \(it is 'middling'; known:"):
        list(texts.limited(("bad", "good")))


def test_a_number_is_wanted(tmp_path: Path) -> None:
    fields = write(tmp_path, "a.csv", "text,label\nfine,4.5\nso so,nan\n")
    with pytest.raises(ValueError, match=r"a\.csv:3: the label is not a number \(it is 'nan'\)"):
        list(opened(tmp_path, target="number", **fields))


def test_a_bare_name_is_a_file_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.csv", "text,label\nfine,good\n")
    monkeypatch.chdir(tmp_path)
    data = LabelledData.model_validate({"train": "a.csv"})
    assert Path(data.train.file) == tmp_path / "a.csv"  # type: ignore[union-attr]
    assert LabelledData.model_validate(data.model_dump()) == data


def test_splits_share_no_text_and_all_are_there() -> None:
    fields = {"train": {"practice": "tense", "texts": 300}, "validation": {"share": 0.2}, "test": {"share": 0.2}}
    splits = {name: [row.text for row in opened(Path(), name, **fields)] for name in ("train", "validation", "test")}
    assert sum(map(len, splits.values())) == 300
    assert not set(splits["train"]) & set(splits["validation"]) | set(splits["validation"]) & set(splits["test"])


def test_practice_sentences_have_the_tense_that_their_last_verb_shows() -> None:
    rows = list(opened(Path(), train={"practice": "tense", "texts": 300}, validation={"practice": "tense", "texts": 1}))
    assert {row.label for row in rows} == {"past", "present", "future"}
    for row in rows:
        last = row.text.rstrip(".").split(" ")[-1]
        assert (last in {"것이다", "거예요", "것입니다"}) == (row.label == "future"), row


def test_texts_become_padded_batches_that_follow_from_the_epoch() -> None:
    rows = list(opened(Path(), train={"practice": "tense", "texts": 60}))
    labels = sorted({row.label for row in rows})
    tokenizer = Tokenizer.train((row.text for row in rows), PieceSettings(kind="word").settings(), "test")
    encoded = encode_texts(rows, tokenizer, labels)
    settings = BatchSettings(size=8)
    batches, again = (LabelledBatches.of_epoch(encoded, settings, 1, 0) for _ in range(2))
    assert torch.equal(batches[2].inputs, again[2].inputs)
    assert not torch.equal(batches[2].numbers, LabelledBatches.of_epoch(encoded, settings, 1, 1)[2].numbers)
    by_number = {row.number: row for row in rows}
    seen = []
    for batch in LabelledBatches.all_of(encoded, settings):
        for number, ids, length, label in zip(batch.numbers, batch.inputs, batch.lengths, batch.targets, strict=True):
            row = by_number[int(number)]
            assert tokenizer.decode(ids[:length].tolist()) == row.text
            assert (ids[length:] == Tokenizer.PAD).all()
            assert labels[int(label)] == row.label
            seen.append(int(number))
    assert sorted(seen) == sorted(by_number)


def test_long_texts_are_left_out_and_counted() -> None:
    rows = list(opened(Path(), train={"practice": "tense", "texts": 60}))
    tokenizer = Tokenizer.train((row.text for row in rows), PieceSettings(kind="word").settings(), "test")
    short = encode_texts(rows, tokenizer, ["future", "past", "present"], max_length=5)
    assert short.too_long > 0
    assert short.lengths.max() <= 5
    assert len(short.numbers) + short.too_long == len(rows)
