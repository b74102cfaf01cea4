"""Takes and layouts as text (rules: Nibble, Move and Layout ply)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from games.kit.protocol import N_, InvalidMove, Opening, is_chance

COLUMNS: Final = "abcdefghijklmno"
COLOURS: Final = "abcdefghijklm"
"""The letters of all colours, in the order of the colour table; the small board has the first nine."""
MOST_BLOCKS: Final = 13
"""No colour has more blocks."""
Cell = tuple[int, int]
"""Column (hex: q) and row (hex: r), both counted from 0."""
_LONGEST_TAKE: Final = MOST_BLOCKS * len("o15,") - 1
_LONGEST_LAYOUT: Final = 1 + 169 + 14
_CELL: Final = re.compile(r"([a-o])([1-9]|1[0-5])")
_LAYOUT: Final = re.compile(r"=[a-m]+(?:/[a-m]+)*")


def cell_name(cell: Cell) -> str:
    """The name of a cell: column letter and row number."""
    return f"{COLUMNS[cell[0]]}{cell[1] + 1}"


class Take(NamedTuple):
    """A move: the cells whose blocks are taken, sorted by row then column."""

    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return ",".join(map(cell_name, self.cells))


def opening(move: object) -> Opening:
    """How many blocks are taken; which ones hangs on the layout."""
    if not isinstance(move, Take):
        return Opening(str(move))
    return Opening(N_("Blocks taken: {number}"), (("number", str(len(move.cells))),))


class Layout(NamedTuple):
    """The chance ply: the rows of colour letters, the highest row first, each from its lowest column."""

    rows: tuple[str, ...]

    def __str__(self) -> str:
        return "=" + "/".join(self.rows)


def take_of(cells: list[Cell]) -> Take:
    """The take of these cells, put in order."""
    return Take(tuple(sorted(cells, key=lambda cell: (cell[1], cell[0]))))


def parse_ply(text: str) -> Take | Layout:
    """The take of the cells listed, in any order, or the layout. Raises `InvalidMove`.

    A text does not say which board it is for: cells that a board lacks, and layouts that do not fit it, are read all
    the same, and the position refuses them.
    """
    return _parse_layout(text) if is_chance(text) else _parse_take(text)


def _parse_layout(text: str) -> Layout:
    if len(text) > _LONGEST_LAYOUT or not _LAYOUT.fullmatch(text):
        raise InvalidMove("no_layout", "A layout is “=” and rows of the letters a to m, joined by “/”.")
    return Layout(tuple(text[1:].split("/")))


def _parse_take(text: str) -> Take:
    if len(text) > _LONGEST_TAKE:
        raise InvalidMove(
            "too_long", "A move names at most 13 blocks; this text has {length} characters.", length=len(text)
        )
    cells = [_parse_cell(name) for name in text.split(",")]
    for cell in cells:
        if cells.count(cell) > 1:
            raise InvalidMove("twice", "{block} is named twice; a block can be taken only once.", block=cell_name(cell))
    return take_of(cells)


def _parse_cell(name: str) -> Cell:
    match = _CELL.fullmatch(name)
    if match is None:
        shown = ascii(name)[1:-1]
        raise InvalidMove("no_cell", "“{name}” is not a cell; cells are a1 to o15, joined by commas.", name=shown)
    return COLUMNS.index(match[1]), int(match[2]) - 1
