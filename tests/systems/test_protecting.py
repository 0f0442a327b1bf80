"""Tags, placeholders and numbers come through, each where attention says that it belongs."""

from __future__ import annotations

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


def test_a_placeholder_that_nothing_looked_at_comes_behind_its_neighbour() -> None:
    assert put("Hallo {name}, gut", "hello good", {0: 0, 1: 2}, "placeholders") == "hello {name} good"
    assert put("%s ist da", "is here", {0: 1, 1: 2}, "placeholders") == "%s is here"


def test_nothing_is_protected_unless_asked_for() -> None:
    protected = Protection().taken_from("42 <b>x</b>")
    assert protected.text == "42 <b>x</b>"
    assert protected.put_into("y", {0: 0}) == "y"
    with pytest.raises(ValueError, match="unknown 'dates'; known: tags, placeholders, numbers"):
        Protection(["dates"])
