"""The settings of a scene: which lanes they have, and where these lie.

Every setting has a lower lane, where things stand, and an upper one, where they fly or hang. The sea has a third, under
its surface. Heights go from 0 at the top of the picture to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from jumok.core.names import unknown


@dataclass(frozen=True)
class Setting:
    """A setting; `lower`, `upper` and `deep` name lanes.

    An object is in the upper lane if it ends above `horizon`, in the deep one if it starts below `waterline`, and in
    the lower one otherwise. `standing` is where things of the lower lane may end, `flying` where upper ones may lie.
    """

    name: str
    lower: str
    upper: str
    horizon: float = 0.60
    standing: tuple[float, float] = (0.75, 0.95)
    flying: tuple[float, float] = (0.03, 0.53)
    deep: str = ""
    waterline: float = 1.0

    @property
    def lanes(self) -> tuple[str, ...]:
        """All lanes, in the order in which a caption tells them."""
        return (self.lower, self.deep, self.upper) if self.deep else (self.lower, self.upper)


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("meadow", "meadow", "sky"),
        Setting("beach", "beach", "sky"),
        Setting("snow", "snow", "sky"),
        Setting("night", "hill", "night"),
        Setting("street", "street", "sky"),
        Setting("room", "floor", "wall", horizon=0.64, standing=(0.80, 0.95), flying=(0.06, 0.56)),
        Setting("sea", "sea", "sky", 0.43, (0.54, 0.57), (0.03, 0.37), deep="water", waterline=0.57),
    )
}
"""The settings by name."""

LOOKS = 4
"""Every setting comes in so many looks."""


def setting_of(name: str) -> Setting:
    """The setting of this name."""
    if name not in SETTINGS:
        raise ValueError(unknown("setting", name, SETTINGS))
    return SETTINGS[name]
