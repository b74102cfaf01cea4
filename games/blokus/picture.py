"""A small picture of a Blokus board, drawn from a view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.blokus.board import Board, board_of
from games.kit.protocol import Json
from games.kit.svg import BED, GLAZES, GROUT, TABLE, circle, path, rect, svg

_UNIT: Final = 20
"""Side of a square of the board."""
_RIM: Final = 10
# How far a piece keeps from the squares beside it, and its cells from each other: what shows between them is its edge.
_INSET: Final = 0.6
_SEAM: Final = 0.45
_BEVEL: Final = 1.6


def draw(variant: str, view: dict[str, Json]) -> str:
    """The board of a view: start squares, pieces by colour, and dots on the piece that was placed last."""
    board = board_of(variant)
    side = board.size * _UNIT
    whole = side + 2 * _RIM
    return svg(
        whole,
        whole,
        rect(0, 0, whole, whole, TABLE, rx=whole / 40),
        rect(_RIM - 2, _RIM - 2, side + 4, side + 4, GROUT),
        rect(_RIM, _RIM, side, side, BED),
        path(_lines(board.size), "none", stroke=GROUT, stroke_width=1.4),
        *_starts(board),
        *(part for key in board.colours for part in _pieces(board.size, view["cells"], key)),
        *_last(board, view),
    )


def _lines(size: int) -> str:
    """The lines between the squares."""
    side = size * _UNIT
    places = [_RIM + place * _UNIT for place in range(1, size)]
    return "".join(f"M{place} {_RIM}v{side}M{_RIM} {place}h{side}" for place in places)


def _corner(size: int, cell: int) -> tuple[int, int]:
    """The upper left corner of a cell; cells count from the lower left."""
    y, x = divmod(cell, size)
    return _RIM + x * _UNIT, _RIM + (size - 1 - y) * _UNIT


def _starts(board: Board) -> Iterator[str]:
    for key, start in zip(board.colours, board.starts, strict=True):
        glaze = GLAZES[key]
        for cell in board.cells(start):
            x, y = _corner(board.size, cell)
            side = _UNIT - 5
            yield rect(x + 2.5, y + 2.5, side, side, glaze.face, fill_opacity=0.4, stroke=glaze.face, stroke_width=2, rx=2)


def _pieces(size: int, cells: str, key: str) -> tuple[str, ...]:
    """The pieces of a colour: their edge, run by run, and the cells on top of it. No two pieces of it share a side."""
    own = {cell for cell, letter in enumerate(cells) if letter == key[0]}
    if not own:
        return ()
    glaze = GLAZES[key]
    return (
        path("".join(_runs(size, own)), glaze.edge),
        path("".join(_face(size, own, cell) for cell in sorted(own)), glaze.face),
    )


def _runs(size: int, own: set[int]) -> Iterator[str]:
    """The cells `own`, those side by side in a row as one rectangle."""
    for cell in sorted(own):
        if cell % size and cell - 1 in own:
            continue
        length = 1
        while (cell + length) % size and cell + length in own:
            length += 1
        x, y = _corner(size, cell)
        yield f"M{x} {y}h{length * _UNIT}v{_UNIT}h{-length * _UNIT}z"


def _face(size: int, own: set[int], cell: int) -> str:
    """The glazed part of a cell, which goes nearly to the next cell of its piece."""
    x, y = _corner(size, cell)
    left = _SEAM if cell % size and cell - 1 in own else _INSET
    right = _SEAM if (cell + 1) % size and cell + 1 in own else _INSET
    top = _SEAM if cell + size in own else _INSET
    bottom = _SEAM if cell - size in own else _BEVEL
    width, height = _UNIT - left - right, _UNIT - top - bottom
    return f"M{x + left:g} {y + top:g}h{width:g}v{height:g}h{-width:g}z"


def _last(board: Board, view: dict[str, Json]) -> Iterator[str]:
    last = view["last"]
    if last is None:
        return
    ink = GLAZES[board.colours[last["colour"]]].ink
    for cell in last["cells"]:
        x, y = _corner(board.size, cell)
        yield circle(x + _UNIT / 2, y + _UNIT / 2 - 0.5, 3.6, ink)
