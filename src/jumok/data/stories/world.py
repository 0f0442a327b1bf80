"""The small world of the practice stories: people go from room to room, and take, give and leave things."""

from __future__ import annotations

from typing import NamedTuple

from jumok.data.korean.dice import Dice, Weights

PEOPLE, PLACES, THINGS = 6, 6, 6
"""So many there are of each; a language has a word for every one."""

HANDS = 3
"""Nobody carries more things."""

WORDINGS = 6
"""A multiple of the numbers of ways in which a language says one thing, so that all are as likely."""


class Event(NamedTuple):
    """Something that happened. `what` is go, take, leave or give; people, places and things are numbers."""

    what: str
    person: int
    place: int
    wording: int
    """Which of the ways to say it."""
    thing: int = -1
    receiver: int = -1


class World:
    """What is where while a story is told; only what the story has told is so."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.place_of: dict[int, int] = {}
        self.holder_of: dict[int, int] = {}
        self.lies_in: dict[int, int] = {}

    def happens(self, dice: Dice, wanted: Weights[str]) -> None:
        """One more event; what cannot happen is drawn again."""
        event = None
        while event is None:
            event = self._drawn(dice.weighted(wanted), dice)
        self.events.append(event)
        if event.what == "go":
            self.place_of[event.person] = event.place
            return
        self.holder_of.pop(event.thing, None)
        self.lies_in.pop(event.thing, None)
        if event.what == "leave":
            self.lies_in[event.thing] = self.place_of[event.person]
        else:
            self.holder_of[event.thing] = event.person if event.what == "take" else event.receiver

    def _drawn(self, what: str, dice: Dice) -> Event | None:
        """What can happen: nobody goes where he is, takes what lies elsewhere, or has more than he can carry."""
        here, wording = self.place_of, dice.below(WORDINGS)
        if what == "go":
            person = dice.below(PEOPLE)
            return Event(
                what, person, dice.pick([place for place in range(PLACES) if place != here.get(person)]), wording
            )
        if what == "take":
            pairs = [
                (person, thing, -1)
                for person in sorted(here)
                for thing in range(THINGS)
                if thing not in self.holder_of
                and self.lies_in.get(thing, here[person]) == here[person]
                and self._has_room(person)
            ]
        elif what == "leave":
            pairs = [(person, thing, -1) for thing, person in sorted(self.holder_of.items())]
        else:
            pairs = [
                (person, thing, other)
                for thing, person in sorted(self.holder_of.items())
                for other in sorted(here)
                if other != person and here[other] == here[person] and self._has_room(other)
            ]
        if not pairs:
            return None
        person, thing, receiver = dice.pick(pairs)
        return Event(what, person, -1, wording, thing, receiver)

    def _has_room(self, person: int) -> bool:
        return len(self.held_by(person)) < HANDS

    def moves(self, person: int) -> list[int]:
        """The numbers of the events in which somebody went somewhere."""
        return [number for number, event in enumerate(self.events) if event.what == "go" and event.person == person]

    def dealings(self, person: int) -> list[int]:
        """The numbers of the events in which somebody got or lost a thing."""
        return [
            number
            for number, event in enumerate(self.events)
            if event.what != "go" and person in (event.person, event.receiver)
        ]

    def last_of(self, thing: int) -> int:
        """The number of the last event in which a thing changed hands."""
        return max(number for number, event in enumerate(self.events) if event.thing == thing)

    def held_by(self, person: int) -> list[int]:
        """The things that somebody has."""
        return sorted(thing for thing, holder in self.holder_of.items() if holder == person)
