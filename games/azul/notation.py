"""The plies of Azul as text: takes like `3Y2`, columns like `w35`, deals like `=BBRY/…` (rules: Azul).

A ply's numbers count from 0 inside the program and from 1 in its text.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.azul.tiles import COLOURS, KEYS, LETTERS, heap_of, letters, size
from games.kit.protocol import N_, InvalidMove, Opening, is_chance

SIZE: Final = 5
"""Lines, rows and columns of a board."""
FLOOR: Final = SIZE
"""The floor as the line of a take."""
CENTRE: Final = 0
"""The centre as the source of a take; factories are numbered from 1."""
FACTORY_TILES: Final = 4
MOST_FACTORIES: Final = 9

_SOURCES: Final = "c123456789"
_LINES: Final = "12345f"
_DEAL: Final = "="
_EMPTY: Final = "-"
_LONGEST_TEXT: Final = len(_DEAL) + MOST_FACTORIES * (FACTORY_TILES + 1)


class Take(NamedTuple):
    """All tiles of a colour go from a factory or the centre to a line or the floor."""

    source: int
    colour: int
    line: int

    def __str__(self) -> str:
        return f"{_SOURCES[self.source]}{LETTERS[self.colour]}{_LINES[self.line]}"

    def __repr__(self) -> str:
        return f"<{self}: {KEYS[self.colour]}>"


def opening(move: object) -> Opening:
    """The line that a take goes to; which factory and colour it comes from hangs on the deal."""
    if not isinstance(move, Take):
        return Opening(str(move))
    if move.line == FLOOR:
        return Opening(N_("To the floor"))
    return Opening(N_("To line {line}"), (("line", _LINES[move.line]),))


class Column(NamedTuple):
    """The tile of a full line goes to a column of the grey wall."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"w{self.line + 1}{self.column + 1}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Deal(NamedTuple):
    """What a round starts with: a heap per factory."""

    factories: tuple[int, ...]

    def __str__(self) -> str:
        return _DEAL + "/".join(letters(heap) or _EMPTY for heap in self.factories)

    def __repr__(self) -> str:
        return f"<{self}>"


Ply = Take | Column | Deal

TAKES: Final = tuple(
    tuple(tuple(Take(source, colour, line) for line in range(len(_LINES))) for colour in COLOURS)
    for source in range(len(_SOURCES))
)
"""Every take, by source, colour and line."""
COLUMNS: Final = tuple(tuple(Column(line, column) for column in range(SIZE)) for line in range(SIZE))
"""Every choice of a column, by line and column."""

_PLIES: Final[dict[str, Ply]] = {
    **{str(take): take for source in TAKES for takes in source for take in takes},
    **{str(column): column for columns in COLUMNS for column in columns},
}


def parse_ply(text: str) -> Ply:
    """The ply that `text` spells; the tiles of a factory may stand in any order. Raises `InvalidMove`.

    Nine factories are read for every number of seats: the position refuses those that it does not have.
    """
    ply = _PLIES.get(text)
    if ply is not None:
        return ply
    if len(text) > _LONGEST_TEXT:
        raise InvalidMove("too_long", "This text has {length} characters; no move is so long.", length=len(text))
    if is_chance(text):
        return Deal(tuple(_parse_factory(tiles) for tiles in text[len(_DEAL) :].split("/")))
    raise InvalidMove(
        "no_move",
        "“{move}” is not a move; a move names a factory 1–9 or the centre c, a colour B, Y, R, K or W, "
        "and a line 1–5 or the floor f, like 3Y2.",
        move=ascii(text)[1:-1],
    )


def _parse_factory(tiles: str) -> int:
    heap = heap_of(tiles)
    if tiles != _EMPTY and not 0 < len(tiles) == size(heap) <= FACTORY_TILES:
        raise InvalidMove(
            "no_factory_tiles",
            "“{tiles}” is not what a factory holds: one to four of the letters B, Y, R, K and W, or - when it is empty.",
            tiles=ascii(tiles)[1:-1],
        )
    return heap
