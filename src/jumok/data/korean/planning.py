"""Plans a sentence of about so many English words: tense, style, and the blocks and steps before they are filled up."""

from __future__ import annotations

from jumok.data.korean.connectives import BLOCKS, DEPENDENT, STEPS
from jumok.data.korean.dice import Dice
from jumok.data.korean.lexicon import LAST, Lexicon
from jumok.data.korean.making import Maker
from jumok.data.korean.patterns import IN_A_ROW, PATTERNS, Actor, Pattern, at_once, plain
from jumok.data.korean.statements import STATEMENTS
from jumok.data.korean.tree import Block, Clause, Sentence, Step, Style

_TENSES = {"past": 5.0, "present": 2.5, "future": 1.2, "now": 1.0}
_LONG_TENSES = {"past": 6.0, "present": 3.0, "future": 1.0}
_WORDS_OF_A_BLOCK = 15
_TRIES = 40
_LEFT_UNDONE = frozenset(("leisure", "eat", "drink", "duty", "errand", "come", "home", "getup", "talk", "feel"))
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
        while acted is None or _monotonous(acted):
            make = Maker(words, dice, tense)
            acted = _actions(make, length, style)
        sentence = acted
    return make, sentence


def _monotonous(sentence: Sentence) -> bool:
    """Whether one connective comes three times running."""
    endings: list[str] = []
    for index, block in enumerate(sentence.blocks):
        for step in block.steps:
            endings += [DEPENDENT[d.connective].forms[d.variant][0] for d in step.dependents]
            endings.append(STEPS[step.join][0] if step.join else "")
        endings[-1] = BLOCKS[sentence.joins[index]][0] if index < len(sentence.joins) else ""
    return any(a == b == c for a, b, c in zip(endings, endings[1:], endings[2:], strict=False))


def _style(dice: Dice, tense: str) -> Style:
    register = dice.weighted({"plain": 6.0, "polite": 2.5, "formal": 1.5})
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
    blocks: list[Block] = []
    for index in range(count):
        block = _block(make, length / count, done, first=index == 0, alone=count == 1)
        if block is None:
            return None
        blocks.append(block)
    joins: list[str] = []
    for _ in range(count - 1):
        options = ["and", "but"] if make.tense != "future" else ["and"]
        if joins[-2:] == ["and", "and"] and len(options) > 1:
            options = ["but"]
        if joins[-1:] == ["but"]:
            options = ["and"]
        joins.append(dice.pick(options))
    return Sentence(make.tense, blocks, joins, style)


def _block(make: Maker, length: float, done: list[Pattern], first: bool, alone: bool) -> Block | None:
    dice = make.dice
    several = length >= 7.5
    noun = make.person(pronoun=several, first=first)
    subject = make.subject(noun)
    if "first" in noun.classes:
        subject.plural = False
    actor = Actor(noun, subject.who)
    steps: list[Step] = []
    wanted = 1 if length < 7.5 else 1 + (length > 13) + (length > 19)
    make.theme = "" if alone and wanted == 1 else dice.weighted({"home": 4.0, "out": 3.0, "study": 1.5, "town": 2.0})
    make.started = False
    for _ in range(_TRIES):
        if len(steps) >= wanted:
            break
        many = length >= 7.5 and (wanted == 1 or dice.chance(0.75))
        pattern = dice.weighted(PATTERNS) if many else plain
        if many and (pattern in done[-3:] or (wanted > 1 and pattern not in IN_A_ROW)):
            continue
        found = pattern(make, actor)
        if found is None:
            continue
        if many:
            done.append(pattern)
        arrived = pattern is at_once and bool(steps)
        if pattern is at_once and not steps:
            make.theme = "home"
        if steps:
            steps[-1].join = "and"
        steps += found
        make.started = True
        last = steps[-1].clause
        if arrived or len(steps) >= 4 or make.tense == "now" or last.negative or last.frame.tags & LAST:
            break
    if not steps:
        return None
    topic = not alone or several or dice.chance(0.6)
    block = Block(subject, steps, topic=topic, theme=make.theme)
    head = steps[0].dependents
    block.dependents_first = first and bool(head) and all(d.connective in _LOOSE for d in head) and dice.chance(0.4)
    _season(make, block, alone)
    return block


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
    choice = dice.weighted({"": 6.0, "not": 1.4, "progressive": 1.0, "modal": 2.0})
    if choice == "not" and single and clause.frame.tags & _LEFT_UNDONE:
        skill = "skill" in clause.frame.tags and activity and make.tense != "future"
        clause.negative = "cannot" if skill and dice.chance(0.4) else "not"
        _unnumber(clause)
    elif choice == "progressive" and single and activity and make.tense == "past":
        clause.progressive = True
    elif choice == "modal" and len(block.steps) == 1 and not clause.honored and clause.frame.aspect in "ae":
        clause.modal = _modal(make, clause, bool(step.dependents))


def _modal(make: Maker, clause: Clause, dependent: bool) -> str:
    options = {"have": 1.0, "want": 1.0 if not dependent else 0.0}
    if make.tense == "past":
        options |= {"start": 1.0 if clause.frame.aspect == "a" else 0.0, "decide": 0.0 if dependent else 1.0}
    if make.tense == "present" and "skill" in clause.frame.tags and not dependent:
        options["can"] = 1.5
    if make.tense == "future":
        options = {"have": 1.0}
    if clause.frame.tags & {"chance", "mishap", "fall", "asleep", "rest", "getup", "late", "happy", "sad", "feel"}:
        return ""
    return make.dice.weighted(options)


def _unnumber(clause: Clause) -> None:
    for phrase in clause.phrases:
        phrase.number = 0
