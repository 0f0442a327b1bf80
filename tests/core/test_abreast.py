"""Parts of a work side by side: in order, with their errors, and nothing left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
import torch

from jumok.core.abreast import MOST, Stopped, abreast, lanes


@pytest.fixture(autouse=True)
def two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_results_come_in_order_though_the_last_part_ends_first() -> None:
    last_is_done = threading.Event()

    def work(part: int, stopped: Stopped) -> tuple[int, int]:
        if part == 1:
            last_is_done.set()
        else:
            assert last_is_done.wait(10)
        return part, torch.get_num_threads()

    assert list(abreast(work, [0, 1], lanes())) == [(0, 1), (1, 1)]
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize("count", [0, 1, 2, 9])
@pytest.mark.parametrize("at_once", [1, 2, MOST])
def test_every_part_is_done_once(count: int, at_once: int) -> None:
    assert list(abreast(lambda part, stopped: part * part, range(count), at_once)) == [n * n for n in range(count)]


def test_an_error_comes_through_and_stops_the_others() -> None:
    told = []

    def work(part: int, stopped: Stopped) -> None:
        if part == 0:
            raise ValueError("part 0 is broken")
        while not stopped():
            threading.Event().wait(0.001)
        told.append(part)

    with pytest.raises(ValueError, match="part 0 is broken"):
        list(abreast(work, [0, 1, 2, 3], 2))
    assert 1 in told
    assert 3 not in told
    assert torch.get_num_threads() == 2


def test_who_waits_no_more_stops_what_is_under_way() -> None:
    begun: list[int] = []

    def work(part: int, stopped: Stopped) -> int:
        begun.append(part)
        while part and not stopped():
            threading.Event().wait(0.001)
        return part

    with closing(abreast(work, range(50), 2)) as results:
        assert next(results) == 0
    assert len(begun) <= 4
