"""The English side: one canonical sentence for a tree, each word with the keys of the nodes that it stands for."""

from __future__ import annotations

from jumok.data.korean import tree
from jumok.data.korean.connectives import BLOCKS, DEPENDENT, STEPS
from jumok.data.korean.english_words import (
    FUNCTION_WORDS,
    POSSESSIVES,
    SUBJECTS,
    article,
    be,
    number,
    singular,
    verb,
)
from jumok.data.korean.lexicon import plural_of
from jumok.data.korean.tree import Block, Clause, Dependent, Phrase, Relative, Sentence, Step, Time

Word = tuple[str, tuple[int, ...], tuple[int, ...]]
"""A word, the keys that it surely stands for, and those that it may be linked to."""

Links = tuple[tuple[int, ...], tuple[int, ...]]

POSITIONS = {
    "위": ("on",),
    "아래": ("under",),
    "앞": ("in", "front", "of"),
    "뒤": ("behind",),
    "옆": ("next", "to"),
    "안": ("in",),
}
"""Nouns of position and the prepositions they become."""


def english(sentence: Sentence) -> list[Word]:
    """The words of the English sentence, with its capital letter and full stop."""
    words: list[Word] = []
    alone = len(sentence.blocks) == 1
    for index, block in enumerate(sentence.blocks):
        if index:
            _, joint = BLOCKS[sentence.joins[index - 1]]
            key = sentence.blocks[index - 1].steps[-1].clause.key
            _comma(words)
            words.append((joint, (), (key,)))
        words += _block(block, sentence.tense, alone)
    text, sure, possible = words[0]
    words[0] = (text[0].upper() + text[1:], sure, possible)
    text, sure, possible = words[-1]
    words[-1] = (text + ".", sure, possible)
    return words


def _comma(words: list[Word]) -> None:
    text, sure, possible = words[-1]
    words[-1] = (text + ",", sure, possible)


def _block(block: Block, tense: str, alone: bool) -> list[Word]:
    first = block.steps[0].clause
    simple = alone and len(block.steps) == 1 and not block.steps[0].dependents and not first.described
    words: list[Word] = []
    if block.time and not simple:
        words += _time(block.time)
    words += [(SUBJECTS[first.who], (), (first.key,))] if block.shared else _subject(block.subject, first)
    joints = [STEPS[step.join][1] for step in block.steps[:-1]]
    listed = len(joints) > 1 and set(joints) == {"and"}
    for index, step in enumerate(block.steps):
        words += _step(step, tense, block.time if simple else None, later=index > 0)
        if index == len(joints):
            break
        if listed or any(DEPENDENT[d.connective].shape == "finite" for d in step.dependents):
            _comma(words)
        if not listed or index == len(joints) - 1:
            words += [(joint, (), (step.clause.key,)) for joint in joints[index].split()]
    return words


def _subject(subject: Phrase | None, clause: Clause) -> list[Word]:
    if clause.frame.part == "exist" and clause.frame.english == "be":
        return [("there", (), (clause.key,))]
    return phrase(subject, clause.who) if subject else [("it", (), ())]


def _step(step: Step, tense: str, time: Time | None, later: bool) -> list[Word]:
    finite = "present" if tense == "now" else tense
    shape = "infinitive" if later and tense == "future" and not step.clause.negative else "finite"
    progressive = step.join == "then" or (tense == "now" and step.clause.progressive)
    words = _clause(step.clause, finite, shape, progressive)
    if time:
        words += _time(time)
    for dependent in reversed(step.dependents):
        words += _dependent(dependent, tense, step.clause.who)
    return words


def _dependent(dependent: Dependent, tense: str, who: str) -> list[Word]:
    """A clause after the one it depends on: "because he was tired", "before eating", "to buy a book"."""
    clause = dependent.clause
    connective = DEPENDENT[dependent.connective]
    follows = connective.forms[dependent.variant][1]
    joint = connective.english
    past = tense == "past"
    if joint == "even if" and past:
        joint = "even though"
    linked = ((clause.key + tree.CONNECTIVE,), ()) if follows else ((), (clause.key,))
    words: list[Word] = [(word, *linked) for word in joint.split()]
    impersonal = not clause.frame.subjects
    shared = clause.subject is None and not impersonal
    shape = "finite" if not shared else connective.shape
    if shared and shape == "finite":
        words.append((SUBJECTS[who], (), (clause.key,)))
    elif not shared:
        words += _subject(clause.subject, clause)
    ongoing = dependent.connective in ("when", "while") and past and clause.frame.aspect == "a"
    raining = impersonal and dependent.connective == "because" and not past
    return words + _clause(clause, "past" if past else "present", shape, ongoing or raining)


def _time(time: Time) -> list[Word]:
    if time.links:
        return [
            (word, (time.key + 1 + link,), ()) if link >= 0 else (word, (), (time.key,))
            for word, link in zip(time.english.split(), time.links, strict=True)
        ]
    return [
        (word, (), (time.key,)) if word in FUNCTION_WORDS else (word, (time.key,), ()) for word in time.english.split()
    ]


def _clause(clause: Clause, tense: str, shape: str, progressive: bool = False) -> list[Word]:
    """A clause without its subject: verb, object, the rest, place, time."""
    words = _verb(clause, tense, shape, progressive or clause.progressive)
    if "dative" in clause.frame.tags:
        tail = len(clause.frame.english.split()) - 1
        return words[:-tail] + phrase(clause.phrases[0], clause.who) + words[-tail:] + _rest(clause)
    if clause.than:
        words.append(("than", (), (clause.than.key,)))
        words += phrase(clause.than, clause.who)
    if clause.negative and clause.frame.part == "exist" and clause.frame.english == "be":
        words.append(("no", (clause.key + tree.NOT,), (clause.key,)))
    for each in sorted(clause.phrases, key=_after_the_object):
        words += phrase(each, clause.who)
    return words + _rest(clause)


def _rest(clause: Clause) -> list[Word]:
    """What stands behind the verb and its arguments."""
    words: list[Word] = []
    if clause.adverb and clause.adverb[2] == "end":
        words.append((clause.adverb[1], (clause.key + tree.VERY,), ()))
    if clause.companion:
        words.append(("with", (clause.companion.key + tree.TOGETHER,), (clause.companion.key,)))
        words += phrase(clause.companion, clause.who)
    for place in clause.places:
        words += phrase(place, clause.who)
    if clause.duration:
        words += _time(clause.duration)
    if clause.time:
        words += _time(clause.time)
    return words


def _after_the_object(phrase: Phrase) -> int:
    return 0 if phrase.particle in ("을", "이") else 1


def _verb(clause: Clause, tense: str, shape: str, progressive: bool) -> list[Word]:
    """The verb with its helpers: "did not want to eat", "is reading", "eating"."""
    head, *tail = clause.frame.english.split()
    main: Links = ((clause.key,), (clause.bearer + tree.TENSE,))
    helper: Links = ((), (clause.key, clause.bearer + tree.TENSE))
    if head == "be" and tail:
        main = helper
    words: list[Word] = []
    if shape == "gerund":
        words.append((verb(head, "ing"), (clause.key,), ()))
    elif shape == "infinitive":
        words.append((head, *main) if tense == "future" else (head, (clause.key,), ()))
    else:
        words += _finite(clause, head, tense, progressive, main, helper)
    if clause.very:
        words.append(("very", (clause.key + tree.VERY,), ()))
    several = clause.who in ("we", "they")
    for word in tail:
        if word == "one's":
            word = POSSESSIVES[clause.who]
        elif word == "face" and several:
            word = "faces"
        if word == clause.frame.word_means:
            words.append((word, (clause.key + tree.FIXED,), ()))
        elif word in FUNCTION_WORDS or word in POSSESSIVES.values():
            words.append((word, (), (clause.key, clause.key + tree.FIXED)))
        else:
            words.append((word, (clause.key,), ()))
    return words


def _finite(clause: Clause, head: str, tense: str, progressive: bool, main: Links, helper: Links) -> list[Word]:
    who, key = clause.who, clause.key
    negation: Links = ((key + tree.NOT,), (key,))
    modal: Links = ((key + tree.MODAL,), (key, clause.bearer + tree.TENSE))
    loose: Links = ((), (key, key + tree.MODAL))
    words: list[Word]
    if clause.negative == "cannot":
        words = [("could", *modal), ("not", *negation)] if tense == "past" else [("cannot", (key + tree.NOT,), (key,))]
        words.append((head, *main))
    elif clause.modal == "can":
        aids = {"past": "could", "present": "can"}
        words = [(aids[tense], *modal), (head, *main)]
    elif clause.modal:
        finite = _inflected(clause.modal, who, tense)
        words = [(word, *(modal if index == len(finite) - 1 else helper)) for index, word in enumerate(finite)]
        words += [("to", *loose), (head, *main)]
    elif progressive:
        words = [(be(who, tense), *helper), (verb(head, "ing"), *main)]
        if clause.negative:
            words.insert(1, ("not", *negation))
    elif head == "be" and tense != "future":
        words = [(be(who, tense), *main)]
        if clause.negative and clause.frame.part != "exist":
            words.append(("not", *negation))
    elif clause.negative:
        aid = {"past": "did", "future": "will", "present": "does" if singular(who) else "do"}[tense]
        words = [(aid, *helper), ("not", *negation), (head, *main)]
    else:
        finite = _inflected(head, who, tense)
        words = [(word, *helper) for word in finite[:-1]] + [(finite[-1], *main)]
    if clause.adverb and clause.adverb[2] == "middle":
        place = 1 if len(words) > 1 or head == "be" else 0
        words.insert(place, (clause.adverb[1], (key + tree.VERY,), ()))
    return words


def _inflected(head: str, who: str, tense: str) -> list[str]:
    if tense == "future":
        return ["will", head]
    if tense == "past":
        return [verb(head, "past")]
    return [verb(head, "s") if singular(who) else head]


def phrase(phrase: Phrase, who: str) -> list[Word]:
    """A noun phrase with its preposition, in English order; `who` is the subject whose hands "his hands" are."""
    words: list[Word] = []
    key = phrase.key
    if phrase.position:
        preposition = POSITIONS[phrase.position]
        return [
            (word, (), (key,))
            if word in ("of", "to") or word == "in" != preposition[-1]
            else (word, (key + tree.POSITION,), (key,))
            for word in preposition
        ] + _nominal(phrase, who)
    if phrase.idiom and phrase.bare:
        *before, last = phrase.idiom.split()
        return [(word, (), (key,)) for word in before] + [(last, (key,), ())]
    if phrase.preposition:
        words.append((phrase.preposition, (), (key,)))
    words += _nominal(phrase, who)
    if phrase.second:
        words.append(("and", (), (key,)))
        words += _nominal(phrase.second, who)
    return words


def _nominal(phrase: Phrase, who: str) -> list[Word]:
    """Article, adjectives, noun and relative clause."""
    key, noun = phrase.key, phrase.noun
    words: list[Word] = []
    if phrase.very:
        words.append(("very", (key + tree.VERY,), ()))
    words += [(a.english, (key + tree.ADJECTIVE + index,), ()) for index, a in enumerate(phrase.adjectives)]
    shared = phrase.article == "own" and who in ("we", "they")
    generic = "generic" in (phrase.article, noun.article) and not phrase.number
    many = phrase.number > 1 or phrase.plural or ((shared or generic) and not noun.mass)
    last = noun.plural if many and not (phrase.number and noun.piece) else noun.english
    words += [(word, (key,), (key + tree.COUNTER,)) for word in last.split()]
    if phrase.number:
        if noun.piece:
            unit = noun.piece if phrase.number == 1 else plural_of(noun.piece)
            words[:0] = [(unit, (key + tree.COUNTER,), ()), ("of", (), (key + tree.COUNTER,))]
        words.insert(0, (number(phrase.number), (key + tree.NUMBER,), (key + tree.COUNTER,)))
    words[:0] = _article(phrase, words[0][0], many, who)
    return words + (relative_words(phrase.relative) if phrase.relative else [])


def _article(phrase: Phrase, following: str, many: bool, who: str) -> list[Word]:
    key, noun = phrase.key, phrase.noun
    if phrase.determiner:
        plural = many or noun.pairs
        word = {"이": ("this", "these"), "그": ("that", "those")}[phrase.determiner][plural]
        return [(word, (key + tree.DETERMINER,), ())]
    if phrase.owner:
        owner = phrase.owner
        if owner.pronoun in ("I", "we"):
            return [(POSSESSIVES[owner.pronoun], (key + tree.OWNER,), ())]
        mine: list[Word] = [("my", (), (key + tree.OWNER,))] if owner.article == "my" else []
        return mine + [(word, (key + tree.OWNER,), ()) for word in f"{owner.english}'s".split()]
    if phrase.article == "own":
        return [(POSSESSIVES[who], (), (key,))]
    if phrase.article == "my":
        return [("my", (), (key,))]
    if phrase.number or phrase.article in ("none", "generic"):
        return []
    if phrase.article == "the":
        return [("the", (), (key,))]
    return [] if many or noun.mass or noun.pairs else [(article(following), (), (key,))]


def relative_words(relative: Relative) -> list[Word]:
    """ "who was reading a book", "that Minsu bought", "wearing a hat"."""
    clause = relative.clause
    if clause.frame.aspect == "w":
        return _clause(clause, "present", "gerund")
    words: list[Word] = [(relative.pronoun, (), (clause.key,))]
    if clause.subject:
        words += phrase(clause.subject, clause.who)
    return words + _clause(clause, "past" if relative.past else relative.tense, "finite", relative.ongoing)
