"""The 21 pieces of a colour and their 91 orientations (rules: Blokus)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

Cells = tuple[tuple[int, int], ...]
"""Squares as (x, y), x to the right and y up, sorted by y then x."""

_DRAWINGS: Final = {
    "I1": "#",
    "I2": "##",
    "I3": "###",
    "V3": "## #.",
    "I4": "####",
    "L4": "### #..",
    "O4": "## ##",
    "T4": "### .#.",
    "Z4": "##. .##",
    "F5": ".## ##. .#.",
    "I5": "#####",
    "L5": "#### #...",
    "N5": "###. ..##",
    "P5": "### ##.",
    "T5": "### .#. .#.",
    "U5": "### #.#",
    "V5": "### #.. #..",
    "W5": "##. .## ..#",
    "X5": ".#. ### .#.",
    "Y5": "#### .#..",
    "Z5": "##. .#. .##",
}
"""One way up of each piece, row by row; in the order of size and then name that indexes pieces everywhere."""


class Orientation(NamedTuple):
    """A piece turned and flipped one way, its bounding box's lower left corner at (0, 0)."""

    piece: int
    """Index into `PIECES`."""
    cells: Cells
    width: int
    height: int


def at_origin(cells: Iterable[tuple[int, int]]) -> tuple[Cells, int, int]:
    """`cells` moved so that their bounding box starts at (0, 0), and the x and y it started at before."""
    squares = list(cells)
    left = min(x for x, _ in squares)
    bottom = min(y for _, y in squares)
    return _in_order((x - left, y - bottom) for x, y in squares), left, bottom


def _in_order(cells: Iterable[tuple[int, int]]) -> Cells:
    return tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))


def _drawn(drawing: str) -> Cells:
    rows = drawing.split()
    return _in_order((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#")


def _ways_up(cells: Cells) -> list[Cells]:
    """The different results of four turns, each plain and flipped."""
    ways = set()
    for _ in range(4):
        cells = at_origin((y, -x) for x, y in cells)[0]
        ways.add(cells)
        ways.add(at_origin((-x, y) for x, y in cells)[0])
    return sorted(ways)


def _orientations() -> tuple[Orientation, ...]:
    return tuple(
        Orientation(piece, cells, 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells))
        for piece, drawing in enumerate(_DRAWINGS.values())
        for cells in _ways_up(_drawn(drawing))
    )


PIECES: Final = tuple(_DRAWINGS)
"""The names of the pieces: a letter for the look and the number of squares."""
SQUARES: Final = tuple(int(name[1]) for name in PIECES)
ALL_SQUARES: Final = sum(SQUARES)
ORIENTATIONS: Final = _orientations()
ORIENTATION_OF: Final = {orientation.cells: index for index, orientation in enumerate(ORIENTATIONS)}
SINGLE: Final = PIECES.index("I1")
