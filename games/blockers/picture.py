"""A small picture of a position of Blockers!: the areas, and the tiles as blocks of stone with what they show."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from games.blockers.board import AREAS
from games.blockers.glyphs import CHARACTERS, PICTOGRAMS, Glyph
from games.blockers.setup import setup_of
from games.kit.protocol import Json
from games.kit.svg import BED, GLAZES, GROUT, INK, TABLE, element, group, path, rect, svg

_UNIT: Final = 20
_SIZE: Final = 9
_SIDE: Final = _UNIT * _SIZE
_EDGE: Final = 7
_INSET: Final = 0.9
"""From the side of a cell to its tile."""
_OTHER_BED: Final = "#eadfca"
_SEAL: Final = "#d3c7ae"
_WALL: Final = "#b6a686"


def draw(variant: str, view: dict[str, Json]) -> str:
    """The board as `games.blockers.views.view` describes it; racks are not drawn."""
    cells: list[dict[str, Json] | None] = view["cells"]
    parts = [_ground()]
    for colour, key in enumerate(setup_of(variant).colours):
        own = {at: cell["tile"] for at, cell in enumerate(cells) if cell is not None and cell["colour"] == colour}
        if own:
            parts.append(_blocks(key, own))
    if view["last"] is not None:
        parts.append(_ring(view["last"]["cell"]))
    whole = _SIDE + 2 * _EDGE
    return svg(whole, whole, rect(0, 0, whole, whole, TABLE, rx=6), group(*parts, x=_EDGE, y=_EDGE))


def _ground() -> str:
    """The bed with its cells, the walls between areas, and each area's symbol once, large."""
    area = 3 * _UNIT
    shades: dict[str, str] = {BED: "", _OTHER_BED: ""}
    seals = []
    for index, symbol in enumerate(sorted(set(AREAS))):
        y, x = divmod(index, 3)
        shade = _OTHER_BED if index % 2 else BED
        shades[shade] += "".join(
            _square(3 * x + column, 3 * y + row, 0.45) for row in range(3) for column in range(3)
        )
        seals.append(_sign(PICTOGRAMS[symbol], area * x + area / 4, area * y + area / 4, area / 40))
    walls = "".join(f"M{at} 0v{_SIDE}M0 {at}h{_SIDE}" for at in (area, 2 * area))
    return "".join(
        [
            rect(-1.4, -1.4, _SIDE + 2.8, _SIDE + 2.8, GROUT, rx=1),
            *(path(d, shade) for shade, d in shades.items()),
            group(*seals, color=_SEAL),
            path(walls, "none", stroke=_WALL, stroke_width=1.2),
        ]
    )


def _square(column: int, row: int, inset: float) -> str:
    side = _UNIT - 2 * inset
    return f"M{column * _UNIT + inset:g} {row * _UNIT + inset:g}h{side:g}v{side:g}h{-side:g}z"


def _blocks(key: str, tiles: dict[int, str]) -> str:
    """All tiles of a colour: neighbours are one block with seams."""
    glaze = GLAZES[key]
    block = "".join(_stone(cell, tiles.keys()) for cell in sorted(tiles))
    edge: dict[str, str | float] = {"stroke": glaze.edge, "stroke_width": 1.6, "stroke_linejoin": "round"}
    parts = [
        path(block, glaze.edge, transform="translate(0 1.2)", **edge),
        path(block, glaze.edge, **edge),
        path(block, glaze.face),
    ]
    if seams := "".join(_seams(cell, tiles.keys()) for cell in sorted(tiles)):
        parts.append(path(seams, "none", stroke=glaze.edge, stroke_width=0.8, stroke_opacity=0.5))
    faces = [_face(tile, cell % _SIZE * _UNIT, cell // _SIZE * _UNIT) for cell, tile in sorted(tiles.items())]
    return "".join([*parts, group(*faces, color=glaze.ink)])


def _stone(cell: int, own: Collection[int]) -> str:
    """The square of a tile, and what joins it to its own colour on its right and below."""
    row, column = divmod(cell, _SIZE)
    right, below = _joined(cell, own)
    gap, side = 2 * _INSET, _UNIT - 2 * _INSET
    x, y = column * _UNIT + _INSET, row * _UNIT + _INSET
    d = _square(column, row, _INSET)
    if right:
        d += f"M{x + side:g} {y:g}h{gap:g}v{side:g}h{-gap:g}z"
    if below:
        d += f"M{x:g} {y + side:g}h{side:g}v{gap:g}h{-side:g}z"
    if right and below and cell + _SIZE + 1 in own:
        d += f"M{x + side:g} {y + side:g}h{gap:g}v{gap:g}h{-gap:g}z"
    return d


def _seams(cell: int, own: Collection[int]) -> str:
    row, column = divmod(cell, _SIZE)
    right, below = _joined(cell, own)
    d = f"M{(column + 1) * _UNIT} {row * _UNIT + 2}v{_UNIT - 4}" if right else ""
    return d + (f"M{column * _UNIT + 2} {(row + 1) * _UNIT}h{_UNIT - 4}" if below else "")


def _joined(cell: int, own: Collection[int]) -> tuple[bool, bool]:
    """Whether the same colour lies on the right of a cell, and below it."""
    return cell % _SIZE < _SIZE - 1 and cell + 1 in own, cell + _SIZE in own


def _face(tile: str, x: float, y: float) -> str:
    if tile in PICTOGRAMS:
        return _sign(PICTOGRAMS[tile], x + 4, y + 4, 0.6)
    return _sign(Glyph(line=CHARACTERS[tile]), x - 1, y - 1, 1.1)


def _sign(glyph: Glyph, x: float, y: float, scale: float) -> str:
    """A glyph in the colour of the group it stands in."""
    parts = [path(glyph.fill, "currentColor", fill_rule="evenodd")] if glyph.fill else []
    if glyph.line:
        line: dict[str, str | float] = {"stroke_width": 2, "stroke_linecap": "round", "stroke_linejoin": "round"}
        parts.append(path(glyph.line, "none", stroke="currentColor", **line))
    return group(*parts, x=x, y=y, scale=scale)


def _ring(cell: int) -> str:
    """Round the tile placed last."""
    at = {"x": cell % _SIZE * _UNIT + 0.4, "y": cell // _SIZE * _UNIT + 0.4, "width": 19.2, "height": 19.2, "rx": 2}
    halo = element("rect", **at, fill="none", stroke="#fffdf9", stroke_width=4)
    return halo + element("rect", **at, fill="none", stroke=INK, stroke_width=1.9)
