"""Hangul for the practice data and the interface: final consonants, particles, conjugation, numerals.

A verb carries its conjugation class; nothing is guessed from its spelling. An ending is data, written as grammars do:

| written | joins to | examples |
|---|---|---|
| `고` | the bare stem (ㄹ falls before ㄴ, ㅂ, ㅅ) | 먹고, 만들고, 만드는 |
| `(으)면` | the stem, with 으 after a consonant other than ㄹ | 먹으면, 가면, 만들면, 들으면 |
| `아/어요` | the form in 아 or 어, contracted where that is usual | 먹어요, 봐요, 도와요, 불러요 |
| `ㄴ다/는다` | a consonant takes the second | 먹는다, 간다, 만든다 |
| `ㅂ니다/습니다` | a consonant takes the second | 먹습니다, 갑니다, 만듭니다 |
"""

from __future__ import annotations

from functools import cache

ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")

CLASSES = ("regular", "ㄷ", "ㅂ", "ㅂ/오", "ㅅ", "ㅎ", "ㄹ", "르", "러", "으", "하다", "past")
"""Conjugation classes: ㅂ/오 is 돕다 and 곱다; past is a stem that `past` made, such as 갔."""

PARTICLES = {
    "을": ("을", "를"),
    "이": ("이", "가"),
    "은": ("은", "는"),
    "과": ("과", "와"),
    "으로": ("으로", "로"),
    "이나": ("이나", "나"),
    "이랑": ("이랑", "랑"),
    "이다": ("이다", "다"),
    "이고": ("이고", "고"),
    "이며": ("이며", "며"),
    "이지만": ("이지만", "지만"),
    "이라고": ("이라고", "라고"),
    "이라도": ("이라도", "라도"),
    "이든지": ("이든지", "든지"),
    "이라서": ("이라서", "라서"),
    "이에요": ("이에요", "예요"),
    "이었다": ("이었다", "였다"),
    "이었어요": ("이었어요", "였어요"),
    "이었습니다": ("이었습니다", "였습니다"),
}
"""A particle by its form after a consonant: that form, and the one after a vowel."""

_SUBJECTS = {"나": "내가", "저": "제가", "너": "네가", "누구": "누가"}
_DIGITS = dict(zip("0123456789", ("ㅇ", "ㄹ", "", "ㅁ", "", "", "ㄱ", "ㄹ", "ㄹ", ""), strict=True))
_ZEROS = ("", "ㅂ", "ㄱ", "ㄴ", "ㄴ", "ㄴ", "ㄴ", "ㄴ", "ㄱ")  # 십, 백, 천, 만, ..., 억
_LETTERS = {"l": "ㄹ", "m": "ㅁ", "n": "ㄴ", "r": "ㄹ"}  # the letters whose Korean names end in a consonant
_ENDINGS_BY_SOUND = (
    *((spelt, "ㅇ") for spelt in ("ng",)),
    *((spelt, "ㄹ") for spelt in ("l", "le")),
    *((spelt, "ㅁ") for spelt in ("m", "me")),
    *((spelt, "ㄴ") for spelt in ("n", "ne")),
    *((vowel + spelt, "ㄱ") for vowel in "aeiou" for spelt in ("c", "ck", "k")),
    *((vowel + spelt, "ㅂ") for vowel in "aeiou" for spelt in ("b", "p", "pp")),
    *((vowel + spelt, "ㅅ") for vowel in "aeiou" for spelt in ("t",)),
)


def split(syllable: str) -> tuple[str, str, str]:
    """Onset, vowel and final consonant of one Hangul syllable.

    >>> split("한"), split("가")
    (('ㅎ', 'ㅏ', 'ㄴ'), ('ㄱ', 'ㅏ', ''))
    """
    code = ord(syllable) - 0xAC00
    return ONSETS[code // 588], VOWELS[code % 588 // 28], FINALS[code % 28]


def join(onset: str, vowel: str, final: str = "") -> str:
    """One syllable of its letters.

    >>> join("ㅎ", "ㅏ", "ㄴ")
    '한'
    """
    return chr(0xAC00 + ONSETS.index(onset) * 588 + VOWELS.index(vowel) * 28 + FINALS.index(final))


def with_final(word: str, final: str) -> str:
    """The word with another final consonant.

    >>> with_final("가", "ㄴ"), with_final("만들", "")
    ('간', '만드')
    """
    onset, vowel, _ = split(word[-1])
    return word[:-1] + join(onset, vowel, final)


def final_sound(word: str) -> str:
    """The consonant that a word ends in when it is read aloud, or "" after a vowel; marks at its end are not read.

    >>> [final_sound(word) for word in ("집", "학교", "3", "10", "TV", "PDF", "VR", "attention", "(서울)")]
    ['ㅂ', '', 'ㅁ', 'ㅂ', '', '', 'ㄹ', 'ㄴ', 'ㄹ']
    """
    while word and not word[-1].isalnum():
        word = word[:-1]
    last = word[-1:]
    if "가" <= last <= "힣":
        return split(last)[2]
    if last in _DIGITS:
        zeros = len(word) - len(word.rstrip("0"))
        read = word[:-zeros][-1:] in _DIGITS if zeros else False
        return _ZEROS[min(zeros, 8)] if read else _DIGITS[last]
    if word.isupper() or len(word) == 1:
        return _LETTERS.get(last.lower(), "")
    return next((final for spelt, final in _ENDINGS_BY_SOUND if word.lower().endswith(spelt)), "")


def particle(word: str, form: str) -> str:
    """The particle that `form` names (see `PARTICLES`) as it sounds after `word`; others never change.

    >>> particle("집", "으로"), particle("서울", "으로"), particle("3", "을"), particle("친구", "과")
    ('으로', '로', '을', '와')
    """
    if form not in PARTICLES:
        return form
    final = final_sound(word)
    bare = not final or (form == "으로" and final == "ㄹ")
    return PARTICLES[form][bare]


def attach(word: str, form: str) -> str:
    """The word with its particle; 내가, 제가, 네가 and 누가 are themselves.

    >>> attach("고양이", "을"), attach("연필", "으로"), attach("나", "이"), attach("의사", "이다")
    ('고양이를', '연필로', '내가', '의사다')
    """
    if form == "이" and word in _SUBJECTS:
        return _SUBJECTS[word]
    return word + particle(word, form)


_CONTRACTED = dict(zip("ㅏㅓㅕㅐㅔㅖㅗㅜㅣㅚ", "ㅏㅓㅕㅐㅔㅖㅘㅝㅕㅙ", strict=True))
_ALWAYS_CONTRACTED = "ㅏㅓㅕㅐㅔㅖㅣ"
_ㅎ_VOWELS = dict(zip("ㅏㅓㅑㅕ", "ㅐㅔㅒㅖ", strict=True))
_ㅎ_POINTERS = ("그렇", "이렇", "저렇", "어떻")


@cache
def infinitive(stem: str, kind: str = "regular", contracted: bool = True) -> str:
    """The form in 아 or 어 that many endings join to. `contracted=False` gives 보아, 주어, 되어, 하여.

    >>> [infinitive(stem, kind) for stem, kind in [("먹", "regular"), ("돕", "ㅂ/오"), ("부르", "르"), ("쓰", "으")]]
    ['먹어', '도와', '불러', '써']
    """
    before, (onset, vowel, final) = stem[:-1], split(stem[-1])
    a = kind != "past" and vowel in "ㅏㅗㅑ"
    if kind == "하다":
        return before + ("해" if contracted else "하여")
    if kind in ("르", "으"):
        a = bool(before) and split(before[-1])[1] in "ㅏㅗ"
        if kind == "으":
            return before + join(onset, "ㅏ" if a else "ㅓ")
        return with_final(before, "ㄹ") + ("라" if a else "러")
    if kind == "러":
        return stem + "러"
    if kind in ("ㅂ", "ㅂ/오"):
        return with_final(stem, "") + ("와" if kind == "ㅂ/오" else "워")
    if kind == "ㅎ":
        return before + join(onset, "ㅐ" if stem in _ㅎ_POINTERS else _ㅎ_VOWELS[vowel])
    if kind == "ㄷ":
        return with_final(stem, "ㄹ") + ("아" if a else "어")
    if kind == "ㅅ":
        return with_final(stem, "") + ("아" if a else "어")
    if final or vowel not in _CONTRACTED:
        return stem + ("아" if a else "어")
    if contracted or vowel in _ALWAYS_CONTRACTED or onset == "ㅇ":
        return before + join(onset, _CONTRACTED[vowel])
    return stem + ("아" if a else "어")


def past(stem: str, kind: str = "regular", contracted: bool = True) -> str:
    """The stem of the past, of class `past`.

    >>> [past(stem, kind) for stem, kind in [("가", "regular"), ("듣", "ㄷ"), ("빨갛", "ㅎ"), ("하", "하다")]]
    ['갔', '들었', '빨갰', '했']
    """
    return with_final(infinitive(stem, kind, contracted), "ㅆ")


@cache
def conjugate(stem: str, kind: str, ending: str, contracted: bool = True) -> str:
    """The stem with an ending of the table above.

    >>> [conjugate("만들", "ㄹ", ending) for ending in ("ㄴ다/는다", "는", "(으)면", "(으)ㄹ", "아/어서", "(으)시")]
    ['만든다', '만드는', '만들면', '만들', '만들어서', '만드시']
    >>> [conjugate("듣", "ㄷ", ending) for ending in ("ㄴ다/는다", "(으)ㄴ", "고", "아/어요")]
    ['듣는다', '들은', '듣고', '들어요']
    """
    if kind not in CLASSES:
        raise ValueError(f"unknown conjugation class {kind!r}; known: {', '.join(CLASSES)}")
    if ending.startswith("아/어"):
        return infinitive(stem, kind, contracted) + ending[3:]
    final = split(stem[-1])[2]
    if ending in ("ㄴ다/는다", "ㅂ니다/습니다"):
        short, full = ending.split("/")
        return stem + full if final not in ("", "ㄹ") else _add(with_final(stem, ""), short)
    if ending.startswith("(으)"):
        return _add_eu(stem, kind, ending[3:])
    return _add(stem, ending)


def _add_eu(stem: str, kind: str, rest: str) -> str:
    """Join an ending that takes 으 after a consonant."""
    bare = with_final(stem, "")
    if kind in ("ㅂ", "ㅂ/오"):
        return _add(bare + "우", rest)
    if kind == "ㄷ":
        return _add(with_final(stem, "ㄹ") + "으", rest)
    if kind == "ㅅ":
        return _add(bare + "으", rest)
    if kind == "ㅎ":
        return _add(bare, rest)
    if kind == "ㄹ":
        return stem + rest[1:] if rest[0] == "ㄹ" else _add(stem, rest)
    return _add(stem if bare == stem else stem + "으", rest)


def _add(stem: str, ending: str) -> str:
    """Put an ending behind a stem; ㄹ falls before ㄴ, ㅂ and ㅅ, a lone consonant goes under the last syllable."""
    first = ending[0]
    onset = first if first in ONSETS else split(first)[0]
    if onset in "ㄴㅂㅅ" and split(stem[-1])[2] == "ㄹ":
        stem = with_final(stem, "")
    return with_final(stem, first) + ending[1:] if first in ONSETS else stem + ending


_NATIVE = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_NATIVE_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_BEFORE_COUNTER = {"하나": "한", "둘": "두", "셋": "세", "넷": "네"}
_SINO = ("", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구")


def native(number: int, counter: bool = True) -> str:
    """A native numeral from 1 to 99, as it stands before a counter or alone.

    >>> native(3), native(20), native(21), native(3, counter=False)
    ('세', '스무', '스물한', '셋')
    """
    if not 1 <= number <= 99:
        raise ValueError(f"native numerals go from 1 to 99, not {number}")
    tens, ones = _NATIVE_TENS[number // 10], _NATIVE[number % 10]
    if not counter:
        return tens + ones
    return "스무" if number == 20 else tens + _BEFORE_COUNTER.get(ones, ones)


def sino(number: int) -> str:
    """A Sino-Korean numeral from 0 to 99,999,999.

    >>> sino(3), sino(15), sino(110), sino(2026), sino(10_000)
    ('삼', '십오', '백십', '이천이십육', '만')
    """
    if not 0 <= number < 10**8:
        raise ValueError(f"Sino-Korean numerals go from 0 to 99999999, not {number}")
    if number == 0:
        return "영"
    high, low = divmod(number, 10_000)
    read = ("만" if high == 1 else sino(high) + "만") if high else ""
    for power, unit in ((1000, "천"), (100, "백"), (10, "십"), (1, "")):
        digit = low // power % 10
        read += (_SINO[digit] if digit > 1 or power == 1 else "") + (unit if digit else "")
    return read


NATIVE_COUNTERS = frozenset(
    ("명", "분", "마리", "권", "개", "대", "장", "송이", "그루", "잔", "병", "켤레", "벌", "자루", "채", "척")
) | frozenset(("편", "통", "곡", "시", "시간", "살", "번", "달", "그릇", "조각"))
"""Counters that take native numerals, 분 (people) among them; 층, 원, 년, 월, 일, 주 and minutes take Sino-Korean."""


def counted(number: int, counter: str) -> str:
    """A number with its counter: native numerals where the counter takes them, and 유월, 시월.

    >>> counted(3, "마리"), counted(3, "층"), counted(6, "월"), counted(20, "살")
    ('세 마리', '삼 층', '유월', '스무 살')
    """
    if counter == "월":
        return {6: "유", 10: "시"}.get(number, sino(number)) + counter
    return f"{native(number) if counter in NATIVE_COUNTERS else sino(number)} {counter}"
