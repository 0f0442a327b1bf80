"""Plans a sentence of about so many English words: tense, style, and the blocks and steps before they are filled up."""

from __future__ import annotations

from itertools import pairwise

from jumok.data.korean.connectives import BLOCKS, DEPENDENT, STEPS
from jumok.data.korean.dice import Dice, Weights
from jumok.data.korean.lexicon import LAST, PARTS, Lexicon
from jumok.data.korean.making import Maker
from jumok.data.korean.patterns import NOW, PATTERNS, Pattern, in_a_row, next_thing, plain
from jumok.data.korean.routines import Actor, Routine, Walk, routines_of
from jumok.data.korean.statements import STATEMENTS
from jumok.data.korean.tree import Block, Clause, Sentence, Step, Style

_TENSES = Weights({"past": 5.0, "present": 2.5, "future": 1.2, "now": 1.0})
_LONG_TENSES = Weights({"past": 6.0, "present": 3.0, "future": 1.0})
_REGISTERS = Weights({"plain": 6.0, "polite": 2.5, "formal": 1.5})
_SEASONS = Weights({"": 6.0, "not": 1.4, "progressive": 1.0, "modal": 2.0})
_PLAIN: Weights[Pattern] = Weights({plain: 1.0})
_WORDS_OF_A_BLOCK = 15
_TRIES = 40
_TRIES_OF_A_ROW = 12
_TRIES_OF_A_BLOCK = 6
_WEIGHTY = frozenset(("leisure", "duty", "cooking", "errand", "meal"))
_LOOSE = ("because", "if", "even if", "when", "when done", "before", "after", "while", "as soon as")


def plan(words: Lexicon, dice: Dice, length: int) -> tuple[Maker, Sentence]:
    """The bare frame of a sentence that can be filled up to `length` English words."""
    tense = dice.weighted(_TENSES if length < 16 else _LONG_TENSES)
    make = Maker(words, dice, tense)
    style = _style(dice, tense)
    if length <= 14 and dice.chance(0.3):
        make.tense = tense = "present" if tense == "future" else tense
        block = None
        while block is None:
            block = dice.weighted(STATEMENTS)(make)
        sentence = Sentence(tense, [block], [], style)
    else:
        acted = _actions(make, length, style)
        while acted is None:
            make = Maker(words, dice, tense)
            acted = _actions(make, length, style)
        sentence = acted
    return make, sentence


def _monotonous(blocks: list[Block], joins: list[str]) -> bool:
    """Whether one connective comes three times running."""
    endings: list[str] = []
    for index, block in enumerate(blocks):
        for step in block.steps:
            endings += [DEPENDENT[d.connective].forms[d.variant][0] for d in step.dependents]
            endings.append(STEPS[step.join][0] if step.join else "")
        endings[-1] = BLOCKS[joins[index]][0] if index < len(joins) else ""
    return any(a == b == c for a, b, c in zip(endings, endings[1:], endings[2:], strict=False))


def _style(dice: Dice, tense: str) -> Style:
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
        marked=tense == "past" and dice.chance(0.9),
        commas=dice.chance(0.5),
    )


def _actions(make: Maker, length: int, style: Style) -> Sentence | None:
    """Blocks of people who act, as many as the length asks for; None where the words have run out."""
    dice = make.dice
    count = 1 if length < 15 else max(1, round(length / _WORDS_OF_A_BLOCK - 0.3 + dice.below(8) / 10))
    count = min(count, 5)
    done: list[Pattern] = []
    told: list[Routine] = []
    blocks: list[Block] = []
    for index in range(count):
        block = None
        for _ in range(_TRIES_OF_A_BLOCK):
            block = _block(make, length / count, done, told, first=index == 0, alone=count == 1)
            if block and not _monotonous([*blocks, block], ["and"] * index):
                break
            del told[index:]
            block = None
        if block is None:
            return None
        blocks.append(block)
    joins: list[str] = []
    for one, other in pairwise(told):
        contrast = one.away != other.away and make.tense != "future" and joins[-1:] != ["but"]
        joins.append("but" if contrast and dice.chance(0.7) else "and")
    return Sentence(make.tense, blocks, joins, style)


def _walk(make: Maker, actor: Actor, told: list[Routine], steps: int) -> Walk | None:
    """A walk through a routine that nobody in the sentence has, at a time of the day that suits all."""
    options = routines_of(actor.noun)
    for _ in range(_TRIES):
        routine = make.dice.pick(options)
        known = routine in told or not routine.goals.isdisjoint(make.used)
        if not known and len(routine.stages) > steps and all(routine.parts & r.parts for r in told):
            return Walk(make, actor, routine, steps)
    return None


def _block(
    make: Maker, length: float, done: list[Pattern], told: list[Routine], first: bool, alone: bool
) -> Block | None:
    dice = make.dice
    several = length >= 7.5
    if alone and length < 13 and dice.chance(0.5):
        return _any_verb(make)
    noun = make.person(pronoun=several, first=first)
    if noun in make.actors:
        return None
    make.actors.add(noun)
    subject = make.subject(noun)
    actor = Actor(noun, subject.who)
    wanted = 1 if length < 7.5 else 1 + (length > 10 and not alone) + (length > 13) + (length > 19)
    walk = _walk(make, actor, told, wanted)
    if walk is None:
        return None
    row = (not alone or wanted > 1) and make.tense != "now"
    ways: Weights[Pattern] = _PLAIN if not several else NOW if make.tense == "now" else PATTERNS
    steps: list[Step] = []
    for _ in range(_TRIES_OF_A_ROW if row else _TRIES):
        if len(steps) >= wanted or walk.stage is None:
            break
        pattern = dice.weighted(in_a_row(walk) if row else ways)
        if several and pattern in done[-1:] and (pattern is not next_thing or len(steps) > 1):
            continue
        place = walk.at, walk.first
        found = pattern(make, actor, walk)
        if found is None:
            walk.at, walk.first = place
            continue
        done.append(pattern)
        if steps and not steps[-1].join:
            tags = steps[-1].clause.frame.tags
            steps[-1].join = "on" if tags & {"go", "getup", "early", "home_come"} else "and"
        steps += found
        last = steps[-1].clause
        if len(steps) >= 4 or make.tense == "now" or last.negative or last.frame.tags & LAST:
            break
    if not steps or (row and len(steps) < min(wanted, 2) and walk.stage) or (row and _slight(steps)):
        return None
    told.append(walk.routine)
    topic = not alone or several or dice.chance(0.6)
    block = Block(subject, steps, topic=topic, parts=walk.routine.parts if row else _parts(steps))
    head = steps[0].dependents
    block.dependents_first = first and bool(head) and all(d.connective in _LOOSE for d in head) and dice.chance(0.4)
    _season(make, block, alone)
    return block


def _any_verb(make: Maker) -> Block | None:
    """What somebody does, is or likes: one of all verbs, so that none is rare."""
    dice = make.dice
    frame = dice.pick(make.words.told_in(make.tense))
    noun = make.noun(make.words.doers(frame))
    subject = make.subject(noun, several=not frame.own)
    make.used.add(frame.english)
    clause = make.clause(frame, noun, subject.who)
    clause.progressive = clause.progressive or make.tense == "now"
    goal = clause.phrases[0].noun if clause.phrases else None
    if goal and not make.words.visits(noun, goal):
        return None
    block = Block(subject, [Step(clause)], topic=dice.chance(0.7) or frame.aspect == "s", parts=frame.parts)
    _season(make, block, alone=True)
    return block


def _slight(steps: list[Step]) -> bool:
    """Whether all that is told is a trifle, such as that somebody came home."""
    return len(steps) == 1 and not steps[0].dependents and not steps[0].clause.frame.tags & _WEIGHTY


def _parts(steps: list[Step]) -> frozenset[str]:
    """The parts of a day in which all of this can be done."""
    parts = frozenset(PARTS)
    for step in steps:
        for clause in (step.clause, *(dependent.clause for dependent in step.dependents)):
            parts &= clause.frame.parts
    return parts


def _season(make: Maker, block: Block, alone: bool) -> None:
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
    if choice == "not" and single and alone and clause.frame.tags & {"skip", "skill"}:
        skill = "skill" in clause.frame.tags and activity and make.tense != "future"
        unable = skill and ("skip" not in clause.frame.tags or dice.chance(0.4))
        if unable or "skip" in clause.frame.tags:
            clause.negative = "cannot" if unable else "not"
            _unnumber(clause)
    elif choice == "progressive" and single and alone and activity and make.tense == "past":
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
