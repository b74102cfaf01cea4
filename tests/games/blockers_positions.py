"""Short ways to set up positions of Blockers!, and pictures of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from games.blockers import GAME
from games.blockers.board import CELLS
from games.blockers.notation import ALL_TILES, LETTERS, ROWS, TILES, Placement, cell_name, parse_ply
from games.blockers.rules import Position
from games.blockers.setup import setup_of
from games.kit.checks import play_out
from games.kit.protocol import CHANCE, IllegalMove, State
from tests.games.sources import source


def start(variant: str) -> Position:
    position = GAME.start(variant)
    assert isinstance(position, Position)
    return position


def dealt(variant: str, label: str = "deal") -> Position:
    """The position after some deal."""
    position = start(variant)
    return position.play(position.draw(source(label)))


def after(variant: str, *plies: str) -> Position:
    """The position after some plies."""
    position = start(variant)
    for ply in plies:
        position = position.play(GAME.parse_move(ply))
    return position


def tiles(text: str) -> int:
    """The set of tiles written like `A3c*`."""
    return sum(1 << TILES.index(tile) for tile in text)


def cells(names: str) -> int:
    """The set of cells named like `A1 C7`."""
    return sum(1 << cell(name) for name in names.split())


def cell(name: str) -> int:
    return ROWS.index(name[0]) * 9 + int(name[1]) - 1


def position_of(
    variant: str,
    board: Mapping[str, str],
    *,
    racks: Mapping[str, str],
    piles: Mapping[str, str] | None = None,
    captured: Mapping[int, str] | None = None,
    seat: int = 0,
) -> Position:
    """A position in the middle of a match.

    By colour letter the tiles on the board (`E@E5 1@A1`), in the racks and in the piles; a pile that is not told holds
    all the rest. Captured tiles are told by seat, like `y:3 y:4`.
    """
    setup = setup_of(variant)
    boards, lying, hands, left = [], bytearray(CELLS), [], []
    captured_tiles = [
        bytes(_code(*tile.split(":")) for tile in (captured or {}).get(number, "").split())
        for number in range(setup.seat_count)
    ]
    gone = {code for codes in captured_tiles for code in codes}
    for colour, letter in enumerate(LETTERS[: len(setup.colours)]):
        placed = [cast("Placement", parse_ply(text)) for text in board.get(letter, "").split()]
        for tile in placed:
            lying[tile.cell] = 1 + colour * len(TILES) + tile.tile
        boards.append(sum(1 << tile.cell for tile in placed))
        hands.append(tiles(racks.get(letter, "")))
        used = hands[-1] | sum(1 << tile.tile for tile in placed)
        used |= sum(1 << tile for tile in range(len(TILES)) if 1 + colour * len(TILES) + tile in gone)
        left.append(tiles(piles[letter]) if piles is not None and letter in piles else ALL_TILES & ~used)
    return Position(
        setup, tuple(hands), tuple(left), tuple(boards), bytes(lying), tuple(captured_tiles), seat, drawing=None
    )


def _code(letter: str, tile: str) -> int:
    return 1 + LETTERS.index(letter) * len(TILES) + TILES.index(tile)


def place(position: Position, text: str) -> Position:
    """The position after a move and the draw that follows it, if one does."""
    position = position.play(GAME.parse_move(text))
    return position.play(position.draw(source(text))) if position.to_move is CHANCE else position


def refusal(position: Position, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        position.play(GAME.parse_move(text))
    return caught.value


def may(position: Position, text: str) -> bool:
    return GAME.parse_move(text) in position.legal_moves()


def random_match(position: Position, label: str) -> list[Position]:
    """The positions after each ply of a random match on from `position`."""
    return cast("list[Position]", [state for _, state in play_out(position, source(label))])


def picture(state: State) -> str:
    """The board, then a line per colour and per seat."""
    view = state.view(None)
    shown = [" .." if lying is None else f" {LETTERS[lying['colour']]}{lying['tile']}" for lying in view["cells"]]
    rows = [ROWS[row] + "".join(shown[row * 9 : row * 9 + 9]) for row in range(9)]
    rows.append("  " + "".join(f"{column} ".rjust(3) for column in range(1, 10)).rstrip())
    for colour in view["colours"]:
        rack = colour["rack"] or f"{colour['rack_size']} hidden"
        groups = [" ".join(cell_name(member) for member in group) for group in colour["groups"]]
        rows.append(f"{colour['key']}: rack {rack}, pile {colour['pile']}, groups {' / '.join(groups) or '-'}")
    for seat, (captured, standing) in enumerate(zip(view["captured"], view["standing"], strict=True)):
        taken = " ".join(f"{LETTERS[tile['colour']]}{tile['tile']}" for tile in captured["tiles"]) or "nothing"
        rows.append(f"seat {seat}: {standing['groups']} + {standing['captured']} (captured {taken})")
    return "\n".join(rows)
