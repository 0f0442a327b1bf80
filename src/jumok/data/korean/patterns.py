"""Ways in which clauses hang together, one function each: a cause and what it leads to, an errand and its place.

A pattern makes the steps of one actor, or None where the lexicon has nothing for this one. Those of `in_a_row` take
their clauses from a walk through a routine, so they follow on what was told before; the others choose both clauses
together, so that people eat because they are hungry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from jumok.data.korean.dice import Weights
from jumok.data.korean.lexicon import Cause, Noun, lexicon
from jumok.data.korean.making import Maker
from jumok.data.korean.routines import Actor, Walk
from jumok.data.korean.tree import Clause, Dependent, Phrase, Step

Steps = list[Step] | None
Pattern = Callable[[Maker, Actor, Walk], Steps]

_BEFORE_WHICH = frozenset(("meal", "duty", "cooking", "leisure", "sleep", "@dish", "@diary"))
_NEXT_ANYHOW = frozenset(("@dishes", "@memorize"))
_MERRY = frozenset(("clean", "cooking", "walk", "@dishes"))
_HUSHED = ("학교", "도서관")
_FIRST_ANSWERS = frozenset(("eat", "cool", "cure"))
_NOT_TAGS = frozenset(("even", "inner", "unable", "event", "fair", "free", "effort", "afternoon", "morning"))


def plain(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """One thing that is done, of all that this actor does."""
    clause = make.act(*actor, {"now": "aw", "past": "aewd"}.get(make.tense, "aed"))
    if clause is None:
        return None
    if make.tense == "now":
        clause.progressive = True
    return [Step(clause)]


def next_thing(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """The next thing that is done."""
    walk.skip()
    clause = walk.take()
    return None if clause is None else [Step(clause)]


@cache
def _causes(tense: str, connective: str, noun: Noun, several: bool, mild: bool, in_a_row: bool) -> tuple[Cause, ...]:
    """The states that can be somebody's reason: an honored one's own state is not told, school is for the young.

    Where the weather was told (`mild`) it is no reason again; in a row, it would keep the others from what they do.
    """
    return tuple(
        cause
        for cause in lexicon().causes
        if (connective == "because" or "inner" not in cause.leads)
        and not (cause.shared and noun.honored)
        and not ("cure" in cause.leads and several)
        and (("schooled" in noun.classes and connective == "because") or cause.frame.stem != "끝나")
        and (connective != "even if" or "even" in cause.leads)
        and not (connective == "because" and tense != "past" and "event" in cause.leads)
        and (cause.shared or not mild)
        and not (in_a_row and (cause.leads & {"event", "free"} or not cause.shared))
    )


def _cause(make: Maker, actor: Actor, connective: str, in_a_row: bool = False) -> tuple[Cause, Clause] | None:
    several = actor.who in ("we", "they")
    causes = _causes(make.tense, connective, actor.noun, several, "weather" in make.used, in_a_row)
    if not causes:
        return None
    cause = make.dice.pick(causes)
    frame = cause.frame
    if cause.shared:
        return cause, make.clause(frame, *actor)
    make.used.add("weather")
    if not frame.subjects:
        return cause, make.clause(frame, None, "it")
    subject = Phrase(frame.subjects[0], make.key(), "이", article=frame.subjects[0].definite)
    make.used.add(subject.noun.korean)
    clause = make.clause(frame, None, subject.who)
    clause.subject = subject
    return cause, clause


def _done(make: Maker, actor: Actor, tags: frozenset[str]) -> Clause | None:
    """What is done because of a state; what keeps one in is done indoors, and says so."""
    clause = make.act(*actor, "aew", tags)
    if clause is not None and "indoor" in tags & clause.frame.tags:
        rooms = [place for place in clause.where if place.korean in ("집", "방", "거실", "카페", "도서관")]
        if not rooms:
            return None
        clause.places = [make.place(clause.frame, make.dice.pick(rooms))]
    return clause


def _left_undone(make: Maker, actor: Actor, cause: Cause, tags: frozenset[str], negative: str) -> Clause | None:
    """What is not done, and would be otherwise."""
    options = [f for f in make.frames(*actor, "ae", frozenset(("skip",))) if f.tags & tags]
    options = [f for f in options if not f.tags & (cause.leads - cause.prevents - _FIRST_ANSWERS)] or options
    frame = make.fresh(options) if options else None
    if frame is None:
        return None
    clause = make.clause(frame, *actor)
    clause.negative = negative
    for phrase in clause.phrases:
        phrase.number = 0
    return clause


def _joined(make: Maker) -> str:
    """If or because, by what the tense asks for."""
    if make.tense == "future" or (make.tense == "present" and make.dice.chance(0.65)):
        return "if"
    return "because"


def _because(make: Maker, connective: str, state: Clause, clause: Clause) -> Steps:
    variant = int(connective == "because" and make.tense in ("past", "present") and make.dice.chance(0.3))
    return [Step(clause, [Dependent(connective, variant, state)])]


def caused(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """배가 고파서 밥을 먹었다; 비가 오면 집에서 쉰다; 배가 불러서 먹지 않았다."""
    connective = _joined(make)
    chosen = _cause(make, actor, connective)
    if chosen is None:
        return None
    cause, state = chosen
    if cause.prevents and (not cause.leads - _NOT_TAGS or make.dice.chance(0.25)):
        negative = "cannot" if "unable" in cause.leads and make.tense == "past" else "not"
        clause = _left_undone(make, actor, cause, cause.prevents, negative)
    else:
        clause = _done(make, actor, cause.leads - _NOT_TAGS)
    if clause is None:
        return None
    if make.tense == "now":
        if clause.negative or clause.frame.aspect == "e":
            return None
        clause.progressive = True
    return _because(make, connective, state, clause)


def moved(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """배가 고파서 밥을 먹었다, as the next thing that is done; what one has come for needs no other reason."""
    if make.tense != "past" or not (walk.first or walk.settled):
        return None
    chosen = _cause(make, actor, "because", in_a_row=not walk.first)
    if chosen is None or not (chosen[0].shared or "fair" in chosen[0].leads):
        return None
    cause, state = chosen
    clause = walk.take("ae", cause.leads - _NOT_TAGS)
    return None if clause is None else _because(make, "because", state, clause)


def despite(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """피곤했지만 숙제를 했다; 비가 와도 축구를 한다; 배가 고팠지만 먹지 않았다."""
    chosen = _cause(make, actor, "even if")
    if chosen is None or make.tense == "now":
        return None
    cause, state = chosen
    answers = cause.leads & _FIRST_ANSWERS
    if answers and (not cause.prevents or make.dice.chance(0.5)):
        clause = _left_undone(make, actor, cause, answers, "not")
    else:
        options = [f for f in make.frames(*actor, "ae", cause.prevents) if "skip" in f.tags and "hot" not in f.tags]
        frame = make.fresh(options) if options else None
        clause = make.clause(frame, *actor) if frame else None
    if clause is None:
        return None
    if cause.shared and make.tense != "future" and make.dice.chance(0.5):
        return [Step(state, join="but"), Step(clause)]
    return [Step(clause, [Dependent("even if", 0, state)])]


def although(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """피곤했지만 체육관에 갔다, as the first thing that is told of a part of the day."""
    stage = walk.stage
    if make.tense != "past" or not walk.first or actor.noun.honored or stage is None:
        return None
    causes = [cause for cause in make.words.causes if cause.shared and "effort" in cause.leads]
    cause = make.dice.pick(causes)
    clause = walk.take() if stage.goal else walk.take("ae", cause.prevents)
    if clause is None:
        return None
    return [Step(make.clause(cause.frame, *actor), join="but"), Step(clause)]


def go_and(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """시장에 가서 사과를 샀다."""
    if walk.stage is None or walk.stage.goal is None:
        return None
    going = walk.take()
    doing = walk.take() if going else None
    return None if going is None or doing is None else [Step(going, join="on"), Step(doing)]


def go_to_do(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """책을 빌리러 도서관에 갔다."""
    if walk.stage is None or walk.stage.goal is None:
        return None
    going = walk.take()
    purpose = walk.take("ae", frozenset(("errand",))) if going else None
    if going is None or purpose is None or going.phrases[0].noun not in purpose.frame.places:
        return None
    purpose.honored = False
    walk.stop()
    return [Step(going, [Dependent("to go", make.dice.below(2), purpose)])]


def in_order_to(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """산에 가려고 일찍 일어났다; 자전거를 사려고 돈을 모았다."""
    if make.dice.chance(0.5):
        act = make.act(*actor, "a", frozenset(("saving",)))
        wish = make.act(*actor, "e", frozenset(("save",)))
        variant = make.dice.below(2)
    else:
        early = make.dice.chance(0.5)
        act = make.act(*actor, "e", frozenset(("early",) if early else ("ride",)))
        places = [p for p in make.words.of("building") if make.words.visits(actor.noun, p)]
        wish = make.going(*actor, make.noun(make.words.of("far") if early else places))
        variant = 0
    if act is None or wish is None:
        return None
    wish.honored = False
    for phrase in wish.phrases:
        phrase.number, phrase.determiner, phrase.owner = 0, "", None
    return [Step(act, [Dependent("to", variant, wish)])]


def _two(make: Maker, connective: str, first: Clause | None, second: Clause | None) -> Steps:
    if first is None or second is None:
        return None
    variants = {"after": 3}.get(connective, 1)
    return [Step(second, [Dependent(connective, make.dice.below(variants), first)])]


def _in_one_place(walk: Walk) -> bool:
    """Whether two things are next that are done where one is; one is up by then."""
    stages, at = walk.routine.stages, walk.at + 1
    if at + 1 >= len(stages) or stages[at].moves or stages[at + 1].moves:
        return False
    return not stages[at].frames[0].tags & {"getup", "early"}


def before(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """밥을 먹기 전에 손을 씻었다."""
    if not _in_one_place(walk):
        return None
    opens = walk.first and make.story
    first = walk.take()
    second = walk.take() if first else None
    if first is None or second is None:
        return None
    tags = second.frame.tags
    if not tags & _BEFORE_WHICH or tags & _NEXT_ANYHOW or first.frame.tags & {"cooking", "@meet"}:
        return None
    if opens and "meal" in tags:
        return None
    return _two(make, "before", second, first)


def after(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """숙제를 한 후에 텔레비전을 봤다."""
    if not _in_one_place(walk):
        return None
    first = walk.take()
    if first is None or "@meet" in first.frame.tags:
        return None
    return _two(make, "after", first, walk.take())


def while_doing(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """음악을 들으면서 공부한다; 커피를 마시면서 책을 읽는다."""
    stage = walk.stage
    if stage is None or stage.goal or (stage.place and stage.place.korean in _HUSHED) or make.tense == "future":
        return None
    host = walk.take("a", frozenset(("host", "sips")))
    if host is None:
        return None
    kinds = {"light"} if host.frame.tags & {"clean", "cooking", "duty", "walk"} else set()
    if "sips" in host.frame.tags and (stage.place is None or stage.place.korean == "카페"):
        kinds.add("sip")
    if "walk" in host.frame.tags:
        kinds.add("chat")
    light = make.act(*actor, "a", frozenset(kinds)) if kinds else None
    if light is None or ("loud" in light.frame.tags and not (host.frame.tags & _MERRY and make.tense == "past")):
        return None
    if make.tense == "now":
        host.progressive = True
    for phrase in light.phrases:
        phrase.number = 0
    return _two(make, "while doing", light, host)


def meanwhile(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """형이 숙제를 하는 동안 누나는 책을 읽었다: two of one family, at home."""
    walk.skip()
    stage = walk.stage
    if stage is None or stage.moves or stage.place is not None or "kin" not in make.circle:
        return None
    clause = walk.take("a", frozenset(("aside",)))
    if clause is None:
        return None
    noun = make.noun(make.words.of("kin"))
    if noun is actor.noun:
        return None
    subject = make.subject(noun, several=False)
    other = walk.beside(Actor(noun, subject.who))
    if other is None:
        return None
    other.subject = subject
    return _two(make, "while", other, clause)


def when_there(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """공원에 갔을 때 친구를 만났다."""
    if make.tense != "past":
        return None
    happening = make.act(*actor, "e", frozenset(("chance",)))
    places = [place for place in happening.where if "destination" in place.classes] if happening else []
    places = [place for place in places if make.words.visits(actor.noun, place)]
    if happening is None or not places:
        return None
    happening.where = ()
    return _two(make, "when done", make.going(*actor, make.noun(places)), happening)


def when_going(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """학교에 갈 때 버스를 탄다."""
    if make.tense not in ("past", "present"):
        return None
    far = make.dice.chance(0.3)
    ride = make.act(*actor, "e", frozenset(("far_ride",) if far else ("ride",)))
    goals = make.words.of("reached") if far else make.words.of("building")
    goals = tuple(
        goal for goal in goals if make.words.visits(actor.noun, goal) and not goal.classes & {"near", "seldom"}
    )
    return _two(make, "when", make.going(*actor, make.noun(goals)), ride)


def at_once(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """집에 오자마자 손을 씻었다."""
    stage = walk.stage
    if stage is None or stage.goal or not stage.frames[0].tags & {"home_come", "getup"}:
        return None
    if make.tense == "future" and "getup" in stage.frames[0].tags:
        return None
    first = walk.take("e", frozenset(("home_come", "getup")))
    stage = walk.stage
    if first is None or stage is None or stage.goal:
        return None
    return _two(make, "as soon as", first, walk.take())


def broken_off(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """책을 읽다가 잠이 들었다."""
    if make.tense != "past":
        return None
    first = make.act(*actor, "a", frozenset(("hush", "walk", "rest")))
    if first is None or "sleep" in first.frame.tags:
        return None
    walking = "walk" in first.frame.tags
    second = make.act(*actor, "e", frozenset(("fall", "chance") if walking else ("asleep",)))
    if second is None:
        return None
    second.where = ()
    return [Step(first, join="then"), Step(second)]


def either(make: Maker, actor: Actor, walk: Walk) -> Steps:
    """책을 읽거나 음악을 듣는다."""
    if make.tense not in ("present", "future"):
        return None
    leisure = frozenset(("either",))
    first, second = make.act(*actor, "a", leisure), make.act(*actor, "a", leisure)
    if first is None or second is None:
        return None
    first.where = second.where = ()
    for phrase in first.phrases + second.phrases:
        phrase.determiner = ""
    return [Step(first, join="or"), Step(second)]


_GOING: Weights[Pattern] = Weights({next_thing: 0.7, go_and: 3.0, go_to_do: 2.0, although: 0.6})
_ARRIVING: Weights[Pattern] = Weights({next_thing: 1.0, at_once: 1.5})
_BEING_THERE: Weights[Pattern] = Weights(
    {
        next_thing: 4.0,
        moved: 2.0,
        before: 1.4,
        after: 1.8,
        while_doing: 1.6,
        meanwhile: 1.2,
        although: 0.6,
    }
)


def in_a_row(walk: Walk) -> Weights[Pattern]:
    """The patterns that may tell the next of several things that somebody does, by how often they come."""
    stage = walk.stage
    if stage and stage.goal:
        return _GOING
    return _ARRIVING if stage and stage.frames[0].tags & {"home_come", "getup"} else _BEING_THERE


PATTERNS: Weights[Pattern] = Weights(
    {
        caused: 4.0,
        despite: 1.5,
        go_and: 2.5,
        go_to_do: 2.5,
        in_order_to: 0.9,
        before: 1.8,
        after: 2.2,
        while_doing: 2.2,
        meanwhile: 1.6,
        when_there: 0.9,
        when_going: 0.9,
        at_once: 3.0,
        broken_off: 0.8,
        either: 0.9,
    }
)
"""The patterns of two clauses, by how often they come."""

NOW: Weights[Pattern] = Weights({plain: 3.0, caused: 2.0, while_doing: 2.0})
"""Those of what is being done now."""
