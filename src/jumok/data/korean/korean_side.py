"""The Korean side: the words of a tree in the style it asks for, each with the keys of the nodes it stands for."""

from __future__ import annotations

from typing import NamedTuple

from jumok.data.hangul import attach, conjugate, infinitive, native, past
from jumok.data.korean import tree
from jumok.data.korean.connectives import BLOCKS, DEPENDENT, STEPS
from jumok.data.korean.tree import Block, Clause, Phrase, Relative, Sentence, Step, Style, Time

Word = tuple[str, tuple[int, ...], tuple[int, ...]]
"""A word, the keys that it surely stands for, and those that it may be linked to."""

NEGATIVES = {"있": ("없", "regular"), "알": ("모르", "르"), "이": ("아니", "regular")}
"""Stems whose negation is another word."""


class Stem(NamedTuple):
    """A stem that still wants its ending."""

    text: str
    kind: str
    part: str
    sure: tuple[int, ...]
    possible: tuple[int, ...]


def korean(sentence: Sentence) -> list[Word]:
    """The words of the Korean sentence, with its full stop."""
    words: list[Word] = []
    last = len(sentence.blocks) - 1
    for index, block in enumerate(sentence.blocks):
        ending = "" if index == last else BLOCKS[sentence.joins[index]][0]
        words += _block(block, sentence, ending)
        if index < last and (sentence.style.commas or last > 1):
            text, sure, possible = words[-1]
            words[-1] = (text + ",", sure, possible)
    text, sure, possible = words[-1]
    words[-1] = (text + ".", sure, possible)
    return words


def _block(block: Block, sentence: Sentence, ending: str) -> list[Word]:
    style = sentence.style
    subject: list[Word] = []
    if block.subject:
        subject = _phrase(block.subject, style, "은" if block.topic else "이")
    time = _time(block.time) if block.time else []
    if block.shared:
        text, sure, possible = time[-1]
        time[-1] = (text + "는", sure, possible)
    first = block.steps[0]
    related = bool(block.subject and block.subject.relative)
    inside = first.clause.described and (block.dependents_first or not first.dependents)
    front = (style.time_first or inside or block.dependents_first) and not related
    words = time + subject if front else subject + time
    if block.dependents_first and not related:
        words = time if front else []
        words = words + _dependents(first, sentence) + (subject if front else subject + time)
        words += _last(first, sentence, ending if len(block.steps) == 1 else STEPS[first.join][0])
        steps = block.steps[1:]
    else:
        steps = block.steps
    for step in steps:
        words += _dependents(step, sentence)
        words += _last(step, sentence, ending if step is block.steps[-1] else STEPS[step.join][0])
    return words


def _dependents(step: Step, sentence: Sentence) -> list[Word]:
    words: list[Word] = []
    for dependent in step.dependents:
        ending, follows = DEPENDENT[dependent.connective].forms[dependent.variant]
        words += _clause(dependent.clause, sentence.style, ending, sentence.tense)
        if follows:
            words.append((follows, (dependent.clause.key + tree.CONNECTIVE,), (dependent.clause.key,)))
    return words


def _last(step: Step, sentence: Sentence, ending: str) -> list[Word]:
    return _clause(step.clause, sentence.style, ending, sentence.tense)


def _clause(clause: Clause, style: Style, ending: str, tense: str) -> list[Word]:
    """A clause in Korean order: subject, time, place, company, the rest, verb."""
    words = _phrase(clause.subject, style, "이") if clause.subject else []
    words += _middle(clause, style)
    stem_words, stem = _predicate(clause, style)
    return words + stem_words + _ended(stem, ending, tense, style, clause.key + tree.TENSE)


def _middle(clause: Clause, style: Style) -> list[Word]:
    phrases = [p for p in clause.phrases if p.particle != "이다"]
    if len(phrases) == 2 and (phrases[1].particle == "으로" or style.object_first):
        phrases.reverse()
    phrases.sort(key=lambda phrase: phrase.relative is None)
    direction = style.direction and not any(p.particle == "으로" for p in phrases)
    early = [_phrase(p, style, _goal(p, direction)) for p in phrases if p.relative]
    late = [_phrase(p, style, _goal(p, direction)) for p in phrases if not p.relative]
    places = [_phrase(p, style, p.particle) for p in clause.places]
    times = [_time(clause.time)] if clause.time else []
    parts = early + times + places
    adverb = clause.adverb
    adverbs: list[list[Word]] = [[(adverb[0], (clause.key + tree.VERY,), ())]] if adverb else []
    if adverb and adverb[2] == "middle":
        parts, adverbs = early + adverbs + parts[len(early) :], []
    if clause.companion:
        parts.append(_phrase(clause.companion, style, "과"))
        parts[-1].append((style.together, (clause.companion.key + tree.TOGETHER,), (clause.companion.key,)))
    parts += late
    if clause.duration:
        parts.append(_time(clause.duration))
    if clause.than:
        parts.append(_phrase(clause.than, style, "보다"))
    return [word for part in parts + adverbs for word in part]


def _goal(phrase: Phrase, direction: bool) -> str:
    """학교에 or 학교로 가다; the second not beside 버스로."""
    return "으로" if direction and phrase.preposition == "to" and phrase.particle == "에" else phrase.particle


def _predicate(clause: Clause, style: Style) -> tuple[list[Word], Stem]:
    """The words of the verb but the last, and the stem of that one: 읽고 싶어 | 하."""
    frame, key = clause.frame, clause.key
    words: list[Word] = []
    sure: tuple[int, ...] = (key,)
    text, kind, part = frame.stem, frame.kind, frame.part
    if frame.part == "copula":
        return _copula(clause, style)
    if clause.very:
        words.append((style.very, (key + tree.VERY,), ()))
    receiver = next((p for p in clause.phrases if p.particle == "에게"), None)
    if receiver and receiver.noun.honored and text.endswith("주") and kind == "regular":
        text = text[:-1] + "드리"
    short = clause.negative and style.short_negation and part == "verb" and (kind != "하다" or text == "하")
    lexical = clause.negative == "not" and text in NEGATIVES
    if frame.word:
        fixed = (key + tree.FIXED,) if frame.word_means else (key,)
        if "merge" in frame.tags and style.merged and not short:
            text, sure = frame.word[:-1] + text, tuple({*fixed, key})
        else:
            words.append((frame.word, fixed, (key,)))
    if short and not lexical:
        words.append(("안" if clause.negative == "not" else "못", (key + tree.NOT,), (key,)))
    if lexical:
        text, kind = NEGATIVES[text]
        sure = (*sure, key + tree.NOT)
    stem = Stem(text, kind, part, sure, ())
    long = bool(clause.negative) and not short and not lexical
    if clause.progressive:
        done = infinitive(text, kind) if frame.aspect == "p" else conjugate(text, kind, "고")
        words.append((done, sure, ()))
        stem = Stem("계시" if clause.honored else "있", "regular", "verb" if clause.honored else "exist", (), (key,))
    elif clause.honored and not long and "polite" not in frame.tags:
        stem = stem._replace(text=conjugate(text, kind, "(으)시"), kind="regular")
    if long:
        words.append((conjugate(stem.text, stem.kind, "지"), stem.sure, stem.possible))
        text, kind = ("않", "regular") if clause.negative == "not" else ("못하", "하다")
        if clause.honored and not clause.progressive:
            text, kind = conjugate(text, kind, "(으)시"), "regular"
        stem = Stem(text, kind, stem.part, (key + tree.NOT,), (key,))
    if clause.modal:
        stem = _modal(words, stem, clause)
    return words, stem


def _modal(words: list[Word], stem: Stem, clause: Clause) -> Stem:
    key = clause.key
    ending, *between = {
        "can": ("(으)ㄹ", "수"),
        "have": ("아/어야",),
        "want": ("고",) if clause.who == "I" else ("고", "싶어"),
        "start": ("기",),
        "decide": ("기로",),
    }[clause.modal]
    words.append((conjugate(stem.text, stem.kind, ending), stem.sure, stem.possible))
    words += [(word, (key + tree.MODAL,), (key,)) for word in between]
    text, kind, part = {
        "can": ("있", "regular", "exist"),
        "have": ("하", "하다", "verb"),
        "want": ("싶", "regular", "adjective") if clause.who == "I" else ("하", "하다", "verb"),
        "start": ("시작하", "하다", "verb"),
        "decide": ("하", "하다", "verb"),
    }[clause.modal]
    carries = not between or clause.modal == "can"
    return Stem(text, kind, part, (key + tree.MODAL,) if carries else (), (key, key + tree.MODAL))


def _copula(clause: Clause, style: Style) -> tuple[list[Word], Stem]:
    """학생이다, 의사다; 학생이 아니다."""
    predicate = clause.phrases[0]
    if clause.negative:
        return _phrase(predicate, style, "이"), Stem(
            "아니", "regular", "adjective", (clause.key + tree.NOT,), (clause.key,)
        )
    *words, (text, sure, possible) = _phrase(predicate, style, "")
    return words, Stem(text, "copula", "copula", sure, (*possible, clause.key))


def _ended(stem: Stem, ending: str, tense: str, style: Style, key: int) -> list[Word]:
    """The last word of a clause with its ending; "" is the end of the sentence, "+" marks the past."""
    text, kind = stem.text, stem.kind
    contracted = style.contracted and text != "아니"
    marked = tense == "past" and (not ending or ending.startswith("+"))
    possible = (*stem.possible, key)
    plain = ending.removeprefix("+")
    if kind == "copula":
        return [(_copula_form(text, plain, marked, style), stem.sure, possible)]
    if marked or ending == "+을":
        text, kind = past(text, kind, contracted), "past"
    if plain == "을":
        return [(conjugate(text, kind, "(으)ㄹ"), stem.sure, possible)]
    if plain:
        if plain == "는" and stem.part == "adjective":
            plain = "(으)ㄴ"
        return [(conjugate(text, kind, plain), stem.sure, possible)]
    if tense == "future":
        last = {"plain": "것이다", "polite": "거예요", "formal": "것입니다"}[style.register]
        return [(conjugate(text, kind, "(으)ㄹ"), stem.sure, stem.possible), (last, (), (*stem.sure, key))]
    return [(_final(text, kind, stem.part, style), stem.sure, possible)]


def _final(text: str, kind: str, part: str, style: Style) -> str:
    if style.register == "formal":
        return conjugate(text, kind, "ㅂ니다/습니다")
    if style.register == "polite":
        if text == "아니":
            return "아니에요"
        if kind == "regular" and text[-1] == "시" and text != "마시":
            return text[:-1] + "세요"
        return conjugate(text, kind, "아/어요", style.contracted)
    return conjugate(text, kind, "ㄴ다/는다" if part == "verb" and kind != "past" else "다")


def _copula_form(noun: str, ending: str, marked: bool, style: Style) -> str:
    if ending:
        return attach(noun, "이었다")[:-1] + ending if marked else noun + "이" + ending
    if marked:
        return attach(noun, {"plain": "이었다", "polite": "이었어요", "formal": "이었습니다"}[style.register])
    return {"plain": attach(noun, "이다"), "polite": attach(noun, "이에요"), "formal": noun + "입니다"}[style.register]


def _time(time: Time) -> list[Word]:
    if time.links:
        return [(word, (time.key + 1 + index,), (time.key,)) for index, word in enumerate(time.korean.split())]
    return [(word, (time.key,), ()) for word in time.korean.split()]


def _particle(phrase: Phrase, particle: str, style: Style) -> str:
    if phrase.noun.honored and not phrase.position:
        particle = {"이": "께서", "은": "께서는", "에게": "께", "에게서": "께"}.get(particle, particle)
    if style.colloquial:
        particle = {"에게": "한테", "에게서": "한테서", "과": "하고"}.get(particle, particle)
    return particle


def _phrase(phrase: Phrase, style: Style, particle: str) -> list[Word]:
    """Relative clause, determiner, adjectives, noun, number, particle."""
    key, noun = phrase.key, phrase.noun
    words: list[Word] = _relative(phrase.relative, style) if phrase.relative else []
    if phrase.determiner:
        words.append((phrase.determiner, (key + tree.DETERMINER,), ()))
    if phrase.owner:
        words.append((_owner(phrase, style), (key + tree.OWNER,), ()))
    words += _adjectives(phrase, style)
    particle = _particle(phrase, particle, style)
    *before, text = noun.korean.split()
    if text == "나" and style.register != "plain":
        text = "저"
    words += [(word, (key,), ()) for word in before]
    if phrase.number:
        counter = (key + tree.COUNTER,)
        words.append((text, (key,), ()))
        words.append((native(phrase.number), (key + tree.NUMBER,), ()))
        words.append((attach(noun.counter, particle), counter, (key, key + tree.NUMBER)))
    elif phrase.position:
        words.append((text, (key,), ()))
        words.append((attach(phrase.position, particle), (key + tree.POSITION,), (key,)))
    elif phrase.second:
        words.append((attach(text, "하고" if style.colloquial else "과"), (key,), ()))
        words += _phrase(phrase.second, style, particle)
    else:
        words.append((attach(text + "들" if phrase.plural else text, particle), (key,), ()))
    return words


def _owner(phrase: Phrase, style: Style) -> str:
    assert phrase.owner is not None
    if phrase.owner.pronoun == "I":
        return "내" if style.register == "plain" else "제"
    return "우리" if phrase.owner.pronoun == "we" else phrase.owner.korean + "의"


def _adjectives(phrase: Phrase, style: Style) -> list[Word]:
    words: list[Word] = []
    if phrase.very:
        words.append((style.very, (phrase.key + tree.VERY,), ()))
    for index, adjective in enumerate(phrase.adjectives):
        key = (phrase.key + tree.ADJECTIVE + index,)
        if adjective.prefix:
            words.append((adjective.prefix, key, ()))
        last = index == len(phrase.adjectives) - 1
        ending = "고" if not last else "는" if adjective.stem.endswith("있") else "(으)ㄴ"
        form = adjective.stem if adjective.fixed else conjugate(adjective.stem, adjective.kind, ending)
        words.append((form, key, ()))
    return words


def _relative(relative: Relative, style: Style) -> list[Word]:
    clause = relative.clause
    words = _phrase(clause.subject, style, "이") if clause.subject else []
    words += _middle(clause, style)
    before, stem = _predicate(clause, style)
    ending = "(으)ㄴ" if relative.past or clause.frame.aspect == "w" or stem.part == "adjective" else "는"
    return words + before + [(conjugate(stem.text, stem.kind, ending), stem.sure, stem.possible)]
