"""Commands that print much end when nobody reads on."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_a_reader_that_stops_ends_the_command_without_a_word() -> None:
    command = [sys.executable, "-m", "jumok.data.korean", "--show", "20000", "--max-words", "5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().strip()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) != 0
