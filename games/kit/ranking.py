"""From keys to ranks: 1 is best, equal keys share a rank and the next one is skipped (1, 1, 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def rank(keys: Sequence[Any]) -> tuple[int, ...]:
    """The rank of each key, the highest first. A key is a score, or a tuple of a score and its tie-breaks."""
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def with_leavers(ranks: Sequence[int], left: Mapping[int, int]) -> tuple[int, ...]:
    """`ranks` with the seats that left behind all others, the one that left later above the one that left earlier.

    `left` maps a seat to the number of plies played when it left; seats that left at the same ply share a rank.
    The seats that stayed keep their order among themselves.
    """
    return rank([(0, left[seat]) if seat in left else (1, -place) for seat, place in enumerate(ranks)])
