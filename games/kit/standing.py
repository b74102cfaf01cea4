"""How a seat stands, from 0 (last) to 1 (first): the part of the other seats that it ends, or is likely to end, before.

The expected rank of a seat among `n` that stands at `v` is `1 + (n - 1)(1 - v)`, shared ranks counted as their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp


def likely(points: Sequence[float], lead: float) -> list[float]:
    """Per seat, where each may hope for so many points and the most wins; a lead of `lead` over a rival is a chance of 0.73."""
    return [
        sum(1 / (1 + exp((other - own) / lead)) for other in _others(points, seat)) / (len(points) - 1)
        for seat, own in enumerate(points)
    ]


def placed(ranks: Sequence[int]) -> list[float]:
    """Per seat when the match is over; who share a rank stand alike."""
    return [
        sum((other > own) + (other == own) / 2 for other in _others(ranks, seat)) / (len(ranks) - 1)
        for seat, own in enumerate(ranks)
    ]


def _others(values: Sequence[float], seat: int) -> list[float]:
    return [*values[:seat], *values[seat + 1 :]]
