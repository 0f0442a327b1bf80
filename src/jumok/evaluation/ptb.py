"""Captions cut into words as the caption challenge of COCO cuts them: the Penn Treebank's way, in lower case.

The rules are those of Stanford's PTBTokenizer as far as captions need them, and its quirks are kept: a round bracket
becomes the word `-lrb-`, a euro becomes a dollar, and of the marks only the usual ones are dropped.
"""

from __future__ import annotations

import re

_DROPPED = frozenset(["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";", '"'])
_BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
_WRITTEN = {"‘": "`", "’": "'", "“": "``", "”": "''", "…": "...", "–": "--", "—": "--"}
_MONEY = {"€": "$", "¤": "$", "£": "#", "¢": " cents "}
_MARKS = {ord(mark): meant for mark, meant in (_WRITTEN | _MONEY).items()}
_ESCAPED = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&nbsp;": " "}
_TWO = {
    word: (word[:cut], word[cut:])
    for word, cut in (("cannot", 3), ("gonna", 3), ("gotta", 3), ("wanna", 3), ("gimme", 3), ("lemme", 3))
}

_TOKEN = re.compile(
    r"""
      https?://\S+ | www\.\S+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                   # addresses
    | <[^<>\s]+> | [@#][^\W\d]\w*
    | (?i:mr|mrs|ms|dr|st|jr|sr|prof|gen|sgt|lt|col|capt|rev|gov|sen|rep|vs|etc|ft|mt|ave|blvd|dept|inc|corp|co|ltd
      |jan|feb|aug|sept|oct|nov|dec|mon|tue|wed|thu|fri|no(?=\.\s*\d))\.(?!\w)
    | (?:[^\W\d_]\.)+[^\W\d_]\. | [A-Z]\.(?![^\W_])                            # u.s., a.m., John A.
    | [A-Z]+(?:&[A-Z]+)+ | (?i:[dol]'(?=[^\W_])[^\W_]+)                        # AT&T, o'clock
    | (?i:'t(?=(?:is|was)\b) | y'(?=all\b))
    | [^\W_]+?(?=[nN]'[tT]\b) | (?i:n't)\b                                     # do n't
    | (?i:'(?:s|m|d|ll|re|ve|n'|em))(?![^\W_]) | '\d\ds?\b                     # it 's, the '90s
    | \d+(?:[.,:/]\d+)+
    | [^\W_]+(?:[-_/.@](?=[^\W_])[^\W_]+)*                                     # words, t-shirt, black/white
    | \.\.\.+ | --+ | [!?]+ | ``+ | ''+
    | \S
    """,
    flags=re.VERBOSE,
)


def ptb_tokens(text: str) -> list[str]:
    """The words of a caption, in lower case and without marks.

    >>> ptb_tokens("A dog doesn't see the man's T-shirt, it's red.")
    ['a', 'dog', 'does', "n't", 'see', 'the', 'man', "'s", 't-shirt', 'it', "'s", 'red']
    """
    for written, meant in _ESCAPED.items():
        text = text.replace(written, meant)
    tokens: list[str] = []
    for token in _TOKEN.findall(text.translate(_MARKS)):
        word = "--" if token.startswith("---") else token.lower()
        tokens += _TWO.get(word, (_BRACKETS.get(word, word),))
    return [token for token in tokens if token not in _DROPPED]
