"""Sentences that are not about what people do: what is where, what things are like, the weather, animals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from jumok.data.korean.dice import Weights
from jumok.data.korean.lexicon import Adjective, Frame
from jumok.data.korean.making import Maker
from jumok.data.korean.tree import Block, Clause, Phrase, Step

BE = Frame("이", "regular", "be", "copula", ())
THERE_IS = Frame("있", "regular", "be", "exist", ())
HAVE = Frame("있", "regular", "have", "exist", ())

Statement = Callable[[Maker], Block | None]

_LANDMARKS: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (("책상",), ("위",), ("book", "stationery", "gift", "find", "컵")),
    (("탁자",), ("위",), ("fruit", "ware", "flower", "gift", "book")),
    (("침대", "의자"), ("위",), ("pet", "book", "인형", "모자")),
    (("책상", "탁자", "침대", "의자"), ("아래", "옆"), ("pet", "ball", "가방", "상자", "toy")),
    (("상자",), ("안",), ("toy", "fruit", "stationery", "고양이")),
    (("냉장고",), ("안",), ("fruit", "vegetable", "drink_bottled")),
    (("나무", "소나무"), ("아래", "옆", "뒤"), ("pet", "자전거", "다람쥐", "토끼")),
    (("building",), ("앞", "뒤", "옆"), ("tree", "자전거", "pet", "트럭")),
)
"""What is found where: landmarks, positions, things."""


def adjective_frame(adjective: Adjective) -> Frame:
    """An adjective as a predicate."""
    return Frame(adjective.stem, adjective.kind, f"be {adjective.english}", "adjective", (), word=adjective.prefix)


def there_is(make: Maker) -> Block | None:
    """책상 위에 고양이 두 마리가 있다."""
    landmarks, positions, things = make.dice.pick(_LANDMARKS)
    landmark, position = make.noun(make.words.of(*landmarks)), make.dice.pick(positions)
    found = make.words.of(*things)
    noun = make.noun(found)
    thing = Phrase(noun, make.key(), "이", article=noun.article, options=tuple((n, n.article) for n in found))
    if make.dice.chance(0.45) and noun.counter and not noun.mass and not noun.pairs:
        few = (1, 2) if noun.classes & {"bike", "costly", "truck"} else (1, 2, 2, 3, 3, 4, 5)
        thing.number = make.dice.pick(few if noun.article == "a" else (2, 3, 4, 5))
    elif noun.pairs:
        thing.number = 0
    where = Phrase(landmark, make.key(), "에", position=position, article="the")
    clause = Clause(THERE_IS, make.key(), thing.who if thing.who != "one" else "it", phrases=[thing], places=[where])
    if not thing.number and make.dice.chance(0.15):
        clause.negative = "not"
        if thing.article == "a":
            thing.article = "none"
    return Block(None, [Step(clause)])


def having(make: Maker) -> Block | None:
    """형은 자전거가 있다."""
    noun = make.person(pronoun=False)
    if noun.honored or make.tense == "past":
        return None
    subject = make.subject(noun, several=False)
    thing = make.noun(make.words.of("pet", "bike", "costly", "umbrella", "가방"))
    phrase = Phrase(thing, make.key(), "이", article=thing.article)
    if make.dice.chance(0.4) and thing.counter:
        phrase.number = make.dice.pick((1, 2, 2, 3))
    clause = Clause(HAVE, make.key(), subject.who, phrases=[phrase])
    if not phrase.number and make.dice.chance(0.3):
        clause.negative = "not"
    return Block(subject, [Step(clause)])


def being(make: Maker) -> Block | None:
    """민수는 학생이다; 누나는 의사가 아니다."""
    noun = make.person()
    if noun.honored or not noun.classes & {"name", "kin", "speaker"} or noun is make.words.we:
        return None
    subject = make.subject(noun, several=False)
    jobs = [job for job in make.words.of("job", "학생", "대학생") if job.korean not in ("어부",)]
    job = make.noun(jobs)
    phrase = Phrase(job, make.key(), "이다", article="a")
    clause = Clause(BE, make.key(), subject.who, phrases=[phrase])
    if make.dice.chance(0.25):
        clause.negative = "not"
    return Block(subject, [Step(clause)])


def _described(make: Maker, adjective: Adjective, negative: bool = True) -> Block:
    nouns = [n for n in make.words.described[adjective] if n.article not in ("none", "my", "own") and n.korean != "책"]
    noun = make.noun(nouns)
    subject = make.subject(noun)
    if noun.mass or "place" in noun.classes:
        subject.number = 0
    elif (
        subject.bare
        and not noun.pairs
        and noun.classes & {"carry", "find", "toy", "bike", "furniture", "clothes", "costly"}
        and make.dice.chance(0.4)
    ):
        subject.owner = make.owner()
    clause = Clause(adjective_frame(adjective), make.key(), subject.who)
    if negative and make.dice.chance(0.15):
        clause.negative = "not"
    return Block(subject, [Step(clause)])


def describing(make: Maker) -> Block | None:
    """그 가방은 아주 크다."""
    return _described(make, make.dice.pick([a for a in make.words.adjectives if not a.fixed]))


def comparing(make: Maker) -> Block | None:
    """개는 고양이보다 크다."""
    adjective = make.dice.pick([a for a in make.words.adjectives if a.comparative and not a.fixed])
    block = _described(make, adjective, negative=False)
    assert block.subject is not None
    block.subject.number, block.subject.plural = 0, False
    clause = block.steps[0].clause
    clause.who = block.subject.who
    clause.frame = replace(clause.frame, english=f"be {adjective.comparative}")
    kinds = (
        "animal",
        "fruit",
        "vegetable",
        "clothes",
        "shoes",
        "vehicle",
        "book",
        "person",
        "drink",
        "furniture",
        "flower",
    )
    kind = next((k for k in kinds if k in block.subject.noun.classes), "")
    others = [
        n
        for n in make.words.described[adjective]
        if kind in n.classes and n is not block.subject.noun and n.korean != "책" and not n.honored
    ]
    if not others:
        return None
    other = make.noun(others)
    clause.than = Phrase(other, make.key(), "보다", article=other.definite)
    if clause.than.noun.korean == block.subject.noun.korean:
        return None
    return block


def weather(make: Maker) -> Block | None:
    """비가 왔다; 날씨가 추웠다."""
    cause = make.dice.pick(
        [c for c in make.words.causes if not c.shared and c.frame.stem not in ("어둡", "더럽", "끝나")]
    )
    frame = cause.frame
    if not frame.subjects:
        clause = Clause(frame, make.key(), "it", progressive=make.tense in ("now", "present"))
        return Block(None, [Step(clause)], topic=False)
    subject = Phrase(frame.subjects[0], make.key(), "이", article="the")
    clause = Clause(frame, make.key(), subject.who)
    return Block(subject, [Step(clause)], topic=False)


def animals(make: Maker) -> Block | None:
    """고양이가 마당에서 잔다."""
    noun = make.noun(make.words.of("pet", "farm", "bird", "barks", "flier", "swimmer", "baby", "flower", "sky"))
    options = [f for f in make.words.can[noun] if make.tense != "now" or f.aspect == "a"]
    if not options:
        return None
    subject = make.subject(noun)
    if noun.classes & {"sky", "flower"}:
        subject.determiner = ""
    frame = make.fresh(options)
    if frame is None:
        return None
    clause = make.clause(frame, noun, subject.who)
    clause.progressive = make.tense == "now" or (
        make.tense == "past" and clause.frame.aspect == "a" and make.dice.chance(0.3)
    )
    if clause.progressive:
        for phrase in clause.phrases:
            phrase.number = 0
    return Block(
        subject, [Step(clause)], topic="animal" in noun.classes and not subject.number and make.dice.chance(0.3)
    )


STATEMENTS: Weights[Statement] = Weights(
    {
        there_is: 2.5,
        having: 1.2,
        being: 1.2,
        describing: 2.5,
        comparing: 3.5,
        weather: 0.7,
        animals: 3.0,
    }
)
"""The statements, by how often they come."""
