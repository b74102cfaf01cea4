"""Finds plies that lead to a position of which only the pieces on the board are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.blokus.notation import Placement
from games.blokus.rules import Position
from games.kit.protocol import IllegalMove

MOST_TRIES: Final = 1000
"""Placements that are tried. Whether a piece may lie where it lies hardly hangs on the order, so that many are not needed."""


def arranged(start: Position, pieces: Sequence[Sequence[Placement]], due: int | None) -> list[Placement] | None:
    """Plies from `start` after which exactly `pieces`, given per colour, lie on the board and `due`, if given, is to place.

    A colour's pieces are placed in the order given, as far as the rules let them. `None` where there are no such plies.
    """
    total = sum(map(len, pieces))
    plies: list[Placement] = []
    # Per ply the position before it and the pieces that are still to be tried there, the next one last.
    levels = [(start, _candidates(start, pieces, plies))]
    for _ in range(MOST_TRIES):
        if not levels:
            return None
        state, candidates = levels[-1]
        if len(plies) == total and due in {None, state.colour}:
            return plies
        if not candidates:
            levels.pop()
            if plies:
                plies.pop()
            continue
        move = candidates.pop()
        try:
            following = state.play(move)
        except IllegalMove:
            continue
        plies.append(move)
        levels.append((following, _candidates(following, pieces, plies)))
    return None


def _candidates(state: Position, pieces: Sequence[Sequence[Placement]], placed: Sequence[Placement]) -> list[Placement]:
    if state.colour is None:
        return []
    return [move for move in reversed(pieces[state.colour]) if move not in placed]
