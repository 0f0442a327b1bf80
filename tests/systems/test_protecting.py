"""Tags, placeholders and numbers come through, each where attention says that it belongs."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from jumok.systems.protecting import Protection

STRAIGHT = {0: 0, 1: 1, 2: 2, 3: 3}


def put(text: str, output: str, links: dict[int, int], *kinds: str) -> str:
    return Protection(kinds).taken_from(text).put_into(output, links)


def test_tags_are_taken_out_and_put_around_what_looked_inside() -> None:
    protected = Protection(["tags"]).taken_from("das <b>rote Auto</b> fährt<br/> weg")
    assert protected.text == "das rote Auto fährt weg"
    assert protected.put_into("the red car drives away", dict(enumerate(range(5)))) == (
        "the <b>red car</b> drives<br/> away"
    )
    crossed = {0: 0, 1: 2, 2: 1, 3: 3, 4: 4}
    assert protected.put_into("the car red drives away", crossed) == "the <b>car red</b> drives<br/> away"


def test_tags_of_nothing_that_was_looked_at_go_to_the_end() -> None:
    assert put("<i>a</i> b", "x", {0: 1}, "tags") == "x<i></i>"
    assert put("<i>a b", "x y", {0: 0, 1: 1}, "tags") == "<i>x y"
    assert put("a</i>", "x", {0: 0}, "tags") == "x</i>"


@pytest.mark.parametrize(
    ("text", "output", "kept"),
    [
        ("er hat 42 Hunde", "he has 42 dogs", "he has 42 dogs"),
        ("er hat 42 Hunde", "he has twelve dogs", "he has 42 dogs"),
        ("es kostet 3,50 heute.", "it costs much, today.", "it costs 3,50, today."),
    ],
)
def test_numbers_are_written_over_the_word_that_looked_at_them(text: str, output: str, kept: str) -> None:
    assert put(text, output, STRAIGHT, "numbers") == kept


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("사과 3개를 5시에 샀다.", ["3", "5"]),
        ("2024년에 50%를, -7도와 +3도", ["2024", "50%", "-7", "+3"]),
        ("3~5개, 10:30에, 1,000.50원", ["3", "5", "10:30", "1,000.50"]),
        ("3 und 3 und 13", ["3", "3", "13"]),
        ("the 1st, 22nd and 1,000th of 1990s", ["1990"]),
        ("{name}님은 %(count)d번, {first name}님도 {0}", ["{name}", "%(count)d", "{first name}", "{0}"]),
    ],
)
def test_each_is_found_in_words_too_as_often_as_it_is_there(text: str, held: list[str]) -> None:
    protected = Protection(["placeholders", "numbers"]).taken_from(text)
    assert [one.text for one in protected.held] == held
    assert protected.text == text
    for one in protected.held:
        assert one.text.split(" ")[0] in text.split(" ")[one.word]


@pytest.mark.parametrize(
    ("text", "output", "links", "kept"),
    [
        # what is there is left alone, wherever it is
        ("사과 3개를 샀다.", "bought 3 apples.", {0: 2, 1: 0, 2: 0}, "bought 3 apples."),
        ("2024년에 왔다", "came in 2024-ish", {0: 1, 1: 0, 2: 0}, "came in 2024-ish"),
        # over another number or an unknown word, in a word as well
        ("사과 3개를 샀다.", "bought many 8 apples.", {0: 2, 1: 1, 2: 1, 3: 0}, "bought many 3 apples."),
        ("5시에 왔다", "came at ⁇.", {0: 1, 1: 0, 2: 0}, "came at 5."),
        ("er zahlt $5 jetzt", "he pays $6 now", {0: 0, 1: 1, 2: 2, 3: 3}, "he pays $5 now"),
        # a word of its own takes the place of any other, a part of one does not
        ("er hat 42 Hunde", "he has twelve dogs", {0: 0, 1: 1, 2: 2, 3: 3}, "he has 42 dogs"),
        ("사과 3개를 샀다.", "bought apples.", {0: 2, 1: 1}, "bought 3 apples."),
        ("{name}님은 왔다", "the guest came", {0: 0, 1: 0, 2: 1}, "{name} the guest came"),
        # each as often as it was there, in their order
        ("3 und 3", "3 and", {0: 0, 1: 1}, "3 and 3"),
        ("3~5개 샀다", "bought some", {0: 1, 1: 0}, "bought 3 5 some"),
        ("er kam um 7.", "he came.", {0: 0, 1: 1}, "he came 7."),
        ("7 und 8", "", {}, "7 8"),
        ("{first name} kam", "{first name} came", {0: 0, 1: 0, 2: 2}, "{first name} came"),
        ("hallo {first name}", "hello dear", {0: 0, 1: 2}, "hello {first name}"),
    ],
)
def test_nothing_is_lost_and_nothing_else_is_written_over(
    text: str, output: str, links: dict[int, int], kept: str
) -> None:
    assert put(text, output, links, "placeholders", "numbers") == kept


@pytest.mark.parametrize("seed", range(20))
def test_all_that_is_held_comes_through_whatever_the_translation(seed: int) -> None:
    """And every word that is no number stays, where what is held was no word of its own."""
    dice = random.Random(seed)
    source = " ".join(dice.choice(["3개를", "50%의", "{a}님", "말", "7-9일", "3개"]) for _ in range(dice.randint(1, 6)))
    words = dice.choices(["three", "8", "⁇", "of", "{a}", "3,", "dogs."], k=dice.randint(0, 6))
    links = {place: dice.randrange(len(source.split())) for place in range(len(words)) if dice.random() < 0.8}
    protected = Protection(["placeholders", "numbers"]).taken_from(source)
    found = protected.put_into(" ".join(words), links)
    again = Protection(["placeholders", "numbers"]).taken_from(found)
    assert not Counter(one.text for one in protected.held) - Counter(one.text for one in again.held)
    assert not Counter(word for word in words if word in ("three", "of")) - Counter(found.split())


def test_tags_inside_a_word_leave_it_whole() -> None:
    protected = Protection(["tags"]).taken_from("<b>사과</b>를 먹고<br>잤다")
    assert protected.text == "사과를 먹고 잤다"
    assert protected.put_into("ate the apple, slept", {0: 1, 1: 0, 2: 0, 3: 2}) == "ate <b>the apple,</b> <br>slept"


def test_a_placeholder_that_nothing_looked_at_comes_behind_its_neighbour() -> None:
    assert put("Hallo {name}, gut", "hello good", {0: 0, 1: 2}, "placeholders") == "hello {name} good"
    assert put("%s ist da", "is here", {0: 1, 1: 2}, "placeholders") == "%s is here"


def test_nothing_is_protected_unless_asked_for() -> None:
    protected = Protection().taken_from("42 <b>x</b>")
    assert protected.text == "42 <b>x</b>"
    assert protected.put_into("y", {0: 0}) == "y"
    with pytest.raises(ValueError, match="unknown 'dates'; known: tags, placeholders, numbers"):
        Protection(["dates"])
