"""How the practice stories are told and asked, in English and in Korean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from jumok.data.hangul import attach, counted
from jumok.data.stories.world import Event


class Tongue(Protocol):
    """A language: the words of the world, its sentences, the six questions, and the answers."""

    people: Sequence[str]
    places: Sequence[str]
    things: Sequence[str]
    yes: str
    no: str
    nothing: str

    def tell(self, event: Event) -> str: ...
    def where(self, person: int) -> str: ...
    def before(self, person: int, place: int) -> str: ...
    def who(self, thing: int) -> str: ...
    def whether(self, person: int, place: int) -> str: ...
    def how_many(self, person: int) -> str: ...
    def what(self, person: int) -> str: ...
    def number(self, count: int) -> str: ...


class English:
    """English."""

    people: Sequence[str] = ("Nora", "Owen", "Iris", "Felix", "Hana", "Jonas")
    places: Sequence[str] = ("kitchen", "library", "attic", "workshop", "courtyard", "cellar")
    things: Sequence[str] = ("lantern", "umbrella", "map", "teapot", "violin", "ladder")
    yes, no, nothing = "yes", "no", "nothing"

    _go = ("went to", "walked to", "hurried to")
    _take = ("took", "picked up", "grabbed")
    _leave = ("put down", "left")
    _give = ("gave", "handed")
    _numbers = ("none", "one", "two", "three")

    def tell(self, event: Event) -> str:
        """The sentence for an event."""
        person = self.people[event.person]
        if event.what == "go":
            return f"{person} {_one(self._go, event)} the {self.places[event.place]}."
        thing = self.things[event.thing]
        if event.what == "give":
            return f"{person} {_one(self._give, event)} the {thing} to {self.people[event.receiver]}."
        return f"{person} {_one(self._take if event.what == 'take' else self._leave, event)} the {thing}."

    def where(self, person: int) -> str:
        """Where somebody is."""
        return f"Where is {self.people[person]}?"

    def before(self, person: int, place: int) -> str:
        """Where somebody was before."""
        return f"Where was {self.people[person]} before the {self.places[place]}?"

    def who(self, thing: int) -> str:
        """Who has a thing."""
        return f"Who has the {self.things[thing]}?"

    def whether(self, person: int, place: int) -> str:
        """Whether somebody is in a place."""
        return f"Is {self.people[person]} in the {self.places[place]}?"

    def how_many(self, person: int) -> str:
        """How many things somebody has."""
        return f"How many things does {self.people[person]} have?"

    def what(self, person: int) -> str:
        """Which things somebody has."""
        return f"What does {self.people[person]} have?"

    def number(self, count: int) -> str:
        """A number as an answer."""
        return self._numbers[count]


class Korean:
    """Korean, in the plain style."""

    people: Sequence[str] = ("민준", "서연", "하늘", "지우", "도윤", "유나")
    places: Sequence[str] = ("부엌", "서재", "마당", "다락방", "작업실", "거실")
    things: Sequence[str] = ("우산", "지도", "주전자", "등불", "사다리", "피리")
    yes, no, nothing = "네", "아니요", "없음"

    _go = ("갔다", "걸어갔다", "뛰어갔다")
    _take = ("집었다", "들었다", "챙겼다")
    _leave = ("내려놓았다", "놓아두었다")
    _give = ("주었다", "건넸다")

    def tell(self, event: Event) -> str:
        """The sentence for an event."""
        person = attach(self.people[event.person], "은")
        if event.what == "go":
            return f"{person} {attach(self.places[event.place], '으로')} {_one(self._go, event)}."
        thing = attach(self.things[event.thing], "을")
        if event.what == "give":
            return f"{person} {self.people[event.receiver]}에게 {thing} {_one(self._give, event)}."
        return f"{person} {thing} {_one(self._take if event.what == 'take' else self._leave, event)}."

    def where(self, person: int) -> str:
        """Where somebody is."""
        return f"{attach(self.people[person], '은')} 어디에 있나?"

    def before(self, person: int, place: int) -> str:
        """Where somebody was before."""
        return f"{attach(self.people[person], '은')} {self.places[place]}에 가기 전에 어디에 있었나?"

    def who(self, thing: int) -> str:
        """Who has a thing."""
        return f"{attach(self.things[thing], '은')} 누가 가지고 있나?"

    def whether(self, person: int, place: int) -> str:
        """Whether somebody is in a place."""
        return f"{attach(self.people[person], '은')} {self.places[place]}에 있나?"

    def how_many(self, person: int) -> str:
        """How many things somebody has."""
        return f"{attach(self.people[person], '은')} 물건을 몇 개 가지고 있나?"

    def what(self, person: int) -> str:
        """Which things somebody has."""
        return f"{attach(self.people[person], '은')} 무엇을 가지고 있나?"

    def number(self, count: int) -> str:
        """A number as an answer."""
        return counted(count, "개") if count else self.nothing


TONGUES: dict[str, Tongue] = {"en": English(), "ko": Korean()}
"""The languages by code."""


def _one(ways: Sequence[str], event: Event) -> str:
    return ways[event.wording % len(ways)]
