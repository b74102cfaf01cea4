"""A small picture of a Nibble board, drawn from a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

from games.kit.protocol import Json
from games.kit.svg import TABLE, Glaze, group, path, rect, svg
from games.nibble.board import Board, board_of
from games.nibble.notation import COLOURS, Cell

_UNIT: Final = 20
"""From the middle of a block to that of its neighbour."""
_RIM: Final = 9
_LIFT: Final = 1.4
"""So far a block that may be taken stands out of the bed."""
_PARTING: Final = 1
"""The least room between the blocks of the two seats, in blocks."""

_BED: Final = "#b6a686"
_SOCKET: Final = "#dccfb6"
# As static/nibble/board.css has them, in the order of the colour table.
_GLAZES: Final = (
    Glaze("#f2ecde", "#857b68", "#57503f"),
    Glaze("#f2c22e", "#8f6207", "#4b3300"),
    Glaze("#e2802c", "#88420a", "#351700"),
    Glaze("#b8352b", "#6c1a12", "#fff0ea"),
    Glaze("#efaebd", "#9a5164", "#5a1c31"),
    Glaze("#774b9f", "#432860", "#f7f0fd"),
    Glaze("#2c5cab", "#153362", "#eef4ff"),
    Glaze("#0d7482", "#064049", "#ecfcfd"),
    Glaze("#377a2f", "#1b4617", "#f4fcee"),
    Glaze("#a3bf3c", "#5a6d0d", "#2a3500"),
    Glaze("#744a2d", "#402612", "#fbeee0"),
    Glaze("#9aa3ad", "#4d5660", "#14202b"),
    Glaze("#34373c", "#7b8087", "#dcdde0"),
)
_SQUARE: Final = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_FLANK: Final = 1 / sqrt(12)
_HEXAGON: Final = ((0, -2 * _FLANK), (0.5, -_FLANK), (0.5, _FLANK), (0, 2 * _FLANK), (-0.5, _FLANK), (-0.5, -_FLANK))


def draw(variant: str, view: dict[str, Json]) -> str:
    """The blocks of a view on their board; at the end of a match what each seat has taken of each colour."""
    board = board_of(variant)
    side = board.width * _UNIT
    whole = side + 2 * _RIM
    parts = _harvest(board, view["counts"], side) if view["won"] else _board(board, view, side)
    return svg(whole, whole, rect(0, 0, whole, whole, TABLE, rx=whole / 40), group(*parts, x=_RIM, y=_RIM))


def _board(board: Board, view: dict[str, Json], side: float) -> Iterator[str]:
    """The bed, the sockets of the blocks that are gone, the blocks, and outlines where the last were taken."""
    places = [_place(board, cell, side) for cell in board.cells]
    cells, takeable = view["cells"], set(view["takeable"])
    yield path(_all(places, _outline(board, -1.6)), _BED)
    yield path(_all([places[index] for index in _cells_with(".", cells)], _outline(board, 0.9)), _SOCKET)
    for letter, glaze in zip(board.colours, _GLAZES, strict=False):
        own = _cells_with(letter, cells)
        calm = [places[index] for index in own if index not in takeable]
        yield from _blocks(calm, _outline(board, 1.2), glaze)
        free = [places[index] for index in own if index in takeable]
        if free:
            yield path(_all([(x, y + 0.9) for x, y in free], _outline(board, 0.4)), glaze.edge)
        yield from _blocks([(x, y - _LIFT) for x, y in free], _outline(board, 0.9), glaze)
    if view["last"]:
        glaze = _GLAZES[COLOURS.index(view["last"]["colour"])]
        gone = _all([places[index] for index in view["last"]["cells"]], _outline(board, 2.6))
        yield path(gone, glaze.face, fill_opacity=0.3, stroke=glaze.edge, stroke_width=1.1, stroke_dasharray="2.6 1.8")


def _harvest(board: Board, counts: Sequence[Sequence[int]], side: float) -> Iterator[str]:
    """A column per colour: from below the blocks of the first seat, from above those of the second."""
    tall = 4 * _FLANK * _UNIT if board.hex else _UNIT
    high = (board.each + _PARTING) * tall
    apart = high / board.each
    outline = _outline(board, 1)
    blocks: list[str] = []
    for colour, glaze in zip(range(board.each), _GLAZES, strict=False):
        x = (colour + 0.5) * apart
        below = [(x, high - (row + 0.5) * tall) for row in range(counts[0][colour])]
        above = [(x, (row + 0.5) * tall) for row in range(counts[1][colour])]
        blocks += _blocks([*below, *above], outline, glaze)
    yield rect(-1.6, -1.6, side + 3.2, side + 3.2, _SOCKET, rx=2)
    yield group(*blocks, scale=side / high)


def _cells_with(letter: str, cells: str) -> list[int]:
    return [index for index, found in enumerate(cells) if found == letter]


def _blocks(places: Sequence[tuple[float, float]], outline: str, glaze: Glaze) -> Iterator[str]:
    """Blocks of one colour, if there are any."""
    if places:
        yield path(_all(places, outline), glaze.face, stroke=glaze.edge, stroke_width=1.1, stroke_linejoin="round")


def _place(board: Board, cell: Cell, side: float) -> tuple[float, float]:
    """The middle of a cell in the drawing, y down; the board in the middle of a square."""
    x, y = board.centre(cell)
    top = board.centre(board.cells[-1])[1]
    return (x + 0.5) * _UNIT, side / 2 + (top / 2 - y) * _UNIT


def _outline(board: Board, keep: float) -> str:
    """The outline of a cell that keeps `keep` units from its sides, to be drawn from its first corner."""
    corners = _HEXAGON if board.hex else _SQUARE
    side = _UNIT - 2 * keep
    scaled = [(x * side, y * side) for x, y in corners]
    steps = [f"{x - before[0]:.3g} {y - before[1]:.3g}" for before, (x, y) in pairwise(scaled)]
    x, y = scaled[0]
    return f"m{x:.3g} {y:.3g}l{' '.join(steps)}z"


def _all(places: Sequence[tuple[float, float]], outline: str) -> str:
    """One shape at many places."""
    return "".join(f"M{x:.5g} {y:.5g}{outline}" for x, y in places)
