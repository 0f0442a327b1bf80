"""Fruit and cake."""

from __future__ import annotations

from jumok.data.scenes.drawings.drawing import drawing
from jumok.data.scenes.pen import WHITE, WOOD, Pen, Tone, dark, light

_LEAF: Tone = (96, 168, 84)
_PLATE: Tone = (236, 240, 246)


@drawing(0, 1, 86, 91)
def apple(pen: Pen, colour: Tone) -> None:
    """With a stem and a leaf."""
    pen.stroke([(42, 28), (44, 16), (49, 7)], 4.4, WOOD)
    pen.blob([(48, 18), (58, 7), (74, 9), (66, 20), (56, 22)], _LEAF)
    right, left = [(60, 20), (78, 30), (81, 54), (66, 82), (52, 87)], [(34, 87), (20, 82), (5, 54), (8, 30), (26, 20)]
    pen.blob([(43, 28), *right, *left], colour)
    pen.ellipse(22, 44, 5, 10, light(colour, 0.6), line=False, turn=20)


@drawing(1, 0, 73, 99)
def pear(pen: Pen, colour: Tone) -> None:
    """Narrow above, round below."""
    pen.stroke([(38, 18), (41, 6)], 4.4, WOOD)
    pen.blob([(42, 14), (52, 5), (64, 9), (56, 18)], _LEAF)
    right, left = [(48, 22), (52, 40), (66, 56), (69, 76), (56, 93)], [(18, 93), (5, 76), (8, 56), (22, 40), (26, 22)]
    pen.blob([(37, 14), *right, (37, 95), *left], colour)
    pen.ellipse(20, 68, 5, 11, light(colour, 0.6), line=False, turn=12)
    for x, y in ((44, 62), (52, 74), (40, 82)):
        pen.ellipse(x, y, 1.6, 1.6, dark(colour, 0.35), line=False)


@drawing(3, 0, 99, 77)
def banana(pen: Pen, colour: Tone) -> None:
    """One, curved like a smile."""
    upper, lower = [(7, 10), (15, 6), (24, 30), (46, 46), (72, 46), (90, 34)], [(84, 62), (58, 73), (32, 68), (12, 46)]
    pen.blob([*upper, (95, 42), *lower], colour)
    pen.stroke([(14, 24), (26, 48), (50, 61), (76, 58)], 2.2, dark(colour, 0.25), line=False, smooth=True)
    pen.polygon([(5, 7), (15, 4.5), (17, 13), (8, 15)], (120, 92, 52), line=False)
    pen.ellipse(93, 38, 3.6, 5, (120, 92, 52), line=False, turn=-20)


@drawing(1, 5, 95, 92)
def cake(pen: Pen, colour: Tone) -> None:
    """Icing of the colour, a cherry and a plate."""
    pen.ellipse(48, 80, 43, 8, _PLATE)
    pen.block(14, 42, 82, 80, (244, 214, 160), 6)
    pen.stroke([(17, 64), (79, 64)], 4, light(colour, 0.5), line=False)
    drops = [(78, 56), (70, 48), (60, 58), (50, 48), (38, 58), (28, 48), (18, 56)]
    pen.blob([(12, 44), (20, 30), (48, 26), (76, 30), (84, 44), *drops], colour)
    pen.ellipse(48, 20, 9, 9, (216, 48, 62))
    pen.stroke([(48, 13), (54, 6)], 2, WOOD, line=False)
    pen.ellipse(45, 17, 2.4, 2.4, WHITE, line=False)
