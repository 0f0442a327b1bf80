"""Graphs: their formats, the karate club, and dictionaries to look up."""

from jumok.data.graphs.graph import SPLITS, UNKNOWN, Graph, Rows
from jumok.data.graphs.karate import karate
from jumok.data.graphs.links import Links, links_of
from jumok.data.graphs.lookup import lookup
from jumok.data.graphs.npz import read_npz, save_npz
from jumok.data.graphs.opening import GraphSource, Part, open_graphs, read_graph
from jumok.data.graphs.settings import GraphDataSettings, GraphFile, KarateData, LookupData
from jumok.data.graphs.tables import read_tables

__all__ = [
    "SPLITS",
    "UNKNOWN",
    "Graph",
    "GraphDataSettings",
    "GraphFile",
    "GraphSource",
    "KarateData",
    "Links",
    "LookupData",
    "Part",
    "Rows",
    "karate",
    "links_of",
    "lookup",
    "open_graphs",
    "read_graph",
    "read_npz",
    "read_tables",
    "save_npz",
]
