"""Short ways to set up Blokus positions, and pictures of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from games.blokus import GAME
from games.blokus.board import Board, board_of
from games.blokus.notation import COLUMNS
from games.blokus.pieces import PIECES
from games.blokus.rules import Hand, Position
from games.kit.checks import play_out
from games.kit.protocol import State
from tests.games.sources import source


def start(variant: str, *options: str) -> Position:
    position = GAME.start(variant, options)
    assert isinstance(position, Position)
    return position


def after(variant: str, *plies: str) -> Position:
    """The position after some plies."""
    position = start(variant)
    for ply in plies:
        position = play(position, ply)
    return position


def play(position: Position, text: str) -> Position:
    move = GAME.parse_move(text)
    return position.play(move)


def random_match(position: Position, label: str) -> list[Position]:
    """The positions after each ply of a random match on from `position`."""
    positions = [after for _, after in play_out(position, source(label))]
    assert all(isinstance(after, Position) for after in positions)
    return cast("list[Position]", positions)


def squares(board: Board, names: str) -> int:
    """The bitboard of squares named like `a1 b2`."""
    return sum(1 << board.bit(COLUMNS.index(name[0]), int(name[1:]) - 1) for name in names.split())


def pieces(names: str) -> int:
    """The set of pieces named like `I1 W5`."""
    return sum(1 << PIECES.index(name) for name in names.split())


def position_of(variant: str, hands: Mapping[str, tuple[int, int]], *, colour: str) -> Position:
    """A position with, by colour, the squares covered and the pieces left; other colours have nothing left to place."""
    board = board_of(variant)
    return Position(
        board,
        False,
        tuple(Hand(*hands.get(key, (0, 0))) for key in board.colours),
        board.colours.index(colour),
    )


def all_but(board: Board, *taken: int) -> int:
    """All squares except those of some bitboards."""
    return board.squares & ~sum(taken)


def texts(moves: Iterable[object]) -> set[str]:
    return set(map(str, moves))


def picture(state: State) -> str:
    """The board with the top row first, and a line per colour."""
    view = state.view(None)
    cells = view["cells"]
    size = round(len(cells) ** 0.5)
    rows = [f"{row + 1:2} {' '.join(cells[row * size : (row + 1) * size])}" for row in reversed(range(size))]
    rows.append("   " + " ".join(COLUMNS[:size]))
    for colour in view["colours"]:
        left = " ".join(PIECES[piece] for piece in colour["pieces"]) or "nothing"
        out = ", out" if colour["out"] else f", {len(colour['corners'])} corners"
        rows.append(f"{colour['key']} {colour['score']} ({left} left{out})")
    return "\n".join(rows)
