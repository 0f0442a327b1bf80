"""The practice language: a seeded Korean-English grammar that knows its gold word alignment and any length."""

from jumok.data.korean.sampling import VERSION, Korean, Pair, is_held_out

__all__ = ["VERSION", "Korean", "Pair", "is_held_out"]
