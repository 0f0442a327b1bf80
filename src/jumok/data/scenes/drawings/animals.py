"""Animals."""

from __future__ import annotations

from jumok.data.scenes.drawings.drawing import drawing
from jumok.data.scenes.pen import INK, ORANGE, PINK, WHITE, Pen, Tone, dark, light

_SKIN: Tone = (244, 204, 150)


@drawing(4, -1, 86, 100)
def cat(pen: Pen, colour: Tone) -> None:
    """Sits and looks at us."""
    pen.stroke([(58, 90), (74, 88), (78, 72), (72, 58)], 9, dark(colour, 0.12), smooth=True)
    pen.blob([(40, 46), (57, 60), (64, 86), (56, 95), (24, 95), (16, 86), (23, 60)], colour)
    pen.ellipse(40, 76, 10, 15, light(colour, 0.5), line=False)
    for x in (30, 50):
        pen.ellipse(x, 91, 8, 4.5, light(colour, 0.3))
    for ear in ([(9, 34), (11, 5), (34, 16)], [(71, 34), (69, 5), (46, 16)]):
        pen.polygon(ear, colour)
    pen.polygon([(15, 24), (15, 12), (26, 18)], PINK, line=False)
    pen.polygon([(65, 24), (65, 12), (54, 18)], PINK, line=False)
    pen.ellipse(40, 34, 32, 24, colour)
    pen.ellipse(40, 43, 13, 9, light(colour, 0.5), line=False)
    for x in (26, 54):
        pen.ellipse(x, 33, 7, 7.5, (236, 232, 150), line=False)
        pen.ellipse(x, 33, 3.2, 6.6, INK, line=False)
    pen.polygon([(36, 39), (44, 39), (40, 44)], PINK, line=False)
    for y, end in ((42, 39), (46, 48)):
        pen.stroke([(30, y), (13, end)], 1.2, dark(light(colour), 0.4), line=False)
        pen.stroke([(50, y), (67, end)], 1.2, dark(light(colour), 0.4), line=False)


@drawing(1, 3, 99, 86)
def dog(pen: Pen, colour: Tone) -> None:
    """Stands and wags its tail."""
    pen.stroke([(18, 46), (9, 34), (9, 20)], 8, colour, smooth=True)
    for x in (24, 60):
        pen.block(x, 56, x + 11, 80, dark(colour), 4)
    pen.blob([(14, 48), (24, 37), (48, 38), (66, 36), (72, 52), (64, 66), (40, 66), (20, 68)], colour)
    for x in (16, 52):
        pen.block(x, 56, x + 12, 82, colour, 4)
    pen.blob([(54, 22), (62, 8), (78, 8), (86, 20), (95, 28), (92, 40), (78, 44), (62, 44), (54, 36)], colour)
    pen.ellipse(84, 35, 10, 7, light(colour, 0.55), line=False)
    pen.ellipse(93, 27, 4.5, 3.8, INK, line=False)
    pen.eye(77, 22)
    pen.blob([(58, 12), (66, 12), (68, 28), (62, 44), (53, 42), (52, 26)], dark(colour, 0.35))
    pen.stroke([(56, 47), (70, 50)], 5, (216, 62, 66), line=False)


@drawing(0, 0, 75, 100)
def rabbit(pen: Pen, colour: Tone) -> None:
    """Sits with its ears up."""
    pen.ellipse(12, 82, 8, 8, light(colour, 0.7))
    pen.blob([(34, 50), (52, 60), (62, 84), (54, 95), (20, 95), (12, 84), (20, 62)], colour)
    pen.ellipse(26, 92, 15, 4.5, light(colour, 0.25))
    pen.ellipse(54, 88, 6, 8, light(colour, 0.25))
    for x, turn in ((36, -12.0), (54, 8.0)):
        pen.ellipse(x, 22, 8, 18, colour, turn=turn)
        pen.ellipse(x, 23, 3.6, 12, PINK, line=False, turn=turn)
    pen.ellipse(48, 48, 23, 19, colour)
    pen.ellipse(60, 55, 10, 8, light(colour, 0.6), line=False)
    pen.eye(52, 44, 4.2)
    pen.ellipse(67, 51, 3.4, 2.6, (230, 112, 130), line=False)


@drawing(-1, 1, 103, 81)
def bird(pen: Pen, colour: Tone) -> None:
    """Flies with a wing up."""
    pen.polygon([(26, 50), (5, 42), (10, 54), (5, 66), (28, 62)], dark(colour))
    pen.polygon([(80, 46), (96, 51), (80, 57)], ORANGE)
    pen.blob([(20, 54), (36, 44), (56, 42), (66, 32), (80, 34), (86, 48), (76, 66), (52, 77), (32, 70)], colour)
    pen.blob([(46, 70), (60, 58), (76, 56), (72, 68), (56, 75)], light(colour, 0.6), line=False)
    pen.blob([(60, 54), (44, 58), (30, 34), (24, 6), (44, 14), (58, 34)], light(colour, 0.22))
    pen.stroke([(33, 24), (40, 42)], 1.8, dark(colour), line=False)
    pen.stroke([(43, 24), (48, 42)], 1.8, dark(colour), line=False)
    pen.eye(75, 43, 3.8)


@drawing(1, 3, 100, 90)
def duck(pen: Pen, colour: Tone) -> None:
    """Swims or stands, seen from the side."""
    pen.polygon([(78, 28), (96, 31), (95, 38), (78, 40)], ORANGE)
    back, breast = [(5, 44), (18, 54), (40, 48), (52, 44)], [(76, 42), (84, 60), (74, 80), (44, 86), (18, 78)]
    pen.blob([*back, (52, 22), (62, 8), (78, 10), (84, 26), *breast], colour)
    pen.blob([(22, 58), (42, 54), (62, 60), (54, 74), (34, 74)], dark(colour, 0.16))
    pen.stroke([(34, 64), (52, 66)], 1.8, dark(colour, 0.4), line=False)
    pen.eye(71, 23, 4.2)


@drawing(2, 1, 99, 64)
def fish(pen: Pen, colour: Tone) -> None:
    """Swims to the right."""
    pen.polygon([(28, 33), (5, 9), (12, 33), (5, 57)], dark(colour))
    pen.blob([(40, 16), (52, 5), (68, 8), (72, 18)], dark(colour))
    pen.blob([(46, 50), (50, 60), (60, 58), (62, 50)], dark(colour))
    pen.blob([(22, 33), (42, 14), (68, 11), (88, 22), (95, 35), (84, 48), (64, 55), (40, 51)], colour)
    pen.blob([(40, 48), (62, 46), (86, 40), (78, 50), (62, 53)], light(colour, 0.6), line=False)
    pen.polygon([(44, 19), (51, 17), (51, 50), (44, 49)], light(colour, 0.55), line=False)
    pen.polygon([(60, 16), (65, 16), (65, 50), (60, 50)], light(colour, 0.55), line=False)
    pen.ellipse(80, 28, 6.5, 6.5, WHITE, line=False)
    pen.ellipse(81.5, 28, 3.8, 4.2, INK, line=False)


@drawing(-1, 2, 99, 65)
def turtle(pen: Pen, colour: Tone) -> None:
    """Walks to the right; the shell has the colour."""
    skin = (156, 190, 104)
    pen.polygon([(16, 50), (5, 56), (17, 57)], skin)
    for x in (20, 58):
        pen.block(x, 46, x + 15, 61, dark(skin, 0.1), 5)
    pen.stroke([(68, 46), (80, 34)], 11, skin)
    pen.ellipse(83, 29, 12, 10, skin)
    pen.eye(87, 27, 3)
    pen.sector(45, 50, 34, 44, 180, 360, colour)
    pen.block(9, 46, 80, 53, dark(colour, 0.15), 3)
    pen.polygon([(36, 18), (54, 18), (60, 32), (45, 40), (30, 32)], light(colour, 0.35), line=False)
    pen.polygon([(17, 44), (24, 30), (31, 44)], light(colour, 0.35), line=False)
    pen.polygon([(73, 44), (66, 30), (59, 44)], light(colour, 0.35), line=False)


@drawing(2, 1, 94, 83)
def butterfly(pen: Pen, colour: Tone) -> None:
    """Seen from above, wings open."""
    for side in (1, -1):
        upper = [(0, -4), (14, -32), (36, -36), (42, -18), (30, 2), (8, 8)]
        lower = [(2, 6), (26, 2), (34, 16), (26, 34), (12, 34)]
        pen.blob([(48 + side * x, 42 + y) for x, y in lower], dark(colour, 0.14))
        pen.blob([(48 + side * x, 42 + y) for x, y in upper], colour)
        pen.ellipse(48 + side * 26, 22, 7.5, 8.5, light(colour, 0.65), line=False)
        pen.ellipse(48 + side * 20, 60, 5, 6, light(colour, 0.65), line=False)
        pen.stroke([(48, 30), (48 + side * 4, 15), (48 + side * 9, 8)], 1.8, INK, line=False, smooth=True)
    pen.ellipse(48, 48, 4.2, 22, (74, 60, 66))
    pen.ellipse(48, 28, 5, 5, (74, 60, 66))


@drawing(0, 5, 100, 76)
def snail(pen: Pen, colour: Tone) -> None:
    """Creeps to the right; the shell has the colour."""
    pen.stroke([(84, 38), (80, 14)], 3.4, _SKIN)
    pen.stroke([(90, 38), (94, 16)], 3.4, _SKIN)
    for x, y in ((80, 11), (93, 13)):
        pen.ellipse(x, y, 3, 3, INK, line=False)
    pen.blob([(5, 69), (30, 58), (66, 60), (74, 44), (84, 34), (95, 42), (94, 58), (80, 71), (40, 71)], _SKIN)
    pen.ellipse(42, 38, 32, 29, colour)
    outer = [(66, 54), (58, 62), (38, 63), (18, 50), (18, 30), (36, 16), (56, 20), (64, 36)]
    inner = [(54, 50), (38, 50), (30, 40), (36, 30), (47, 32), (46, 40)]
    pen.stroke([*outer, *inner], 3.4, dark(colour, 0.4), line=False, smooth=True)


@drawing(1, -2, 99, 76)
def crab(pen: Pen, colour: Tone) -> None:
    """Lifts its claws."""
    for side in (1, -1):
        for x, y in ((38, 58), (35, 67), (25, 70)):
            pen.stroke([(50 + side * 18, 50), (50 + side * x, y - 9), (50 + side * (x + 4), y)], 4, dark(colour, 0.1))
        pen.stroke([(50 + side * 24, 44), (50 + side * 37, 38), (50 + side * 36, 26)], 6, colour)
        claw = [(30, 24), (26, 10), (34, 4.5), (35, 14), (40, 6), (45, 14), (43, 25), (36, 30)]
        pen.polygon([(50 + side * x, y) for x, y in claw], colour)
        pen.stroke([(50 + side * 10, 34), (50 + side * 10, 24)], 3.4, colour)
        pen.ellipse(50 + side * 10, 21, 5.4, 5.4, WHITE)
        pen.ellipse(50 + side * 10, 21, 2.8, 3, INK, line=False)
    pen.ellipse(50, 48, 30, 19, colour)
    pen.ellipse(50, 41, 18, 7, light(colour, 0.3), line=False)
    pen.stroke([(41, 53), (46, 57), (54, 57), (59, 53)], 2.4, dark(colour, 0.7), line=False, smooth=True)


@drawing(1, 1, 100, 75)
def whale(pen: Pen, colour: Tone) -> None:
    """Spouts water."""
    water = (236, 248, 255)
    pen.stroke([(66, 26), (66, 14), (58, 6), (51, 9)], 3, water, smooth=True)
    pen.stroke([(66, 26), (66, 14), (74, 6), (81, 9)], 3, water, smooth=True)
    pen.blob([(5, 22), (12, 18), (19, 25), (27, 19), (33, 24), (25, 38), (16, 38), (9, 32)], dark(colour, 0.12))
    pen.blob(
        [(18, 32), (26, 36), (36, 40), (54, 26), (78, 26), (93, 40), (95, 54), (84, 67), (56, 71), (30, 62)], colour
    )
    pen.blob([(42, 62), (66, 58), (94, 52), (86, 64), (66, 69)], light(colour, 0.75), line=False)
    for x in (58, 68, 78):
        pen.stroke([(x, 61), (x - 3, 68)], 1.5, light(colour, 0.3), line=False)
    pen.eye(80, 46, 3.6)
    pen.blob([(52, 60), (62, 60), (56, 70), (46, 69)], dark(colour))


@drawing(1, 1, 69, 100)
def penguin(pen: Pen, colour: Tone) -> None:
    """Stands upright; the coat has the colour."""
    for x in (24, 46):
        pen.ellipse(x, 92, 11, 4.5, ORANGE)
    for points in ([(14, 42), (5, 66), (10, 72), (20, 58)], [(56, 42), (65, 66), (60, 72), (50, 58)]):
        pen.blob(points, dark(colour, 0.15))
    pen.blob([(35, 5), (54, 18), (56, 42), (60, 70), (50, 90), (20, 90), (10, 70), (14, 42), (16, 18)], colour)
    pen.blob([(35, 42), (48, 50), (50, 74), (42, 87), (28, 87), (20, 74), (22, 50)], WHITE, line=False)
    for x in (26, 44):
        pen.ellipse(x, 27, 8.5, 9.5, WHITE, line=False)
        pen.ellipse(x + (35 - x) * 0.2, 27, 3.6, 4.2, INK, line=False)
    pen.polygon([(28, 33), (42, 33), (35, 42)], ORANGE)


@drawing(4, -2, 99, 82)
def pig(pen: Pen, colour: Tone) -> None:
    """Stands, round and content."""
    pen.stroke([(10, 42), (6, 36), (9, 30), (14, 33)], 3, dark(colour, 0.15), line=False, smooth=True)
    for x in (24, 58):
        pen.block(x, 58, x + 11, 77, dark(colour), 3)
    pen.ellipse(44, 46, 35, 25, colour)
    for x in (16, 50):
        pen.block(x, 60, x + 12, 78, colour, 3)
    pen.polygon([(60, 22), (58, 5), (72, 14)], dark(colour, 0.15))
    pen.polygon([(80, 16), (90, 5), (91, 22)], dark(colour, 0.15))
    pen.ellipse(75, 35, 20, 20, colour)
    pen.ellipse(80, 41, 10, 7.5, light(colour, 0.4))
    for nostril in (76.5, 83.5):
        pen.ellipse(nostril, 41, 1.9, 3, dark(colour, 0.6), line=False)
    pen.eye(68, 30, 3.2)
    pen.eye(84, 29, 3.2)
