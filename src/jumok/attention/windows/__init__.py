"""Where may it look at all? Windows stand around the normaliser."""

from jumok.attention.windows.base import Place, Window
from jumok.attention.windows.local import LocalM, LocalP
from jumok.attention.windows.shift import Shift

__all__ = ["LocalM", "LocalP", "Place", "Shift", "Window"]
