"""What people do one after another, read from `words/routines.txt`: a row of clauses is a walk through a routine.

So nobody brushes teeth before getting up, and what is done in the park follows going there.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from jumok.data.korean.lexicon import HOME, Frame, Lexicon, Noun, lexicon, rows
from jumok.data.korean.making import Maker
from jumok.data.korean.tree import Clause

_NOT_AGAIN = {
    "past": frozenset[str](),
    "present": frozenset(("once", "mishap", "feel")),
    "future": frozenset(("mishap", "feel")),
    "now": frozenset[str](),
}


class Actor(NamedTuple):
    """Who acts: the noun and the pronoun that its verb agrees with."""

    noun: Noun
    who: str


class Stage(NamedTuple):
    """One step of a routine: a place to go to, or the frames of which one is done at `place` (None: at home)."""

    goal: Noun | None
    frames: tuple[Frame, ...]
    place: Noun | None

    @property
    def moves(self) -> bool:
        """Whether it changes the place."""
        return self.goal is not None or "home_come" in self.frames[0].tags


class Routine(NamedTuple):
    """The parts of the day in which it is done, its stages, and the places it goes to."""

    parts: frozenset[str]
    stages: tuple[Stage, ...]
    goals: frozenset[str]

    @property
    def away(self) -> bool:
        """Whether it is begun by going somewhere."""
        return self.stages[0].goal is not None

    def suits(self, words: Lexicon, noun: Noun) -> bool:
        """Whether somebody goes to all its places and does something at each stage."""
        return all(
            words.visits(noun, stage.goal) if stage.goal else any(frame in words.can[noun] for frame in stage.frames)
            for stage in self.stages
        )


@cache
def routines() -> tuple[Routine, ...]:
    """All routines."""
    words = lexicon()
    named: dict[str, list[Frame]] = {}
    for frame in words.frames:
        for tag in frame.tags:
            if tag.startswith("@"):
                named.setdefault(tag[1:], []).append(frame)
    found: list[tuple[str, list[Stage]]] = []
    place: Noun | None = None
    for row in rows("routines.txt"):
        if row[0].startswith("["):
            found.append((row[0][1:-1], []))
            place = None
            continue
        going = row[0].removeprefix("go:")
        if going != row[0]:
            place = words.place(going)
            found[-1][1].append(Stage(place, (), None))
            continue
        frames = tuple(frame for name in row[0].split() for frame in named[name])
        if "home_come" in frames[0].tags:
            place = None
        found[-1][1].append(Stage(None, frames, place))
    return tuple(
        Routine(frozenset(parts.split()), tuple(stages), frozenset(s.goal.korean for s in stages if s.goal))
        for parts, stages in found
    )


@cache
def routines_of(noun: Noun) -> tuple[Routine, ...]:
    """The routines that suit somebody."""
    return tuple(routine for routine in routines() if routine.suits(lexicon(), noun))


@cache
def _fitting(
    frames: tuple[Frame, ...], noun: Noun, pronoun: bool, aspects: str, tags: frozenset[str] | None, tense: str
) -> tuple[Frame, ...]:
    """Those of the frames that somebody does in a tense, of these aspects and with any of these tags."""
    can = lexicon().can[noun]
    return tuple(
        frame
        for frame in frames
        if frame in can
        and frame.aspect in aspects
        and (tags is None or frame.tags & tags)
        and (pronoun or not frame.own)
        and not frame.tags & _NOT_AGAIN[tense]
    )


class Walk:
    """One actor's way through a routine, clause by clause."""

    def __init__(self, make: Maker, actor: Actor, routine: Routine, steps: int) -> None:
        self.make, self.actor, self.routine = make, actor, routine
        self.at = make.dice.pick(self._starts(max(1, len(routine.stages) - steps))) - 1
        self.first = True

    def _starts(self, count: int) -> list[int]:
        """The stages at which it may start, of the first `count`: at home, on the way, or first at a place."""
        stages = self.routine.stages
        return [i for i in range(count) if not i or stages[i].goal or stages[i - 1].goal or self._at_home(stages[i])]

    def _at_home(self, stage: Stage) -> bool:
        return stage.place is None and not stage.moves

    @property
    def stage(self) -> Stage | None:
        """The next stage, None at the end."""
        stages = self.routine.stages
        return stages[self.at + 1] if self.at + 1 < len(stages) else None

    def stop(self) -> None:
        """Go no further."""
        self.at = len(self.routine.stages) - 1

    def skip(self) -> None:
        """At times leave out a stage, where the next one is at the same place; not what one has come for."""
        stages, at = self.routine.stages, self.at + 1
        came = at > 0 and stages[at - 1].goal is not None
        if (
            not came
            and at + 1 < len(stages)
            and not stages[at].moves
            and not stages[at + 1].moves
            and self.make.dice.chance(0.4)
        ):
            self.at += 1

    def take(self, aspects: str = "ae", tags: frozenset[str] | None = None) -> Clause | None:
        """The clause of the next stage, of these aspects and with any of these tags, or None; a goal has no tags."""
        stage = self.stage
        if stage is None:
            return None
        if stage.goal:
            if tags is not None or stage.goal.korean in self.make.used:
                return None
            clause = self.make.going(self.actor.noun, self.actor.who, stage.goal)
        else:
            noun, who = self.actor
            options = _fitting(stage.frames, noun, who != "one", aspects, tags, self.make.tense)
            frame = self.make.fresh(options) if options else None
            if frame is None:
                return None
            if self.first and stage.place is not None and stage.place not in frame.places:
                return None
            clause = self.make.clause(frame, *self.actor)
            self._put(clause, stage)
        self.at += 1
        self.first = False
        return clause

    def beside(self, other: Actor) -> Clause | None:
        """What somebody else does in the same place meanwhile."""
        stages, at = self.routine.stages, self.at
        near = [
            s for s in stages[max(0, at - 1) : at + 2] if not s.moves and s.place is stages[at].place and not s.goal
        ]
        frames = tuple(frame for stage in near for frame in stage.frames)
        options = _fitting(frames, other.noun, other.who != "one", "a", frozenset(("aside",)), self.make.tense)
        frame = self.make.fresh(options) if options else None
        if frame is None:
            return None
        clause = self.make.clause(frame, *other)
        clause.where = ()
        return clause

    def _put(self, clause: Clause, stage: Stage) -> None:
        """Where it may be told to be done; who has not gone there is told to be there."""
        if stage.place is None:
            clause.where = tuple(
                place for place in clause.frame.places if place.korean in HOME and (self.first or place.korean != "집")
            )
            return
        clause.where = ()
        for phrase in clause.phrases:
            phrase.owner = None
        if self.first:
            clause.places = [self.make.place(clause.frame, stage.place)]
