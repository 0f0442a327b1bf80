"""How each kind of object is drawn; one function a kind, in files by group."""

from jumok.data.scenes.drawings.drawing import Drawing, drawings

__all__ = ["Drawing", "drawings"]
