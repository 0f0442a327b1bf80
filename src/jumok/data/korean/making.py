"""Makes phrases and clauses from frames: which noun, which article, how many, who."""

from __future__ import annotations

from collections.abc import Sequence

from jumok.data.korean.dice import Dice, Weights
from jumok.data.korean.lexicon import OWN_PREPOSITION, Frame, Lexicon, Noun, Slot
from jumok.data.korean.tree import Clause, Keys, Phrase, Relative

_ONE_EACH = frozenset(("bike", "horse", "umbrella"))
COUNTED = ("을", "이")
_ACQUAINTED = Weights({"name": 4.0, "kin": 3.0, "first": 1.5})
_ANYBODY = Weights({"name": 4.0, "kin": 3.0, "first": 1.5, "person": 3.0})
_SUBJECTS = Weights({"": 7.0, "determiner": 1.2, "plural": 1.4, "number": 1.0})
_OBJECTS = Weights({"": 7.0, "number": 2.5, "determiner": 0.5, "owner": 3.0})
_DESCRIBING = Weights({"w": 3.0, "s": 1.2})
_VIVID = Weights({"w": 3.0, "a": 6.0, "s": 1.2})
_POINTED_AT = frozenset(
    ("book", "song", "recited", "movie", "clothes", "bike", "thing", "hat", "picture", "furniture", "car")
)


class Maker:
    """Makes the parts of one sentence; no noun is used twice in it.

    `circle` holds the kinds of people who have to do with whom it is about: the speaker's family has kin, for others
    엄마 would be their own mother. `story` says whether it tells things one after another; nothing is pointed at then.
    """

    def __init__(self, words: Lexicon, dice: Dice, tense: str) -> None:
        self.words, self.dice, self.tense = words, dice, tense
        self.key = Keys()
        self.used: set[str] = set()
        self.circle: tuple[str, ...] = ("friend", "name", "kin")
        self.story = False

    def noun(self, options: Sequence[Noun]) -> Noun:
        """One of the nouns, a new one where that is possible."""
        for _ in range(6):
            noun = self.dice.pick(options)
            if noun.korean not in self.used:
                break
        self.used.add(noun.korean)
        return noun

    def person(self, pronoun: bool = True, known: bool = False) -> Noun:
        """Somebody whom the sentence is about: with `pronoun` one whom English can call he or she, `known` by name."""
        kind = self.dice.weighted(_ACQUAINTED if known else _ANYBODY)
        if kind == "first":
            noun = self.words.i if self.dice.chance(0.7) else self.words.we
        else:
            noun = self.noun(self.words.of_with_pronoun(kind) if pronoun else self.words.of(kind))
        self.know(noun)
        return noun

    def know(self, noun: Noun) -> None:
        """Say whom the sentence is about."""
        everybody = ("friend", "name", "kin")
        near = 3 if noun.classes & {"kin", "speaker"} else 2 if "name" in noun.classes else 1
        self.circle = ("name",) if "friend" in noun.classes else everybody[:near]

    def others(self, options: Sequence[Noun]) -> list[Noun]:
        """Those of them who may have to do with whom the sentence is about."""
        strange = {"friend", "name", "kin"}.difference(self.circle)
        return [noun for noun in options if not noun.classes & strange]

    def subject(self, noun: Noun, several: bool = True) -> Phrase:
        """The phrase of a subject: "the" where nothing else is asked for, at times this or those, two or all."""
        phrase = Phrase(noun, self.key(), "이", article=noun.definite)
        if phrase.article == "the" != noun.article:
            choice = self.dice.weighted(_SUBJECTS)
            if choice == "determiner" and not noun.pairs and noun.article == "a":
                phrase.determiner = self.dice.pick(("이", "그"))
            elif choice == "plural" and several and "human" in noun.classes and self._happens(noun):
                phrase.plural = True
            elif choice == "number" and several and noun.counter and not noun.mass and self._happens(noun):
                phrase.number = self.dice.pick((2, 2, 3, 3, 4, 5))
        return phrase

    def _happens(self, noun: Noun) -> bool:
        """Whether so many of them did it once: of a habit, 세 명 would be a riddle."""
        return not noun.pairs and self.tense in ("past", "now")

    def fill(self, slot: Slot, frame: Frame, plain: bool = False) -> Phrase:
        """The phrase of an argument."""
        options = slot.options
        if slot.people:
            known = self.others([noun for noun, _ in options])
            options = tuple(option for option in options if option[0] in known)
        nouns = [noun for noun, _ in options]
        noun = self.noun(nouns)
        article = options[nouns.index(noun)][1]
        phrase = Phrase(noun, self.key(), slot.particle, slot.preposition, article, options)
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
        choice = "determiner" if "pointed" in frame.tags else self.dice.weighted(_OBJECTS)
        counted = noun.counter and not (
            noun.mass or noun.pairs or noun.piece or (self.story and "human" in noun.classes)
        )
        if choice == "number" and counted:
            small = noun.classes & {"fruit", "baked", "flower", "vegetable"} and frame.tags & {"buy", "@harvest"}
            if (
                frame.aspect != "w"
                and self.tense == "past"
                and not noun.classes & {"movie", "bike", "costly"}
                and frame.english not in ("read", "memorize", "sell", "look at")
            ):
                phrase.number = self.dice.pick(
                    (2, 2, 3, 3, 4, 5, 6, 7, 10) if small else (2, 3) if noun.article == "generic" else (1, 2, 2, 3, 3)
                )
        elif self.story:
            return
        elif choice == "determiner" and "creates" not in frame.tags and noun.classes & _POINTED_AT and not noun.pairs:
            phrase.determiner = self.dice.pick(("이", "그"))
        elif choice == "owner" and "owned" in frame.tags and "bus" not in noun.classes:
            phrase.owner = self.owner()

    def owner(self) -> Noun:
        """Whose it is."""
        if self.dice.chance(0.25):
            return self.words.i
        return self.noun(
            self.words.of_with_pronoun(self.dice.pick(("name", "kin") if "kin" in self.circle else ("name",)))
        )

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
        """One of the frames of which nothing like it is in the sentence yet, or None."""
        for _ in range(6):
            frame = self.dice.pick(options)
            if frame.deed not in self.used:
                self.used.add(frame.deed)
                return frame
        return None

    def relative(self, phrase: Phrase, main: Frame | None, outdoors: bool = False, depth: int = 1) -> Relative | None:
        """A clause that describes the noun: what it does, what somebody did with it, or what is done there.

        `main` is the frame that it is an argument of, None for a subject; what one wears is told `outdoors`.
        """
        noun = phrase.noun
        if "place" in noun.classes:
            return self._where(phrase)
        if "human" in noun.classes or "animal" in noun.classes:
            return self._doing(phrase, main, outdoors, depth)
        return self._done(phrase, main) if self.words.objects.get(noun) else None

    def _deepen(self, clause: Clause, depth: int) -> None:
        """At times describe a noun inside a relative clause as well."""
        if depth < 2 and clause.phrases and self.dice.chance(0.3):
            inner = clause.phrases[0]
            if inner.article == "a" and inner.bare:
                inner.relative = self.relative(inner, clause.frame, depth=depth + 1)

    def _doing(self, phrase: Phrase, main: Frame | None, outdoors: bool, depth: int) -> Relative | None:
        seen = main is not None and "sight" in main.tags
        vivid = self.tense in ("past", "now") and (seen or outdoors)
        kind = self.dice.weighted(_VIVID if seen else _DESCRIBING) if vivid else "s"
        options = self.frames(phrase.noun, phrase.who, kind)
        if kind == "s":
            told = seen or (main is not None and main.part == "copula")
            if main is not None and not told and "friend" not in phrase.noun.classes:
                return None
            options = tuple(f for f in options if "trait" in f.tags and (f.english == "live" or told))
        if main is not None and "whole" in main.tags:
            return None
        frame = self.fresh(options) if options else None
        if frame is None or frame.stem == "날" or "cold_clothes" in frame.tags:  # 나는 새 would read as "I"
            return None
        clause = self.clause(frame, phrase.noun, phrase.who, plain=True)
        pronoun = "who" if "human" in phrase.noun.classes else "that"
        if frame.aspect == "a":
            self._deepen(clause, depth)
        if frame.aspect == "s":
            return Relative(clause, pronoun, False, "past" if self.tense == "past" else "present")
        ongoing = frame.aspect == "a"
        return Relative(clause, pronoun, False, "past" if self.tense == "past" else "present", ongoing)

    def _done(self, phrase: Phrase, main: Frame | None) -> Relative | None:
        options = [f for f in self.words.objects[phrase.noun] if main is None or f.english != main.english]
        if main is not None and ("creates" in main.tags or main.aspect == "s"):
            return None
        options = [
            f for f in options if f.aspect != "s" or (main is not None and main.tags & {"buy", "cooking", "gives"})
        ]
        if main is not None and "picky" in main.tags:
            options = [f for f in options if ("creates" in f.tags and f.english != "cook") or f.aspect == "s"]
        frame = self.fresh(options) if options else None
        if frame is None:
            return None
        possible = [
            noun for noun in frame.subjects if noun.pronoun and ("name" in noun.classes or "kin" in noun.classes)
        ]
        possible = self.others(possible)
        if not possible:
            return None
        noun = self.noun(possible)
        subject = Phrase(noun, self.key(), "이", article=noun.definite)
        clause = Clause(frame, self.key(), subject.who, noun.honored, subject)
        state = frame.aspect == "s"
        if state:
            return Relative(clause, "that", False, "past" if self.tense == "past" else "present")
        return Relative(clause, "that", True)

    def _where(self, phrase: Phrase) -> Relative | None:
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
        people = self.others(people)
        if not people:
            return None
        noun = self.noun(people)
        subject = Phrase(noun, self.key(), "이", article=noun.definite)
        clause = Clause(frame, self.key(), subject.who, noun.honored, subject)
        return Relative(clause, "where", False, "past" if self.tense == "past" else "present")
