"""Times that fit what is done: dates by how often it is done, hours by the part of the day."""

from __future__ import annotations

from typing import NamedTuple

from jumok.data.hangul import counted, native, sino
from jumok.data.korean.dice import Dice, Weights
from jumok.data.korean.english_words import number
from jumok.data.korean.lexicon import Frame, rows
from jumok.data.korean.tree import Clause, Time

WEEKEND = ("토요일", "일요일", "주말")


class Date(NamedTuple):
    """A phrase of time: the tenses it goes with, the part of the day it names and how often that comes."""

    korean: str
    english: str
    tenses: frozenset[str]
    part: str
    often: str

    @property
    def weekend(self) -> bool:
        """Whether schools and offices are closed."""
        return self.korean.startswith(WEEKEND)

    @property
    def opens(self) -> bool:
        """Whether a part of that day may be named with it: 어제 아침에, but 그저께 alone."""
        return self.part == "any" and len(self.english.split()) < 3 and self.korean not in ("지금", "주말마다")


_ROWS = tuple(Date(row[0], row[1], frozenset(row[2].split()), row[3], row[4]) for row in rows("times.txt"))
DATES = tuple(date for date in _ROWS if date.often != "part")
PARTS_OF_A_DAY = tuple(date for date in _ROWS if date.often == "part")
PART_OF_A_DAY = {date.part: date for date in PARTS_OF_A_DAY}

_HOURS = {"morning": (7, 8, 9, 10, 11), "noon": (12, 1), "afternoon": (2, 3, 4), "evening": (6, 7, 8), "night": (9, 10)}
_WAYS = Weights({"hour": 3.0, "half": 1.0, "minutes": 0.7})
_AT_FIXED_HOURS = {"getup": (6, 7), "noon": (12, 1), "breakfast": (7, 8), "dinner": (6, 7)}


def often(clause: Clause) -> str:
    """How often a thing is done: daily, weekly or "" for neither."""
    tags = clause.frame.tags
    if "go" in tags:
        kinds = clause.phrases[0].noun.classes
        return "daily" if "daily" in kinds else "" if "seldom" in kinds else "weekly"
    if tags & {"daily", "home_come", "ride"}:
        return "daily"
    return "weekly" if "weekly" in tags or clause.frame.part != "verb" else ""


def hours(frame: Frame, parts: frozenset[str]) -> tuple[int, ...]:
    """The hours at which it may be done."""
    for tag, fixed in _AT_FIXED_HOURS.items():
        if tag in frame.tags or f"@{tag}" in frame.tags:
            return fixed
    return tuple(hour for part, found in _HOURS.items() if part in parts for hour in found)


def written(date: Date, key: int) -> Time:
    """A date as it stands in a sentence."""
    words = len(date.korean.split())
    same = words == len(date.english.split()) > 1
    return Time(date.korean, date.english, key, date.part, tuple(range(words)) if same else ())


def opening(date: Date, part: Date, key: int) -> Time:
    """The time that opens a day told in its parts: 어제 아침에, yesterday morning; 어제 점심에, ... at lunchtime."""
    weekly = date.korean.endswith("요일마다")
    korean = f"{'매주 ' * weekly}{date.korean.removesuffix('마다' if weekly else '에')} {part.korean}"
    *before, day = date.english.split()
    named = part.english.split()[-1]
    if part.part == "noon":
        return Time(korean, f"{date.english} {part.english}", key, links=(*_linked(before), weekly + 0, -1, weekly + 1))
    if day == "today":
        return Time(korean, f"this {named}", key, links=(0, 1))
    if day == "day":
        return Time(korean, f"{before[0]} {named}", key, links=(0, 1))
    return Time(korean, f"{date.english} {named}", key, links=(*_linked(before), weekly + 0, weekly + 1))


def _linked(words: list[str]) -> tuple[int, ...]:
    return tuple(-1 if word == "on" else 0 for word in words)


def oclock(dice: Dice, hour: int, key: int) -> Time:
    """세 시에; 일곱 시 반에; 두 시 이십 분에."""
    way = dice.weighted(_WAYS)
    if way == "hour":
        return Time(f"{counted(hour, '시')}에", f"at {number(hour)} o'clock", key, "part", (-1, 0, 1))
    if way == "half":
        return Time(f"{counted(hour, '시')} 반에", f"at half past {number(hour)}", key, "part", (-1, 2, -1, 0))
    minutes = dice.pick((15, 20, 40, 45, 50))
    korean = f"{counted(hour, '시')} {sino(minutes)} 분에"
    return Time(korean, f"at {number(hour)} {number(minutes)}", key, "part", (-1, 0, 2))


def lasting(dice: Dice, longest: int, key: int) -> Time:
    """두 시간 동안."""
    count = 1 + dice.below(longest)
    unit = "hour" if count == 1 else "hours"
    return Time(f"{native(count)} 시간 동안", f"for {number(count)} {unit}", key, "part", (2, 0, 1))
