"""Whose verb carries the tense: in 밥을 먹고 학교에 갔다, "ate" must look at 갔다 too."""

from __future__ import annotations

from jumok.data.korean.connectives import DEPENDENT
from jumok.data.korean.tree import Clause, Phrase, Sentence


def settle(sentence: Sentence) -> None:
    """Tell every clause which one carries its tense: itself where Korean marks it, else the next that is marked."""
    bearer = sentence.blocks[-1].steps[-1].clause
    for index in reversed(range(len(sentence.blocks))):
        block = sentence.blocks[index]
        if index < len(sentence.joins) and (sentence.joins[index] == "but" or sentence.tense == "past"):
            bearer = block.steps[-1].clause
        for step in reversed(block.steps):
            own = step.clause if step.join == "but" else bearer
            _carry(step.clause, own)
            for dependent in step.dependents:
                ending, _ = DEPENDENT[dependent.connective].forms[dependent.variant]
                _carry(dependent.clause, dependent.clause if ending.startswith("+") else bearer)
        if block.subject:
            _describe(block.subject, bearer)


def _carry(clause: Clause, bearer: Clause) -> None:
    clause.bearer = bearer.key
    for phrase in clause.spoken + ([clause.subject] if clause.subject else []):
        _describe(phrase, bearer)


def _describe(phrase: Phrase, bearer: Clause) -> None:
    if phrase.relative:
        inner = phrase.relative.clause
        _carry(inner, inner if phrase.relative.past else bearer)
