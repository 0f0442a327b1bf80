"""The reader's training and what a trained one says: figures, labels, attention, resume, bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jumok
from jumok.systems import Reader
from jumok.systems.read_evaluating import evaluate, faithfulness, judged_by
from jumok.systems.reader import read_series
from jumok.systems.reading import ReadingRecipe

WORDS = {"good": ("fine", "lovely", "great"), "bad": ("dull", "awful", "poor")}
SUMS: dict[str, Any] = {
    "data.length": 22,
    "data.sequences": 500,
    "data.held_out": 20,
    "batches.size": 50,
    "model.size": 8,
    "model.hidden_size": 8,
    "training.epochs": None,
    "training.threads": 1,
    "training.schedule": "constant",
}


def reviews(folder: Path, texts: int = 300) -> Path:
    """A table in which one word of each text tells its label."""
    dice = np.random.default_rng(0)
    rows = ["text,label"]
    for _ in range(texts):
        label = ("good", "bad")[dice.integers(2)]
        words = [f"w{number}" for number in dice.integers(0, 20, 4)]
        words.insert(int(dice.integers(5)), str(dice.choice(WORDS[label])))
        rows.append(f"{' '.join(words)},{label}")
    path = folder / "reviews.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def trained(table: Path, out: Path, **more: Any) -> Path:
    changes = {"data.train": str(table), "tokenizer": {"kind": "word"}, "model.size": 16, "training.updates": 60}
    changes |= {"batches.size": 32, "training.threads": 1, "training.evaluate_every": 30, "model.dropout": 0.0}
    changes |= {"training.learning_rate": 0.03, "training.warmup": 0}
    changes |= {name.replace("__", "."): value for name, value in more.items()}
    return jumok.train("classify", out, set=changes, quiet=True).folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("reading")
    return trained(reviews(place), place / "model")


@pytest.fixture(scope="module")
def reader(folder: Path) -> Reader:
    loaded = jumok.load(folder)
    assert isinstance(loaded, Reader)
    return loaded


def test_it_learns_the_labels_and_looks_at_the_word_that_tells(reader: Reader) -> None:
    reading = reader("w1 w2 awful w3")
    assert (reading.label, str(reading)) == ("bad", "bad")
    assert reading.probability == reading.probabilities["bad"] > 0.9
    assert sum(reading.probabilities.values()) == pytest.approx(1)
    assert [word for word, _ in reading.words] == ["w1", "w2", "awful", "w3"]
    assert max(reading.words, key=lambda pair: pair[1])[0] == "awful"
    assert reading.attention is not None
    assert reading.attention.rows == ("bad",)
    assert reading.attention.matrix.sum() == pytest.approx(1)


def test_company_changes_nothing(reader: Reader) -> None:
    texts = ["w1 fine", "w2 w3 w4 w5 w6 dull w7", "", "great"]
    together = reader(texts)
    for text, reading in zip(texts, together, strict=True):
        alone = reader(text)
        assert reading.label == alone.label
        assert reading.probability == pytest.approx(alone.probability, abs=1e-5)


def test_an_empty_text_has_no_label(reader: Reader) -> None:
    reading = reader(" \u200b ")
    assert (reading.label, reading.text, reading.probability, reading.attention) == (None, "", 0.0, None)
    assert reading.to_dict()["label"] is None


def test_words_that_were_never_seen_are_named(reader: Reader) -> None:
    reading = reader("fine Hindenburg w1")
    assert reading.unknown == ("Hindenburg",)
    assert [word for word, _ in reading.words] == ["fine", "Hindenburg", "w1"]
    with pytest.raises(ValueError, match="text 1: not valid Unicode"):
        reader("\ud800")
    with pytest.raises(ValueError, match="text 1: this model reads text"):
        reader.read([[(0.1, 0.2)]])


def test_a_reading_is_json(reader: Reader) -> None:
    plain = json.loads(json.dumps(reader("w1 fine").to_dict()))
    assert plain["label"] == "good"
    assert plain["attention"]["columns"] == ["▁w1", "▁fine"]


def test_the_figures_are_those_of_the_validation(folder: Path, reader: Reader) -> None:
    from jumok.recipes.running import kept_recipe

    judged = judged_by(kept_recipe(folder), None, reader.labels)
    report, looks, found = evaluate(reader, judged)
    scores = {score.name: score.value for score in report.scores}
    kept = json.loads((folder / "scores.json").read_text("utf-8"))["validation"]
    assert scores["accuracy"] == pytest.approx(100 * kept["accuracy"])
    assert {"F1", "F1 of good", "F1 of bad"} <= set(scores)
    assert looks is not None
    assert looks.top > 0.5
    rows = faithfulness(reader, found)
    assert all(row.faithful for row in rows)  # one word tells, and it is the one looked at


def test_the_mean_looks_everywhere_alike_and_is_told_so(folder: Path, tmp_path: Path) -> None:
    table = folder.parent / "reviews.csv"
    model = jumok.load(trained(table, tmp_path / "mean", model__attention="mean", training__updates=2))
    words = model("w1 fine w2").words
    assert [weight for _, weight in words] == pytest.approx([1 / 3] * 3)
    _, looks, _ = evaluate(model, judged_by(_recipe(table), "validation", model.labels))
    assert looks is not None
    assert "dead attention" in (looks.warning or "")


def _recipe(table: Path) -> ReadingRecipe:
    values = {"data": {"train": {"file": str(table)}}, "training": {"updates": 1}}
    return ReadingRecipe.model_validate(values)


def test_numbers_are_told_of_texts(folder: Path, tmp_path: Path) -> None:
    text = (folder.parent / "reviews.csv").read_text("utf-8").replace(",good", ",1.0").replace(",bad", ",-1.0")
    (tmp_path / "stars.csv").write_text(text, encoding="utf-8")
    more = {"data__target": "number", "training__figure": "error"}
    model = jumok.load(trained(tmp_path / "stars.csv", tmp_path / "model", **more))
    good, bad = model(["w1 lovely w2", "w1 poor w2"])
    assert good.label is None
    assert good.value is not None
    assert bad.value is not None
    assert good.value > 0.3 > -0.3 > bad.value


def test_numbers_are_told_in_their_own_unit(folder: Path, tmp_path: Path) -> None:
    """Prices are learned as well as stars: the mean and the spread of the numbers are not left to the network."""
    text = (folder.parent / "reviews.csv").read_text("utf-8").replace(",good", ",250000").replace(",bad", ",90000")
    (tmp_path / "prices.csv").write_text(text, encoding="utf-8")
    place = trained(tmp_path / "prices.csv", tmp_path / "model", data__target="number")
    model = jumok.load(place)
    dear, cheap = model(["w1 lovely w2", "w1 poor w2"])
    assert dear.value is not None
    assert cheap.value is not None
    assert dear.value > 200_000 > 140_000 > cheap.value
    values = {"data": {"train": {"file": str(tmp_path / "prices.csv")}, "target": "number"}, "training": {"updates": 1}}
    report, _, _ = evaluate(model, judged_by(ReadingRecipe.model_validate(values), "validation", None))
    figures = {score.name: score.value for score in report.scores}
    assert set(figures) == {"mean error", "R2"}
    assert figures["R2"] > 0.9
    with pytest.raises(ValueError, match=r"training\.figure: accuracy is for labels"):
        trained(tmp_path / "prices.csv", tmp_path / "no", data__target="number", training__figure="accuracy")
    (tmp_path / "same.csv").write_text("text,label\n" + "a,5\nb,5\nc d,5\n" * 9, encoding="utf-8")
    with pytest.raises(ValueError, match="has the number 5; give different ones"):
        trained(tmp_path / "same.csv", tmp_path / "no", data__target="number")


def test_a_few_texts_get_as_many_pieces_as_they_have(tmp_path: Path) -> None:
    more = {"tokenizer": {"kind": "bpe", "size": 2000}, "data__validation": {"file": str(tmp_path / "a.csv")}}
    (tmp_path / "a.csv").write_text("text,label\nfine film,good\npoor film,bad\n", encoding="utf-8")
    reader = jumok.load(trained(tmp_path / "a.csv", tmp_path / "out", **more))
    assert reader("fine film").label == "good"
    assert reader.tokenizer.size < 64


def test_one_label_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\n" + "fine,good\nlovely,good\ngreat,good\n" * 5, encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.csv has the label 'good'; give two labels at least"):
        trained(tmp_path / "a.csv", tmp_path / "out", data__validation={"file": str(tmp_path / "a.csv")})
    assert not (tmp_path / "out").exists()


def test_a_validation_label_that_training_never_saw_is_told_with_its_place(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("text,label\nw1,good\nw2,unheard\n", encoding="utf-8")
    more = {"data__validation": {"file": str(tmp_path / "other.csv")}}
    with pytest.raises(ValueError, match=r"other\.csv:3: the label does not occur in training \(it is 'unheard'"):
        trained(folder.parent / "reviews.csv", tmp_path / "out", **more)


@pytest.fixture(scope="module")
def adder(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    changes = {**SUMS, "training.updates": 5}
    return jumok.load(jumok.train("adding", tmp_path_factory.mktemp("sums") / "out", set=changes, quiet=True).folder)


def test_a_model_of_numbers_reads_series_and_text_that_says_them(adder: Reader) -> None:
    (series, right), *_ = adder.examples(2)
    typed = " ".join(",".join(map(str, step)) for step in series)
    first, second = adder(series), adder(typed)
    assert first.value == pytest.approx(second.value)
    assert 0 <= right <= 1
    assert first.attention is not None
    assert len(first.attention.columns) == len(series)
    assert sum(column.endswith(",1") for column in first.attention.columns) == 2


@pytest.mark.parametrize(
    ("series", "said"),
    [
        ("0.5,1 x", "series 1: write the steps with blanks"),
        ("0.5 0.3", "series 1: a step has 1 numbers, and the model takes 2"),
        ("nan,1 1,0", "series 1: its numbers must be finite"),
    ],
)
def test_a_series_that_is_none_is_told(adder: Reader, series: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        adder(series)


def test_an_empty_series_has_no_value(adder: Reader) -> None:
    assert adder("").value is None
    assert read_series("") == []


def test_resumed_in_the_middle_gives_the_same_bits(tmp_path: Path) -> None:
    def last(out: Path) -> bytes:
        return (out / "checkpoints" / "12" / "weights.safetensors").read_bytes()

    changes = {**SUMS, "model.dropout": 0.2, "training.evaluate_every": 100}
    whole = jumok.train("adding", tmp_path / "whole", set=changes | {"training.updates": 12}, quiet=True).folder
    parts = jumok.train("adding", tmp_path / "parts", set=changes | {"training.updates": 5}, quiet=True).folder
    jumok.train("adding", parts, set=changes | {"training.updates": 12}, resume=True, quiet=True)
    assert last(whole) == last(parts)


def test_a_damaged_folder_is_told(folder: Path, tmp_path: Path) -> None:
    import shutil

    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    config = json.loads((broken / "config.json").read_text("utf-8"))
    config["inputs"]["labels"] = ["good"]
    (broken / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ValueError, match=r"config\.json: damaged .*1 labels, not 2"):
        jumok.load(broken)
    config["words"] = None
    (broken / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ValueError, match=r"config\.json: damaged"):
        jumok.load(broken)
    shutil.copy(folder / "config.json", broken / "config.json")
    (broken / "tokenizer.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"there is no tokenizer\.json; copy the folder again"):
        jumok.load(broken)
    with pytest.raises(ValueError, match="a reader is one model"):
        jumok.load(folder, folder)


@pytest.mark.slow
def test_the_adding_recipe_solves_its_problem_in_one_epoch(tmp_path: Path) -> None:
    run = jumok.train("adding", tmp_path / "out", set={"training.threads": 1}, quiet=True)
    assert run.outcome.best["accuracy"] > 0.99
    reader = jumok.load(run.folder)
    (series, right), *_ = reader.examples(1, seed=5)
    reading = reader(series)
    assert abs(reading.value - right) < 0.04
    top = sorted(reading.words, key=lambda pair: -pair[1])[:2]
    assert all(word.endswith(",1") for word, _ in top)  # the two that are marked
