"""The words of the practice language, read from the tables in `words/`, and which word goes with which.

A noun belongs to selection classes; a frame (a verb in one of its uses) says which classes it takes as its subject
and arguments, where it is done and what it may lead to. So a boy may read a book in the library, and no cat builds
a school. A word of two meanings (배, a boat or a pear) is two nouns, and no slot takes both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

OWN_PREPOSITION = "@"
"""Stands for the preposition that a place has of its own: at the station, in Seoul."""

HOME = frozenset(("집", "방", "부엌", "거실", "마당"))
"""The places of a home."""

PARTS = ("morning", "noon", "afternoon", "evening", "night")
"""The parts of a day."""

_NARROW = {
    "morning": ("morning",),
    "noon": ("noon",),
    "afternoon": ("afternoon",),
    "evening": ("evening",),
    "night": ("night",),
    "daylight": ("morning", "noon", "afternoon"),
    "undated": (),
}

LAST = frozenset(("sleep", "asleep", "home", "bedrest"))
"""Tags of what ends a row."""

_RARE_IN = {
    "past": frozenset(("know",)),
    "present": frozenset(("once", "chance", "mishap", "feel", "asleep")),
    "future": frozenset(("chance", "mishap", "asleep", "late", "feel", "wash")),
}

_EVERYBODY = frozenset(
    ("meal", "eat", "sip", "buy", "go", "ride", "duty", "getup", "home_come", "home", "rest", "@newspaper")
) | frozenset(("@meet", "@walk", "@fish", "@movie", "@swim"))
"""Tags of what is told of anybody."""

_LIKE_THE_SPEAKER = ("민수", "형")

_ARTICLES = ("the", "none", "my", "own", "generic")
_PRONOUNS = ("he", "she", "it", "they")
_PREPOSITIONS = ("in", "at", "on")


@dataclass(frozen=True, eq=False)
class Noun:
    """A noun, what English makes of it, and the classes by which verbs and adjectives choose it."""

    korean: str
    english: str
    plural: str
    classes: frozenset[str]
    counter: str = ""
    piece: str = ""
    pronoun: str = ""
    article: str = "a"
    mass: bool = False
    pairs: bool = False
    honored: bool = False
    preposition: str = ""
    bare: str = ""
    goal: str = ""
    visitors: frozenset[str] = frozenset()

    @cached_property
    def definite(self) -> str:
        """The article of a bare topic, subject or place; a friend is the speaker's."""
        if "friend" in self.classes:
            return "my"
        return "the" if self.article in ("a", "generic") else self.article


@dataclass(frozen=True, eq=False)
class Adjective:
    """An adjective: `prefix` is the word before it (키가 큰), `fixed` ones only stand before a noun (새 책)."""

    stem: str
    kind: str
    english: str
    comparative: str
    fits: frozenset[str]
    prefix: str = ""
    fixed: bool = False


@dataclass(frozen=True, eq=False)
class Slot:
    """One argument of a frame: its particle and preposition, and the nouns that fit, each with its article."""

    particle: str
    preposition: str
    options: tuple[tuple[Noun, str], ...]
    optional: bool = False

    @cached_property
    def people(self) -> bool:
        """Whether somebody whom one knows may fill it."""
        return any(noun.classes & {"name", "kin"} for noun, _ in self.options)


@dataclass(frozen=True, eq=False)
class Frame:
    """A verb or adjective in one use. `word` is the Korean word that belongs to it (배가 in 배가 고프다), and
    `word_means` the English word that is that one alone (home in 집에 가다)."""

    stem: str
    kind: str
    english: str
    part: str
    subjects: tuple[Noun, ...]
    slots: tuple[Slot, ...] = ()
    places: tuple[Noun, ...] = ()
    aspect: str = "s"
    tags: frozenset[str] = frozenset()
    word: str = ""
    word_means: str = ""

    @cached_property
    def own(self) -> bool:
        """Whether English needs the pronoun of the subject: his hands."""
        return "one's" in self.english or any(article == "own" for s in self.slots for _, article in s.options)

    @cached_property
    def deed(self) -> str:
        """What is done only once in a sentence: a meal, cleaning, cooking, a bath; else what the English verb says."""
        once = ("@breakfast", "@lunch", "@dinner", "clean", "cooking", "bathe")
        return next((tag for tag in once if tag in self.tags), self.english)

    @cached_property
    def parts(self) -> frozenset[str]:
        """The parts of a day in which it is done; a state is there in all of them."""
        narrow = next((_NARROW[tag] for tag in _NARROW if tag in self.tags), None)
        if narrow is None:
            narrow = PARTS if self.aspect == "s" else PARTS[:-1]
        return frozenset((*narrow, "night") if "nightly" in self.tags else narrow)


@dataclass(frozen=True, eq=False)
class Cause:
    """A state, and the tags of what people do, or leave undone, because of it."""

    frame: Frame
    leads: frozenset[str]
    prevents: frozenset[str]
    shared: bool


def plural_of(word: str) -> str:
    """The regular English plural.

    >>> plural_of("box"), plural_of("strawberry"), plural_of("boy")
    ('boxes', 'strawberries', 'boys')
    """
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def rows(name: str) -> Iterator[list[str]]:
    """Yields the rows of a table as lists of columns; columns are two or more spaces apart."""
    for line in files(__package__).joinpath("words").joinpath(name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [column.strip() for column in line.split("  ") if column.strip()]


def _read_nouns() -> Iterator[Noun]:
    shared: list[str] = []
    for row in rows("nouns.txt"):
        if row[0].startswith("["):
            shared = row[0][1:-1].split()
            continue
        korean, english, *own = row
        named = dict(note.split("=") for note in shared + own if "=" in note)
        notes = [note for note in shared + own if "=" not in note]
        chosen = {
            "pronoun": [note for note in notes if note in _PRONOUNS],
            "article": ["a"] + [note for note in notes if note in _ARTICLES],
            "preposition": [note for note in notes if note in _PREPOSITIONS],
        }
        marks = {*_PRONOUNS, *_ARTICLES, *_PREPOSITIONS, "mass", "pairs", "honored"}
        yield Noun(
            korean,
            english,
            named.get("plural") or (english if "pairs" in notes else plural_of(english)),
            frozenset(note for note in notes if note not in marks or note in ("honored", "he", "she")),
            named.get("counter", ""),
            named.get("piece", ""),
            mass="mass" in notes,
            pairs="pairs" in notes,
            honored="honored" in notes,
            bare=named.get("bare", ""),
            goal=named.get("to", ""),
            visitors=frozenset(named["visitors"].split("+") if "visitors" in named else ()),
            **{field: values[-1] for field, values in chosen.items() if values},
        )


class Lexicon:
    """All words, indexed by what asks for them."""

    def __init__(self) -> None:
        self.nouns = tuple(_read_nouns())
        self._of: dict[tuple[str, ...], tuple[Noun, ...]] = {}
        self.adjectives = tuple(_adjective(*row) for row in rows("adjectives.txt"))
        self.frames = tuple(self._frame(row) for row in rows("verbs.txt"))
        self.causes = tuple(self._cause(row) for row in rows("causes.txt"))
        speaker = frozenset(("human", "speaker", "pupil", "worker"))
        self.i = Noun("나", "I", "we", speaker, pronoun="I", article="none")
        self.we = Noun("우리", "we", "we", speaker, pronoun="we", article="none")
        self.can = {noun: tuple(f for f in self.frames if _may(noun, f)) for noun in self.nouns}
        self.can[self.i] = self.can[self.we] = tuple(f for f in self.frames if _may_first(f, self.nouns))
        self.objects = {noun: tuple(f for f in self.frames if _takes(f, noun)) for noun in self.nouns}
        self.done_at = {noun: tuple(f for f in self.frames if noun in f.places) for noun in self.of("place")}
        self._persons = {
            kind: tuple(noun for noun in self.of(kind) if noun.pronoun) for kind in ("name", "kin", "person")
        }
        self._choices: dict[tuple[Noun, str, frozenset[str] | None, bool, str], tuple[Frame, ...]] = {}
        self._doers: dict[Frame, tuple[Noun, ...]] = {}
        self._told = {
            tense: tuple(
                frame
                for frame in self.frames
                if frame.aspect in aspects
                and not frame.tags & ({"answer"} | _RARE_IN.get(tense, frozenset()))
                and any("human" in noun.classes for noun in frame.subjects)
            )
            for tense, aspects in (("past", "aewds"), ("present", "aeds"), ("future", "aed"), ("now", "aw"))
        }
        self.go = next(frame for frame in self.frames if frame.english == "go" and frame.slots)
        self.fitting = {
            noun: tuple(a for a in self.adjectives if noun.classes & a.fits or noun.korean in a.fits)
            for noun in self.nouns
        }
        self.described = {
            adjective: tuple(noun for noun in self.nouns if adjective in self.fitting[noun])
            for adjective in self.adjectives
        }

    def of(self, *classes: str) -> tuple[Noun, ...]:
        """The nouns of any of these classes; a noun may be named itself."""
        if classes not in self._of:
            self._of[classes] = tuple(
                noun for noun in self.nouns if any(name in noun.classes or name == noun.korean for name in classes)
            )
        if not self._of[classes]:
            raise ValueError(f"no noun is of class {' or '.join(classes)}")
        return self._of[classes]

    def place(self, korean: str) -> Noun:
        """The place of this name."""
        return next(noun for noun in self.of("place") if noun.korean == korean)

    def of_with_pronoun(self, kind: str) -> tuple[Noun, ...]:
        """The people of a class whom English can call he or she."""
        return self._persons[kind]

    def choices(
        self, noun: Noun, aspects: str, tags: frozenset[str] | None, pronoun: bool, tense: str
    ) -> tuple[Frame, ...]:
        """What this noun does in a tense: of these aspects, with any of these tags.

        Without a pronoun it does nothing that English needs one for.
        """
        asked = (noun, aspects, tags, pronoun, tense)
        if asked not in self._choices:
            rare = _RARE_IN.get(tense, frozenset())
            self._choices[asked] = tuple(
                frame
                for frame in self.can[noun]
                if frame.aspect in aspects
                and ("answer" not in frame.tags if tags is None else frame.tags & tags)
                and (pronoun or not frame.own)
                and not frame.tags & rare
            )
        return self._choices[asked]

    def doers(self, frame: Frame) -> tuple[Noun, ...]:
        """Those who do this, and whom English can take up where it must."""
        if frame not in self._doers:
            self._doers[frame] = tuple(
                noun for noun in frame.subjects if frame in self.can[noun] and (noun.pronoun or not frame.own)
            )
        return self._doers[frame]

    def told_in(self, tense: str) -> tuple[Frame, ...]:
        """What people do or are, as far as it is told in a tense."""
        return self._told[tense]

    def visits(self, noun: Noun, place: Noun) -> bool:
        """Whether somebody goes to a place as a matter of course: school is for those who learn or teach."""
        return not place.visitors or bool(place.visitors & noun.classes)

    def _frame(self, row: list[str]) -> Frame:
        stem, kind, english, subjects, slots, places, aspect, tags = row
        word, means, stem = _belonging(stem)
        return Frame(
            stem,
            kind,
            english,
            "verb",
            self.of(*subjects.split("+")),
            () if slots == "-" else tuple(self._slot(slot) for slot in slots.split(" ")),
            () if places == "-" else tuple(self.place(place) for place in places.split(" ")),
            aspect,
            frozenset() if tags == "-" else frozenset(tags.split(" ")),
            word,
            means,
        )

    def _slot(self, text: str) -> Slot:
        head, _, rest = text.lstrip("?").partition(":")
        particle, slash, preposition = head.partition("/")
        if particle == "에" and not preposition:
            preposition = OWN_PREPOSITION if slash else "to"
        options: dict[Noun, str] = {}
        for choice in rest.split("+"):
            name, _, article = choice.partition(":")
            options.update((noun, article or noun.article) for noun in self.of(name))
        return Slot(particle, preposition, tuple(options.items()), text.startswith("?"))

    def _cause(self, row: list[str]) -> Cause:
        stem, kind, english, subject, part, tags = row
        word, means, stem = _belonging(stem)
        subjects = () if subject == "it" else self.of(subject)
        leads = frozenset(tag for tag in tags.split(" ") if tag[0] != "!")
        prevents = frozenset(tag[1:] for tag in tags.split(" ") if tag[0] == "!")
        frame = Frame(
            stem, kind, english, part, subjects, aspect="s", tags=leads & _NARROW.keys(), word=word, word_means=means
        )
        return Cause(frame, leads, prevents, subject == "human")


def _may(noun: Noun, frame: Frame) -> bool:
    """Whether a noun does this: the honored 드시다 and 주무시다, do not 먹다 and 자다, and leave some to the young.

    Of somebody who is only known by a job, what everybody does is told, and what belongs to the job.
    """
    if noun not in frame.subjects or ((noun.honored or "job" in noun.classes) and frame.tags & {"sport", "young"}):
        return False
    if "job" in noun.classes and frame.aspect in "ae" and not frame.tags & _EVERYBODY:
        return all(each.classes & {"job", "name"} for each in frame.subjects)
    return not (noun.honored and frame.stem in ("먹", "자", "마시") and "polite" not in frame.tags)


def _may_first(frame: Frame, nouns: tuple[Noun, ...]) -> bool:
    """Whether the speaker does this: all that a name or an older brother does."""
    return any(noun.korean in _LIKE_THE_SPEAKER and _may(noun, frame) for noun in nouns)


def _takes(frame: Frame, noun: Noun) -> bool:
    """Whether `noun` may be what a relative clause of this frame is about: 민수가 산 책."""
    plain = len(frame.slots) == 1 and frame.slots[0].particle == "을" and "rel" in frame.tags
    return plain and any(noun is option for option, _ in frame.slots[0].options)


def _belonging(stem: str) -> tuple[str, str, str]:
    """Split `=집에:home/가` into the word, what it means alone, and the stem."""
    if not stem.startswith("="):
        return "", "", stem
    word, _, stem = stem[1:].partition("/")
    word, _, means = word.partition(":")
    return word, means, stem


def _adjective(stem: str, kind: str, english: str, comparative: str, fits: str) -> Adjective:
    prefix, _, stem = stem.rpartition("/")
    return Adjective(
        stem.removesuffix("+"),
        kind,
        english,
        "" if comparative == "-" else comparative,
        frozenset(fits.split(" ")),
        prefix,
        stem.endswith("+"),
    )


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The one lexicon, read when it is first asked for."""
    return Lexicon()
