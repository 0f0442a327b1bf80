"""What people do one after another, read from `words/routines.txt`: a row of clauses is a walk through a routine.

So nobody brushes teeth before getting up, and what is done in the park follows going there.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from jumok.data.korean.lexicon import HOME, PARTS, Frame, Lexicon, Noun, lexicon, rows
from jumok.data.korean.making import Maker
from jumok.data.korean.tree import Clause

_ANOTHER_DAY = {
    "school": ("office", "trip", "free"),
    "office": ("pupil", "trip"),
    "trip": ("trip", "gym"),
    "gym": ("gym",),
}
"""Marks of routines that do not share a day."""

_NOT_AGAIN = {
    "past": frozenset[str](),
    "present": frozenset(("once", "mishap", "feel")),
    "future": frozenset(("mishap", "feel")),
    "now": frozenset[str](),
}


AT_HOME = "집"

_NEVER_FIRST = frozenset(("@dishes", "@teeth", "@lights"))
"""Tags of what only follows on something else."""


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

    @property
    def leaves_one_at(self) -> str:
        """The place where one is after it."""
        place = self.goal or self.place
        return place.korean if place else AT_HOME


class Routine(NamedTuple):
    """The parts of the day in which it is done, its marks and its stages."""

    parts: frozenset[str]
    marks: frozenset[str]
    stages: tuple[Stage, ...]

    def joins(self, other: Routine) -> bool:
        """Whether both may be parts of one day: nobody goes to school and to work, or on a trip from there."""
        return not (self._excludes(other) or other._excludes(self))

    def _excludes(self, other: Routine) -> bool:
        if "office" in self.marks and "office" not in other.marks and "afternoon" in other.parts:
            return True
        return any(mark in other.marks for mine in self.marks for mark in _ANOTHER_DAY.get(mine, ()))

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
        way, _, goal = row[0].partition(":")
        if goal:
            place = words.place(goal)
            if way == "go":
                found[-1][1].append(Stage(place, (), None))
            continue
        frames = tuple(frame for name in row[0].split() for frame in named[name])
        if "home_come" in frames[0].tags:
            place = None
        found[-1][1].append(Stage(None, frames, place))
    return tuple(
        Routine(frozenset(heading.split()) & {*PARTS}, frozenset(heading.split()) - {*PARTS}, tuple(stages))
        for heading, stages in found
    )


@cache
def routines_of(noun: Noun, part: str = "") -> tuple[Routine, ...]:
    """The routines that suit somebody, in one part of the day or in any."""
    found = (routine for routine in routines() if not part or part in routine.parts)
    return tuple(routine for routine in found if routine.suits(lexicon(), noun))


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


def starts(routine: Routine, steps: int, where: str, used: set[str], timed: bool) -> list[int]:
    """The stages at which somebody who is at `where` ("" if that was not told) may start, with `steps` more to come.

    One goes to a new place, is told to be at one, comes home from another, or is at home. Behind a time (`timed`) no
    meal comes first: 저녁에는 저녁을 먹었다 says it twice.
    """
    stages = routine.stages
    found = []
    for index, stage in enumerate(stages[: max(1, len(stages) - steps)]):
        place = stage.goal or stage.place
        if place:
            fits = place.korean not in used and (
                stage.goal is not None or not index or stages[index - 1].goal is not None
            )
        elif stage.moves:
            fits = where != AT_HOME and (bool(where) or not index)
        else:
            fits = where in ("", AT_HOME) and not stage.frames[0].tags & (_NEVER_FIRST | ({"meal"} if timed else set()))
        if fits:
            found.append(index)
    return found


class Walk:
    """One actor's way through a routine, clause by clause; `where` is the place it has come to ("" if not told)."""

    def __init__(self, make: Maker, actor: Actor, routine: Routine, start: int, where: str = "") -> None:
        self.make, self.actor, self.routine = make, actor, routine
        self.at, self.where = start - 1, where
        self.first = True

    @property
    def stage(self) -> Stage | None:
        """The next stage, None at the end."""
        stages = self.routine.stages
        return stages[self.at + 1] if self.at + 1 < len(stages) else None

    @property
    def settled(self) -> bool:
        """Whether the last stage was something done at home."""
        return self.where == AT_HOME and not self.routine.stages[self.at].moves

    def stop(self) -> None:
        """Go no further."""
        self.at = len(self.routine.stages) - 1

    def skip(self) -> None:
        """At times leave out a stage, where the next one is at the same place; not what one has come for."""
        stages, at = self.routine.stages, self.at + 1
        if self.first:
            return
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
        self.where = stage.leaves_one_at
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
            clause.company = ("kin",)
            clause.where = (
                ()
                if "sleep" in clause.frame.tags
                else tuple(
                    place
                    for place in clause.frame.places
                    if place.korean in HOME and (not self.where or place.korean != AT_HOME)
                )
            )
            return
        clause.where = ()
        if stage.place.visitors:
            clause.company = ("friend",)
        for phrase in clause.phrases:
            phrase.owner = None
        if self.first:
            clause.places = [self.make.place(clause.frame, stage.place)]
