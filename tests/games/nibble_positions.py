"""Short ways to set up Nibble positions, and pictures of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from games.kit.checks import play_out
from games.kit.protocol import IllegalMove, State
from games.nibble import GAME
from games.nibble.board import board_of
from games.nibble.notation import COLUMNS
from games.nibble.rules import Position
from tests.games.sources import source

VARIANTS = [variant.key for variant in GAME.variants]

# Layouts of matches that another engine played.
SQUARE_LAYOUT = "=acgfdchci/befefbcid/hdcbdhbac/fegibdgig/efbdfeacd/ghichagei/agfgefeih/fabcabahd/ihaghedib"
HEX_LAYOUT = (
    "=ebkachkh/fgjmdlfmf/imldfehece/ckieigkglaf/beghfcfmijld/chlkdbjijhcih/hmihlgiemebekf/jacbgjmdlakcfbg"
    "/fkalmdejciagai/ghiabhdkalfch/lchdgjaekjba/jbjkdigfelm/agblmdbdak/bcfdkecjm/dmgmbjli"
)


def start(variant: str) -> Position:
    """The board before its layout."""
    return cast("Position", GAME.start(variant))


def play(position: Position, text: str) -> Position:
    return position.play(GAME.parse_move(text))


def after(variant: str, *plies: str) -> Position:
    """The position after some plies, the layout first."""
    position = start(variant)
    for ply in plies:
        position = play(position, ply)
    return position


def random_match(variant: str, label: str) -> list[Position]:
    """The positions after each ply of a random match, that after the layout first."""
    return cast("list[Position]", [position for _, position in play_out(start(variant), source(label))])


def position_of(
    variant: str, left: Mapping[str, str], *, first: str = "", second: str | None = None, seat: int = 0
) -> Position:
    """A position with, by colour letter, the cells whose blocks are left (`{"a": "a1 c5"}`).

    `first` and `second` have a letter for each block that a seat took; all others went to the other seat, or to the
    first when `second` alone is given.
    """
    board = board_of(variant)
    masks = {letter: sum(1 << board.bit(cell(name)) for name in names.split()) for letter, names in left.items()}
    gone = [1 << board.bit(place) for place in board.cells if not 1 << board.bit(place) & sum(masks.values())]
    blocks, taken = [], [0, 0]
    for letter in board.colours:
        own = masks.get(letter, 0)
        share = board.each - own.bit_count()
        count = first.count(letter) if second is None else share - second.count(letter)
        assert 0 <= count <= share
        mine, others = sum(gone[:count]), sum(gone[count:share])
        gone = gone[share:]
        taken[0] |= mine
        taken[1] |= others
        blocks.append(own | mine | others)
    return Position(board, tuple(blocks), sum(masks.values()), (taken[0], taken[1]), seat)


def cell(name: str) -> tuple[int, int]:
    return COLUMNS.index(name[0]), int(name[1:]) - 1


def refusal(position: Position, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        play(position, text)
    return caught.value


def texts(position: Position) -> set[str]:
    """The legal moves as text."""
    return set(map(str, position.legal_moves()))


def picture(state: State) -> str:
    """The board with the top row first, and a line per seat with what it took."""
    position = cast("Position", state)
    board, view = position.board, position.view(None)
    letters = dict(zip(board.cells, view["cells"], strict=True))
    lines = []
    for y, row in reversed(list(enumerate(board.rows))):
        indent = abs(y + 1 - board.size) if board.hex else 0
        lines.append(f"{y + 1:2} " + " " * indent + " ".join(letters[place] for place in row))
    if not board.hex:
        lines.append("   " + " ".join(COLUMNS[: board.width]))
    for seat, counts in enumerate(view["counts"]):
        had = " ".join(f"{letter}{count}" for letter, count in zip(board.colours, counts, strict=True) if count)
        lines.append(f"seat {seat}: {had or 'nothing'} ({view['majorities'][seat]} majorities)")
    for threat in view["threats"]:
        needs = "+".join(map(str, threat["needs"]))
        lines.append(f"seat {threat['seat']} could win with {threat['colours']} ({needs})")
    if view["won"]:
        lines.append(f"seat {view['won']['seat']} has won by {view['won']['kind']}: {view['won']['colours']}")
    return "\n".join(lines)
