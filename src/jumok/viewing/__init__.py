"""Viewing: the record of a look, and its pictures.

An `AttentionMap` says what was looked at; it saves itself as SVG, one-file HTML, PNG, PDF, GIF or JSON, and draws
itself in the terminal and in notebooks. A `GraphLook` does the same for the edges of a graph, a `LineChart` for
figures. `from_transformers` takes maps that Hugging Face's models made, `read_looks` reads what was saved as JSON.
"""

from jumok.viewing.charts import LineChart, Point, Series
from jumok.viewing.film import save_film
from jumok.viewing.foreign import from_transformers
from jumok.viewing.graph_look import GraphLook
from jumok.viewing.html import save_html
from jumok.viewing.map import AttentionMap
from jumok.viewing.opening import read_looks
from jumok.viewing.side_by_side import save_together

__all__ = [
    "AttentionMap",
    "GraphLook",
    "LineChart",
    "Point",
    "Series",
    "from_transformers",
    "read_looks",
    "save_film",
    "save_html",
    "save_together",
]
