"""Ways in which clauses hang together, one function each: a cause and what it leads to, an errand and its place.

A pattern makes the steps of one actor, or None where the lexicon has nothing for this one. It chooses both clauses
together, so that people eat because they are hungry and borrow books where there are some.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from jumok.data.korean.lexicon import Cause, Frame, Noun
from jumok.data.korean.making import Maker
from jumok.data.korean.tree import Clause, Dependent, Phrase, Step


class Actor(NamedTuple):
    """Who acts: the noun and the pronoun that its verb agrees with."""

    noun: Noun
    who: str


Steps = list[Step] | None
Pattern = Callable[[Maker, Actor], Steps]

_BEFORE_WHICH = frozenset(("eat", "duty", "cooking", "leisure", "errand"))
_FIRST_ANSWERS = frozenset(("eat", "cool", "rest", "bedrest", "cure"))


def plain(make: Maker, actor: Actor) -> Steps:
    """One thing that is done; alone, it may be anything, and in a row it belongs to the theme."""
    aspects = "ae" if make.theme else "aw" if make.tense == "now" else "aewd"
    clause = make.act(*actor, aspects, theme=make.theme)
    if clause is None:
        return None
    if make.tense == "now":
        clause.progressive = True
    return [Step(clause)]


def _cause(make: Maker, actor: Actor, connective: str) -> tuple[Cause, Clause] | None:
    causes = _causes(make, actor, connective)
    if not causes:
        return None
    cause = make.dice.pick(causes)
    frame = cause.frame
    if not cause.shared:
        make.used.add("weather")
    if cause.shared:
        return cause, make.clause(frame, *actor)
    if not frame.subjects:
        return cause, make.clause(frame, None, "it")
    subject = Phrase(frame.subjects[0], make.key(), "이", article=frame.subjects[0].article)
    if subject.article == "a":
        subject.article = "the"
    make.used.add(subject.noun.korean)
    clause = make.clause(frame, None, subject.who)
    clause.subject = subject
    return cause, clause


def _answer(make: Maker, actor: Actor, tags: frozenset[str], negative: str) -> Clause | None:
    clause = make.act(*actor, "aew", tags, make.theme)
    if clause is not None and not negative and "indoor" in tags & clause.frame.tags:
        clause.places = [make.place(clause.frame)]
        if clause.places[0].noun.korean not in ("집", "방", "거실", "카페", "도서관"):
            return None
    if clause is not None and negative:
        clause.negative = negative
        for phrase in clause.phrases:
            phrase.number = 0
    return clause


def _causes(make: Maker, actor: Actor, connective: str) -> tuple[Cause, ...]:
    """The states that can be this actor's reason: an honored one's own state is not told, school is for the young."""
    pupil = actor.noun.classes & {"youth", "name"}
    return tuple(
        cause
        for cause in make.words.causes
        if (connective == "because" or "inner" not in cause.leads)
        and not (actor.noun.honored and cause.shared)
        and (pupil or cause.frame.stem != "끝나")
        and (connective != "even if" or "even" in cause.leads)
        and not (connective == "because" and make.tense != "past" and "event" in cause.leads)
        and (cause.shared or "weather" not in make.used)
        and not (make.started and "event" in cause.leads)
    )


def caused(make: Maker, actor: Actor) -> Steps:
    """배가 고파서 밥을 먹었다; 비가 오면 집에서 쉰다; 배가 불러서 먹지 않았다."""
    connective = "if" if make.tense == "future" else "because"
    if make.tense == "present" and make.dice.chance(0.65):
        connective = "if"
    chosen = _cause(make, actor, connective)
    if chosen is None:
        return None
    cause, state = chosen
    leads = cause.leads - {"even", "inner", "unable", "event"}
    negative = ""
    if cause.prevents and (not leads or make.dice.chance(0.25)):
        negative = "cannot" if "unable" in cause.leads and make.tense == "past" else "not"
    clause = _answer(make, actor, cause.prevents if negative else cause.leads, negative)
    if clause is None:
        return None
    if make.tense == "now":
        if clause.negative or clause.frame.aspect == "e":
            return None
        clause.progressive = True
    variant = int(connective == "because" and make.tense in ("past", "present") and make.dice.chance(0.3))
    return [Step(clause, [Dependent(connective, variant, state)])]


def despite(make: Maker, actor: Actor) -> Steps:
    """피곤했지만 숙제를 했다; 비가 와도 축구를 한다; 배가 고팠지만 먹지 않았다."""
    chosen = _cause(make, actor, "even if")
    if chosen is None:
        return None
    cause, state = chosen
    negative = "not" if cause.leads & _FIRST_ANSWERS and (not cause.prevents or make.dice.chance(0.5)) else ""
    clause = _answer(make, actor, cause.leads & _FIRST_ANSWERS if negative else cause.prevents, negative)
    if clause is None or make.tense == "now":
        return None
    if cause.shared and make.tense != "future" and not make.theme and make.dice.chance(0.5):
        return [Step(state, join="but"), Step(clause)]
    return [Step(clause, [Dependent("even if", 0, state)])]


def _errand(make: Maker, actor: Actor) -> tuple[Frame, Noun] | None:
    if make.theme == "home":
        return None
    options = make.frames(*actor, "ae", frozenset(("errand",)), make.theme)
    if not options:
        return None
    frame = make.fresh(options)
    places = [place for place in frame.places if "destination" in place.classes] if frame else []
    places = [place for place in places if place.korean not in make.used]
    return (frame, make.noun(places)) if frame and places else None


def _motion(make: Maker, actor: Actor, place: Noun) -> Clause:
    frame = next(f for f in make.words.frames if f.english == "go" and f.slots)
    clause = make.goal(frame, place)
    clause.who, clause.honored = actor.who, actor.noun.honored
    return clause


def go_and(make: Maker, actor: Actor) -> Steps:
    """시장에 가서 사과를 샀다."""
    errand = _errand(make, actor)
    if errand is None or make.tense == "now":
        return None
    frame, place = errand
    return [Step(_motion(make, actor, place), join="on"), Step(make.clause(frame, *actor))]


def go_to_do(make: Maker, actor: Actor) -> Steps:
    """책을 빌리러 도서관에 갔다."""
    errand = _errand(make, actor)
    if errand is None or make.tense == "now":
        return None
    frame, place = errand
    purpose = make.clause(frame, *actor)
    purpose.honored = False
    return [Step(_motion(make, actor, place), [Dependent("to go", make.dice.below(2), purpose)])]


def in_order_to(make: Maker, actor: Actor) -> Steps:
    """산에 가려고 일찍 일어났다; 자전거를 사려고 돈을 모았다."""
    if make.tense == "now":
        return None
    way = make.dice.pick(("travel", "save"))
    if way == "save":
        saving = make.act(*actor, "a", frozenset(("saving",)))
        wish = make.act(*actor, "e", frozenset(("save",)))
        variant = make.dice.below(2)
    else:
        wish = _motion(make, actor, make.noun(make.words.of("destination")))
        saving = make.act(*actor, "e", frozenset(("ride",) if make.started else ("early", "ride")))
        variant = 0
    if saving is None or wish is None:
        return None
    wish.honored = False
    for phrase in wish.phrases:
        phrase.number, phrase.determiner, phrase.owner = 0, "", None
    return [Step(saving, [Dependent("to", variant, wish)])]


def _two(make: Maker, actor: Actor, connective: str, first: Clause | None, second: Clause | None) -> Steps:
    if first is None or second is None or (connective == "after" and first.frame.stem == "놀"):
        return None
    variants = {"after": 3}.get(connective, 1)
    return [Step(second, [Dependent(connective, make.dice.below(variants), first)])]


def _theme(make: Maker) -> str:
    return make.theme or make.dice.pick(("home", "home", "out", "study", "town"))


def before(make: Maker, actor: Actor) -> Steps:
    """밥을 먹기 전에 손을 씻었다."""
    if make.tense == "now":
        return None
    theme = _theme(make)
    later = make.act(*actor, "ae", _BEFORE_WHICH, theme)
    return _two(make, actor, "before", later, make.act(*actor, "ae", theme=theme))


def after(make: Maker, actor: Actor) -> Steps:
    """숙제를 한 후에 텔레비전을 봤다."""
    if make.tense == "now":
        return None
    theme = _theme(make)
    return _two(make, actor, "after", make.act(*actor, "ae", theme=theme), make.act(*actor, "ae", theme=theme))


def while_doing(make: Maker, actor: Actor) -> Steps:
    """음악을 들으면서 공부한다."""
    host = make.act(*actor, "a", frozenset(("host",)), make.theme)
    light = make.act(*actor, "a", frozenset(("light",)))
    if host is None or light is None:
        return None
    if light.frame.tags & {"loud", "talk"} and not host.frame.tags & {"walk", "clean", "cooking"}:
        return None
    if make.tense == "now":
        host.progressive = True
    return _two(make, actor, "while doing", light, host)


def _somebody_else(make: Maker, aspects: str, theme: str) -> Clause | None:
    noun = make.noun(make.words.of("name", "kin", "youth"))
    subject = make.subject(noun, several=False)
    subject.determiner, subject.number = "", 0
    clause = make.act(noun, subject.who, aspects, theme=theme)
    if clause is not None:
        clause.subject = subject
    return clause


def meanwhile(make: Maker, actor: Actor) -> Steps:
    """형이 자는 동안 누나는 책을 읽었다."""
    if make.tense == "now":
        return None
    theme = _theme(make)
    return _two(make, actor, "while", _somebody_else(make, "a", theme), make.act(*actor, "a", theme=theme))


def when_others(make: Maker, actor: Actor) -> Steps:
    """형이 피아노를 칠 때 누나는 노래를 불렀다."""
    if make.tense != "past":
        return None
    theme = _theme(make)
    return _two(make, actor, "when", _somebody_else(make, "a", theme), make.act(*actor, "a", theme=theme))


def when_there(make: Maker, actor: Actor) -> Steps:
    """공원에 갔을 때 친구를 만났다."""
    if make.tense != "past":
        return None
    happening = make.act(*actor, "e", frozenset(("chance",)))
    places = [place for place in happening.frame.places if "destination" in place.classes] if happening else []
    if happening is None or not places:
        return None
    return _two(make, actor, "when done", _motion(make, actor, make.noun(places)), happening)


def when_going(make: Maker, actor: Actor) -> Steps:
    """학교에 갈 때 버스를 탄다."""
    if make.tense not in ("past", "present"):
        return None
    far = make.dice.chance(0.3)
    ride = make.act(*actor, "e", frozenset(("far_ride",) if far else ("ride",)))
    goals = make.words.of("town") if far else make.words.of("building")
    return _two(make, actor, "when", _motion(make, actor, make.noun(goals)), ride)


def at_once(make: Maker, actor: Actor) -> Steps:
    """집에 오자마자 손을 씻었다."""
    if make.tense == "now" or (make.started and make.theme == "home"):
        return None
    if make.started or make.dice.chance(0.5):
        first = make.act(*actor, "e", frozenset(("home_come",)))
        second = make.act(*actor, "ae", frozenset(("wash", "cooking", "duty", "rest", "leisure")), "home")
    else:
        first = make.act(*actor, "e", frozenset(("getup",)))
        second = make.act(*actor, "ae", frozenset(("wash", "drink", "exercise")))
    return _two(make, actor, "as soon as", first, second)


def broken_off(make: Maker, actor: Actor) -> Steps:
    """책을 읽다가 잠이 들었다."""
    if make.tense != "past":
        return None
    first = make.act(*actor, "a", frozenset(("leisure", "host", "walk", "light")))
    if first is None:
        return None
    tags = first.frame.tags
    if "walk" in tags:
        happens = frozenset(("fall", "chance"))
    elif tags & {"outdoor", "loud", "happy"}:
        return None
    else:
        happens = frozenset(("asleep",) if tags & {"quiet", "rest", "bored"} else ("talk",))
    second = make.act(*actor, "e", happens)
    return None if second is None else [Step(first, join="then"), Step(second)]


def either(make: Maker, actor: Actor) -> Steps:
    """책을 읽거나 음악을 듣는다."""
    if make.tense not in ("present", "future"):
        return None
    leisure = frozenset(("leisure",))
    first, second = make.act(*actor, "a", leisure), make.act(*actor, "a", leisure)
    return None if first is None or second is None else [Step(first, join="or"), Step(second)]


IN_A_ROW = (caused, go_and, go_to_do, before, after, while_doing, meanwhile, when_others, at_once)
"""Those that may be one of several things that somebody does."""

PATTERNS: dict[Pattern, float] = {
    caused: 4.0,
    despite: 1.5,
    go_and: 2.0,
    go_to_do: 2.0,
    in_order_to: 1.2,
    before: 1.2,
    after: 1.5,
    while_doing: 1.5,
    meanwhile: 1.2,
    when_others: 0.8,
    when_there: 1.0,
    when_going: 1.0,
    at_once: 1.2,
    broken_off: 0.8,
    either: 1.0,
}
"""The patterns of two clauses, by how often they come."""
