"""What is said while data is prepared, where nobody watches."""

from __future__ import annotations

import pytest

from jumok.systems.waiting import Waiting


def test_a_long_wait_is_told_line_by_line_and_a_short_one_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    for every, told in ((0.0, ["drawing (10)", "drawing (1,000)"]), (60.0, [])):
        with Waiting(quiet=False, every=every)("drawing") as progress:
            assert progress is not None
            progress(10)
            progress(1000)
        assert capsys.readouterr().err.splitlines() == told


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with Waiting(quiet=True, every=0.0)("drawing") as progress:
        assert progress is None
    Waiting(quiet=True).say("done")
    assert capsys.readouterr().err == ""
