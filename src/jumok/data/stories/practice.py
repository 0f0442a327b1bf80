"""Practice stories: seeded, endless, in two languages, of six kinds, each with the sentences that its answer needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count as numbers
from itertools import pairwise
from typing import NamedTuple

from jumok.core.names import unknown
from jumok.data.korean.dice import Dice, Weights
from jumok.data.stories.question import Question
from jumok.data.stories.tongues import TONGUES, Tongue
from jumok.data.stories.world import PEOPLE, PLACES, World

VERSION = 1
"""Raised when the same seed gives other stories."""

_WALKING = Weights({"go": 6.0, "take": 1.0, "leave": 0.5})
_TRADING = Weights({"go": 3.0, "take": 4.0, "leave": 1.5, "give": 4.0})


class _Asked(NamedTuple):
    """A question about a world."""

    text: str
    answer: str
    support: tuple[int, ...]


class _Kind(NamedTuple):
    """What happens in stories of a kind, and what is asked; None where this story has nothing to ask."""

    events: Weights[str]
    ask: Callable[[World, Tongue, Dice], _Asked | None]


class Stories:
    """The practice stories of one kind (see `KINDS`) in a language, `en` or `ko`.

    seed: another number gives other stories. sentences: the fewest and the most of a story.

    >>> question = Stories(kind="where").question(0)
    >>> question.story[-2:], question.text
    (('Owen hurried to the cellar.', 'Hana went to the cellar.'), 'Where is Felix?')
    """

    def __init__(
        self, seed: int = 0, kind: str = "where", language: str = "en", sentences: tuple[int, int] = (4, 12)
    ) -> None:
        if kind not in KINDS:
            raise ValueError(unknown("kind of story", kind, KINDS))
        if language not in TONGUES:
            raise ValueError(unknown("language", language, TONGUES))
        least, most = sentences
        if not 4 <= least <= most:
            raise ValueError(f"sentences must satisfy 4 <= fewest <= most, not {least} and {most}")
        self.seed, self.kind, self.language, self.sentences = seed, kind, language, sentences

    def question(self, number: int) -> Question:
        """The question of this number; it follows from seed, kind and number alone, in every language alike."""
        kind, tongue = KINDS[self.kind], TONGUES[self.language]
        least, most = self.sentences
        dice = Dice(f"stories {VERSION} {self.seed} {self.kind} {number} {least} {most}")
        while True:
            world = World()
            for _ in range(least + dice.below(most - least + 1)):
                world.happens(dice, kind.events)
            asked = kind.ask(world, tongue, dice)
            if asked is not None:
                story = tuple(tongue.tell(event) for event in world.events)
                return Question(story, asked.text, asked.answer, asked.support, self.kind)

    def questions(self, count: int) -> Iterator[Question]:
        """Yields the first `count` questions."""
        return (self.question(number) for number in range(count))

    def __iter__(self) -> Iterator[Question]:
        return (self.question(number) for number in numbers())


def _where(world: World, tongue: Tongue, dice: Dice) -> _Asked | None:
    person = dice.pick(sorted(world.place_of))
    return _Asked(tongue.where(person), tongue.places[world.place_of[person]], (world.moves(person)[-1],))


def _before(world: World, tongue: Tongue, dice: Dice) -> _Asked | None:
    chances = []
    for person in range(PEOPLE):
        moves = world.moves(person)
        reached = [world.events[move].place for move in moves]
        # a place that somebody went to twice would have two befores
        chances += [
            (earlier, later) for earlier, later in pairwise(moves) if reached.count(world.events[later].place) == 1
        ]
    if not chances:
        return None
    earlier, later = dice.pick(chances)
    event = world.events[later]
    place = tongue.places[world.events[earlier].place]
    return _Asked(tongue.before(event.person, event.place), place, (earlier, later))


def _who(world: World, tongue: Tongue, dice: Dice) -> _Asked | None:
    if not world.holder_of:
        return None
    thing = dice.pick(sorted(world.holder_of))
    return _Asked(tongue.who(thing), tongue.people[world.holder_of[thing]], (world.last_of(thing),))


def _whether(world: World, tongue: Tongue, dice: Dice) -> _Asked | None:
    person, is_so = dice.pick(sorted(world.place_of)), dice.chance(0.5)
    there = world.place_of[person]
    place = there if is_so else dice.pick([place for place in range(PLACES) if place != there])
    return _Asked(tongue.whether(person, place), tongue.yes if is_so else tongue.no, (world.moves(person)[-1],))


def _dealer(world: World, dice: Dice) -> int | None:
    """Somebody who got or lost a thing."""
    dealers = [person for person in range(PEOPLE) if world.dealings(person)]
    return dice.pick(dealers) if dealers else None


def _how_many(world: World, tongue: Tongue, dice: Dice) -> _Asked | None:
    person = _dealer(world, dice)
    if person is None:
        return None
    answer = tongue.number(len(world.held_by(person)))
    return _Asked(tongue.how_many(person), answer, tuple(world.dealings(person)))


def _what(world: World, tongue: Tongue, dice: Dice) -> _Asked | None:
    person = _dealer(world, dice)
    if person is None or len(world.held_by(person)) > 2:
        return None
    answer = ", ".join(tongue.things[thing] for thing in world.held_by(person)) or tongue.nothing
    return _Asked(tongue.what(person), answer, tuple(world.dealings(person)))


KINDS: Mapping[str, _Kind] = {
    "where": _Kind(_WALKING, _where),
    "before": _Kind(_WALKING, _before),
    "who": _Kind(_TRADING, _who),
    "yes-no": _Kind(_WALKING, _whether),
    "count": _Kind(_TRADING, _how_many),
    "list": _Kind(_TRADING, _what),
}
"""The kinds: where somebody is, where he was before, who has a thing, yes or no, how many things, which things."""
