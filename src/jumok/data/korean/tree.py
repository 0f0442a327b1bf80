"""What a sentence is before it is Korean or English: phrases, clauses, steps, blocks.

    sentence = blocks joined by "and" or "but": the parts of one person's day, or what two people do
    block    = steps of one subject: 일어나서 | 밥을 먹고 | 비가 와서 버스를 탔다
    step     = a clause, with the clauses that depend on it: (비가 와서) 버스를 탔다
    clause   = a frame with its phrases; a phrase may hold a relative clause

Both sides are read off this tree, and words that come from the same node are aligned: a node owns a run of keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from jumok.data.korean.lexicon import Adjective, Frame, Noun

WORD, DETERMINER, OWNER, NUMBER, COUNTER, POSITION, NOT, MODAL, CONNECTIVE, FIXED, VERY, TOGETHER = range(12)
"""Offsets of the keys of a node: what of it a word stands for."""

ADJECTIVE, TENSE = 12, 15
_KEYS_OF_A_NODE = 16


class Keys:
    """Hands out runs of keys, one run a node."""

    def __init__(self) -> None:
        self._starts = count(_KEYS_OF_A_NODE, _KEYS_OF_A_NODE)

    def __call__(self) -> int:
        return next(self._starts)


@dataclass(slots=True, eq=False)
class Phrase:
    """A noun with all that stands around it, in one role of a clause."""

    noun: Noun
    key: int
    particle: str = ""
    preposition: str = ""
    article: str = "a"
    options: tuple[tuple[Noun, str], ...] = ()
    determiner: str = ""
    owner: Noun | None = None
    adjectives: list[Adjective] = field(default_factory=list)
    very: bool = False
    number: int = 0
    plural: bool = False
    position: str = ""
    idiom: str = ""
    second: Phrase | None = None
    relative: Relative | None = None

    @property
    def bare(self) -> bool:
        """Whether nothing but its particle and article stands around the noun."""
        return not (self.determiner or self.owner or self.adjectives or self.number or self.plural or self.second) and (
            self.relative is None
        )

    @property
    def who(self) -> str:
        """The pronoun that English takes the phrase up by, and that its verb agrees with ("one" where none fits)."""
        if self.number > 1 or self.plural or self.second or (self.noun.pairs and self.article != "own"):
            return "they"
        if "generic" in (self.article, self.noun.article) and not self.noun.mass and not self.number:
            return "they"
        return self.noun.pronoun or "one"


@dataclass(slots=True, eq=False)
class Time:
    """A phrase of time, of one key where `links` is empty; else `links[i]` is the Korean word of English word i."""

    korean: str
    english: str
    key: int
    room: str = "day"
    links: tuple[int, ...] = ()


@dataclass(slots=True, eq=False)
class Clause:
    """A frame with its phrases. `subject` is None where it is shared, left out or the gap of a relative clause;
    `where` holds the places that may be told, `company` the kinds of people who may be there too, `bearer` is the key
    of the clause whose verb carries the tense for this one (see `tenses`)."""

    frame: Frame
    key: int
    who: str
    honored: bool = False
    subject: Phrase | None = None
    phrases: list[Phrase] = field(default_factory=list)
    places: list[Phrase] = field(default_factory=list)
    where: tuple[Noun, ...] = ()
    company: tuple[str, ...] = ("friend", "name", "kin")
    companion: Phrase | None = None
    time: Time | None = None
    duration: Time | None = None
    adverb: tuple[str, str, str] | None = None
    very: bool = False
    than: Phrase | None = None
    negative: str = ""
    modal: str = ""
    progressive: bool = False
    bearer: int = 0

    @property
    def spoken(self) -> list[Phrase]:
        """Its phrases but the subject."""
        return self.phrases + self.places + ([self.companion] if self.companion else [])

    @property
    def described(self) -> bool:
        """Whether a relative clause describes one of them."""
        return any(phrase.relative for phrase in self.spoken)


@dataclass(slots=True, eq=False)
class Relative:
    """A clause that describes a noun: `pronoun` is who, that or where, `past` the tense that Korean marks, and
    `tense` the one that English gives an unmarked one."""

    clause: Clause
    pronoun: str
    past: bool
    tense: str = "present"
    ongoing: bool = False


@dataclass(slots=True, eq=False)
class Dependent:
    """A clause before another one, with the connective between them (`variant` is one of its Korean forms)."""

    connective: str
    variant: int
    clause: Clause


@dataclass(slots=True, eq=False)
class Step:
    """One thing that the subject of a block does; `join` is how the next step follows."""

    clause: Clause
    dependents: list[Dependent] = field(default_factory=list)
    join: str = ""


@dataclass(slots=True, eq=False)
class Block:
    """What one topic does at one time. `subject` is None for rain and snow, and where it is that of the block before
    (`shared`); `parts` are the parts of a day it is done in."""

    subject: Phrase | None
    steps: list[Step]
    time: Time | None = None
    shared: bool = False
    topic: bool = True
    parts: frozenset[str] = frozenset()
    dependents_first: bool = False


@dataclass(slots=True, eq=False)
class Style:
    """The choices of the Korean side that English does not see."""

    register: str = "plain"
    contracted: bool = True
    short_negation: bool = False
    colloquial: bool = False
    direction: bool = False
    together: str = "함께"
    very: str = "아주"
    time_first: bool = False
    object_first: bool = False
    merged: bool = False
    commas: bool = False


@dataclass(slots=True, eq=False)
class Sentence:
    """Blocks in one tense; `joins[i]` stands between block i and the next."""

    tense: str
    blocks: list[Block]
    joins: list[str]
    style: Style

    def phrases(self) -> Iterator[Phrase]:
        """Yields every phrase, those in relative clauses included."""
        waiting = [block.subject for block in self.blocks if block.subject]
        for clause in self.clauses():
            waiting += clause.spoken + ([clause.subject] if clause.subject else [])
        while waiting:
            phrase = waiting.pop()
            yield phrase
            waiting += [phrase.second] if phrase.second else []
            if phrase.relative:
                inner = phrase.relative.clause
                waiting += inner.spoken + ([inner.subject] if inner.subject else [])

    def clauses(self) -> Iterator[Clause]:
        """Yields every clause that is not a relative one, in Korean order."""
        for block in self.blocks:
            for step in block.steps:
                yield from (dependent.clause for dependent in step.dependents)
                yield step.clause
