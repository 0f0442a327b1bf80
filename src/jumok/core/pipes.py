"""What a filter does when nobody reads on."""

from __future__ import annotations

import signal


def end_with_reader() -> None:
    """Let this process end without a word when who reads its output has stopped, as `head` does; not on Windows."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
