"""Names that people mistype."""

from __future__ import annotations

import pytest

from jumok.core import Registry, keyword_settings, nearest, unknown


def test_the_nearest_name_is_found_whatever_the_case_and_hyphens() -> None:
    assert nearest("Top-K", ["top_k", "soft"]) == "top_k"
    assert nearest("xyzzy", ["top_k", "soft"]) is None


def test_the_message_names_all_and_hints_only_where_something_is_near() -> None:
    assert unknown("window", "local_n", ["local_m", "shift"]) == (
        "unknown window 'local_n': did you mean 'local_m'? Known: local_m, shift"
    )
    assert unknown("window", "xyzzy", ["shift", "local_m"]) == "unknown window 'xyzzy'; known: local_m, shift"
    assert unknown("window", 7, ["shift"]) == "unknown window 7; known: shift"


def test_a_registry_takes_a_name_once() -> None:
    registry: Registry[object] = Registry("thing")
    registry.add("whole", int)
    registry.add("whole", int)
    assert registry["whole"] is int
    assert list(registry) == ["whole"]
    assert "whole" in registry
    with pytest.raises(ValueError, match="thing 'whole' is taken by int; register under another name"):
        registry.add("whole", float)
    with pytest.raises(ValueError, match="unknown thing 'hole': did you mean 'whole'"):
        registry["hole"]


def test_settings_are_those_that_can_be_named() -> None:
    def make(size: int, *rest: int, flat: bool = False, **more: int) -> None:
        """Takes all kinds of arguments."""

    assert list(keyword_settings(make)) == ["size", "flat"]
