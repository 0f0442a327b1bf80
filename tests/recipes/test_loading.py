"""A recipe inherits, is changed from the command line, and says in one line what is wrong with it, and where."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from jumok.recipes import changes_of, load, parse_change
from recipes.stand_in import KINDS, Files, Practice, Table, Toy


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return f"./{name}" if path.suffix else name


def read(recipe: str | Path | dict[str, Any], *typed: str) -> Toy:
    settings = load(recipe, [parse_change(one) for one in typed], KINDS).settings
    assert isinstance(settings, Toy)
    return settings


def complaint(recipe: str | dict[str, Any], *typed: str) -> str:
    with pytest.raises(ValueError, match=r".+") as caught:
        read(recipe, *typed)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_a_recipe_says_only_what_it_changes() -> None:
    write("base.yaml", "system: toy\nseed: 3\nmodel: {preset: hard, layers: 2}\ndata: {languages: [ko, en]}\n")
    write("deep/middle.yaml", "inherits: ../base.yaml\nmodel: {layers: 4}\n")
    write("top.yaml", "inherits: deep/middle.yaml\ndata: {languages: [de]}\n")
    top = read("top.yaml")
    assert (top.seed, top.model.preset, top.model.layers) == (3, "hard", 4)
    assert top.data.languages == ["de"]  # a list is replaced
    recipe = load("top.yaml", kinds=KINDS)
    assert (recipe.name, recipe.system, recipe.about.what) == ("top", "toy", "")


def test_a_mapping_may_inherit_as_well() -> None:
    write("base.yaml", "system: toy\nseed: 3\n")
    assert read({"inherits": "./base.yaml", "model": {"layers": 2}}).model.layers == 2
    assert load({"system": "toy"}, kinds=KINDS).name == "toy"


def test_what_a_recipe_says_of_itself_is_not_inherited() -> None:
    write("base.yaml", "system: toy\nabout: {what: the base, needs: a corpus, minutes: 3}\n")
    write("top.yaml", "inherits: base.yaml\n")
    assert load("base.yaml", kinds=KINDS).about.needs == "a corpus"
    assert load("top.yaml", kinds=KINDS).about.what == ""
    write("wrong.yaml", "system: toy\nabout:\n  waht: x\n")
    assert complaint("wrong.yaml").startswith("wrong.yaml:3: about: waht: no such field; did you mean 'what'?")


def test_null_is_null_where_it_may_be_and_the_default_where_it_may_not() -> None:
    write("base.yaml", "system: toy\nrate: 0.5\nmodel: {dropout: 0.5, layers: 3}\ndata: {test: {practice: korean}}\n")
    write("top.yaml", "inherits: base.yaml\nrate: null\nmodel: {dropout: null, layers: ~}\ndata: {test:}\n")
    top = read("top.yaml")
    assert (top.rate, top.model.dropout, top.model.layers, top.data.test) == (1e-3, None, 1, None)
    write("alone.yaml", "system: toy\nrate: null\n")
    assert complaint("alone.yaml") == "alone.yaml:2: rate: should be a valid number (it is None)"


BASES = {
    "practice": "{practice: korean, pairs: 7, max_words: 9}",
    "files": "{source: a.en, target: a.de}",
    "table": "{file: a.tsv, source: 0, target: 1}",
}


@pytest.mark.parametrize(
    ("base", "over", "expected"),
    [
        ("practice", "{pairs: 8}", Practice(practice="korean", pairs=8, max_words=9)),
        ("practice", "{practice: korean, pairs: 8}", Practice(practice="korean", pairs=8, max_words=9)),
        ("practice", "{source: b.en, target: b.de}", Files(source="b.en", target="b.de")),
        ("practice", "{file: b.tsv, source: en, target: de}", Table(file="b.tsv", source="en", target="de")),
        ("files", "{practice: korean}", Practice(practice="korean")),
        ("files", "{target: b.de}", Files(source="a.en", target="b.de")),
        ("table", "{source: b.en, target: b.de}", Files(source="b.en", target="b.de")),
        ("table", "{file: b.tsv}", Table(file="b.tsv", source=0, target=1)),
        ("table", "{target: 2}", Table(file="a.tsv", source=0, target=2)),
    ],
)
def test_a_mapping_of_another_kind_replaces_and_of_the_same_kind_merges(base: str, over: str, expected: object) -> None:
    write("base.yaml", f"system: toy\ndata: {{train: {BASES[base]}}}\n")
    write("top.yaml", f"inherits: base.yaml\ndata: {{train: {over}}}\n")
    assert read("top.yaml").data.train == expected
    assert read("base.yaml", f"data.train={over}").data.train == expected


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["source=b.en", "target=b.de", "file=b.tsv"], Table(file="b.tsv", source="b.en", target="b.de")),
        (["file=b.tsv", "source=2", "target=3"], Table(file="b.tsv", source=2, target=3)),
        (["practice=korean", "pairs=8", "max_words=9"], Practice(practice="korean", pairs=8, max_words=9)),
    ],
)
def test_another_kind_may_be_set_field_by_field(base: str, typed: list[str], expected: object) -> None:
    write("base.yaml", f"system: toy\ndata: {{train: {BASES[base]}}}\n")
    assert read("base.yaml", *(f"data.train.{one}" for one in typed)).data.train == expected


def test_a_misspelt_field_of_a_corpus_is_named_and_does_not_replace_it() -> None:
    write("base.yaml", f"system: toy\ndata: {{train: {BASES['practice']}}}\n")
    assert complaint("base.yaml", "data.train.pair=5").startswith(
        "--set data.train.pair=5: data.train.pair: no such field; did you mean 'pairs'?"
    )


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("rate=1e-2", 0.01),
        ("rate=.5", 0.5),
        ("seed=010", 10),
        ("model.preset=no", "no"),
        ("model.preset='7'", "7"),
        ("model.preset=a: b # c", "a: b # c"),
        ("model.preset=a=b", "a=b"),
        ("model.preset=", "bahdanau"),
        ("model.dropout=null", None),
        ("data.languages=[ko, 'en']", ["ko", "en"]),
        ('data.languages=["no", no]', ["no", "no"]),
    ],
)
def test_values_are_set_as_yaml_understands_them(typed: str, value: object) -> None:
    write("base.yaml", "system: toy\nmodel: {preset: x}\n")
    found: Any = read("base.yaml", typed)
    for name in typed.partition("=")[0].split("."):
        found = getattr(found, name)
    assert found == value


def test_the_last_change_counts_and_python_sets_the_same() -> None:
    write("base.yaml", "system: toy\n")
    assert read("base.yaml", "seed=2", "model={layers: 3}", "model.layers=5", "seed=4").model.layers == 5
    changes = changes_of({"seed": 4, "model": {"layers": 5}, "init": Path("old")})
    assert load("base.yaml", changes, KINDS).settings == read("base.yaml", "seed=4", "model.layers=5", "init=old")


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("seed", "--set seed: there is no '='; write it as --set seed=value"),
        ("model..layers=1", "--set model..layers=1: 'model..layers' is no path of a field"),
        ("seed.first=1", "--set seed.first=1: seed is 3 and has no fields; set seed itself"),
        ("modle.layers=1", "--set modle.layers=1: modle: no such field; did you mean 'model'?"),
        ("model.layer=1", "--set model.layer=1: model.layer: no such field; did you mean 'layers'?"),
        ("model.layers=two", "--set model.layers=two: model.layers: should be a valid integer"),
        ("model=3", "--set model=3: model: should be a mapping of fields (it is 3)"),
        ("data.languages=[ko", "--set data.languages=[ko:1: not valid YAML: "),
        ("inherits=base", "--set inherits=base: inherits is no setting"),
        ("system=tyo", "--set system=tyo: system: unknown 'tyo'; did you mean 'toy'? Known: toy"),
    ],
)
def test_a_change_that_does_not_fit_is_named_as_it_was_typed(typed: str, line: str) -> None:
    write("base.yaml", "system: toy\nseed: 3\n")
    assert complaint("base.yaml", typed).startswith(line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "my.yaml: is empty; a recipe is a mapping of fields"),
        ("- a\n", "my.yaml: is a list; a recipe is a mapping of fields"),
        ("korean\n", "my.yaml: is 'korean'; a recipe is"),
        ("system: toy\nseed: 1\n\nseed: 2\n", "my.yaml:4: 'seed' is there twice; it is on line 2 already"),
        ("system: toy\nmodel:\n\tlayers: 1\n", "my.yaml:3: a tab at the start of a line; indent with blanks"),
        ("system: toy\nseed: a: b\n", "my.yaml:2: a second ': ' in one line"),
        ("system: toy\ndata: {languages: [ko\nseed: 1\n", "my.yaml:3: not valid YAML: "),
        ("system: toy\nmodel: {layers: 0}\n", "my.yaml:2: model.layers: should be greater than or equal to 1"),
        ("system: toy\nmodel:\n  preset: x\n  layer: 1\n", "my.yaml:4: model.layer: no such field; did you mean"),
        ("system: toy\nmodle: {}\n", "my.yaml:2: modle: no such field; did you mean 'model'?"),
        ("system: tyo\n", "my.yaml:1: system: unknown 'tyo'; did you mean 'toy'? Known: toy"),
        ("seed: 1\n", "my.yaml: system: is missing; write 'system: NAME' (known: toy) or inherit a recipe"),
        ("inherits: [a, b]\n", "my.yaml:1: inherits: should be a recipe's name or file (it is ['a', 'b'])"),
        ("system: toy\nseed: &a 1\nrate: *a\n", "my.yaml:2: an alias"),
        ("system: toy\nseed: !!python/name:os.system\n", "my.yaml:2: "),
        ("system: toy\nseed: !mine 1\n", "my.yaml:2: !mine is a tag; recipes have none"),
        ("system: toy\n[a, b]: 1\n", "my.yaml:2: the name of a field is one word, not a list"),
        ("a: 1\n---\nb: 2\n", "my.yaml:2: "),
        ("system: toy\nseed: " + "[" * 800, "my.yaml: is nested too deeply"),
        ("system: toy\nseed: " + "9" * 5000, "my.yaml:2: "),
        ("system: \x07\n", "my.yaml: "),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line_with_its_number(text: str, line: str) -> None:
    write("my.yaml", text)
    assert complaint("my.yaml").startswith(line)


def test_a_file_that_is_no_text() -> None:
    Path("my.yaml").write_bytes("system: 주목".encode("cp949"))
    assert complaint("my.yaml").startswith("my.yaml: is not UTF-8 text")
    Path("folder.yaml").mkdir()
    assert complaint("folder.yaml") == "folder.yaml: is a folder; name a YAML file"


def test_a_byte_order_mark_is_taken_off() -> None:
    Path("my.yaml").write_bytes(b"\xef\xbb\xbfsystem: toy\n")
    assert read("my.yaml") == Toy(system="toy")


def test_the_error_names_the_file_of_the_chain_that_is_wrong() -> None:
    write("deep/base.yaml", "system: toy\nmodel:\n  layers: 0\n")
    write("top.yaml", "inherits: deep/base.yaml\nmodel: {preset: x}\n")
    assert complaint("top.yaml").startswith(f"{os.path.join('deep', 'base.yaml')}:3: model.layers")


def test_a_circle_is_shown() -> None:
    write("a.yaml", "inherits: deep/b.yaml\n")
    write("deep/b.yaml", "inherits: ../a.yaml\n")
    inner = os.path.join("deep", "b.yaml")
    assert complaint("a.yaml") == f"{inner}:1: inherits: goes in a circle: a.yaml -> {inner} -> a.yaml"
    write("own.yaml", "inherits: ./own.yaml\n")
    assert complaint("own.yaml") == "own.yaml:1: inherits: goes in a circle: own.yaml -> own.yaml"


@pytest.mark.parametrize(
    ("recipe", "line"),
    [
        ("koraen", "there is no recipe 'koraen': did you mean 'korean'? 'jumok recipes' lists ours"),
        ("xyzzy", "there is no recipe 'xyzzy': a file of yours ends in .yaml. 'jumok recipes' lists ours"),
        ("mine", "there is no recipe 'mine': did you mean the file mine.yaml? 'jumok recipes' lists ours"),
        ("some/korea.yaml", "some/korea.yaml: there is no such file; one of ours is called 'korean'"),
        ("orphan.yaml", "orphan.yaml:2: inherits: there is no recipe 'koraen': did you mean 'korean'?"),
    ],
)
def test_a_recipe_that_is_not_there(recipe: str, line: str) -> None:
    write("mine.yaml", "system: toy\n")
    write("orphan.yaml", "system: toy\ninherits: koraen\n")
    assert complaint(recipe).startswith(line)


FILES = "{source: a.en, target: a.de}"


def test_a_root_starts_from_its_recipe_and_a_typed_one_from_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("deep/base.yaml", f"system: toy\ndata: {{root: ../corpus, train: {FILES}}}\ninit: old\n")
    write("top.yaml", "inherits: deep/base.yaml\n")
    assert read("top.yaml").data.root == str(folder / "corpus")
    assert read("top.yaml").init == folder / "deep" / "old"
    assert read("top.yaml", "data.root=there").data.root == str(folder / "there")
    assert read("top.yaml", "init=there").init == folder / "there"
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    assert read("top.yaml", "data.root=~/there").data.root == str(folder / "there")


def test_files_without_a_root_are_beside_the_recipe_that_names_them(folder: Path) -> None:
    write("deep/base.yaml", f"system: toy\ndata: {{train: {FILES}}}\n")
    write("top.yaml", "inherits: deep/base.yaml\nseed: 2\n")
    write("other.yaml", f"inherits: deep/base.yaml\ndata: {{train: {FILES}}}\n")
    assert read("deep/base.yaml").data.root == str(folder / "deep")
    assert read("top.yaml").data.root == str(folder / "deep")
    assert read("other.yaml").data.root == str(folder)
    assert read({"system": "toy", "data": {"train": {"file": "a.tsv", "source": 0, "target": 1}}}).data.root == str(
        folder
    )


def test_practice_data_have_no_root() -> None:
    write("deep/base.yaml", "system: toy\n")
    assert read("deep/base.yaml").data.root == "."


def test_a_graphs_files_start_from_the_recipes_folder(folder: Path) -> None:
    recipe = write("deep/graph.yaml", "inherits: graphs\ndata: {path: edges.csv, nodes: nodes.csv}\n")
    data: Any = load(recipe).settings.model_dump()["data"]
    assert [data["path"], data["nodes"]] == [str(folder / "deep" / name) for name in ("edges.csv", "nodes.csv")]
    changed: Any = load(recipe, changes_of({"data.path": "other.csv"})).settings.model_dump()["data"]
    assert changed["path"] == str(folder / "other.csv")
