"""The Azul bots, weakest first. They see what a player sees, and a position and source give one move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from games.azul.judgement import Judgement, appeals
from games.azul.notation import Column, Take
from games.azul.rules import Position
from games.kit.chance import Source
from games.kit.protocol import Bot, State
from games.kit.search import best_move


@dataclass(frozen=True, slots=True)
class FirstSight:
    """Plays what looks best for its own board without looking ahead, and misjudges each move by up to `blur` points."""

    blur: float

    def choose(self, state: State, source: Source) -> Take | Column:
        blur = self.blur / 1000
        looks = [(appeal + blur * source.below(1000), move) for appeal, move in appeals(cast("Position", state))]
        return max(looks)[1]


@dataclass(frozen=True, slots=True)
class Planner:
    """Looks ahead, to the end of the round and, late in a round, into deals of the next one."""

    guide: Judgement
    playouts: int

    def choose(self, state: State, source: Source) -> Take | Column:
        position = cast("Position", state)
        return cast("Take | Column", best_move(position, self.guide, source, playouts=self.playouts))


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": FirstSight(blur=12.0),
    "casual": FirstSight(blur=1.0),
    "skilled": Planner(Judgement(width=10), playouts=70),
    "strong": Planner(Judgement(width=16), playouts=1000),
}
