"""Houses and furniture."""

from __future__ import annotations

from jumok.data.scenes.drawings.drawing import drawing
from jumok.data.scenes.pen import GLASS, METAL, WHITE, WOOD, Pen, Tone, dark, light

_ROOF: Tone = (150, 92, 72)


@drawing(-2, 2, 98, 99)
def house(pen: Pen, colour: Tone) -> None:
    """Walls of the colour, a roof, a door, two windows, a chimney."""
    pen.block(66, 12, 77, 40, (176, 122, 104))
    pen.block(14, 44, 82, 95, colour)
    pen.polygon([(5, 48), (48, 7), (91, 48)], _ROOF)
    pen.stroke([(17, 42), (48, 13), (79, 42)], 2, light(_ROOF, 0.3), line=False)
    pen.block(40, 66, 57, 95, dark(_ROOF, 0.25), 2)
    pen.ellipse(53.5, 81, 1.8, 1.8, (255, 220, 120), line=False)
    for x in (20, 63):
        pen.block(x, 56, x + 14, 72, (255, 240, 176))
        pen.stroke([(x + 7, 56), (x + 7, 72)], 1.8, WHITE, line=False)
        pen.stroke([(x, 64), (x + 14, 64)], 1.8, WHITE, line=False)


@drawing(-1, 0, 100, 77)
def tent(pen: Pen, colour: Tone) -> None:
    """Open at the front."""
    pen.stroke([(34, 12), (30, 5)], 2.6, WOOD)
    pen.polygon([(34, 10), (74, 6), (95, 72), (62, 73)], dark(colour, 0.16))
    pen.polygon([(34, 9), (62, 73), (5, 73)], colour)
    pen.polygon([(34, 24), (48, 73), (20, 73)], (84, 72, 84))
    pen.polygon([(34, 24), (22, 72), (14, 73)], light(colour, 0.5), line=False)
    for x, y in ((60, 20), (74, 20)):
        pen.stroke([(x, y), (x + 20, 66)], 2, light(colour, 0.2), line=False)


@drawing(1, 1, 63, 101)
def chair(pen: Pen, colour: Tone) -> None:
    """Seen from the side, its back on the left."""
    pen.stroke([(44, 58), (46, 88)], 5, dark(colour, 0.3))
    pen.stroke([(18, 58), (16, 88)], 5, dark(colour, 0.3))
    for x in (8, 54):
        pen.stroke([(x, 60), (x, 94)], 6, colour)
    pen.block(5, 5, 13, 60, colour, 4)
    pen.block(13, 12, 20, 46, light(colour, 0.3), 3)
    pen.block(5, 52, 59, 62, light(colour, 0.15), 4)


@drawing(1, 1, 99, 64)
def table(pen: Pen, colour: Tone) -> None:
    """A board on four legs."""
    for x in (22, 72):
        pen.block(x, 12, x + 6, 52, dark(colour, 0.3))
    for x in (9, 83):
        pen.block(x, 14, x + 8, 60, colour, 1)
    pen.block(12, 14, 88, 22, dark(colour, 0.15))
    pen.block(5, 5, 95, 15, light(colour, 0.15), 3)


@drawing(1, 1, 99, 62)
def bed(pen: Pen, colour: Tone) -> None:
    """A cover of the colour, a pillow, a wooden frame."""
    for x in (7, 86):
        pen.block(x, 46, x + 7, 58, WOOD, 1)
    pen.block(5, 5, 13, 50, WOOD, 3)
    pen.block(88, 24, 95, 50, WOOD, 3)
    pen.block(12, 36, 90, 50, (240, 236, 228))
    pen.block(14, 27, 36, 38, WHITE, 5)
    pen.blob([(32, 30), (60, 29), (90, 30), (90, 46), (60, 48), (33, 47)], colour)
    pen.stroke([(38, 40), (84, 40)], 2.2, light(colour, 0.5), line=False)


@drawing(0, 1, 58, 99)
def lamp(pen: Pen, colour: Tone) -> None:
    """A floor lamp with a shade of the colour."""
    pen.stroke([(29, 40), (29, 88)], 4, METAL)
    pen.block(12, 88, 46, 95, METAL, 3)
    pen.ellipse(29, 42, 6, 6, (255, 240, 176))
    pen.polygon([(18, 5), (40, 5), (53, 41), (5, 41)], colour)
    pen.polygon([(21, 9), (27, 9), (24, 37), (12, 37)], light(colour, 0.5), line=False)


@drawing(1, 0, 75, 87)
def clock(pen: Pen, colour: Tone) -> None:
    """A wall clock with a rim of the colour."""
    pen.stroke([(38, 12), (38, 6)], 4, METAL)
    pen.ellipse(38, 49, 33, 34, colour)
    pen.ellipse(38, 49, 25, 26, WHITE)
    for x, y in ((38, 28), (38, 70), (18, 49), (58, 49)):
        pen.ellipse(x, y, 2.2, 2.2, dark(colour, 0.5), line=False)
    pen.stroke([(38, 49), (38, 33)], 3, (60, 56, 70), line=False)
    pen.stroke([(38, 49), (49, 55)], 3.4, (60, 56, 70), line=False)


@drawing(1, 1, 83, 95)
def window(pen: Pen, colour: Tone) -> None:
    """Four panes in a frame of the colour."""
    pen.block(9, 5, 75, 86, colour, 3)
    for x in (18, 45):
        for y in (14, 49):
            pen.block(x, y, x + 21, y + 28, GLASS)
            pen.polygon([(x + 3, y + 15), (x + 12, y + 3), (x + 16, y + 3), (x + 3, y + 20)], WHITE, line=False)
    pen.block(5, 82, 79, 91, dark(colour, 0.2), 2)


@drawing(1, 1, 71, 99)
def mirror(pen: Pen, colour: Tone) -> None:
    """Oval, in a frame of the colour."""
    pen.stroke([(36, 10), (36, 6)], 3.4, METAL)
    pen.ellipse(36, 52, 31, 43, colour)
    pen.ellipse(36, 52, 23, 35, (214, 234, 242))
    for x in (0.0, 9.0):
        pen.stroke([(22 + x, 52 + x), (36 + x, 34 + x)], 3.6, WHITE, line=False)
    for y in (13, 91):
        pen.ellipse(36, y, 3, 2.6, light(colour, 0.5), line=False)
