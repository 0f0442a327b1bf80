"""Plants, weather and the sky."""

from __future__ import annotations

import math

from jumok.data.scenes.drawings.drawing import drawing
from jumok.data.scenes.pen import BLACK, INK, ORANGE, WHITE, WOOD, Pen, Tone, dark, light

_LEAF: Tone = (96, 168, 84)


@drawing(1, 1, 79, 100)
def tree(pen: Pen, colour: Tone) -> None:
    """A trunk and a round crown of the colour."""
    pen.polygon([(34, 56), (46, 56), (48, 84), (56, 96), (24, 96), (32, 84)], WOOD)
    right, left = [(58, 9), (66, 24), (75, 38), (70, 54), (54, 62)], [(26, 62), (10, 54), (5, 38), (14, 24), (22, 9)]
    pen.blob([(40, 5), *right, (40, 60), *left], colour)
    pen.blob([(24, 22), (34, 12), (46, 14), (38, 24), (28, 34), (20, 34)], light(colour, 0.25), line=False)
    pen.blob([(44, 52), (60, 42), (70, 40), (64, 54), (52, 58)], dark(colour, 0.14), line=False)


@drawing(3, 0, 63, 101)
def flower(pen: Pen, colour: Tone) -> None:
    """Six petals on a stem."""
    pen.stroke([(33, 40), (34, 70), (33, 95)], 4, _LEAF, smooth=True)
    pen.blob([(34, 84), (40, 68), (58, 66), (54, 78), (44, 85)], _LEAF)
    pen.blob([(32, 90), (26, 76), (9, 74), (12, 84), (22, 91)], _LEAF)
    for step in range(6):
        angle = math.radians(60 * step + 30)
        pen.ellipse(33 + 17 * math.cos(angle), 33 + 17 * math.sin(angle), 12, 9.5, colour, turn=60 * step + 30)
    pen.ellipse(33, 33, 9.5, 9.5, (250, 208, 72))
    pen.ellipse(31, 31, 3.2, 3.2, light((250, 208, 72), 0.6), line=False)


@drawing(1, 0, 85, 89)
def mushroom(pen: Pen, colour: Tone) -> None:
    """A cap with white dots."""
    pen.blob([(32, 44), (54, 44), (56, 66), (60, 82), (43, 85), (26, 82), (30, 66)], (248, 236, 214))
    pen.blob([(5, 46), (12, 22), (32, 6), (54, 6), (74, 22), (81, 46), (64, 53), (43, 54), (22, 53)], colour)
    for x, y, size in ((43, 20, 8), (22, 34, 6), (64, 33, 7), (42, 42, 5)):
        pen.ellipse(x, y, size, size * 0.85, WHITE, line=False)


@drawing(1, 2, 99, 61)
def cloud(pen: Pen, colour: Tone) -> None:
    """Soft, with a flat base."""
    left, right = [(14, 56), (5, 44), (12, 32), (24, 30)], [(68, 24), (82, 22), (93, 34), (94, 48), (84, 56), (50, 57)]
    pen.blob([*left, (30, 14), (46, 6), (62, 12), *right], colour)
    pen.blob([(32, 26), (38, 15), (50, 11), (58, 16), (46, 20), (38, 30)], light(colour, 0.6), line=False)
    pen.blob([(16, 52), (40, 47), (70, 50), (90, 44), (84, 53), (50, 55)], dark(colour, 0.12), line=False)


@drawing(-1, 3, 101, 97)
def sun(pen: Pen, colour: Tone) -> None:
    """Twelve rays and a smile."""
    for step in range(12):
        angle = math.radians(30 * step)
        reach, spread = (45 if step % 2 == 0 else 39), math.radians(9)
        pen.polygon(
            [
                (50 + 30 * math.cos(angle - spread), 50 + 30 * math.sin(angle - spread)),
                (50 + reach * math.cos(angle), 50 + reach * math.sin(angle)),
                (50 + 30 * math.cos(angle + spread), 50 + 30 * math.sin(angle + spread)),
            ],
            colour,
        )
    pen.ellipse(50, 50, 27, 27, light(colour, 0.15))
    for x in (40, 60):
        pen.ellipse(x, 46, 3.2, 3.8, INK, line=False)
        pen.ellipse(x + (x - 50) * 0.5, 55, 4, 2.8, light(ORANGE, 0.2), line=False)
    pen.stroke([(41, 57), (46, 61), (54, 61), (59, 57)], 2.6, INK, line=False, smooth=True)


@drawing(1, 1, 77, 99)
def moon(pen: Pen, colour: Tone) -> None:
    """A crescent."""
    outer = [(math.radians(a), 45.0) for a in range(60, 301, 15)]
    path = [(50 + size * math.cos(a), 50 + size * math.sin(a)) for a, size in outer]
    path += [(72.5 + 39 * math.cos(math.radians(a)), 50 + 39 * math.sin(math.radians(a))) for a in range(268, 91, -16)]
    pen.polygon(path, colour)
    for x, y, size in ((19, 42, 5), (24, 64, 3.6), (34, 24, 3.4)):
        pen.ellipse(x, y, size, size, dark(colour, 0.12), line=False)


@drawing(0, -1, 100, 94)
def star(pen: Pen, colour: Tone) -> None:
    """Five points."""
    angles = [math.radians(36 * step - 90) for step in range(10)]
    path = [
        (50 + (44 if step % 2 == 0 else 21) * math.cos(a), 51 + (44 if step % 2 == 0 else 21) * math.sin(a))
        for step, a in enumerate(angles)
    ]
    pen.polygon(path, colour)
    inner = [
        (50 + (26 if step % 2 == 0 else 14) * math.cos(a), 51 + (26 if step % 2 == 0 else 14) * math.sin(a))
        for step, a in enumerate(angles)
    ]
    pen.polygon(inner, light(colour, 0.45), line=False)


@drawing(1, 2, 79, 100)
def snowman(pen: Pen, colour: Tone) -> None:
    """Two balls of snow, a hat, a scarf and a carrot."""
    for side in (1, -1):
        pen.stroke([(40 + side * 20, 62), (40 + side * 34, 48)], 2.6, WOOD)
    pen.ellipse(40, 74, 26, 22, colour)
    pen.ellipse(40, 38, 18, 17, colour)
    pen.stroke([(26, 51), (40, 56), (54, 51)], 6, (216, 62, 66), smooth=True)
    pen.stroke([(50, 54), (54, 68)], 5.5, (216, 62, 66))
    pen.block(28, 6, 52, 22, BLACK, 2)
    pen.block(20, 21, 60, 26, BLACK, 2)
    for x in (33, 46):
        pen.ellipse(x, 34, 2.6, 2.9, INK, line=False)
    pen.polygon([(38, 38), (38, 43), (58, 42)], ORANGE)
    for y in (66, 76, 86):
        pen.ellipse(38, y, 2.4, 2.4, INK, line=False)


@drawing(5, 1, 75, 99)
def flowerpot(pen: Pen, colour: Tone) -> None:
    """A pot of the colour with a plant in it."""
    for leaf in ([(40, 52), (22, 40), (9, 20), (24, 20), (38, 36)], [(40, 52), (58, 40), (71, 20), (56, 20), (42, 36)]):
        pen.blob(leaf, dark(_LEAF, 0.1))
    pen.blob([(40, 54), (30, 34), (40, 6), (50, 34)], _LEAF)
    pen.stroke([(40, 16), (40, 46)], 1.8, dark(_LEAF, 0.3), line=False)
    pen.polygon([(15, 60), (65, 60), (57, 95), (23, 95)], colour)
    pen.block(9, 50, 71, 64, light(colour, 0.2), 3)
    pen.polygon([(21, 66), (29, 66), (32, 91), (27, 91)], light(colour, 0.4), line=False)
