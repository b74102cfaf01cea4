"""The board of Blockers! and the arithmetic of groups on it.

A set of cells is one whole number, bit row·9 + column, row A first. What depends on such a set alone is remembered, as
most sets are asked about many times over.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.blockers.notation import COLUMNS, ROWS, TILES, bits

CELLS: Final = 81
ALL_CELLS: Final = (1 << CELLS) - 1
_ROW: Final = (1 << 9) - 1
_COLUMN: Final = sum(1 << row * 9 for row in range(9))
_NOT_FIRST: Final = ALL_CELLS & ~_COLUMN
_NOT_LAST: Final = ALL_CELLS & ~(_COLUMN << 8)

AREAS: Final = "".join("abcdefghi"[row // 3 * 3 + column // 3] for row in range(9) for column in range(9))
"""The symbol of each cell's area."""


def _cells_of(tile: str) -> int:
    """Where a tile may go by what it shows."""
    if tile in ROWS:
        return _ROW << ROWS.index(tile) * 9
    if tile in COLUMNS:
        return _COLUMN << COLUMNS.index(tile)
    if tile in AREAS:
        return sum(1 << cell for cell, area in enumerate(AREAS) if area == tile)
    return ALL_CELLS


REACH: Final = tuple(map(_cells_of, TILES))
"""Per tile the set of cells where it may go by what it shows."""


def beside(cells: int) -> int:
    """All that touches `cells` along a side; may include cells of `cells` themselves."""
    return (cells << 9 | cells >> 9 | (cells & _NOT_LAST) << 1 | (cells & _NOT_FIRST) >> 1) & ALL_CELLS


BESIDE: Final = tuple(beside(1 << cell) for cell in range(CELLS))
"""Per cell its two to four neighbours."""


def group_at(seed: int, cells: int) -> int:
    """The cells that hang together with `seed`, which is a part of `cells`."""
    while True:
        grown = (seed | seed << 9 | seed >> 9 | (seed & _NOT_LAST) << 1 | (seed & _NOT_FIRST) >> 1) & cells
        if grown == seed:
            return seed
        seed = grown


@lru_cache(maxsize=1 << 15)
def groups(cells: int) -> tuple[int, ...]:
    """The groups of a colour that covers `cells`: sets of cells, in the order of their first cells."""
    found = []
    while cells:
        group = group_at(cells & -cells, cells)
        found.append(group)
        cells ^= group
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def joints(cells: int) -> int:
    """The cells beside two or more groups of a colour that covers `cells`."""
    once = twice = 0
    for group in groups(cells):
        near = beside(group) & ~cells
        twice |= once & near
        once |= near
    return twice


@lru_cache(maxsize=1 << 15)
def bridges(cells: int) -> int:
    """Those of `cells` that hold their group together: without one of them there would be more groups."""
    north, south = cells & cells << 9, cells & cells >> 9
    west, east = cells & (cells & _NOT_LAST) << 1, cells & (cells & _NOT_FIRST) >> 1
    # Only a cell with two neighbours or more can be a bridge.
    found = 0
    for cell in bits((north | south) & (west | east) | north & south | west & east):
        around = BESIDE[cell] & cells
        rest = cells & ~(1 << cell)
        if around & ~group_at(around & -around, rest):
            found |= 1 << cell
    return found
