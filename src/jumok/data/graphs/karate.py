"""The karate club (Zachary 1977): 34 members, who met whom outside the club, and whom they followed when it broke."""

from __future__ import annotations

from jumok.data.graphs.graph import Graph, Rows

MEMBERS = 34
LEADERS = {1: "Mr. Hi", 34: "John A."}
CLASSES = ("Mr. Hi", "officers")

WITH_MR_HI = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 20, 22})

MET = {
    1: (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 18, 20, 22, 32),
    2: (3, 4, 8, 14, 18, 20, 22, 31),
    3: (4, 8, 9, 10, 14, 28, 29, 33),
    4: (8, 13, 14),
    5: (7, 11),
    6: (7, 11, 17),
    7: (17,),
    9: (31, 33, 34),
    10: (34,),
    14: (34,),
    15: (33, 34),
    16: (33, 34),
    19: (33, 34),
    20: (34,),
    21: (33, 34),
    23: (33, 34),
    24: (26, 28, 30, 33, 34),
    25: (26, 28, 32),
    26: (32,),
    27: (30, 34),
    28: (34,),
    29: (32, 34),
    30: (33, 34),
    31: (33, 34),
    32: (33, 34),
    33: (34,),
}
"""For each member those with a higher number whom they met; members are numbered from 1."""

WATCHED = (3, 5, 9, 12, 10, 15, 24, 32)
"""The members whose side is used to watch the training; only the two leaders' sides are learned from."""


def karate() -> Graph:
    """The club as a graph: the sides of its two leaders are known, and those of the others are asked for.

    >>> karate()
    Graph(34 nodes, 78 edges, 34 features, 2 classes)
    """
    members = range(1, MEMBERS + 1)
    known = {*LEADERS, *WATCHED}
    return Graph.of(
        Rows.identity(MEMBERS),
        [(one - 1, other - 1) for one, others in MET.items() for other in others],
        [CLASSES[member not in WITH_MR_HI] for member in members],
        names=[LEADERS.get(member, str(member)) for member in members],
        classes=CLASSES,
        train=[member - 1 for member in LEADERS],
        validation=[member - 1 for member in WATCHED],
        test=[member - 1 for member in members if member not in known],
    )
