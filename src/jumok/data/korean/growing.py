"""Fills a planned sentence up to the length asked for: adjectives, times, places, company, relative clauses."""

from __future__ import annotations

from collections.abc import Callable

from jumok.data.hangul import counted, native, sino
from jumok.data.korean.english_side import Word, english, phrase, relative_words
from jumok.data.korean.english_words import number
from jumok.data.korean.lexicon import THEMES, Noun, rows
from jumok.data.korean.making import Maker
from jumok.data.korean.tree import Block, Clause, Phrase, Sentence, Step, Time

TIMES = tuple((row[0], row[1], frozenset(row[2].split()), row[3]) for row in rows("times.txt"))
ADVERBS = tuple(
    (row[0], row[1], row[2], frozenset(row[3].split()), frozenset(row[4].split())) for row in rows("adverbs.txt")
)

_COLORS = frozenset(("red", "yellow", "blue", "white", "black"))
_BEFORE_COLORS = frozenset(("big", "small", "long", "short", "pretty", "cute"))
_DEGREES = frozenset(
    ("big", "small", "old", "pretty", "beautiful", "expensive", "cheap", "heavy", "high", "deep", "long")
)
_BEFORE_THE_CLOCK = frozenset(("어제", "오늘", "내일", "모레", "그저께", "매일"))
_LASTING = frozenset(["leisure", "duty", "walk", "hard", "wait"])
_NOT_OF_NEW_THINGS = frozenset(("old", "famous", "expensive", "cheap", "new", "heavy", "thick"))
_TRIES = 60


class Grower:
    """Adds parts to one sentence until it has the words it should have."""

    def __init__(self, make: Maker, sentence: Sentence) -> None:
        self.make, self.dice, self.sentence = make, make.dice, sentence
        self.room = 0
        self.ways: tuple[tuple[Callable[[], int], float], ...] = (
            (self.adjective, 4.0),
            (self.very, 0.8),
            (self.day, 3.0),
            (self.part_of_day, 1.5),
            (self.place, 3.0),
            (self.companion, 1.5),
            (self.optional, 1.0),
            (self.adverb, 2.0),
            (self.duration, 1.0),
            (self.second, 1.2),
            (self.pieces, 0.6),
            (self.relative, 3.0),
        )

    def grow(self, length: int) -> list[Word]:
        """Add parts while there is room; returns the English words, at best `length` of them."""
        words = english(self.sentence)
        self.room = length - len(words)
        if self.room <= 0:
            return words
        weights = dict(self.ways)
        for _ in range(_TRIES):
            self.room -= self.dice.weighted(weights)()
            if self.room <= 0:
                break
        return english(self.sentence)

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
        worn = clause is not None and clause.frame.aspect == "w"
        fixed = (
            phrase.article in ("none", "my", "own")
            or (phrase.article == "generic" and not worn)
            or phrase.idiom
            or phrase.preposition == "by"
        )
        options = self.make.words.fitting.get(phrase.noun, ())
        if fixed or not options or len(phrase.adjectives) > 1 or phrase.very:
            return 0
        if step.clause.frame.part == "adjective" if clause is None else clause.negative:
            return 0
        adjective = self.dice.pick(options)
        if clause is not None and "creates" in clause.frame.tags and adjective.english in _NOT_OF_NEW_THINGS:
            return 0
        if adjective.english == "quiet" and clause is not None and clause.adverb:
            return 0
        if adjective.english == "sad" and any(d.clause.frame.english == "be happy" for d in step.dependents):
            return 0
        if phrase.adjectives:
            first = phrase.adjectives[0]
            if first.english not in _BEFORE_COLORS or adjective.english not in _COLORS or first.prefix:
                return 0
        phrase.adjectives.append(adjective)
        return 1

    def very(self) -> int:
        """아주 큰 개; 가방이 아주 크다."""
        phrase, _, _, step = self._phrase()
        clause = step.clause
        if clause.frame.part == "adjective" and not clause.negative and not clause.than and not clause.very:
            if clause.frame.english.split()[-1] in _DEGREES:
                clause.very = True
                return 1
            return 0
        if (
            len(phrase.adjectives) == 1
            and not phrase.very
            and not phrase.determiner
            and phrase.adjectives[0].english in _DEGREES
        ):
            phrase.very = True
            return 1
        return 0

    def day(self) -> int:
        """어제; 월요일에; 매일."""
        block = self.sentence.blocks[0]
        if block.time or block.steps[0].clause.frame.part in ("copula", "adjective", "exist"):
            return 0
        subject = block.subject
        if (block.steps[0].clause.described and subject and subject.relative) or self._stative(block):
            return 0
        options = [t for t in TIMES if self.make.tense in t[2] and t[3] != "part" and len(t[1].split()) <= self.room]
        if any(step.clause.time for b in self.sentence.blocks for step in b.steps):
            return 0
        if subject is None or "human" not in subject.noun.classes:
            options = [t for t in options if t[0] in ("어제", "오늘", "지금", "어제 아침에", "오늘 아침에", "내일")]
        elif len(self.sentence.blocks) > 1 or len(block.steps) > 1:
            options = [t for t in options if t[3] != "once"]
        if any("home" not in c.frame.themes or c.frame.tags & {"getup", "meal"} for c in self.sentence.clauses()):
            options = [t for t in options if t[3] != "night"]
        if any("outdoor" in clause.frame.tags for clause in self.sentence.clauses()):
            options = [t for t in options if t[3] != "evening"]
        if self.make.tense == "present" and self._exceptional():
            return 0
        if any(d.connective == "if" for step in block.steps for d in step.dependents):
            options = [t for t in options if t[3] == "day"]
        if any("meal" in clause.frame.tags for clause in self.sentence.clauses()):
            options = [t for t in options if t[3] == "day"]
        if not options:
            return 0
        korean, english, _, room = self.dice.pick(options)
        same = len(korean.split()) == len(english.split()) > 1
        block.time = Time(korean, english, self.make.key(), room, tuple(range(len(korean.split()))) if same else ())
        return len(english.split())

    def _exceptional(self) -> bool:
        """Whether something is told that does not come back every day."""
        steps = [step for block in self.sentence.blocks for step in block.steps]
        once = any(d.connective == "because" for step in steps for d in step.dependents)
        often = any(step.clause.adverb and step.clause.adverb[2] == "middle" for step in steps)
        return once or often or any(clause.negative for clause in self.sentence.clauses())

    def _stative(self, block: Block) -> bool:
        return any(step.clause.frame.aspect == "s" and step.clause.frame.part == "verb" for step in block.steps)

    def part_of_day(self) -> int:
        """아침에; 세 시에; 일곱 시 반에."""
        dated = self.sentence.blocks[0].time
        block = self.sentence.blocks[0] if dated else self.dice.pick(self.sentence.blocks)
        step = block.steps[0]
        clause = step.clause
        meals = any("meal" in c.frame.tags for c in self.sentence.clauses())
        busy = meals or any(s.clause.time for s in block.steps)
        if dated and dated.korean not in _BEFORE_THE_CLOCK:
            return 0
        if block.subject is None or "human" not in block.subject.noun.classes:
            return 0
        odd = (
            clause.frame.tags & {"meal", "sky", "spring"}
            or clause.frame.aspect not in "ae"
            or clause.frame.part != "verb"
        )
        if (
            busy
            or odd
            or clause.described
            or step.dependents
            or clause.modal
            or clause.negative
            or self.make.tense == "now"
        ):
            return 0
        if clause.frame.tags & {"rest", "early", "late"}:
            return 0
        if dated or self.dice.chance(0.5) or clause.frame.tags & {"getup"}:
            time = self._clock()
        else:
            korean, english, _, room = self.dice.pick([t for t in TIMES if t[3] == "part"])
            if korean == "밤에" and "home" not in clause.frame.themes:
                return 0
            time = Time(korean, english, self.make.key(), room)
        cost = len(time.english.split())
        if cost > self.room:
            return 0
        clause.time = time
        return cost

    def _clock(self) -> Time:
        hour = self.dice.pick((6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5))
        way = self.dice.weighted({"hour": 3.0, "half": 1.0, "minutes": 0.7})
        key = self.make.key()
        if way == "hour":
            return Time(f"{counted(hour, '시')}에", f"at {number(hour)} o'clock", key, "part", (-1, 0, 1))
        if way == "half":
            return Time(f"{counted(hour, '시')} 반에", f"at half past {number(hour)}", key, "part", (-1, 2, -1, 0))
        minutes = self.dice.pick((15, 20, 40, 45, 50))
        korean = f"{counted(hour, '시')} {sino(minutes)} 분에"
        return Time(korean, f"at {number(hour)} {number(minutes)}", key, "part", (-1, 0, 2))

    def place(self) -> int:
        """공원에서."""
        block, step = self._step()
        clause = step.clause
        if step.dependents and self.dice.chance(0.3):
            dependent = self.dice.pick(step.dependents)
            if dependent.connective in ("before", "after", "while", "when"):
                clause = dependent.clause
        if clause.places or not clause.frame.places or clause.modal == "decide":
            return 0
        if any(d.connective in ("to go", "when done") for d in step.dependents) or self._went(step):
            return 0
        if any(d.clause.subject and d.clause.subject.noun.korean == "방" for d in step.dependents):
            return 0
        home = any("home_come" in d.clause.frame.tags for d in step.dependents)
        theme = "home" if home else block.theme
        if theme and not any(noun.korean in THEMES[theme] for noun in clause.frame.places):
            return 0
        place = self.make.place(clause.frame, theme)
        cost = len(phrase(place, clause.who))
        if cost > self.room:
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
        social = clause.frame.tags & {"leisure", "eat", "errand", "walk", "cooking", "outdoor"}
        if clause.companion or not social or clause.adverb or any(p.particle == "과" for p in clause.phrases):
            return 0
        if any("human" in p.noun.classes for p in clause.phrases) or clause.honored or "whole" in clause.frame.tags:
            return 0
        if any(p.particle == "과" for d in step.dependents for p in d.clause.phrases):
            return 0
        near = block.subject is not None and block.subject.noun.classes & {"name", "kin"}
        noun = self.make.noun(self.make.words.of("friend", "name", "kin" if near else "neighbor"))
        companion = Phrase(noun, self.make.key(), "과", article=noun.article)
        cost = 1 + len(phrase(companion, clause.who))
        if cost > self.room:
            return 0
        clause.companion = companion
        return cost

    def optional(self) -> int:
        """연필로; 버스로."""
        _, step = self._step()
        clause = step.clause
        slots = [slot for slot in clause.frame.slots if slot.optional]
        if not slots or len(clause.phrases) != 1:
            return 0
        added = self.make.fill(slots[0], clause.frame, plain=True)
        cost = len(phrase(added, clause.who))
        if cost > self.room:
            return 0
        clause.phrases.append(added)
        return cost

    def adverb(self) -> int:
        """열심히; 자주."""
        _, step = self._step()
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
        often = place == "middle"
        if often and self.sentence.blocks[0].time:
            return 0
        counted_things = any(p.number for p in clause.phrases)
        if often and (step.dependents or clause.progressive or clause.time or counted_things or tense == "past"):
            return 0
        if english == "quietly" and any(a.english == "quiet" for p in clause.places for a in p.adjectives):
            return 0
        if english == "alone" and any(p.particle == "과" for d in step.dependents for p in d.clause.phrases):
            return 0
        if english == "alone" and (
            clause.who in ("we", "they") or clause.frame.tags & {"sport"} or clause.frame.stem == "두"
        ):
            return 0
        clause.adverb = (korean, english, place)
        return 1

    def duration(self) -> int:
        """두 시간 동안."""
        _, step = self._step()
        clause = step.clause
        lasting = (
            clause.frame.aspect == "a" and clause.frame.tags & _LASTING and not clause.frame.tags & {"wash", "eat"}
        )
        if clause.duration or not lasting or clause.time or clause.progressive or clause.negative or self.room < 3:
            return 0
        if step.join == "then" or step.dependents or any(p.number or p.relative for p in clause.phrases):
            return 0
        if clause.modal == "start" or self.make.tense == "now" or clause.frame.word in ("설거지를", "빨래를"):
            return 0
        hours = self.dice.pick((1, 2, 2, 3, 4))
        unit = "hour" if hours == 1 else "hours"
        clause.duration = Time(
            f"{native(hours)} 시간 동안", f"for {number(hours)} {unit}", self.make.key(), "part", (2, 0, 1)
        )
        return 3

    def second(self) -> int:
        """사과와 배를."""
        target, clause, _, _ = self._phrase()
        if (
            clause is None
            or target.particle != "을"
            or not target.bare
            or target.article != "a"
            or clause.frame.aspect not in "ae"
            or target.noun.korean == "밥"
        ):
            return 0
        kinds = target.noun.classes
        options = [
            n
            for n, article in target.options
            if article == "a" and n.classes & kinds and n.korean != "밥" and not _overlap(n, target.noun)
        ]
        if len(options) < 2 or "human" in kinds or clause.negative or "whole" in clause.frame.tags:
            return 0
        noun = self.make.noun(options)
        if noun is target.noun:
            return 0
        added = Phrase(noun, self.make.key(), "을", article="a")
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
        if not clause.frame.tags & {"eat", "drink"}:
            return 0
        before = len(phrase(target, clause.who))
        target.number = self.dice.pick((1, 2, 2, 3))
        cost = len(phrase(target, clause.who)) - before
        if cost > self.room:
            target.number = 0
            return 0
        return cost

    def relative(self) -> int:
        """빨간 모자를 쓴 소년; 엄마가 만든 빵."""
        target, clause, block, step = self._phrase()
        modified = target.relative or target.determiner or target.owner or target.idiom or target.second
        plain = target.article in ("a", "the") and target.noun.article == "a" and not target.position
        if self.room < 3 or modified or not plain or target.particle == "과":
            return 0
        if not (self._told_of(target, step) if clause is None else self._reads_clearly(target, clause, block, step)):
            return 0
        if block.time and step is block.steps[0]:
            subject = block.subject is not None and block.subject.relative is not None
            if (step.clause.described and clause is None) or (subject and clause is not None):
                return 0
        made = self.make.relative(target, clause.frame if clause else None)
        cost = len(relative_words(made)) if made else 0
        if made is None or cost > self.room:
            return 0
        target.relative = made
        return cost

    def _told_of(self, target: Phrase, step: Step) -> bool:
        """Whether a subject may be described: people always, things where the sentence says what they are like."""
        part = step.clause.frame.part
        return part == "adjective" or (part == "verb" and "human" in target.noun.classes)

    def _reads_clearly(self, target: Phrase, clause: Clause, block: Block, step: Step) -> bool:
        """Whether a relative clause here can only be read one way: it opens its clause, behind a topic.

        What stands before it (a time, a place) would be read as a part of it.
        """
        if clause is not step.clause or clause.described or clause.adverb or clause.time or self._went(step):
            return False
        if clause.frame.part == "exist" and (clause.frame.english == "have" or "animal" in target.noun.classes):
            return False
        if not block.topic or (block.subject and "human" not in block.subject.noun.classes):
            return False
        return not (target.preposition == "to" and any(d.connective == "to go" for d in step.dependents))


def _overlap(one: Noun, other: Noun) -> bool:
    """Whether one noun names a kind of the other: 차 and 녹차, 책 and 만화책."""
    return one.korean.endswith(other.korean) or other.korean.endswith(one.korean)
