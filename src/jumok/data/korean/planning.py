"""Plans a sentence of about so many English words: tense, style, and the blocks and steps before they are filled up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from jumok.data.korean.clock import DATES, PART_OF_A_DAY, PARTS_OF_A_DAY, opening, written
from jumok.data.korean.connectives import BLOCKS, DEPENDENT, STEPS
from jumok.data.korean.dice import Dice, Weights
from jumok.data.korean.lexicon import LAST, PARTS, Lexicon
from jumok.data.korean.making import Maker
from jumok.data.korean.patterns import NOW, PATTERNS, Pattern, in_a_row, next_thing, plain
from jumok.data.korean.routines import Actor, Routine, Walk, routines_of, starts
from jumok.data.korean.statements import STATEMENTS
from jumok.data.korean.tree import Block, Clause, Sentence, Step, Style

_TENSES = Weights({"past": 5.0, "present": 2.5, "future": 1.2, "now": 1.0})
_LONG_TENSES = Weights({"past": 6.0, "present": 3.0, "future": 1.0})
_DAY_TENSES = Weights({"past": 6.0, "present": 3.0})
_REGISTERS = Weights({"plain": 6.0, "polite": 2.5, "formal": 1.5})
_SEASONS = Weights({"": 6.0, "not": 1.4, "progressive": 1.0, "modal": 2.0})
_PLAIN: Weights[Pattern] = Weights({plain: 1.0})
_LENGTH_OF_A_ROW, _LENGTH_OF_A_DAY = 14, 30
_WORDS_OF_A_PART = 13
_KINDS = frozenset(("duty", "fun"))
_PLANNED = _KINDS | {"trip", "free", "gym"}
_TOGETHER = frozenset(("outdoor", "walk"))
_GOES_ON = frozenset(("go", "getup", "early", "home_come"))
_TRIES = 40
_TRIES_OF_A_ROW = 12
_WEIGHTY = frozenset(
    ("leisure", "duty", "cooking", "errand", "meal", "sleep", "rest", "walk", "@shower", "@bath", "@boat", "@newspaper")
)
_LOOSE = ("because", "if", "even if", "when", "when done", "before", "after", "while", "as soon as")


def plan(words: Lexicon, dice: Dice, length: int) -> tuple[Maker, Sentence]:
    """The bare frame of a sentence that can be filled up to `length` English words."""
    tense = dice.weighted(
        _TENSES if length < _LENGTH_OF_A_ROW else _LONG_TENSES if length < _LENGTH_OF_A_DAY else _DAY_TENSES
    )
    make = Maker(words, dice, tense)
    style = _style(dice)
    if length <= 14 and dice.chance(0.3):
        make.tense = tense = "present" if tense == "future" else tense
        block = None
        while block is None:
            block = dice.weighted(STATEMENTS)(make)
        return make, Sentence(tense, [block], [], style)
    told = _told(make, length, style)
    while told is None:
        make = Maker(words, dice, tense)
        told = _told(make, length, style)
    return make, told


def _monotonous(blocks: list[Block], joins: list[str]) -> bool:
    """Whether one connective comes three times running."""
    endings: list[str] = []
    for index, block in enumerate(blocks):
        for step in block.steps:
            endings += [DEPENDENT[d.connective].forms[d.variant][0] for d in step.dependents]
            endings.append(STEPS[step.join][0] if step.join else "")
        endings[-1] = BLOCKS[joins[index]][0] if index < len(joins) else ""
    return any(a == b == c for a, b, c in zip(endings, endings[1:], endings[2:], strict=False))


def _style(dice: Dice) -> Style:
    register = dice.weighted(_REGISTERS)
    return Style(
        register=register,
        contracted=register != "plain" or not dice.chance(0.3),
        short_negation=dice.chance(0.35),
        colloquial=dice.chance(0.2),
        direction=dice.chance(0.12),
        together=dice.pick(("함께", "같이")),
        very=dice.pick(("아주", "아주", "매우")),
        time_first=dice.chance(0.35),
        object_first=dice.chance(0.25),
        merged=dice.chance(0.5),
        commas=dice.chance(0.5),
    )


def _told(make: Maker, length: int, style: Style) -> Sentence | None:
    """What people do, as much as the length asks for; None where the words have run out."""
    if length < _LENGTH_OF_A_ROW:
        block = _alone(make, length)
        return Sentence(make.tense, [block], [], style) if block else None
    if length < _LENGTH_OF_A_DAY and make.dice.chance(0.3):
        return _two_people(make, length, style)
    return _day(make, length, style)


def _day(make: Maker, length: int, style: Style) -> Sentence | None:
    """One person's day, or a part of it, told in as many parts as the length asks for."""
    dice = make.dice
    noun = make.person(known=True)
    subject = make.subject(noun, several=False)
    actor = Actor(noun, subject.who)
    make.story = True
    count = min(max(1, int(length / _WORDS_OF_A_PART + dice.below(8) / 10)), 5)
    story = _Story(make, length / count, timed=count > 1)
    blocks: list[Block] = []
    where, parts = "", list(PARTS)
    while len(blocks) < count:
        left = count - len(blocks) - 1
        if not blocks:
            parts = parts[: len(parts) - left]
        episode = story.episode(actor, parts, where)
        if episode is None:
            return None
        where = episode.walk.where
        block = Block(None if blocks else subject, episode.steps, shared=bool(blocks))
        block.parts = episode.walk.routine.parts
        if count > 1:
            block.time = written(PART_OF_A_DAY[episode.part], make.key())
            parts = _next_parts(episode.part, left)
        blocks.append(block)
    if count > 1:
        _date(make, blocks[0], story.told)
    joins = ["and"] * (count - 1)
    return None if _monotonous(blocks, joins) else Sentence(make.tense, blocks, joins, style)


def _next_parts(part: str, left: int) -> list[str]:
    """What may be told after a part of the day, with `left` more to come: the next one; noon may be left out."""
    later = PARTS[PARTS.index(part) + 1 :]
    return list(later[:2] if later[:1] == ("noon",) and len(later) > left else later[:1])


def _two_people(make: Maker, length: int, style: Style) -> Sentence | None:
    """What two people who know each other do at the same time: the same kind of thing, or only one of them works."""
    story = _Story(make, length / 2, side_by_side=True)
    blocks: list[Block] = []
    parts = [make.dice.pick(("morning", "afternoon", "evening"))]
    make.story = True
    first = make.person(known=True)
    second = make.noun(make.words.of(make.circle[-1]))
    if first is second or first is make.words.we or not (first.pronoun and second.pronoun):
        return None
    for noun in (first, second):
        subject = make.subject(noun, several=False)
        episode = story.episode(Actor(noun, subject.who), parts, "")
        if episode is None:
            return None
        blocks.append(Block(subject, episode.steps, parts=frozenset(parts)))
    if any(step.join == "but" for block in blocks for step in block.steps):
        return None
    join = "and" if frozenset.intersection(*(routine.marks & _KINDS for routine in story.told)) else "but"
    if _monotonous(blocks, [join]) or (join == "but" and make.tense == "future"):
        return None
    return Sentence(make.tense, blocks, [join], style)


class _Episode(NamedTuple):
    """What one person does in a part of a day: the walk that it is, and its steps."""

    walk: Walk
    part: str
    steps: list[Step]


@dataclass
class _Story:
    """What was told so far, and how the next part is to be told: in about `length` words, behind a time (`timed`)."""

    make: Maker
    length: float
    timed: bool = False
    side_by_side: bool = False
    told: list[Routine] = field(default_factory=list)
    done: list[Pattern] = field(default_factory=list)

    def episode(self, actor: Actor, parts: list[str], where: str) -> _Episode | None:
        """Steps of a routine that goes with those that were told, in one of the parts, from where the actor is."""
        make = self.make
        room = self.length * (0.7 + make.dice.below(7) / 10)  # so that what is short may have many steps, too
        wanted = 1 + (room > 10) + (room > 15) + (room > 19)
        for _ in range(_TRIES):
            part = make.dice.pick(parts)
            routine = make.dice.pick(routines_of(actor.noun, part))
            found = starts(routine, wanted - 1, where, make.used, self.timed) if self._suits(routine) else []
            if self.side_by_side:
                found = [start for start in found if start < 2]
            if not found:
                continue
            used, patterns = set(make.used), len(self.done)
            walk = Walk(make, actor, routine, make.dice.pick(found), where)
            steps = _row(make, walk, wanted, self.done)
            if steps:
                self.told.append(routine)
                return _Episode(walk, part, steps)
            make.used = used
            del self.done[patterns:]
        return None

    def _suits(self, routine: Routine) -> bool:
        """Whether a routine is new, goes with the others, and is worth a plan where it lies in the future."""
        if routine in self.told or (self.make.tense == "future" and not routine.marks & _PLANNED):
            return False
        return bool(routine.marks & _KINDS) if self.side_by_side else all(routine.joins(other) for other in self.told)


def _row(make: Maker, walk: Walk, wanted: int, done: list[Pattern]) -> list[Step] | None:
    """The steps of a walk, or None where they are too few or a trifle."""
    steps: list[Step] = []
    for _ in range(_TRIES_OF_A_ROW):
        if len(steps) >= wanted or walk.stage is None:
            break
        pattern = make.dice.weighted(in_a_row(walk))
        if pattern in done[-1:] and (pattern is not next_thing or len(steps) > 1):
            continue
        before = walk.at, walk.first, walk.where
        found = pattern(make, walk.actor, walk)
        if found is None:
            walk.at, walk.first, walk.where = before
            continue
        done.append(pattern)
        if steps and not steps[-1].join:
            tags, gone = steps[-1].clause.frame.tags, len(steps) > 1 and steps[-2].join == "on"
            steps[-1].join = "on" if tags & _GOES_ON or ("@meet" in tags and not gone) else "and"
        steps += found
        if len(steps) >= 4 or steps[-1].clause.frame.tags & LAST:
            break
    if len(steps) < min(wanted, 2) or _slight(steps):
        return None
    went = "go" in steps[-1].clause.frame.tags and not steps[-1].dependents
    return None if went and walk.stage is not None else steps


def _date(make: Maker, block: Block, told: list[Routine]) -> None:
    """At times the day whose parts are told: 어제 아침에."""
    assert block.time is not None
    part = next(part for part in PARTS_OF_A_DAY if part.korean == block.time.korean)
    marks = [routine.marks for routine in told]
    options = [date for date in DATES if make.tense in date.tenses and date.opens]
    if make.tense == "present":
        often = "daily" if all("daily" in each for each in marks) else "weekly"
        weekly = all("fun" in each for each in marks)
        options = [date for date in options if date.often == often and (often == "daily" or (weekly and date.weekend))]
    elif any(each & {"school", "office"} for each in marks):
        options = [date for date in options if not date.weekend]
    if options and make.dice.chance(0.75):
        block.time = opening(make.dice.pick(options), part, block.time.key)


def _alone(make: Maker, length: int) -> Block | None:
    """One thing that somebody does, or two that hang together."""
    dice = make.dice
    several = length >= 7.5
    if length < 13 and dice.chance(0.5):
        return _any_verb(make)
    noun = make.person(pronoun=several)
    subject = make.subject(noun, several=False)
    actor = Actor(noun, subject.who)
    ways: Weights[Pattern] = _PLAIN if not several else NOW if make.tense == "now" else PATTERNS
    for _ in range(_TRIES):
        routine = dice.pick(routines_of(noun))
        if make.tense == "future" and not routine.marks & _PLANNED:
            continue
        found = starts(routine, 1, "", make.used, timed=False)
        if not found:
            continue
        walk = Walk(make, actor, routine, dice.pick(found))
        steps = dice.weighted(ways)(make, actor, walk)
        if steps:
            break
    else:
        return None
    topic = not subject.number and (several or dice.chance(0.6))
    parts = _parts(steps) & routine.parts if walk.where else _parts(steps)
    block = Block(subject, steps, topic=topic, parts=parts)
    head = steps[0].dependents
    block.dependents_first = bool(head) and all(d.connective in _LOOSE for d in head) and dice.chance(0.4)
    _season(make, block)
    return block


def _any_verb(make: Maker) -> Block | None:
    """What somebody does, is or likes: one of all verbs, so that none is rare."""
    dice = make.dice
    frame = dice.pick(make.words.told_in(make.tense))
    noun = make.noun(make.words.doers(frame))
    make.know(noun)
    subject = make.subject(noun, several=not frame.own and bool(frame.tags & _TOGETHER))
    make.used.add(frame.english)
    clause = make.clause(frame, noun, subject.who)
    clause.progressive = clause.progressive or make.tense == "now"
    goal = clause.phrases[0].noun if clause.phrases else None
    if goal and not make.words.visits(noun, goal):
        return None
    block = Block(subject, [Step(clause)], parts=frame.parts)
    block.topic = not subject.number and (dice.chance(0.7) or frame.aspect == "s")
    _season(make, block)
    return block


def _slight(steps: list[Step]) -> bool:
    """Whether all that is told is a trifle, such as that somebody came home and washed the hands."""
    if len(steps) == 1 and not steps[0].dependents and steps[0].clause.frame.tags & (LAST | {"bathe"}):
        return True
    told = (clause for step in steps for clause in (step.clause, *(d.clause for d in step.dependents)))
    return not any(clause.frame.tags & _WEIGHTY for clause in told)


def _parts(steps: list[Step]) -> frozenset[str]:
    """The parts of a day in which all of this can be done."""
    parts = frozenset(PARTS)
    for step in steps:
        for clause in (step.clause, *(dependent.clause for dependent in step.dependents)):
            parts &= clause.frame.parts
    return parts


def _season(make: Maker, block: Block) -> None:
    """Negation, aspect and mood, where they fit."""
    step = block.steps[-1]
    clause, dice = step.clause, make.dice
    single = len(block.steps) == 1 and not step.dependents
    if clause.frame.aspect == "d":
        clause.modal = "want" if single and not clause.honored else ""
        return
    if make.tense == "now" or clause.negative or clause.progressive or clause.frame.aspect in "wp":
        return
    activity = clause.frame.aspect == "a"
    choice = dice.weighted(_SEASONS)
    if choice == "not" and single and clause.frame.tags & {"skip", "skill"}:
        skill = "skill" in clause.frame.tags and activity and make.tense != "future"
        unable = skill and ("skip" not in clause.frame.tags or dice.chance(0.4))
        if unable or "skip" in clause.frame.tags:
            clause.negative = "cannot" if unable else "not"
            _unnumber(clause)
    elif choice == "progressive" and single and activity and make.tense == "past":
        clause.progressive = True
        _unnumber(clause)
    elif choice == "modal" and len(block.steps) == 1 and not clause.honored and clause.frame.aspect in "ae":
        clause.modal = _modal(make, clause, bool(step.dependents))


def _modal(make: Maker, clause: Clause, dependent: bool) -> str:
    """One of those that fit what is done, or none."""
    tags, past = clause.frame.tags, make.tense == "past"
    options = {
        "have": "must" in tags,
        "want": "wish" in tags and not dependent and make.tense != "future",
        "start": "begin" in tags and past,
        "decide": "wish" in tags and past and not dependent,
        "can": "skill" in tags and make.tense == "present" and not dependent,
    }
    fitting = [modal for modal, fits in options.items() if fits]
    return make.dice.pick(fitting) if fitting else ""


def _unnumber(clause: Clause) -> None:
    for phrase in clause.phrases:
        phrase.number = 0
