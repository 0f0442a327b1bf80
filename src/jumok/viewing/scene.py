"""A few shapes and texts, measured in pixels from the top left, and two ways to put them on paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from jumok.viewing.fonts import Fonts
from jumok.viewing.palettes import FRAME, INK, LINES, SOFT
from jumok.viewing.png import Sheet
from jumok.viewing.text import FONTS, length

Places: TypeAlias = tuple[tuple[float, float], ...]
Anchor: TypeAlias = Literal["start", "middle", "end"]

PAPER = {"ink": INK, "soft": SOFT, "line": LINES, "frame": FRAME, "paper": "#ffffff"}
"""What the names of colours stand for on white paper; a colour may also be given as it is."""


@dataclass(frozen=True)
class Shape:
    """A line through places, or an area that they enclose; pointing at it shows what it says."""

    places: Places
    stroke: str = "none"
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    fill: str = "none"
    opacity: float = 1.0
    says: str = ""


@dataclass(frozen=True)
class Words:
    """A text whose baseline begins, is centred or ends at a place."""

    text: str
    x: float
    y: float
    size: float
    colour: str = "ink"
    anchor: Anchor = "start"
    turned: bool = False
    bold: bool = False


@dataclass(frozen=True)
class Scene:
    """All that a picture shows, in the order of drawing."""

    width: float
    height: float
    about: str
    items: tuple[Shape | Words, ...]


def to_svg(scene: Scene, colours: Mapping[str, str] = PAPER) -> str:
    """The scene as SVG; without ids, so that several can stand on one page."""
    size = f'width="{length(scene.width)}" height="{length(scene.height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {length(scene.width)} {length(scene.height)}" {size}'
        f' style="max-width:100%;height:auto" role="img" aria-label={quoteattr(scene.about)} font-family="{FONTS}">',
        f'<rect {size} rx="6" fill="{colours["paper"]}"/>',
    ]
    for item in scene.items:
        parts.append(_svg_words(item, colours) if isinstance(item, Words) else _svg_shape(item, colours))
    return "\n".join([*parts, "</svg>\n"])


def to_figure(scene: Scene) -> Any:
    """The scene as a matplotlib figure."""
    sheet = Sheet(
        scene.width, scene.height, Fonts.holding(item.text for item in scene.items if isinstance(item, Words))
    )
    axes = sheet.figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.set_axis_off()
    for order, item in enumerate(scene.items):
        if isinstance(item, Shape):
            _add_shape(axes, item, order)
        else:
            how = {"ha": {"start": "left", "middle": "center", "end": "right"}[item.anchor]}
            turned = {"rotation": 90, "rotation_mode": "anchor"} if item.turned else {}
            colour = PAPER.get(item.colour, item.colour)
            sheet.text(item.text, item.x, item.y, item.size, colour, **how, **turned)
    return sheet.figure


def _svg_words(item: Words, colours: Mapping[str, str]) -> str:
    turn = f' transform="rotate(-90 {length(item.x)} {length(item.y)})"' if item.turned else ""
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    bold = ' font-weight="600"' if item.bold else ""
    return (
        f'<text x="{length(item.x)}" y="{length(item.y)}" font-size="{length(item.size)}"'
        f' fill="{colours.get(item.colour, item.colour)}"{anchor}{bold}{turn}>{escape(item.text)}</text>'
    )


def _svg_shape(item: Shape, colours: Mapping[str, str]) -> str:
    is_area = item.fill != "none"
    places = " ".join(f"{length(x)},{length(y)}" for x, y in item.places)
    stroke = colours.get(item.stroke, item.stroke)
    how = f'fill="{colours.get(item.fill, item.fill)}" stroke="{stroke}"'
    if stroke != "none":
        how += f' stroke-width="{length(item.width)}" stroke-linejoin="round"'
    if item.dashes:
        how += f' stroke-dasharray="{" ".join(map(length, item.dashes))}"'
    if item.opacity < 1:
        how += f' opacity="{length(item.opacity)}"'
    name = "polygon" if is_area else "polyline"
    says = f"<title>{escape(item.says)}</title>" if item.says else ""
    return f'<{name} points="{places}" {how}>{says}</{name}>' if says else f'<{name} points="{places}" {how}/>'


def _add_shape(axes: Any, item: Shape, order: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon

    stroke, fill = PAPER.get(item.stroke, item.stroke), PAPER.get(item.fill, item.fill)
    width = item.width * 0.75  # points
    how: dict[str, Any]
    if fill != "none":
        how = {"facecolor": fill, "edgecolor": stroke, "linewidth": width if stroke != "none" else 0}
        axes.add_patch(Polygon(item.places, closed=True, alpha=item.opacity, zorder=order, **how))
    else:
        style: Any = (0, tuple(dash * 0.75 / width for dash in item.dashes)) if item.dashes else "solid"
        xs, ys = zip(*item.places, strict=True)
        how = {"color": stroke, "linewidth": width, "linestyle": style, "solid_joinstyle": "round"}
        axes.add_line(Line2D(xs, ys, alpha=item.opacity, zorder=order, **how))
