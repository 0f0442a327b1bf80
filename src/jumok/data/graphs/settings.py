"""What a recipe says about its graph."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

from pydantic import Discriminator, Field, Tag, model_validator

from jumok.core.settings import Settings
from jumok.data.corpora.settings import FileName
from jumok.data.graphs.lookup import FEWEST


class GraphFile(Settings):
    """A graph in a file of yours."""

    path: FileName
    """An `.npz` (see `jumok.data.graphs.read_npz`), or a list of edges: .tsv, .csv or .txt."""

    nodes: FileName | None = None
    """With a list of edges: the table of the nodes, with their labels and features."""

    directed: bool = False
    """Whether an edge lets only its target look at its source, and not the other way round as well."""

    normalize: bool = False
    """Whether each node's features are scaled to sum to 1."""

    train_share: float = Field(default=0.6, gt=0, lt=1)
    """Where the file has no split: the share of the labelled nodes to learn from."""

    validation_share: float = Field(default=0.2, gt=0, lt=1)
    """Likewise: the share to watch the training with; the rest is for testing."""

    split_seed: int = 0
    """Likewise: another seed deals them out in another way."""

    @model_validator(mode="after")
    def _shares(self) -> GraphFile:
        if self.train_share + self.validation_share > 1:
            raise ValueError("train_share and validation_share: together they are more than 1")
        return self


class KarateData(Settings):
    """The karate club (Zachary 1977), which comes with jumok."""

    practice: Literal["karate"]
    """Its name."""


class LookupData(Settings):
    """Dictionaries to look up (Brody et al. 2022), generated, the same on every machine."""

    practice: Literal["lookup"]
    """Their name."""

    size: int = Field(default=10, ge=FEWEST, le=1000)
    """Keys of a dictionary, and queries."""

    graphs: int = Field(default=1000, ge=1)
    """Dictionaries of an epoch; the next epoch has others."""

    batch: int = Field(default=4, ge=1)
    """Dictionaries of one update."""

    held_out: int = Field(default=100, ge=1)
    """Dictionaries to watch the training with, and as many others to test; training never sees them."""

    seed: int = 0
    """Another seed gives other dictionaries."""


def _kind(value: Any) -> str | None:
    """The name of the settings that are meant, told by what only they have."""
    if isinstance(value, Settings):
        return type(value).__name__
    if not isinstance(value, dict):
        return None
    if "practice" in value:
        return {"karate": "KarateData", "lookup": "LookupData"}.get(str(value["practice"]))
    return "GraphFile" if "path" in value else None


GraphDataSettings = Annotated[
    Union[  # noqa: UP007 (a type alias that Python 3.10 can build from Annotated parts)
        Annotated[GraphFile, Tag("GraphFile")],
        Annotated[KarateData, Tag("KarateData")],
        Annotated[LookupData, Tag("LookupData")],
    ],
    Discriminator(
        _kind,
        custom_error_type="graph",
        custom_error_message="expected {path: FILE}, {practice: karate} or {practice: lookup, size: NUMBER}",
    ),
]
"""Where a graph comes from; which kind it is, its keys say."""
