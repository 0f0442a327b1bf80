"""What commands say to people, in one of two languages."""

from __future__ import annotations

import locale
import os

from rich.console import Console, RenderableType
from rich.padding import Padding


def locale_language() -> str:
    """The language of the messages that the user asked the system for, where it is one of ours."""
    asked = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)
    return "ko" if (asked or locale.getlocale()[0] or "").lower().startswith("ko") else "en"


class Page:
    """What a command writes on: text in one of two languages, lines of code and their answers, drawings."""

    def __init__(self, language: str) -> None:
        self.korean = language == "ko"
        self.console = Console(highlight=False)

    def title(self, english: str, korean: str) -> None:
        """A heading."""
        self.console.print(f"\n[bold]{self.choose(english, korean)}[/]\n")

    def say(self, english: str, korean: str | None = None) -> None:
        """A paragraph; where there is only one text, it is said to all."""
        self.console.print(self.choose(english, english if korean is None else korean), markup=False)

    def choose(self, english: str, korean: str) -> str:
        """The one that the reader reads."""
        return korean if self.korean else english

    def code(self, line: str, answer: str | None = None, prompt: str = ">>>") -> None:
        """A line of code, and what it gives."""
        self.console.print(f"  {prompt} {line}", markup=False, style="green", soft_wrap=True)
        if answer is not None:
            self.console.print(f"  {answer}", markup=False, soft_wrap=True)

    def draw(self, drawing: RenderableType) -> None:
        """A drawing, a little to the right."""
        self.console.print(Padding(drawing, (0, 0, 0, 2), expand=False))
