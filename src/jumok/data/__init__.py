"""From files to batches: practice data, and one small module on Hangul. Knows no model."""

from jumok.data import hangul

__all__ = ["hangul"]
