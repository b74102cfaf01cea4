"""Points of a colour and of the seats (rules: Blokus, Score)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from games.blokus.pieces import PIECES, SQUARES

ALL_PIECES: Final = (1 << len(PIECES)) - 1
"""The set of all pieces: bit i for piece i."""
ALL_PLACED_BONUS: Final = 15
SINGLE_LAST_BONUS: Final = 5
Points = TypeVar("Points", int, float)


def squares_left(pieces: int) -> int:
    """How many squares the pieces of a set (bit i for piece i) have together."""
    return sum(squares for piece, squares in enumerate(SQUARES) if pieces >> piece & 1)


def bonus(pieces: int, *, single_last: bool) -> int:
    """What a colour with these pieces left earns beyond its squares; `single_last`: its last piece was the I1."""
    if pieces:
        return 0
    return ALL_PLACED_BONUS + (SINGLE_LAST_BONUS if single_last else 0)


def seat_scores(points: Sequence[Points], seats: Sequence[int | None]) -> tuple[Points, ...]:
    """Each seat's sum over its colours; a colour played in rotation (seat `None`) scores for nobody."""
    totals: dict[int, Points] = {}
    for seat, value in zip(seats, points, strict=True):
        if seat is not None:
            totals[seat] = totals[seat] + value if seat in totals else value
    return tuple(totals[seat] for seat in sorted(totals))
