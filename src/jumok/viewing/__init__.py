"""Viewing: the record of a look, and its pictures.

An `AttentionMap` says what was looked at; it saves itself as SVG, one-file HTML, PNG, PDF or JSON, and draws itself
in the terminal and in notebooks. A `LineChart` does the same for figures by length.
"""

from jumok.viewing.charts import LineChart, Point, Series
from jumok.viewing.film import save_film
from jumok.viewing.graph_look import GraphLook
from jumok.viewing.html import save_html
from jumok.viewing.map import AttentionMap

__all__ = ["AttentionMap", "GraphLook", "LineChart", "Point", "Series", "save_film", "save_html"]
