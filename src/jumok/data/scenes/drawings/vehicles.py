"""What drives, floats and flies."""

from __future__ import annotations

import math
from itertools import pairwise

from jumok.data.scenes.drawings.drawing import drawing
from jumok.data.scenes.pen import GLASS, METAL, ORANGE, TYRE, WHITE, WOOD, Pen, Tone, dark, light

_LAMP: Tone = (255, 224, 120)


def _wheel(pen: Pen, x: float, y: float, size: float) -> None:
    pen.ellipse(x, y, size, size, TYRE)
    pen.ellipse(x, y, size * 0.48, size * 0.48, (214, 218, 226), line=False)


@drawing(-2, 1, 102, 58)
def car(pen: Pen, colour: Tone) -> None:
    """Drives to the right."""
    pen.polygon([(22, 26), (32, 5), (64, 5), (80, 26)], colour)
    pen.polygon([(30, 24), (36, 10), (48, 10), (48, 24)], GLASS, line=False)
    pen.polygon([(53, 24), (53, 10), (62, 10), (72, 24)], GLASS, line=False)
    pen.blob([(6, 28), (24, 24), (78, 24), (93, 29), (95, 44), (50, 47), (6, 45)], colour)
    pen.stroke([(36, 33), (42, 33)], 2.2, dark(colour, 0.45), line=False)
    pen.stroke([(12, 40), (88, 40)], 2, dark(colour), line=False)
    pen.ellipse(91, 32, 3, 3.6, _LAMP, line=False)
    for x in (27, 74):
        _wheel(pen, x, 44, 10)


@drawing(1, 1, 99, 66)
def bus(pen: Pen, colour: Tone) -> None:
    """Long, with many windows."""
    pen.block(5, 5, 95, 54, colour, 7)
    for x in (11, 29, 47):
        pen.block(x, 13, x + 14, 29, GLASS, 2, line=False)
    pen.block(65, 13, 77, 52, light(colour, 0.55), 2, line=False)
    pen.block(67, 15, 75, 31, GLASS, line=False)
    pen.block(82, 13, 93, 32, GLASS, 2, line=False)
    pen.block(8, 36, 62, 40, WHITE, line=False)
    pen.ellipse(91, 45, 3, 3, _LAMP, line=False)
    for x in (25, 77):
        _wheel(pen, x, 53, 9)


@drawing(1, 1, 99, 66)
def truck(pen: Pen, colour: Tone) -> None:
    """A cab of the colour before a grey box."""
    pen.block(5, 46, 94, 53, METAL, 1)
    pen.block(5, 5, 60, 48, (226, 228, 232), 2)
    for x in (20, 33, 46):
        pen.stroke([(x, 11), (x, 42)], 1.6, (186, 190, 198), line=False)
    pen.polygon([(64, 16), (82, 16), (94, 33), (95, 52), (64, 52)], colour)
    pen.polygon([(69, 21), (80, 21), (88, 33), (69, 33)], GLASS, line=False)
    pen.ellipse(91, 43, 3, 3, _LAMP, line=False)
    for x in (20, 40, 80):
        _wheel(pen, x, 53, 9)


@drawing(4, 6, 96, 62)
def bicycle(pen: Pen, colour: Tone) -> None:
    """Two wheels and a frame of the colour."""
    for x in (24, 76):
        pen.ellipse(x, 42, 20, 20, TYRE, line=False)
        pen.ellipse(x, 42, 15.5, 15.5, (232, 240, 244), line=False)
        for step in range(4):
            angle = math.radians(45 * step + 12)
            across = 15 * math.cos(angle), 15 * math.sin(angle)
            pen.stroke([(x - across[0], 42 - across[1]), (x + across[0], 42 + across[1])], 1, METAL, line=False)
    frame = [(24, 42), (40, 22), (66, 22), (48, 43), (24, 42)]
    for start, end in (*pairwise(frame), ((40, 22), (48, 43)), ((66, 22), (76, 42))):
        pen.stroke([start, end], 4.4, colour)
    pen.stroke([(66, 22), (63, 9), (74, 9)], 3.4, TYRE, line=False)
    pen.stroke([(40, 22), (38, 14)], 3.4, TYRE, line=False)
    pen.block(29, 10, 47, 15, TYRE, 2)
    pen.ellipse(48, 43, 5, 5, dark(colour, 0.3))


@drawing(1, 1, 102, 57)
def train(pen: Pen, colour: Tone) -> None:
    """A locomotive, its chimney and a wagon."""
    pen.stroke([(38, 42), (48, 42)], 4, TYRE)
    pen.block(5, 14, 40, 44, light(colour, 0.3), 3)
    for x in (10, 24):
        pen.block(x, 19, x + 11, 30, GLASS, 1, line=False)
    pen.polygon([(80, 20), (77, 5), (90, 5), (87, 20)], TYRE)
    pen.block(62, 19, 93, 44, colour, 6)
    pen.block(46, 12, 65, 44, colour, 2)
    pen.block(44, 8, 67, 14, dark(colour, 0.3), 2)
    pen.block(50, 18, 61, 29, GLASS, 1, line=False)
    pen.stroke([(72, 22), (72, 42)], 2, dark(colour, 0.3), line=False)
    pen.polygon([(88, 42), (95, 53), (86, 53)], METAL)
    for x, size in ((13, 7), (31, 7), (54, 8), (70, 7), (84, 7)):
        _wheel(pen, x, 53 - size, size)


@drawing(1, 0, 89, 99)
def boat(pen: Pen, colour: Tone) -> None:
    """A sailing boat: hull and flag of the colour, white sails."""
    pen.stroke([(46, 10), (46, 72)], 3, WOOD)
    pen.polygon([(46, 5), (62, 9), (46, 14)], colour)
    pen.polygon([(50, 16), (80, 64), (50, 64)], (254, 250, 240))
    pen.polygon([(42, 22), (42, 64), (14, 64)], (240, 234, 222))
    pen.blob([(5, 70), (30, 72), (60, 72), (85, 70), (76, 90), (62, 95), (28, 95), (14, 90)], colour)
    pen.stroke([(15, 82), (75, 82)], 3, light(colour, 0.55), line=False)


@drawing(1, 2, 99, 69)
def airplane(pen: Pen, colour: Tone) -> None:
    """Flies to the right."""
    pen.polygon([(54, 32), (40, 6), (50, 6), (74, 30)], dark(colour, 0.25))
    pen.polygon([(10, 36), (5, 8), (16, 8), (32, 32)], dark(colour, 0.12))
    pen.blob([(7, 33), (30, 27), (72, 25), (89, 31), (95, 39), (86, 46), (60, 49), (26, 46), (11, 39)], colour)
    pen.blob([(14, 40), (40, 44), (70, 44), (90, 40), (82, 46), (58, 48), (28, 45)], light(colour, 0.55), line=False)
    pen.polygon([(79, 29), (86, 31), (91, 36), (79, 36)], GLASS, line=False)
    for x in (34, 45, 56, 67):
        pen.ellipse(x, 34, 3, 3, GLASS, line=False)
    pen.polygon([(44, 43), (64, 43), (38, 65), (27, 65)], dark(colour, 0.16))
    pen.polygon([(10, 38), (24, 38), (12, 49), (6, 48)], dark(colour, 0.16))


@drawing(1, 1, 65, 100)
def rocket(pen: Pen, colour: Tone) -> None:
    """Stands on its flame."""
    pen.blob([(24, 76), (42, 76), (40, 88), (33, 96), (26, 88)], ORANGE)
    pen.blob([(28, 76), (38, 76), (37, 84), (33, 89), (29, 84)], (255, 232, 130), line=False)
    for points in ([(20, 50), (5, 68), (8, 82), (22, 74)], [(46, 50), (61, 68), (58, 82), (44, 74)]):
        pen.polygon(points, dark(colour, 0.2))
    pen.blob([(33, 5), (45, 22), (50, 44), (46, 74), (33, 77), (20, 74), (16, 44), (21, 22)], (244, 244, 246))
    pen.blob([(33, 5), (40, 13), (45.5, 24), (33, 27), (20.5, 24), (26, 13)], colour)
    pen.ellipse(33, 42, 9, 9, colour)
    pen.ellipse(33, 42, 6, 6, GLASS, line=False)
    pen.polygon([(19.5, 64), (46.5, 64), (45.5, 71), (20.5, 71)], colour, line=False)


@drawing(1, 1, 75, 97)
def balloon(pen: Pen, colour: Tone) -> None:
    """A toy balloon on a string."""
    pen.stroke([(38, 70), (42, 80), (35, 88), (39, 96)], 1.8, METAL, line=False, smooth=True)
    pen.polygon([(38, 64), (44, 73), (32, 73)], dark(colour, 0.15))
    pen.blob([(38, 5), (60, 12), (71, 34), (62, 54), (38, 68), (14, 54), (5, 34), (16, 12)], colour)
    pen.ellipse(25, 25, 5.5, 9.5, light(colour, 0.65), line=False, turn=28)
