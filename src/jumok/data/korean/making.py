"""Makes phrases and clauses from frames: which noun, which article, how many, who."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jumok.data.korean.dice import Dice
from jumok.data.korean.lexicon import OWN_PREPOSITION, THEMES, Frame, Lexicon, Noun, Slot
from jumok.data.korean.tree import Clause, Keys, Phrase, Relative

COUNTED = ("을", "이")
_TOLD_LATER = frozenset(("rel", "creates", "early", "late", "buy"))
_POINTED_AT = frozenset(("book", "song", "movie", "clothes", "bike", "thing", "hat", "picture", "furniture", "car"))
OWNERS_NEVER = ("I", "we")


class Maker:
    """Makes the parts of one sentence; no noun is used twice in it."""

    def __init__(self, words: Lexicon, dice: Dice, tense: str) -> None:
        self.words, self.dice, self.tense = words, dice, tense
        self.key = Keys()
        self.used: set[str] = set()
        self.theme = ""
        self.started = False

    def noun(self, options: Sequence[Noun]) -> Noun:
        """One of the nouns, a new one where that is possible."""
        for _ in range(6):
            noun = self.dice.pick(options)
            if noun.korean not in self.used:
                break
        self.used.add(noun.korean)
        return noun

    def person(self, pronoun: bool = True, first: bool = False) -> Noun:
        """Somebody who acts; with `pronoun`, one whom English can call he or she."""
        kinds = {"name": 4.0, "kin": 3.0, "person": 3.0, "first": 1.5 if first else 0.0}
        kind = self.dice.weighted(kinds)
        if kind == "first":
            return self.words.i if self.dice.chance(0.7) else self.words.we
        options = self.words.of_with_pronoun(kind) if pronoun else self.words.of(kind)
        return self.noun(options)

    def subject(self, noun: Noun, several: bool = True) -> Phrase:
        """The phrase of a subject: "the" where nothing else is asked for, at times this or those, two or all."""
        phrase = Phrase(noun, self.key(), "이", article="the" if noun.article == "a" else noun.article)
        if phrase.article == "the" and noun.article == "a":
            choice = self.dice.weighted({"": 7.0, "determiner": 1.2, "plural": 1.0, "number": 0.8})
            if choice == "determiner":
                phrase.determiner = self.dice.pick(("이", "그"))
            elif choice == "plural" and several and "human" in noun.classes:
                phrase.plural = True
            elif choice == "number" and several and noun.counter and not noun.mass and not noun.pairs:
                phrase.number = self.dice.pick((2, 2, 3, 3, 4, 5))
        return phrase

    def fill(self, slot: Slot, frame: Frame, plain: bool = False) -> Phrase:
        """The phrase of an argument."""
        nouns = [noun for noun, _ in slot.options]
        noun = self.noun(nouns)
        article = slot.options[nouns.index(noun)][1]
        phrase = Phrase(noun, self.key(), slot.particle, slot.preposition, article, slot.options)
        if slot.preposition == OWN_PREPOSITION or (slot.preposition == "to" and "place" in noun.classes):
            goal = slot.preposition == "to"
            phrase.idiom = noun.goal if goal or noun.goal == "home" else noun.bare
            if not goal:
                phrase.preposition = noun.preposition
            if article == "a":
                phrase.article = "the"
        elif not plain and article == "a" and slot.particle in COUNTED and "whole" not in frame.tags:
            self._vary(phrase, frame)
        return phrase

    def _vary(self, phrase: Phrase, frame: Frame) -> None:
        """At times a number, a determiner or an owner, none of which changes the length much."""
        noun = phrase.noun
        choice = self.dice.weighted({"": 7.0, "number": 1.6, "determiner": 0.5, "owner": 2.0})
        if choice == "number" and noun.counter and not noun.mass and not noun.pairs and not noun.piece:
            small = noun.classes & {"fruit", "baked", "flower", "vegetable"}
            if frame.aspect != "w" and self.tense != "present":
                phrase.number = self.dice.pick((1, 2, 2, 3, 3, 4, 5, 6, 7, 10) if small else (1, 2, 2, 3, 3))
        elif choice == "determiner" and "creates" not in frame.tags and noun.classes & _POINTED_AT:
            phrase.determiner = self.dice.pick(("이", "그"))
        elif choice == "owner" and "owned" in frame.tags and "bus" not in noun.classes:
            phrase.owner = self.owner()

    def owner(self) -> Noun:
        """Whose it is."""
        if self.dice.chance(0.25):
            return self.words.i
        return self.noun(self.words.of_with_pronoun(self.dice.pick(("name", "kin"))))

    def place(self, frame: Frame, theme: str = "") -> Phrase:
        """Where something is done, in a row where the rest of it is done."""
        near = [noun for noun in frame.places if noun.korean in THEMES[theme]] if theme else []
        noun = self.noun(near or frame.places)
        article = "the" if noun.article == "a" else noun.article
        preposition = "in" if frame.english == "swim" else noun.preposition
        return Phrase(noun, self.key(), "에서", preposition, article, idiom=noun.bare)

    def goal(self, frame: Frame, noun: Noun) -> Clause:
        """The arguments of going to one place, as a clause without a subject."""
        clause = Clause(frame, self.key(), "one")
        article = "the" if noun.article == "a" else noun.article
        clause.phrases = [Phrase(noun, self.key(), "에", "to", article, idiom=noun.goal)]
        self.used.add(noun.korean)
        return clause

    def clause(self, frame: Frame, noun: Noun | None, who: str, plain: bool = False) -> Clause:
        """A frame with its arguments filled in; its subject, `noun`, is spoken elsewhere."""
        clause = Clause(frame, self.key(), who, honored=noun is not None and noun.honored)
        worn = frame.aspect == "w"
        clause.phrases = [self.fill(slot, frame, plain or worn) for slot in frame.slots if not slot.optional]
        if worn and who in ("we", "they"):
            clause.phrases[0].article = "generic"
        if frame.aspect == "p" and self.tense in ("now", "past") and not plain and self.dice.chance(0.7):
            clause.progressive = True
        return clause

    def frames(
        self, noun: Noun, who: str, aspects: str = "ae", tags: frozenset[str] | None = None, theme: str = ""
    ) -> tuple[Frame, ...]:
        """What the subject may do, of these aspects and with any of these tags."""
        return self.words.choices(noun, aspects, tags, who != "one", self.tense, theme)

    def act(
        self, noun: Noun, who: str, aspects: str = "ae", tags: frozenset[str] | None = None, theme: str = ""
    ) -> Clause | None:
        """Something that the subject does and that is new in the sentence, or None where nothing fits."""
        options = self.frames(noun, who, aspects, tags, theme)
        frame = self.fresh(options) if options else None
        return None if frame is None else self.clause(frame, noun, who)

    def fresh(self, options: Sequence[Frame]) -> Frame | None:
        """One of the frames whose English verb is not yet in the sentence, or None."""
        for _ in range(6):
            frame = self.dice.pick(options)
            done = "bathe" if frame.word_means in ("shower", "bath") else frame.english
            done = "clean" if "clean" in frame.tags else done
            if done not in self.used:
                self.used.add(done)
                return frame
        return None

    def relative(self, phrase: Phrase, main: Frame | None, depth: int = 1) -> Relative | None:
        """A clause that describes the noun: what it does, what somebody did with it, or what is done there."""
        noun = phrase.noun
        ways: list[Callable[[Phrase, Frame | None, int], Relative | None]] = []
        if "place" in noun.classes:
            ways = [self._where]
        elif "human" in noun.classes or "animal" in noun.classes:
            ways = [self._doing]
        elif self.words.objects.get(noun):
            ways = [self._done]
        return self.dice.pick(ways)(phrase, main, depth) if ways else None

    def _deepen(self, clause: Clause, depth: int) -> None:
        """At times describe a noun inside a relative clause as well."""
        if depth < 2 and clause.phrases and self.dice.chance(0.3):
            inner = clause.phrases[0]
            if inner.article == "a" and inner.bare:
                inner.relative = self.relative(inner, clause.frame, depth + 1)

    def _doing(self, phrase: Phrase, main: Frame | None, depth: int) -> Relative | None:
        vivid = self.tense in ("past", "now") and main is not None
        kind = self.dice.weighted({"w": 3.0, "ae" if not vivid else "a": 3.0, "s": 1.2})
        options = self.frames(phrase.noun, phrase.who, kind) or self.frames(phrase.noun, phrase.who, "a")
        if main is None:
            options = tuple(f for f in options if f.aspect in "sw" or f.tags & _TOLD_LATER)
        if main is not None and "whole" in main.tags:
            return None
        frame = self.fresh(options) if options else None
        if frame is None or frame.stem == "날" or "know" in frame.tags:  # 나는 새 would read as "I"
            return None
        clause = self.clause(frame, phrase.noun, phrase.who, plain=True)
        pronoun = "who" if "human" in phrase.noun.classes else "that"
        self._deepen(clause, depth)
        if frame.aspect == "s":
            return Relative(clause, pronoun, False, "past" if self.tense == "past" else "present")
        past = frame.aspect == "e" or (frame.aspect == "a" and (not vivid or self.dice.chance(0.25)))
        if frame.places and self.dice.chance(0.35) and not any(p.relative for p in clause.phrases):
            clause.places = [self.place(frame)]
        ongoing = frame.aspect == "a" and not past
        return Relative(clause, pronoun, past, "past" if self.tense == "past" else "present", ongoing)

    def _done(self, phrase: Phrase, main: Frame | None, depth: int) -> Relative | None:
        options = [f for f in self.words.objects[phrase.noun] if main is None or f.english != main.english]
        if main is not None and "creates" in main.tags:
            return None
        if main is not None and "picky" in main.tags:
            options = [f for f in options if ("creates" in f.tags and f.english != "cook") or f.aspect == "s"]
        frame = self.fresh(options) if options else None
        if frame is None:
            return None
        possible = [
            noun for noun in frame.subjects if noun.pronoun and ("name" in noun.classes or "kin" in noun.classes)
        ]
        noun = self.noun(possible or frame.subjects)
        subject = Phrase(noun, self.key(), "이", article="the" if noun.article == "a" else noun.article)
        clause = Clause(frame, self.key(), subject.who, noun.honored, subject)
        state = frame.aspect == "s"
        if state:
            return Relative(clause, "that", False, "past" if self.tense == "past" else "present")
        return Relative(clause, "that", True)

    def _where(self, phrase: Phrase, main: Frame | None, depth: int) -> Relative | None:
        options = [
            f
            for f in self.words.done_at.get(phrase.noun, ())
            if f.aspect == "a" and not f.slots and "feel" not in f.tags
        ]
        frame = self.fresh(options) if options else None
        if frame is None:
            return None
        people = [n for n in frame.subjects if n.classes & {"name", "kin"} and frame in self.words.can[n]]
        if not people:
            return None
        noun = self.noun(people)
        subject = Phrase(noun, self.key(), "이", article="the" if noun.article == "a" else noun.article)
        clause = Clause(frame, self.key(), subject.who, noun.honored, subject)
        return Relative(clause, "where", False, "past" if self.tense == "past" else "present")
