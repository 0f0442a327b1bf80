"""Makes phrases and clauses from frames: which noun, which article, how many, who."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jumok.data.korean.dice import Dice, Weights
from jumok.data.korean.lexicon import OWN_PREPOSITION, Frame, Lexicon, Noun, Slot
from jumok.data.korean.tree import Clause, Keys, Phrase, Relative

_ONE_EACH = frozenset(("bike", "horse", "umbrella"))
COUNTED = ("을", "이")
_PEOPLE = {"name": 4.0, "kin": 3.0, "person": 3.0}
_OTHERS, _ALL = Weights(_PEOPLE), Weights(_PEOPLE | {"first": 1.5})
_SUBJECTS = Weights({"": 7.0, "determiner": 1.2, "plural": 1.4, "number": 1.0})
_OBJECTS = Weights({"": 7.0, "number": 2.5, "determiner": 0.5, "owner": 3.0})
_DESCRIBING = Weights({"w": 3.0, "s": 1.2})
_VIVID = Weights({"w": 3.0, "a": 6.0, "s": 1.2})
_POINTED_AT = frozenset(("book", "song", "movie", "clothes", "bike", "thing", "hat", "picture", "furniture", "car"))
OWNERS_NEVER = ("I", "we")


class Maker:
    """Makes the parts of one sentence; no noun is used twice in it."""

    def __init__(self, words: Lexicon, dice: Dice, tense: str) -> None:
        self.words, self.dice, self.tense = words, dice, tense
        self.key = Keys()
        self.used: set[str] = set()
        self.actors: set[Noun] = set()

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
        kind = self.dice.weighted(_ALL if first else _OTHERS)
        if kind == "first":
            return self.words.i if self.dice.chance(0.7) else self.words.we
        options = self.words.of_with_pronoun(kind) if pronoun else self.words.of(kind)
        return self.noun(options)

    def subject(self, noun: Noun, several: bool = True) -> Phrase:
        """The phrase of a subject: "the" where nothing else is asked for, at times this or those, two or all."""
        phrase = Phrase(noun, self.key(), "이", article=noun.definite)
        if phrase.article == "the" != noun.article:
            choice = self.dice.weighted(_SUBJECTS)
            if choice == "determiner" and not noun.pairs and noun.article == "a":
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
        elif not plain and article in ("a", "generic") and slot.particle in COUNTED and "whole" not in frame.tags:
            self._vary(phrase, frame)
        return phrase

    def _vary(self, phrase: Phrase, frame: Frame) -> None:
        """At times a number, a determiner or an owner, none of which changes the length much."""
        noun = phrase.noun
        choice = self.dice.weighted(_OBJECTS)
        if choice == "number" and noun.counter and not noun.mass and not noun.pairs and not noun.piece:
            small = noun.classes & {"fruit", "baked", "flower", "vegetable"} and frame.tags & {"buy", "@harvest"}
            if frame.aspect != "w" and self.tense not in ("present", "now") and "movie" not in noun.classes:
                phrase.number = self.dice.pick(
                    (2, 2, 3, 3, 4, 5, 6, 7, 10) if small else (2, 3) if noun.article == "generic" else (1, 2, 2, 3, 3)
                )
        elif choice == "determiner" and "creates" not in frame.tags and noun.classes & _POINTED_AT and not noun.pairs:
            phrase.determiner = self.dice.pick(("이", "그"))
        elif choice == "owner" and "owned" in frame.tags and "bus" not in noun.classes:
            phrase.owner = self.owner()

    def owner(self) -> Noun:
        """Whose it is."""
        if self.dice.chance(0.25):
            return self.words.i
        return self.noun(self.words.of_with_pronoun(self.dice.pick(("name", "kin"))))

    def place(self, frame: Frame, noun: Noun) -> Phrase:
        """Where something is done."""
        self.used.add(noun.korean)
        preposition = "in" if frame.english == "swim" else noun.preposition
        return Phrase(noun, self.key(), "에서", preposition, noun.definite, idiom=noun.bare)

    def going(self, noun: Noun, who: str, place: Noun) -> Clause:
        """Somebody goes to a place."""
        self.used.add(place.korean)
        goal = Phrase(place, self.key(), "에", "to", place.definite, idiom=place.goal)
        return Clause(self.words.go, self.key(), who, noun.honored, phrases=[goal])

    def clause(self, frame: Frame, noun: Noun | None, who: str, plain: bool = False) -> Clause:
        """A frame with its arguments filled in; its subject, `noun`, is spoken elsewhere."""
        clause = Clause(frame, self.key(), who, honored=noun is not None and noun.honored, where=frame.places)
        worn = frame.aspect == "w"
        clause.phrases = [self.fill(slot, frame, plain or worn) for slot in frame.slots if not slot.optional]
        each = worn or (frame.english in ("ride", "use") and bool(clause.phrases[0].noun.classes & _ONE_EACH))
        if each and who in ("we", "they"):
            clause.phrases[0].article = "generic"
        if frame.aspect == "p" and self.tense in ("now", "past") and not plain and self.dice.chance(0.7):
            clause.progressive = True
        return clause

    def frames(
        self, noun: Noun, who: str, aspects: str = "ae", tags: frozenset[str] | None = None
    ) -> tuple[Frame, ...]:
        """What the subject may do, of these aspects and with any of these tags."""
        return self.words.choices(noun, aspects, tags, who != "one", self.tense)

    def act(self, noun: Noun, who: str, aspects: str = "ae", tags: frozenset[str] | None = None) -> Clause | None:
        """Something that the subject does and that is new in the sentence, or None where nothing fits."""
        options = self.frames(noun, who, aspects, tags)
        frame = self.fresh(options) if options else None
        return None if frame is None else self.clause(frame, noun, who)

    def fresh(self, options: Sequence[Frame]) -> Frame | None:
        """One of the frames whose English verb is not yet in the sentence, or None."""
        for _ in range(6):
            frame = self.dice.pick(options)
            done = "bathe" if frame.word_means in ("shower", "bath") else frame.english
            done = next((kind for kind in ("clean", "cooking") if kind in frame.tags), done)
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
        vivid = self.tense in ("past", "now") and main is not None and "sight" in main.tags
        lasts = self.tense in ("present", "future") or (main is not None and main.part == "copula")
        kind = "s" if lasts else self.dice.weighted(_VIVID if vivid else _DESCRIBING)
        options = tuple(f for f in self.frames(phrase.noun, phrase.who, kind) if "cold_clothes" not in f.tags)
        if main is not None and "whole" in main.tags:
            return None
        frame = self.fresh(options) if options else None
        if frame is None or frame.stem == "날" or frame.english in ("know", "love"):  # 나는 새 would read as "I"
            return None
        clause = self.clause(frame, phrase.noun, phrase.who, plain=True)
        pronoun = "who" if "human" in phrase.noun.classes else "that"
        self._deepen(clause, depth)
        if frame.aspect == "s":
            return Relative(clause, pronoun, False, "past" if self.tense == "past" else "present")
        ongoing = frame.aspect == "a"
        return Relative(clause, pronoun, False, "past" if self.tense == "past" else "present", ongoing)

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
        subject = Phrase(noun, self.key(), "이", article=noun.definite)
        clause = Clause(frame, self.key(), subject.who, noun.honored, subject)
        state = frame.aspect == "s"
        if state:
            return Relative(clause, "that", False, "past" if self.tense == "past" else "present")
        return Relative(clause, "that", True)

    def _where(self, phrase: Phrase, main: Frame | None, depth: int) -> Relative | None:
        options = [
            f
            for f in self.words.done_at.get(phrase.noun, ())
            if "based" in f.tags and "building" in phrase.noun.classes
        ]
        frame = self.fresh(options) if options else None
        if frame is None:
            return None
        people = [
            n
            for n in frame.subjects
            if n.classes & {"name", "kin"} and frame in self.words.can[n] and self.words.visits(n, phrase.noun)
        ]
        if not people:
            return None
        noun = self.noun(people)
        subject = Phrase(noun, self.key(), "이", article=noun.definite)
        clause = Clause(frame, self.key(), subject.who, noun.honored, subject)
        return Relative(clause, "where", False, "past" if self.tense == "past" else "present")
