"""Short ways to set up Azul positions, and pictures of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest

from games.azul import GAME
from games.azul.boards import Board, _open
from games.azul.rules import Position
from games.azul.scoring import Wall, coloured_column, place
from games.azul.tiles import ALL_TILES, LETTERS, NO_TILE, ONE, heap_of
from games.kit.protocol import CHANCE, IllegalMove, State, ToMove

VARIANTS = [variant.key for variant in GAME.variants]
FULL_ROW = "BYRKW"


def start(variant: str = "coloured-2") -> Position:
    return cast("Position", GAME.start(variant))


def play(position: Position, *plies: str) -> Position:
    for ply in plies:
        position = position.play(GAME.parse_move(ply))
    return position


def after(variant: str, *plies: str) -> Position:
    """The position after some plies."""
    return play(start(variant), *plies)


def refusal(position: Position, text: str) -> IllegalMove:
    """Why that ply is refused; it must be, and must not be among the legal moves."""
    move = GAME.parse_move(text)
    assert move not in position.legal_moves()
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    return caught.value


def texts(position: Position) -> list[str]:
    return [str(move) for move in position.legal_moves()]


def board(wall: Sequence[str] = (), lines: str = "", floor: str = "", score: int = 0) -> Board:
    """A board. Wall rows like `B..K.` from the top, lines like `- RR - KKKK` from the top."""
    masks = [0] * 5
    for row, tiles in enumerate(wall):
        for column, tile in enumerate(tiles):
            if tile != ".":
                masks[LETTERS.index(tile)] |= place(row, column)
    heaps = [heap_of(tiles) for tiles in lines.split()]
    filled = tuple(heaps + [NO_TILE] * (5 - len(heaps)))
    places: Wall = (masks[0], masks[1], masks[2], masks[3], masks[4])
    return Board(score, places, filled, floor, _open(places, filled))


def coloured_wall(*rows: str) -> list[str]:
    """Rows of the coloured side that have these colours, each where it belongs: `coloured_wall("BY", "", "K")`."""
    walls = []
    for row, colours in enumerate(rows):
        cells = ["."] * 5
        for colour in colours:
            cells[coloured_column(row, LETTERS.index(colour))] = colour
        walls.append("".join(cells))
    return walls


def position_of(
    boards: Sequence[Board],
    *,
    factories: str = "",
    centre: str = "",
    variant: str = "coloured-2",
    to_move: ToMove = 0,
    marker: int | None = None,
    lid: str = "",
    bag: str | None = None,
    starter: int = 0,
    number: int = 2,
) -> Position:
    """A position in which the tiles that are nowhere else lie in the bag, unless the bag is given."""
    empty = start(variant)
    given = [heap_of(tiles) for tiles in factories.split("/")] if factories else []
    sources = (heap_of(centre), *given, *[NO_TILE] * (empty.table.factories - len(given)))
    everything = (*boards, *[Board()] * (empty.table.seats - len(boards)))
    used = sum(sources) + heap_of(lid) + sum(tiles_on(each) for each in everything)
    rest = ALL_TILES - used if bag is None else heap_of(bag)
    return Position(empty.table, number, to_move, sources, rest, heap_of(lid), everything, starter, marker)


def before_deal(bag: str, lid: str = "", variant: str = "coloured-2") -> Position:
    """A position in which a deal is due."""
    return position_of([], variant=variant, to_move=CHANCE, bag=bag, lid=lid)


def tiles_on(each: Board) -> int:
    """The heap of all tiles on a board."""
    wall = sum(mask.bit_count() * one for mask, one in zip(each.wall, ONE, strict=True))
    return wall + sum(each.lines) + heap_of(each.floor)


def all_tiles(position: Position) -> int:
    """The heap of all tiles of a position, wherever they lie."""
    return position.bag + position.lid + sum(position.sources) + sum(tiles_on(each) for each in position.boards)


def picture(state: State) -> str:
    """A position as text, from what its view tells."""
    view = state.view(None)
    lines = [f"round {view['round']}, {view['phase']}, starter {view['starter']}, marker {view['marker']}"]
    lines.append("factories " + " ".join(tiles or "-" for tiles in view["factories"]) + f"  centre {view['centre']}")
    for each in view["boards"]:
        lines.append(f"seat {each['seat']}: {each['score']} (then {each['forecast']}), floor {each['floor'] or '-'}")
        for line, row in zip(each["lines"], each["wall"], strict=True):
            lines.append(f"  {(line['colour'] or '') * line['count']:>5} {row}")
    return "\n".join(lines)
