"""Tells when no tile can reach any wall any more, so that the match would never end.

On the grey side every row of every seat can get stuck: its last colours stand already in the columns that are left.
Rarer, all tiles of the colours still wanted lie on lines that cannot be filled. Such a match ends with the round.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.azul.boards import Board
from games.azul.notation import SIZE
from games.azul.tiles import COLOURS, count


def stands_still(boards: Sequence[Board], undealt: int, *, grey: bool) -> bool:
    """Whether between rounds, with the heap `undealt` in bag and lid together, no line can ever lay its tile again.

    Tiles on a line whose colour has no column left count as if they could be freed by filling it.
    """
    free = undealt
    for board in boards:
        for line in range(SIZE):
            colour = board.line_colour(line)
            if colour is not None and not board.columns(line, colour, grey=grey):
                free += board.lines[line]
    return not any(_can_lay(board, line, free, grey=grey) for board in boards for line in range(SIZE))


def _can_lay(board: Board, line: int, free: int, *, grey: bool) -> bool:
    holding = board.line_colour(line)
    if holding is not None and board.columns(line, holding, grey=grey):
        return count(free, holding) >= board.room(line, holding)
    return any(
        count(free, colour) > line and not board.has_colour(line, colour) and board.columns(line, colour, grey=grey)
        for colour in COLOURS
    )
