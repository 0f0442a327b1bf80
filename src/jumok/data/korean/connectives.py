"""The endings that join clauses, as data: Korean forms, the English word, and the shape English gives the clause."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Connective:
    """A connective between a clause and the one it depends on.

    `forms` are the Korean endings with the word that follows them, any of which says the same; "+" asks for the past.
    `shape` is what English makes of the clause: finite (with a pronoun), gerund or infinitive.
    """

    english: str
    forms: tuple[tuple[str, str], ...]
    shape: str


DEPENDENT = {
    "because": Connective("because", (("아/어서", ""), ("+기", "때문에")), "finite"),
    "if": Connective("if", (("(으)면", ""),), "finite"),
    "even if": Connective("even if", (("아/어도", ""),), "finite"),
    "when": Connective("when", (("(으)ㄹ", "때"),), "finite"),
    "when done": Connective("when", (("+을", "때"),), "finite"),
    "before": Connective("before", (("기", "전에"),), "gerund"),
    "after": Connective("after", (("(으)ㄴ", "후에"), ("(으)ㄴ", "뒤에"), ("고", "나서")), "gerund"),
    "while doing": Connective("while", (("(으)면서", ""),), "gerund"),
    "while": Connective("while", (("는", "동안"),), "finite"),
    "to go": Connective("to", (("(으)러", ""), ("(으)려고", "")), "infinitive"),
    "to": Connective("to", (("(으)려고", ""), ("기", "위해")), "infinitive"),
    "as soon as": Connective("as soon as", (("자마자", ""),), "finite"),
}
"""Clauses that depend on the next one."""

STEPS = {
    "and": ("고", "and"),
    "on": ("아/어서", "and"),
    "or": ("거나", "or"),
    "then": ("다가", "and then"),
    "but": ("+지만", "but"),
}
"""Endings between the steps of one subject: 가서 goes on from what was done, 읽다가 breaks off."""

BLOCKS = {"and": ("+고", "and"), "but": ("+지만", "but")}
"""Endings between blocks, which have subjects of their own."""
