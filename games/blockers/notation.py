"""Tiles, cells, placements and draws as text (rules: Blockers!, Deal ply, Move)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from games.kit.protocol import N_, InvalidMove, Opening, is_chance

COLOURS: Final = ("red", "yellow", "green", "blue", "purple")
LETTERS: Final = "rygbp"
"""The letter of each colour."""
ROWS: Final = "ABCDEFGHI"
COLUMNS: Final = "123456789"
TILES: Final = f"{ROWS}{COLUMNS}abcdefghi*"
"""The 28 tiles of a colour by index: rows, columns, areas, and the wild one. A set of tiles has bit i for tile i."""
ALL_TILES: Final = (1 << len(TILES)) - 1
WILD: Final = TILES.index("*")

_PLACEMENT: Final = re.compile(r"(?:([rygbp]):)?([A-I1-9a-i*])@([A-I])([1-9])")
_HAND: Final = re.compile(r"([rygbp]):([A-I1-9a-i*]+)")
_LONGEST_TEXT: Final = len("=") + len(LETTERS) * (len("r: ") + len(TILES))


class Placement(NamedTuple):
    """A move: a tile on a cell. The colour is named only where a seat plays more than one."""

    colour: int | None
    tile: int
    cell: int
    """Row·9 + column, row A first."""

    def __str__(self) -> str:
        text = f"{TILES[self.tile]}@{cell_name(self.cell)}"
        return text if self.colour is None else f"{LETTERS[self.colour]}:{text}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Drawn(NamedTuple):
    """A chance ply: for one or more colours, in order, the set of tiles that come to the rack."""

    hands: tuple[tuple[int, int], ...]
    """Pairs of a colour and a set of tiles, never empty."""

    def __str__(self) -> str:
        return "=" + " ".join(hand_text(colour, tiles_text(tiles)) for colour, tiles in self.hands)

    def __repr__(self) -> str:
        return f"<{self}>"


def opening(move: object) -> Opening:
    """The kind of the tile; which one it is hangs on the draw."""
    if not isinstance(move, Placement):
        return Opening(str(move))
    return Opening((N_("A row's tile"), N_("A column's tile"), N_("An area's tile"), N_("A wild tile"))[move.tile // 9])


def cell_name(cell: int) -> str:
    """The name of a cell, like `C7`."""
    return ROWS[cell // 9] + COLUMNS[cell % 9]


def cell_names(cells: Iterable[int]) -> str:
    """Cells as people read them: `A1, C7`."""
    return ", ".join(map(cell_name, cells))


def bits(number: int) -> Iterator[int]:
    """The indices of the bits that are set, lowest first: the members of a set of tiles or of cells."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def tiles_text(tiles: int) -> str:
    """A set of tiles in canonical order, like `A3c*`."""
    return "".join(TILES[tile] for tile in bits(tiles))


def hand_text(colour: int, tiles: str) -> str:
    """What a chance ply says of one colour: `r:A3c*`, or `r:?` for who may not know."""
    return f"{LETTERS[colour]}:{tiles}"


def parse_ply(text: str) -> Placement | Drawn:
    """The placement or the draw that a text spells, a draw's colours and tiles in any order. Raises `InvalidMove`."""
    if len(text) > _LONGEST_TEXT:
        raise InvalidMove("too_long", "No ply of Blockers! has {length} characters.", length=len(text))
    if is_chance(text):
        return _parse_drawn(text[1:])
    match = _PLACEMENT.fullmatch(text)
    if match is None:
        shown = ascii(text)[1:-1]
        raise InvalidMove("no_placement", "“{move}” is not a tile on a cell, like c@A8, *@E5 or g:7@C7.", move=shown)
    letter, tile, row, column = match.groups()
    colour = None if letter is None else LETTERS.index(letter)
    return Placement(colour, TILES.index(tile), ROWS.index(row) * 9 + COLUMNS.index(column))


def _parse_drawn(text: str) -> Drawn:
    hands: dict[int, int] = {}
    for part in text.split(" "):
        match = _HAND.fullmatch(part)
        if match is None:
            raise InvalidMove("no_draw", "“={draw}” does not say which tiles were drawn.", draw=ascii(text)[1:-1])
        colour = LETTERS.index(match[1])
        tiles = sum({1 << TILES.index(tile) for tile in match[2]})
        if colour in hands or tiles.bit_count() < len(match[2]):
            raise InvalidMove("repeated", "“={draw}” names a colour or a tile twice.", draw=text)
        hands[colour] = tiles
    return Drawn(tuple(sorted(hands.items())))
