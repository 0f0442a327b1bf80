"""What the model in a folder learned from, by the recipe that it keeps."""

from __future__ import annotations

from pathlib import Path

from jumok.data.graphs import Graph, GraphFile, open_graphs
from jumok.data.pictures import LabelledPictureData, PictureDataSettings, PictureFile, PictureScene, PracticePictures
from jumok.data.pictures.labels import PracticeObjects, drawn_objects
from jumok.data.pictures.practice import practice_pictures
from jumok.recipes.running import KEPT, kept_recipe

OTHERS = 1_000_000
"""Added to the seed of practice pictures: pictures that nobody trains or tests on."""


def graph_of(model: Path) -> Graph:
    """The graph that the recipe of a graph classifier names."""
    if not (model / KEPT).exists():
        raise ValueError(f"{model}: has no {KEPT}, so the graph that it learned from is not known; give --graph FILE")
    data = kept_recipe(model).data
    if isinstance(data, GraphFile):
        data = data.model_copy(update={"normalize": False})  # the classifier scales the features itself
    return open_graphs(data).example


def drawn_like(model: Path, count: int) -> list[tuple[PictureFile | PictureScene, str]]:
    """New practice pictures like those that a model learned from, each with its label or its caption."""
    data = kept_recipe(model).data if (model / KEPT).exists() else None
    train = data.train if isinstance(data, LabelledPictureData | PictureDataSettings) else None
    if not isinstance(train, PracticeObjects | PracticePictures):
        raise ValueError("--examples: this model did not learn from practice pictures; name files of yours")
    others = train.model_copy(update={"pictures": count, "seed": train.seed + OTHERS})
    drawn = drawn_objects(others) if isinstance(others, PracticeObjects) else practice_pictures(others)
    return [(entry.picture, entry.captions[0]) for entry in drawn]
