"""The practice pictures: seeded drawings with captions in English and Korean that know the region of every word."""

from jumok.data.scenes.captions import Word
from jumok.data.scenes.lexicon import is_held_out
from jumok.data.scenes.sampling import VERSION, Scenes
from jumok.data.scenes.scene import Scene
from jumok.data.scenes.things import Box, Thing

__all__ = ["VERSION", "Box", "Scene", "Scenes", "Thing", "Word", "is_held_out"]
