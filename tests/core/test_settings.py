"""Settings say in one line what is wrong with them, where, and what was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError, model_validator

from jumok.core.settings import Settings, read_settings


class Files(Settings):
    source: str
    target: str


class Table(Settings):
    file: str
    source: int | str = 0
    target: int | str = 1


class Practice(Settings):
    practice: Literal["korean"]
    pairs: int = Field(1000, gt=0)


class Words(Settings):
    kind: Literal["word"]
    size: int = 100


class Pieces(Settings):
    kind: Literal["bpe"]
    size: int = 8000
    dropout: float = 0.0


class Network(Settings):
    cell: Literal["lstm", "gru"] = "lstm"
    layers: int = Field(1, ge=1)
    betas: tuple[float, float] = (0.9, 0.999)
    attention: str | Words | None = None
    by_name: dict[str, Words] = Field(default_factory=dict)

    @model_validator(mode="after")
    def fits(self) -> Network:
        if self.cell == "gru" and self.layers > 2:
            raise ValueError("a GRU has two layers at most; lower layers")
        return self


class Experiment(Settings):
    seed: int = 1
    root: Path | None = None
    train: Files | Table | Practice = Practice(practice="korean")
    tokenizer: Annotated[Words | Pieces, Field(discriminator="kind")] = Words(kind="word")
    network: Network = Network()


def complaint(**values: Any) -> str:
    with pytest.raises(ValueError, match=r"^my\.yaml: ") as caught:
        read_settings(Experiment, values, "my.yaml")
    assert not isinstance(caught.value, ValidationError)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_what_fits_is_read_and_does_not_change() -> None:
    read = read_settings(Experiment, {"seed": 7, "train": {"file": "pairs.tsv"}}, "my.yaml")
    assert read == Experiment(seed=7, train=Table(file="pairs.tsv"))
    with pytest.raises(ValidationError):
        read.seed = 8  # type: ignore[misc]


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"sed": 1}, "sed: no such field; did you mean 'seed'? Known: network, root, seed, tokenizer, train"),
        ({"xyzzy": 1}, "xyzzy: no such field; known: network, root, seed, tokenizer, train"),
        ({"network": {"layer": 1}}, "network.layer: no such field; did you mean 'layers'? Known: "),
        ({"network": {"layers": "two"}}, "network.layers: should be a valid integer"),
        ({"network": {"layers": 0}}, "network.layers: should be greater than or equal to 1 (it is 0)"),
        ({"network": {"cell": "lsmt"}}, "network.cell: unknown 'lsmt'; did you mean 'lstm'? Known: lstm, gru"),
        ({"network": {"cell": 3}}, "network.cell: should be 'lstm' or 'gru' (it is 3)"),
        ({"network": {"betas": [0.9, "x"]}}, "network.betas.1: should be a valid number"),
        ({"network": {"cell": "gru", "layers": 3}}, "network: a GRU has two layers at most; lower layers"),
        ({"network": 3}, "network: should be a mapping of fields (it is 3)"),
        ({"network": {"by_name": {"a": {"kind": "word", "sze": 1}}}}, "network.by_name.a.sze: no such field"),
        ({"seed": None}, "seed: should be a valid integer (it is None)"),
    ],
)
def test_the_line_names_the_field_and_what_is_wrong(values: dict[str, Any], line: str) -> None:
    assert complaint(**values).startswith(f"my.yaml: {line}")


@pytest.mark.parametrize(
    ("train", "line"),
    [
        (
            {"file": "a.tsv", "source": 0, "traget": 1},
            "train.traget: no such field; did you mean 'target'? Known: file",
        ),
        ({"practise": "korean", "pairs": 5}, "train.practise: no such field; did you mean 'practice'? Known: pairs"),
        ({"practice": "korean", "pairs": 0}, "train.pairs: should be greater than 0 (it is 0)"),
        ({"practice": "korea"}, "train.practice: unknown 'korea'; did you mean 'korean'? Known: korean"),
        ({"source": "a.en"}, "train.target: is missing, and has no default"),
    ],
)
def test_of_a_union_the_kind_that_was_meant_speaks(train: dict[str, Any], line: str) -> None:
    assert complaint(train=train).startswith(f"my.yaml: {line}")


def test_a_union_of_a_word_and_settings_listens_to_the_one_that_was_written() -> None:
    assert "network.attention.sze: no such field" in complaint(network={"attention": {"kind": "word", "sze": 3}})
    assert "network.attention: " in complaint(network={"attention": 3})


def test_a_tagged_union_names_its_tags() -> None:
    assert (
        complaint(tokenizer={"kind": "bep"})
        == "my.yaml: tokenizer.kind: unknown 'bep'; did you mean 'bpe'? Known: bpe, word"
    )
    assert complaint(tokenizer={"size": 3}) == "my.yaml: tokenizer.kind: is missing, and has no default"
    assert complaint(tokenizer={"kind": "bpe", "drop": 1}).startswith(
        "my.yaml: tokenizer.drop: no such field; did you mean 'dropout'"
    )


def test_all_that_is_wrong_is_counted() -> None:
    assert complaint(seed="x", network={"layers": 0}).endswith("(and 1 more)")


def test_where_may_depend_on_the_field() -> None:
    with pytest.raises(ValueError, match=r"^line of network\.layers: network\.layers: should"):
        read_settings(Experiment, {"network": {"layers": 0}}, lambda path: f"line of {'.'.join(path)}")
