"""Ctrl-C and SIGTERM: the first asks, the second stops at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Notes that a signal came, within a `with` block of the main thread; elsewhere it does nothing.

    After the first signal the handlers from before are back, so that a second one does what it always did; not with
    `second_stops=False`, since torchrun hands on the signals that the terminal has already sent.
    """

    def __init__(self, second_stops: bool = True) -> None:
        self.came = False
        self.second_stops = second_stops
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._note) for number in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._restore()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        if self.second_stops:
            self._restore()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        self._before = {}
