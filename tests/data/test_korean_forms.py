"""Every stem of the practice language with every ending it is given, against kiwipiepy."""

from __future__ import annotations

from typing import Any

import pytest

from jumok.data.hangul import conjugate, past
from jumok.data.korean.korean_side import NEGATIVES
from jumok.data.korean.lexicon import lexicon

ENDINGS = {
    "고": ("고", "EC"),
    "지": ("지", "EC"),
    "거나": ("거나", "EC"),
    "다가": ("다가", "EC"),
    "자마자": ("자마자", "EC"),
    "지만": ("지만", "EC"),
    "기": ("기", "ETN"),
    "기로": ("기로", "EC"),
    "(으)면": ("면", "EC"),
    "(으)면서": ("면서", "EC"),
    "(으)려고": ("려고", "EC"),
    "(으)러": ("러", "EC"),
    "(으)ㄴ": ("ᆫ", "ETM"),
    "(으)ㄹ": ("ᆯ", "ETM"),
    "아/어서": ("어서", "EC"),
    "아/어도": ("어도", "EC"),
    "아/어야": ("어야", "EC"),
    "아/어요": ("어요", "EF"),
    "ㅂ니다/습니다": ("ᆸ니다", "EF"),
    "다": ("다", "EF"),
}
OF_VERBS = {"ㄴ다/는다": ("ᆫ다", "EF"), "는": ("는", "ETM")}
AFTER_PAST = ("다", "아/어요", "ㅂ니다/습니다", "지만", "고", "기", "(으)ㄹ")
AFTER_HONORIFIC = ("고", "지", "지만", "(으)면", "(으)ㄴ", "(으)ㄹ", "아/어서", "아/어도", "ㅂ니다/습니다")

HELPERS = {
    *(("않", "regular", "VX"), ("못하", "하다", "VV"), ("싶", "regular", "VX"), ("하", "하다", "VX")),
    *(("시작하", "하다", "VV"), ("드리", "regular", "VV"), ("보여드리", "regular", "VV"), ("계시", "regular", "VV")),
    *((stem, kind, "VV") for stem, kind in NEGATIVES.values() if stem != "아니"),
}


def stems() -> list[tuple[str, str, str]]:
    words = lexicon()
    frames = [*words.frames, *(cause.frame for cause in words.causes)]
    found = {(f.stem, f.kind, "VA" if f.part == "adjective" else "VV") for f in frames}
    found |= {(a.stem, a.kind, "VA") for a in words.adjectives if not a.fixed}
    return sorted(found | HELPERS)


@pytest.fixture(scope="module")
def kiwi() -> Any:
    module = pytest.importorskip("kiwipiepy", reason="kiwipiepy is a test tool")
    return module.Kiwi(num_workers=1)


def tagged(stem: str, kind: str, part: str) -> tuple[str, str]:
    """kiwipiepy's tag: regular ones -R, irregular ones -I; for 르, 으, ㄹ and 하다 it needs no telling."""
    mark = "-R" if kind == "regular" else "" if kind in ("르", "으", "ㄹ", "하다") else "-I"
    return stem, part + mark


def test_every_form_is_kiwis(kiwi: Any) -> None:
    wrong, count = [], 0
    for stem, kind, part in stems():
        word = tagged(stem, kind, part)
        honorific = conjugate(stem, kind, "(으)시")
        forms = [((word, ending), conjugate(stem, kind, spec)) for spec, ending in ENDINGS.items()]
        if part == "VV" and stem not in ("있", "없"):
            forms += [((word, ending), conjugate(stem, kind, spec)) for spec, ending in OF_VERBS.items()]
        forms += [
            ((word, ("었", "EP"), ENDINGS[spec]), conjugate(past(stem, kind), "past", spec)) for spec in AFTER_PAST
        ]
        forms += [
            ((word, ("시", "EP"), ENDINGS[spec]), conjugate(honorific, "regular", spec)) for spec in AFTER_HONORIFIC
        ]
        count += len(forms)
        wrong += [(ours, theirs) for parts, ours in forms if (theirs := kiwi.join(list(parts))) != ours]
    assert wrong == []
    assert count > 5_000


def test_every_particle_is_kiwis(kiwi: Any) -> None:
    from jumok.data.hangul import attach

    particles = {"을": "JKO", "이": "JKS", "은": "JX", "과": "JC", "으로": "JKB"}
    nouns = [noun.korean for noun in lexicon().nouns]
    wrong = [
        (attach(noun, form), theirs)
        for noun in nouns
        for form, tag in particles.items()
        if (theirs := kiwi.join([(noun, "NNG"), (form, tag)])) != attach(noun, form)
    ]
    assert wrong == []
