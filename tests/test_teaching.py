"""Figures of the page for teachers that no recipe ends with."""

from __future__ import annotations

import pytest

from jumok.studio.mechanism import Mechanism, stages

DICTIONARY = {"queries": [[0.1, 0.9]], "keys": [[1, 0.1], [0.2, 0.9], [0.1, 1]], "values": [[9], [2], [3]]}


@pytest.mark.parametrize(("draws", "at_least", "at_most"), [(101, 0.03, 0.05), (261, 0.05, 0.06), (401, 0, 0.01)])
def test_how_far_draws_are_from_their_probabilities(draws: int, at_least: float, at_most: float) -> None:
    """Lesson 4: the dictionary as the studio opens it."""
    told = stages(Mechanism(**DICTIONARY, select="hard", draws=draws))
    pairs = zip(told["counts"][0], told["probabilities"][0], strict=True)
    assert at_least <= max(abs(count / draws - probability) for count, probability in pairs) <= at_most
