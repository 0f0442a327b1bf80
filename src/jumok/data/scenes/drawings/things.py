"""Things to play with, to wear and to use."""

from __future__ import annotations

from jumok.data.scenes.drawings.drawing import drawing
from jumok.data.scenes.pen import METAL, WHITE, WOOD, Pen, Tone, dark, light


@drawing(1, 1, 89, 89)
def ball(pen: Pen, colour: Tone) -> None:
    """A beach ball with white panels."""
    pen.ellipse(45, 45, 40, 40, colour)
    pen.blob([(45, 20), (58, 8), (80, 30), (83, 46), (68, 38)], WHITE, line=False)
    pen.blob([(42, 24), (28, 40), (8, 42), (8, 36), (20, 14)], light(colour, 0.2), line=False)
    pen.blob([(30, 46), (50, 58), (60, 80), (34, 83), (14, 68)], WHITE, line=False)
    pen.ellipse(40, 28, 7, 7, light(colour, 0.6), line=False)


@drawing(2, 2, 88, 102)
def kite(pen: Pen, colour: Tone) -> None:
    """A diamond with a tail of bows."""
    pen.stroke([(46, 62), (38, 72), (48, 82), (40, 92)], 2, METAL, line=False, smooth=True)
    for x, y in ((40, 72), (46, 84), (40, 93)):
        pen.polygon([(x, y), (x - 7, y - 4), (x - 7, y + 3.5)], light(colour, 0.35))
        pen.polygon([(x, y), (x + 7, y - 4), (x + 7, y + 3.5)], light(colour, 0.35))
    pen.polygon([(45, 6), (82, 30), (45, 66), (8, 30)], colour)
    pen.polygon([(45, 6), (82, 30), (45, 30)], light(colour, 0.45), line=False)
    pen.polygon([(8, 30), (45, 30), (45, 66)], light(colour, 0.45), line=False)
    pen.stroke([(45, 6), (45, 66)], 1.8, dark(colour, 0.4), line=False)
    pen.stroke([(8, 30), (82, 30)], 1.8, dark(colour, 0.4), line=False)


@drawing(1, 1, 99, 95)
def umbrella(pen: Pen, colour: Tone) -> None:
    """Open, with a curved handle."""
    pen.stroke([(50, 12), (50, 82), (54, 90), (62, 90), (65, 82)], 4, WOOD)
    pen.stroke([(50, 11), (50, 6)], 3.4, WOOD)
    dome = [(5, 50), (9, 34), (20, 20), (35, 12), (50, 10), (65, 12), (80, 20), (91, 34), (95, 50)]
    rim = [(88, 45), (80, 44), (72, 45), (65, 50), (58, 45), (50, 44), (42, 45), (35, 50), (28, 45), (20, 44), (12, 45)]
    pen.polygon([*dome, *rim], colour)
    pen.polygon([(50, 11), (65, 49), (58, 44.5), (50, 43.5), (42, 44.5), (35, 49)], light(colour, 0.45), line=False)


@drawing(1, 1, 99, 65)
def hat(pen: Pen, colour: Tone) -> None:
    """A round crown, a wide brim and a band."""
    pen.ellipse(50, 50, 45, 11, colour)
    pen.blob([(24, 50), (26, 24), (38, 7), (62, 7), (74, 24), (76, 50), (62, 54), (38, 54)], colour)
    pen.polygon([(24.5, 39), (50, 43), (75.5, 39), (76, 49), (62, 53), (38, 53), (24, 49)], dark(colour, 0.5), False)
    pen.ellipse(40, 20, 6, 9, light(colour, 0.5), line=False, turn=25)


@drawing(2, 3, 97, 84)
def cup(pen: Pen, colour: Tone) -> None:
    """With a handle and something warm in it."""
    pen.stroke([(68, 34), (86, 34), (89, 48), (80, 58), (66, 58)], 7, dark(colour, 0.12), smooth=True)
    pen.blob([(8, 16), (40, 20), (72, 16), (70, 46), (64, 70), (52, 79), (28, 79), (16, 70), (10, 46)], colour)
    pen.ellipse(40, 17, 33, 10, light(colour, 0.3))
    pen.ellipse(40, 18, 26, 6.5, (120, 78, 54), line=False)
    pen.blob([(17, 34), (23, 35), (25, 56), (21, 58)], light(colour, 0.5), line=False)


@drawing(2, 1, 91, 81)
def book(pen: Pen, colour: Tone) -> None:
    """Closed, standing a little open to the right."""
    pen.polygon([(10, 10), (20, 5), (87, 8), (87, 70), (77, 77), (10, 74)], dark(colour, 0.3))
    pen.polygon([(76, 16), (85, 10), (85, 68), (76, 74)], (250, 246, 234), line=False)
    for y in (30, 45, 60):
        pen.stroke([(77, y + 3), (84, y - 1)], 1.2, (206, 198, 182), line=False)
    pen.polygon([(6, 12), (76, 15), (76, 77), (6, 74)], colour)
    pen.polygon([(6, 12), (15, 12.4), (15, 74.4), (6, 74)], dark(colour, 0.3), line=False)
    pen.polygon([(27, 26), (66, 28), (66, 44), (27, 42)], light(colour, 0.75), line=False)
    pen.stroke([(34, 55), (60, 56.5)], 3, light(colour, 0.6), line=False)


@drawing(1, 0, 89, 97)
def bag(pen: Pen, colour: Tone) -> None:
    """A school bag with a pocket."""
    pen.stroke([(32, 20), (34, 8), (56, 8), (58, 20)], 5, dark(colour, 0.3), smooth=True)
    for x in (5, 71):
        pen.block(x, 52, x + 14, 84, dark(colour, 0.16), 5)
    pen.block(13, 15, 77, 93, colour, 16)
    pen.block(22, 56, 68, 86, light(colour, 0.3), 6)
    pen.stroke([(24, 64), (66, 64)], 2.4, dark(colour, 0.35), line=False)
    pen.block(42, 62, 48, 71, (250, 216, 110), 1, line=False)
    pen.stroke([(24, 38), (66, 38)], 2.4, dark(colour, 0.35), line=False)


@drawing(1, 3, 89, 93)
def gift(pen: Pen, colour: Tone) -> None:
    """A box of the colour with a ribbon."""
    ribbon = (255, 226, 120) if colour[2] > 90 or colour[0] < 150 else (252, 246, 232)
    for side in (1, -1):
        pen.blob([(45, 28), (45 + side * 12, 9), (45 + side * 26, 9), (45 + side * 24, 24)], ribbon)
    pen.block(11, 44, 79, 89, colour, 1)
    pen.block(38, 44, 52, 89, ribbon, line=False)
    pen.block(5, 27, 85, 46, light(colour, 0.2), 2)
    pen.block(38, 27, 52, 46, ribbon, line=False)
    pen.ellipse(45, 26, 6, 6, dark(ribbon, 0.12))
