"""Points of a colour and of the seats (rules: Blokus, Score)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.blokus.pieces import PIECES, SQUARES

ALL_PLACED_BONUS: Final = 15
SINGLE_LAST_BONUS: Final = 5


def squares_left(pieces: int) -> int:
    """How many squares the pieces of a set (bit i for piece i) have together."""
    return sum(squares for piece, squares in enumerate(SQUARES) if pieces >> piece & 1)


def bonus(pieces: int, *, single_last: bool) -> int:
    """What a colour with these pieces left earns beyond its squares; `single_last`: its last piece was the I1."""
    if pieces:
        return 0
    return ALL_PLACED_BONUS + (SINGLE_LAST_BONUS if single_last else 0)


def seat_scores(points: Sequence[int], seats: Sequence[int | None]) -> tuple[int, ...]:
    """Each seat's sum over its colours; a colour played in rotation (seat `None`) scores for nobody."""
    totals: dict[int, int] = {}
    for seat, value in zip(seats, points, strict=True):
        if seat is not None:
            totals[seat] = totals.get(seat, 0) + value
    return tuple(totals[seat] for seat in sorted(totals))


ALL_PIECES: Final = (1 << len(PIECES)) - 1
