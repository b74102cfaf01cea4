"""Points of Azul: runs on the wall, the floor, and the bonuses at the end (rules: Azul, Round end).

A *place* of the wall is bit 5·row + column of a number; a wall is five such numbers, the places of each colour.
"""

from __future__ import annotations

from typing import Final

from games.azul.notation import SIZE

Wall = tuple[int, int, int, int, int]
EMPTY_WALL: Final[Wall] = (0, 0, 0, 0, 0)

FLOOR_COSTS: Final = (-1, -1, -2, -2, -2, -3, -3)
FLOOR_PLACES: Final = len(FLOOR_COSTS)
PENALTIES: Final = tuple(sum(FLOOR_COSTS[:taken]) for taken in range(FLOOR_PLACES + 1))
"""What so many occupied places of the floor cost together, as a negative number."""

ROW_BONUS: Final = 2
COLUMN_BONUS: Final = 7
COLOUR_BONUS: Final = 10

ROWS: Final = tuple(31 << SIZE * row for row in range(SIZE))
"""The places of each row."""
WALL_COLUMNS: Final = tuple(sum(1 << SIZE * row + column for row in range(SIZE)) for column in range(SIZE))
"""The places of each column."""


def place(row: int, column: int) -> int:
    """The place of the wall in that row and column."""
    return 1 << SIZE * row + column


def coloured_column(row: int, colour: int) -> int:
    """The column where the coloured side shows `colour` in `row`."""
    return (row + colour) % SIZE


def occupied(wall: Wall) -> int:
    """The places with a tile."""
    return wall[0] | wall[1] | wall[2] | wall[3] | wall[4]


def _run(cells: int, at: int) -> int:
    """How many neighbouring bits are set on both sides of bit `at` of a row or column, that bit counted in."""
    first = last = at
    while first > 0 and cells >> first - 1 & 1:
        first -= 1
    while cells >> last + 1 & 1:
        last += 1
    return last - first + 1


_RUN: Final = tuple(tuple(_run(cells | 1 << at, at) for at in range(SIZE)) for cells in range(1 << SIZE))


def runs(places: int, row: int, column: int) -> tuple[int, int]:
    """How many tiles a new tile makes stand side by side in its row and in its column; 0 where it would be alone."""
    upright = places >> column
    down = upright & 1 | upright >> 4 & 2 | upright >> 8 & 4 | upright >> 12 & 8 | upright >> 16 & 16
    lengths = _RUN[places >> SIZE * row & 31][column], _RUN[down][row]
    return lengths[0] if lengths[0] > 1 else 0, lengths[1] if lengths[1] > 1 else 0


def points(across: int, down: int) -> int:
    """The points of a tile with these runs: their sum, or 1 when it is alone."""
    return across + down or 1


def rows(wall: Wall) -> int:
    """How many rows are complete."""
    places = occupied(wall)
    return sum([places & row == row for row in ROWS])


def complete(wall: Wall) -> tuple[int, int, int]:
    """How many rows, columns and colours are complete."""
    places = occupied(wall)
    columns = sum([places & column == column for column in WALL_COLUMNS])
    return rows(wall), columns, sum([mask.bit_count() == SIZE for mask in wall])


def bonus(wall: Wall) -> int:
    """The points at the end of the match for complete rows, columns and colours."""
    rows, columns, colours = complete(wall)
    return ROW_BONUS * rows + COLUMN_BONUS * columns + COLOUR_BONUS * colours
