"""Bots that need to know of a game only what its own judgement tells them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.kit.chance import Source
from games.kit.protocol import Move, State


@dataclass(frozen=True, slots=True)
class FirstSight:
    """Plays what looks best without looking ahead, and misjudges each move by up to `blur`."""

    appeals: Callable[[Any], Iterable[tuple[float, Any]]]
    """For a position how good each legal move looks, in the measure of `blur`, and the move. More is better."""
    blur: float

    def choose(self, state: State, source: Source) -> Move:
        blur = self.blur / 1000
        best: Move = max((appeal + blur * source.below(1000), move) for appeal, move in self.appeals(state))[1]
        return best
