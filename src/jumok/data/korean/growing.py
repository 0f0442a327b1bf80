"""Fills a planned sentence up to the length asked for: adjectives, times, places, company, relative clauses."""

from __future__ import annotations

from collections.abc import Callable

from jumok.data.korean.clock import DATES, PARTS_OF_A_DAY, WEEKEND, hours, lasting, oclock, often, written
from jumok.data.korean.dice import Weights
from jumok.data.korean.english_side import Word, english, phrase, relative_words
from jumok.data.korean.lexicon import HOME, Noun, rows
from jumok.data.korean.making import Maker
from jumok.data.korean.tenses import settle
from jumok.data.korean.tree import Block, Clause, Phrase, Sentence, Step

ADVERBS = tuple(
    (row[0], row[1], row[2], frozenset(row[3].split()), frozenset(row[4].split())) for row in rows("adverbs.txt")
)

_COLORS = frozenset(("red", "yellow", "blue", "white", "black"))
_BEFORE_COLORS = frozenset(("big", "small", "long", "short", "pretty", "cute"))
_DEGREES = frozenset(
    ("big", "small", "old", "pretty", "beautiful", "expensive", "cheap", "heavy", "high", "deep", "long")
)
_BEFORE_THE_CLOCK = frozenset(("어제", "오늘", "내일", "모레", "그저께", "매일"))
_OF_NO_ONE = frozenset(("어제", "오늘", "지금", "어제 아침에", "오늘 아침에", "내일"))
_NOT_OF_PLACES_TO_BE = frozenset(("deep", "long"))
_NOT_OF_NEW_THINGS = frozenset(("old", "famous", "expensive", "cheap", "new", "heavy", "thick"))
_CLOSED_ON_WEEKENDS = ("학교", "회사", "교실", "사무실")
_BY_HEART = frozenset(("good-hearted", "smart", "pretty", "lazy"))
_TRIFLES = frozenset(("moment", "mishap", "wash", "home_come"))
_EVERY_DAY = frozenset(("wash", "morning", "@diary", "home_come", "meal"))
_FELT, _FELT_BY = frozenset(("heavy", "light")), frozenset(("carry", "push", "be"))
_OUTDOORS = frozenset(("outdoor", "walk", "ride", "go"))
_TASTES = frozenset(("sweet", "spicy", "delicious", "hot", "cold", "warm"))
_TASTED = frozenset(("eat", "drink", "cooking", "gives", "buy", "rel"))
_IN_PAIRS = frozenset(("fruit", "vegetable", "book_read", "flower", "toy", "stationery", "tree", "snack", "baked"))
_PRICES = frozenset(("cheap", "expensive"))
_TRIES = 60


class Grower:
    """Adds parts to one sentence until it has the words it should have."""

    def __init__(self, make: Maker, sentence: Sentence) -> None:
        self.make, self.dice, self.sentence = make, make.dice, sentence
        self.room = 0

    def grow(self, length: int) -> list[Word]:
        """Add parts while there is room; returns the English words, at best `length` of them."""
        settle(self.sentence)
        words = english(self.sentence)
        self.room = length - len(words)
        if self.room <= 0:
            return words
        for _ in range(_TRIES):
            self.room -= self.dice.weighted(_WAYS)(self)
            if self.room <= 0:
                break
        settle(self.sentence)
        return english(self.sentence)

    @property
    def _several(self) -> bool:
        return len(self.sentence.blocks) > 1

    def _step(self) -> tuple[Block, Step]:
        block = self.dice.pick(self.sentence.blocks)
        return block, self.dice.pick(block.steps)

    def _phrase(self) -> tuple[Phrase, Clause | None, Block, Step]:
        """A phrase of the sentence, with the clause whose argument it is (None for a subject)."""
        block, step = self._step()
        if block.subject and self.dice.chance(0.25):
            return block.subject, None, block, step
        clauses = [step.clause, step.clause, *(d.clause for d in step.dependents)]
        clause = self.dice.pick(clauses)
        options = clause.spoken
        if not options:
            return (block.subject or Phrase(self.make.words.i, 0, article="none")), None, block, step
        return self.dice.pick(options), clause, block, step

    def adjective(self) -> int:
        """노란 모자; 작고 빨간 상자."""
        phrase, clause, _, step = self._phrase()
        fixed = phrase.article in ("none", "my", "own") or phrase.idiom or phrase.preposition == "by"
        options = self.make.words.fitting.get(phrase.noun, ())
        if fixed or not options or len(phrase.adjectives) > 1 or phrase.very or phrase.second:
            return 0
        if step.clause.frame.part == "adjective" if clause is None else clause.negative:
            return 0
        adjective = self.dice.pick(options)
        if adjective.english in self.make.used:
            return 0
        if "human" in phrase.noun.classes and not self._told_like(adjective.english, clause, step):
            return 0
        if "place" in phrase.noun.classes and clause is not None and adjective.english in _NOT_OF_PLACES_TO_BE:
            return 0
        if clause is not None and "creates" in clause.frame.tags and adjective.english in _NOT_OF_NEW_THINGS:
            return 0
        food = phrase.noun.classes & {"food", "drink"}
        if food and clause is not None and adjective.english in _TASTES and not clause.frame.tags & _TASTED:
            return 0
        if adjective.english in _FELT and (phrase.position or (clause and clause.frame.english not in _FELT_BY)):
            return 0
        if adjective.english == "fast" and clause is not None and "horse" not in phrase.noun.classes:
            return 0
        if adjective.english == "new" and clause is not None and "@borrow" in clause.frame.tags:
            return 0
        if adjective.english == "quiet" and "quietly" in self.make.used:
            return 0
        if adjective.english == "sad" and any(d.clause.frame.english == "be happy" for d in step.dependents):
            return 0
        if adjective.english == "old" and clause is not None and clause.frame.tags & {"buy", "save"}:
            return 0
        if adjective.english in _PRICES and clause is not None and not clause.frame.tags & {"buy", "save"}:
            return 0
        if phrase.adjectives:
            first = phrase.adjectives[0]
            if first.english not in _BEFORE_COLORS or adjective.english not in _COLORS or first.prefix:
                return 0
        phrase.adjectives.append(adjective)
        self.make.used.add(adjective.english)
        return 1

    def _told_like(self, adjective: str, clause: Clause | None, step: Step) -> bool:
        """Whether somebody is told to be like that: by looks or renown, and by heart where it is what is told."""
        if clause is None:
            return step.clause.frame.part == "copula" or adjective not in _BY_HEART
        return clause.frame.part == "copula" or "sight" in clause.frame.tags

    def very(self) -> int:
        """아주 큰 개; 가방이 아주 크다."""
        phrase, _, _, step = self._phrase()
        clause = step.clause
        if "very" in self.make.used:
            return 0
        if clause.frame.part == "adjective" and not clause.negative and not clause.than and not clause.very:
            if clause.frame.english.split()[-1] in _DEGREES:
                clause.very = True
                self.make.used.add("very")
                return 1
            return 0
        if (
            len(phrase.adjectives) == 1
            and "animal" not in phrase.noun.classes
            and not phrase.very
            and not phrase.determiner
            and phrase.adjectives[0].english in _DEGREES
        ):
            phrase.very = True
            self.make.used.add("very")
            return 1
        return 0

    def day(self) -> int:
        """어제; 월요일에; 매일."""
        block = self.sentence.blocks[0]
        first = block.steps[0].clause
        if (
            block.time
            or "feel" in first.frame.tags
            or first.modal in ("want", "decide", "can")
            or (first.progressive and self.make.tense == "past")
            or (first.modal and self.make.tense == "present")
            or first.frame.part in ("copula", "adjective", "exist")
            or self._stative(block)
        ):
            return 0
        if "sky" in first.frame.tags or (first.described and block.subject and block.subject.relative):
            return 0
        if any(step.clause.time for b in self.sentence.blocks for step in b.steps):
            return 0
        tense = self.make.tense
        options = [d for d in DATES if tense in d.tenses and len(d.english.split()) <= self.room]
        trifle = bool(first.frame.tags & _TRIFLES) and tense != "present"
        if block.subject is None or "human" not in block.subject.noun.classes or trifle:
            options = [d for d in options if d.korean in _OF_NO_ONE]
        elif tense == "present":
            how_often = {often(clause) for clause in self.sentence.clauses()}
            going = any(d.connective == "when" for d in block.steps[0].dependents)
            if "" in how_often or going or self._exceptional():
                return 0
            if "weekly" in how_often:
                options = [d for d in options if d.often == "weekly"]
            if any(clause.frame.tags & _EVERY_DAY for clause in self.sentence.clauses()):
                options = [d for d in options if d.often == "daily"]
        if (
            self._several
            or len(block.steps) > 1
            or block.steps[0].dependents
            or not first.frame.tags & {"leisure", "go", "@travel"}
        ):
            options = [d for d in options if d.part != "weeks"]
        parts = self._parts()
        meal = any("meal" in clause.frame.tags for clause in self.sentence.clauses())
        options = [d for d in options if d.part in ("any", "weeks") or (d.part in parts and not meal)]
        ifs = [d.clause for b in self.sentence.blocks for s in b.steps for d in s.dependents if d.connective == "if"]
        if ifs:
            if tense == "present" or any(c.frame.subjects and not _weather(c) for c in ifs):
                return 0
            options = [d for d in options if d.part == "any"]
        if "night" in first.frame.tags:
            options = [d for d in options if d.part == "night"]
        lasting_on = [c for c in self.sentence.clauses() if "undated" in c.frame.tags]
        if lasting_on:
            options = [d for d in options if d.part == "weeks" and "@travel" in lasting_on[0].frame.tags]
        if not self.make.used.isdisjoint(_CLOSED_ON_WEEKENDS):
            options = [d for d in options if not d.korean.startswith(WEEKEND)]
        if not options:
            return 0
        date = self.dice.pick(options)
        block.time = written(date, self.make.key())
        return len(date.english.split())

    def _parts(self) -> frozenset[str]:
        """The parts of a day in which all that is told can be done."""
        return frozenset.intersection(*(block.parts for block in self.sentence.blocks))

    def _exceptional(self) -> bool:
        """Whether something is told that does not come back every day."""
        steps = [step for block in self.sentence.blocks for step in block.steps]
        once = any(d.connective in ("because", "even if") for step in steps for d in step.dependents)
        told = any(step.clause.adverb and step.clause.adverb[2] == "middle" for step in steps)
        return once or told or any(clause.negative for clause in self.sentence.clauses())

    def _stative(self, block: Block) -> bool:
        return any(step.clause.frame.aspect == "s" and step.clause.frame.part == "verb" for step in block.steps)

    def part_of_day(self) -> int:
        """아침에; 세 시에; 일곱 시 반에."""
        block = self.sentence.blocks[0]
        dated = block.time
        step = block.steps[0]
        clause = step.clause
        tags = clause.frame.tags
        if self._several or (dated and dated.korean not in _BEFORE_THE_CLOCK):
            return 0
        if block.subject is None or "human" not in block.subject.noun.classes or self.make.tense == "now":
            return 0
        if any("meal" in c.frame.tags for c in self._all(block) if c is not clause):
            return 0
        if tags & {"feel", "moment", "mishap"}:
            return 0
        if clause.time or clause.frame.part != "verb" or clause.frame.aspect not in "ae":
            return 0
        if clause.described or step.dependents or clause.modal or clause.negative or clause.adverb:
            return 0
        if dated or self.dice.chance(0.5) or tags & {"getup", "meal"}:
            known = hours(clause.frame, self._parts())
            if not tags & {"clock", "meal"} or not known:
                return 0
            time = oclock(self.dice, self.dice.pick(known), self.make.key())
        else:
            named = [date for date in PARTS_OF_A_DAY if date.part in self._parts() and date.part != "noon"]
            if not named or tags & {"early", "late", "noon"} or any("meal" in c.frame.tags for c in self._all(block)):
                return 0
            time = written(self.dice.pick(named), self.make.key())
        cost = len(time.english.split())
        if cost > self.room:
            return 0
        clause.time = time
        return cost

    def _all(self, block: Block) -> list[Clause]:
        return [clause for s in block.steps for clause in (s.clause, *(d.clause for d in s.dependents))]

    def place(self) -> int:
        """공원에서."""
        block, step = self._step()
        clause = step.clause
        if step.dependents and self.dice.chance(0.3):
            dependent = self.dice.pick(step.dependents)
            if dependent.connective == "after":
                clause = dependent.clause
        if clause.places or clause.modal in ("decide", "can", "want") or clause.described:
            return 0
        if any(d.connective in ("because", "if", "even if") for d in step.dependents):
            return 0
        placed = any(c.places for c in self._all(block))
        options = [n for n in clause.where if n.korean not in self.make.used and not (placed and n.korean in HOME)]
        subject = self.sentence.blocks[0].subject
        options = [n for n in options if subject is None or self.make.words.visits(subject.noun, n)]
        if not options:
            return 0
        noun = self.dice.pick(options)
        date = self.sentence.blocks[0].time
        if noun.korean in _CLOSED_ON_WEEKENDS and date and date.korean.startswith(WEEKEND):
            return 0
        place = self.make.place(clause.frame, noun)
        cost = len(phrase(place, clause.who))
        if cost > self.room:
            self.make.used.remove(noun.korean)
            return 0
        clause.places.append(place)
        return cost

    def _went(self, step: Step) -> bool:
        """Whether the step before it was going to the place where this one is done."""
        for block in self.sentence.blocks:
            if step in block.steps:
                before = block.steps[: block.steps.index(step)]
                return bool(before) and before[-1].join == "on"
        return False

    def companion(self) -> int:
        """친구와 함께."""
        block, step = self._step()
        clause = step.clause
        if "social" not in clause.frame.tags or clause.adverb or any(p.particle == "과" for p in clause.phrases):
            return 0
        others = self._all(block)
        if any("@meet" in c.frame.tags or c.companion or (c.adverb and c.adverb[1] == "alone") for c in others):
            return 0
        if any("human" in p.noun.classes for p in clause.phrases) or clause.honored:
            return 0
        if any(p.particle == "과" for d in step.dependents for p in d.clause.phrases):
            return 0
        kinds = [kind for kind in clause.company if kind in self.make.circle]
        if not kinds or clause.negative or clause.described or (block.subject and block.subject.who == "they"):
            return 0
        noun = self.make.noun(self.make.words.of(*kinds))
        companion = Phrase(noun, self.make.key(), "과", article=noun.article)
        cost = 1 + len(phrase(companion, clause.who))
        if cost > self.room:
            return 0
        clause.companion = companion
        return cost

    def optional(self) -> int:
        """연필로; 버스로."""
        block, step = self._step()
        clause = step.clause
        slots = [slot for slot in clause.frame.slots if slot.optional]
        if not slots or len(clause.phrases) != 1 or clause.described:
            return 0
        goal = clause.phrases[0].noun
        if goal.classes & {"town", "near", "far"} or any("ride" in c.frame.tags for c in self._all(block)):
            return 0
        added = self.make.fill(slots[0], clause.frame, plain=True)
        if "outdoors" in goal.classes and added.noun.korean == "지하철":
            return 0
        cost = len(phrase(added, clause.who))
        if cost > self.room:
            return 0
        clause.phrases.append(added)
        return cost

    def adverb(self) -> int:
        """열심히; 자주."""
        block, step = self._step()
        clause = step.clause
        tense = self.make.tense
        options = [a for a in ADVERBS if a[3] & clause.frame.tags and tense in a[4]]
        if (
            clause.adverb
            or not options
            or clause.described
            or clause.negative
            or clause.modal
            or clause.companion
            or step.join == "then"
        ):
            return 0
        korean, english, place, _, _ = self.dice.pick(options)
        how_often = place == "middle"
        if english in self.make.used:
            return 0
        if step.join == "or" or any(s.join == "or" for s in block.steps):
            return 0
        if english == "again" and (len(block.steps) > 1 or self._several or any(p.number for p in clause.phrases)):
            return 0
        if how_often and (self.sentence.blocks[0].time or len(self.sentence.blocks) > 1 or len(block.steps) > 1):
            return 0
        if how_often and (
            step.dependents or clause.progressive or clause.time or any(p.number for p in clause.phrases)
        ):
            return 0
        if how_often and block.subject and block.subject.number:
            return 0
        if how_often and (clause.duration or clause.frame.tags & {"meal"}):
            return 0
        if english == "quietly" and "quiet" in self.make.used:
            return 0
        if english == "alone" and any(p.particle == "과" for c in self._all(block) for p in c.phrases):
            return 0
        if english == "alone" and any("@meet" in c.frame.tags for c in self._all(block)):
            return 0
        if english == "alone" and (clause.who in ("we", "they") or any(c.companion for c in self._all(block))):
            return 0
        clause.adverb = (korean, english, place)
        self.make.used.add(english)
        return 1

    def duration(self) -> int:
        """두 시간 동안."""
        block, step = self._step()
        clause = step.clause
        longest = 3 if "hours" in clause.frame.tags else 2 if "hour" in clause.frame.tags else 0
        if any(c.duration for c in self._all(block)):
            return 0
        if not longest or clause.duration or clause.time or clause.progressive or clause.negative or self.room < 3:
            return 0
        if step.join == "then" or step.dependents or clause.described or any(p.number for p in clause.phrases):
            return 0
        if clause.modal or self.make.tense == "now" or (clause.adverb and clause.adverb[2] == "middle"):
            return 0
        clause.duration = lasting(self.dice, longest, self.make.key())
        return 3

    def second(self) -> int:
        """사과와 배를."""
        target, clause, _, step = self._phrase()
        if (
            clause is not step.clause
            or target.particle != "을"
            or not target.bare
            or target.article not in ("a", "generic")
            or clause.frame.aspect not in "ae"
            or target.noun.korean == "책"
        ):
            return 0
        kinds = target.noun.classes & _IN_PAIRS
        options = [
            n
            for n, article in target.options
            if article == target.article and n.classes & kinds and n.korean != "책" and not _overlap(n, target.noun)
        ]
        if len(options) < 2 or clause.negative or "whole" in clause.frame.tags:
            return 0
        noun = self.make.noun(options)
        if noun is target.noun:
            return 0
        added = Phrase(noun, self.make.key(), "을", article=target.article)
        cost = 1 + len(phrase(added, clause.who))
        if cost > self.room:
            return 0
        target.second = added
        return cost

    def pieces(self) -> int:
        """커피 두 잔."""
        target, clause, _, _ = self._phrase()
        if clause is None or not target.noun.piece or not target.noun.counter or target.particle != "을":
            return 0
        if target.number or target.determiner or target.second or clause.negative:
            return 0
        if not clause.frame.tags & {"eat", "drink"} or self.make.tense != "past":
            return 0
        before = len(phrase(target, clause.who))
        target.number = self.dice.pick((1, 2))
        cost = len(phrase(target, clause.who)) - before
        if cost > self.room:
            target.number = 0
            return 0
        return cost

    def relative(self) -> int:
        """빨간 모자를 쓴 소년; 엄마가 만든 빵."""
        target, clause, block, step = self._phrase()
        modified = target.relative or target.determiner or target.owner or target.idiom or target.second
        plain = (
            target.article in ("a", "the", "generic")
            and target.noun.article in ("a", "generic")
            and not target.position
        )
        if self.room < 3 or modified or not plain or target.particle == "과":
            return 0
        if not (self._told_of(target, step) if clause is None else self._reads_clearly(target, clause, block, step)):
            return 0
        if block.time and step is block.steps[0]:
            subject = block.subject is not None and block.subject.relative is not None
            if (step.clause.described and clause is None) or (subject and clause is not None):
                return 0
        at_home = clause is not None and clause.company == ("kin",) and "kin" in self.make.circle
        if self.make.story and (clause is None or ("eat" in clause.frame.tags and not at_home)):
            return 0
        outdoors = len(block.steps) == 1 and bool(step.clause.frame.tags & _OUTDOORS)
        made = self.make.relative(target, clause.frame if clause else None, outdoors and clause is None)
        cost = len(relative_words(made)) if made else 0
        if made is None or cost > self.room:
            return 0
        target.relative = made
        return cost

    def _told_of(self, target: Phrase, step: Step) -> bool:
        """Whether a subject may be described: people always, things where the sentence says what they are like."""
        part = step.clause.frame.part
        if step.clause.than:
            return False
        human = "human" in target.noun.classes
        return (part == "adjective" and not human) or (part == "verb" and human)

    def _reads_clearly(self, target: Phrase, clause: Clause, block: Block, step: Step) -> bool:
        """Whether a relative clause here can only be read one way: it opens its clause, behind a topic.

        What stands before it (a time, a place) would be read as a part of it.
        """
        if any(p.preposition == "by" for p in clause.phrases):
            return False
        if clause is not step.clause or clause.described or clause.adverb or clause.time or self._went(step):
            return False
        if step.dependents or clause.companion or clause.duration or (clause.places and target not in clause.places):
            return False
        if clause.frame.part == "copula" and clause.negative:
            return False
        if clause.frame.part == "exist" and (clause.frame.english == "have" or "animal" in target.noun.classes):
            return False
        if not block.topic or (block.subject and "human" not in block.subject.noun.classes):
            return False
        return not (target.preposition == "to" and any(d.connective == "to go" for d in step.dependents))


def _weather(clause: Clause) -> bool:
    return clause.subject is not None and "weather" in clause.subject.noun.classes


def _overlap(one: Noun, other: Noun) -> bool:
    """Whether one noun names a kind of the other: 차 and 녹차, 책 and 만화책."""
    return one.korean.endswith(other.korean) or other.korean.endswith(one.korean)


_WAYS: Weights[Callable[[Grower], int]] = Weights(
    {
        Grower.adjective: 4.0,
        Grower.very: 0.8,
        Grower.day: 3.0,
        Grower.part_of_day: 1.5,
        Grower.place: 3.0,
        Grower.companion: 1.5,
        Grower.optional: 1.0,
        Grower.adverb: 2.0,
        Grower.duration: 1.0,
        Grower.second: 1.2,
        Grower.pieces: 0.6,
        Grower.relative: 3.0,
    }
)
"""The parts that may be added, by how often each is tried."""
