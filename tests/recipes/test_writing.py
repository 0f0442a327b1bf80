"""What is written out is read back as it was, whatever the text in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from jumok.recipes import dump, load
from jumok.recipes.reading import Dumper, read_text, word
from recipes.stand_in import KINDS, Data, Files, Network, Practice, Table, Toy

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
WORDS = st.sampled_from(
    ["no", "on", "null", "~", "1e3", "010", "0x1F", "1_000", ".5", "true", "a: b", "- a", "=", "<<", "", "#"]
)
CORPORA = st.one_of(
    st.builds(Files, source=TEXT | WORDS, target=TEXT),
    st.builds(Table, file=TEXT, source=st.integers(0, 9) | TEXT, target=TEXT | WORDS),
    st.builds(Practice, practice=st.just("korean"), pairs=st.integers()),
)


@settings(max_examples=40)
@given(
    st.builds(
        Toy,
        system=st.just("toy"),
        seed=st.integers(),
        rate=st.floats(allow_nan=False, allow_infinity=False),
        data=st.builds(
            Data, root=st.just("."), train=CORPORA, test=st.none() | CORPORA, languages=st.lists(TEXT | WORDS)
        ),
        model=st.builds(Network, preset=TEXT | WORDS, layers=st.integers(1, 9), dropout=st.none() | st.floats(0, 1)),
    )
)
def test_a_recipe_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, toy: Toy) -> None:
    path = tmp_path_factory.mktemp("recipe") / "recipe.yaml"
    path.write_text(dump(toy), encoding="utf-8")
    again = load(path, kinds=KINDS).settings
    assert isinstance(again, Toy)
    assert again.data.root in (".", str(path.parent))
    assert again.model_copy(update={"data": again.data.model_copy(update={"root": "."})}) == toy


def test_a_root_is_kept_and_one_that_was_not_set_is_not_written(tmp_path: Path) -> None:
    rooted = Toy(system="toy", data=Data(root=str(tmp_path / "there"), train=Files(source="a", target="b")))
    (tmp_path / "rooted.yaml").write_text(dump(rooted), encoding="utf-8")
    assert load(tmp_path / "rooted.yaml", kinds=KINDS).settings == rooted
    assert "root" not in dump(Toy(system="toy"))


@given(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT | WORDS)
def test_a_value_in_one_line_comes_back_as_it_was(value: Any) -> None:
    assert read_text(yaml.dump([value], Dumper=Dumper, default_flow_style=True, allow_unicode=True), "x").plain() == [
        value
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-3", -3),
        ("010", 10),
        ("1e-3", 1e-3),
        ("1.", 1.0),
        (".5", 0.5),
        ("+1.5E3", 1500.0),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("no", "no"),
        ("yes", "yes"),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        ("1e", "1e"),
        ("e3", "e3"),
        (".", "."),
        ("0x10", "0x10"),
    ],
)
def test_plain_words_mean_what_yaml_1_2_says(text: str, value: object) -> None:
    assert word(text) == value
    assert read_text(f"a: {text}", "x").plain() == {"a": value}
