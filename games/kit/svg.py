"""Elements of a small SVG picture as text: nested, escaped, with short numbers; pure.

`svg(90, 90, element("rect", width=90, height=90, fill="#fff"))` is a whole picture. An attribute's underscores become
hyphens (`stroke_width=2`). Pictures stand several on one page, may not load anything, and the page forbids inline
styles: so there are neither ids nor links, scripts or `style`, and asking for one is a `ValueError`. Nor is there text,
which would look different with every font there is or is not: letters are drawn as paths.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from xml.sax.saxutils import quoteattr


class Glaze(NamedTuple):
    """The colours of a tile as static/css/tokens.css has them."""

    face: str
    edge: str
    ink: str


GLAZES: Final = {
    "blue": Glaze("#3a70b8", "#1b3e6f", "#eef4ff"),
    "yellow": Glaze("#e3aa2c", "#8f6207", "#4b3300"),
    "red": Glaze("#c24d38", "#7a2518", "#fff0ea"),
    "green": Glaze("#2f8a5f", "#17543a", "#eefaf2"),
    "purple": Glaze("#8460ab", "#4c3266", "#f7f0fd"),
    "black": Glaze("#34373c", "#7b8087", "#dcdde0"),
    "white": Glaze("#f3eee3", "#857b68", "#5b5446"),
}
"""By the names the stylesheets have for them."""
TABLE: Final = "#e7dece"
"""The plaster that a picture lies on, the same in both themes, so that every glaze stands out."""
BED: Final = "#f5efe3"
"""An empty place on it."""
GROUT: Final = "#d3c6ae"
"""The seams between places."""
INK: Final = "#23262c"

_FORBIDDEN = frozenset({"id", "class", "style", "href", "script", "image", "use", "text"})


def svg(width: float, height: float, *parts: str) -> str:
    """A whole picture of `width` by `height` units, its `parts` drawn in order from the top left corner."""
    box = f"0 0 {_number(width)} {_number(height)}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">{"".join(parts)}</svg>'


def element(name: str, *parts: str, **attributes: str | float) -> str:
    """`<name …>` around `parts`, which are elements too."""
    if name in _FORBIDDEN or not _FORBIDDEN.isdisjoint(attributes):
        raise ValueError(f"a picture may not have {sorted(_FORBIDDEN & {name, *attributes})}")
    start = name + "".join(f" {key.replace('_', '-')}={_quoted(value)}" for key, value in attributes.items())
    return f"<{start}>{''.join(parts)}</{name}>" if parts else f"<{start}/>"


def group(*parts: str, x: float = 0, y: float = 0, scale: float = 1, **attributes: str | float) -> str:
    """`parts` moved to (`x`, `y`) and grown `scale`-fold, with attributes that hold for them all."""
    moved = f"translate({_number(x)} {_number(y)})" if x or y else ""
    grown = f"scale({_number(scale)})" if scale != 1 else ""
    transform = f"{moved}{grown}"
    return element("g", *parts, **({"transform": transform} if transform else {}), **attributes)


def rect(x: float, y: float, width: float, height: float, fill: str, **attributes: str | float) -> str:
    """A filled rectangle; `rx=` rounds its corners."""
    return element("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def circle(cx: float, cy: float, r: float, fill: str, **attributes: str | float) -> str:
    """A filled circle around (`cx`, `cy`)."""
    return element("circle", cx=cx, cy=cy, r=r, fill=fill, **attributes)


def path(d: str, fill: str, **attributes: str | float) -> str:
    """A filled shape; `fill="none"` with `stroke=` makes it a line."""
    return element("path", d=d, fill=fill, **attributes)


def _quoted(value: str | float) -> str:
    return quoteattr(value if isinstance(value, str) else _number(value))


def _number(value: float) -> str:
    """At most two decimals, and none where none are needed."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
