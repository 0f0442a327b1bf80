"""What a recipe says of itself, for the list of recipes."""

from __future__ import annotations

from pydantic import Field

from jumok.core.settings import Settings


class About(Settings):
    """The block `about` of a recipe. It is not inherited, and changes nothing in training."""

    what: str = ""
    """What the recipe trains, in a few words."""

    needs: str = "nothing"
    """The data that must be there before it runs."""

    minutes: float | None = Field(default=None, gt=0)
    """About how long it takes on two cores of a laptop; nothing where it depends on the data."""
