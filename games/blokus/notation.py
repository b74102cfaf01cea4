"""Placements as text: the covered squares, sorted by row then column (rules: Blokus, Move)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from games.blokus.pieces import ORIENTATION_OF, ORIENTATIONS, PIECES, at_origin
from games.kit.protocol import N_, InvalidMove, Opening, is_chance

COLUMNS: Final = "abcdefghijklmnopqrst"
_LONGEST_TEXT: Final = 5 * len("t20,") - 1
_CELL: Final = re.compile(r"([a-t])([1-9]|1[0-9]|20)")


def cell_name(x: int, y: int) -> str:
    """The name of the square in column `x` from the left and row `y` from the bottom, both counted from 0."""
    return f"{COLUMNS[x]}{y + 1}"


class Placement(NamedTuple):
    """A move: an orientation with its bounding box's lower left corner on the square (x, y)."""

    orientation: int
    x: int
    y: int

    @property
    def piece(self) -> int:
        """Index into `PIECES`."""
        return ORIENTATIONS[self.orientation].piece

    @property
    def cells(self) -> list[tuple[int, int]]:
        """The covered squares as (x, y), sorted by y then x."""
        return [(self.x + dx, self.y + dy) for dx, dy in ORIENTATIONS[self.orientation].cells]

    def __str__(self) -> str:
        return ",".join(cell_name(x, y) for x, y in self.cells)

    def __repr__(self) -> str:
        return f"<{PIECES[self.piece]} on {self}>"


def opening(move: object) -> Opening:
    """The piece, whichever way it lies."""
    if not isinstance(move, Placement):
        return Opening(str(move))
    return Opening(N_("Piece {piece}"), (("piece", PIECES[move.piece]),))


def parse_placement(text: str) -> Placement:
    """The placement that covers exactly the squares listed, in any order. Raises `InvalidMove`.

    Squares beyond a 14×14 board are read all the same: the position refuses them, since a text does not say
    which board it is for.
    """
    if is_chance(text):
        raise InvalidMove("no_chance", "Blokus has no draws, so no ply starts with “=”.")
    if len(text) > _LONGEST_TEXT:
        raise InvalidMove(
            "too_long", "A move names at most five squares; this text has {length} characters.", length=len(text)
        )
    cells = [_parse_cell(name) for name in text.split(",")]
    if len(set(cells)) < len(cells):
        raise InvalidMove("repeated_square", "“{move}” names a square twice.", move=text)
    shape, x, y = at_origin(cells)
    orientation = ORIENTATION_OF.get(shape)
    if orientation is None:
        raise InvalidMove("no_piece", "The squares {move} do not hang together as a Blokus piece.", move=text)
    return Placement(orientation, x, y)


def _parse_cell(name: str) -> tuple[int, int]:
    match = _CELL.fullmatch(name)
    if match is None:
        shown = ascii(name)[1:-1]
        raise InvalidMove("no_square", "“{name}” is not a square; squares are a1 to t20, joined by commas.", name=shown)
    return COLUMNS.index(match[1]), int(match[2]) - 1
