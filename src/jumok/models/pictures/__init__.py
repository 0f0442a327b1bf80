"""Image encoders: a state for every region of a picture."""

from jumok.models.pictures.encoder import PictureEncoder
from jumok.models.pictures.settings import PictureEncoderSettings

__all__ = ["PictureEncoder", "PictureEncoderSettings"]
