"""The Azul bots, weakest first. They see what a player sees, and a position and source give one move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from games.azul.judgement import Judgement, appeals, standing
from games.azul.notation import Column, Take
from games.azul.rules import Position
from games.kit.bots import FirstSight
from games.kit.chance import Source
from games.kit.protocol import Analyst, Bot, State
from games.kit.search import Ranks, TreeAnalyst, best_move


@dataclass(frozen=True, slots=True)
class Planner:
    """Looks ahead, to the end of the round and, late in a round, into deals of the next one."""

    guide: Judgement
    playouts: int

    def choose(self, state: State, source: Source) -> Take | Column:
        position = cast("Position", state)
        return cast("Take | Column", best_move(position, self.guide, source, playouts=self.playouts))


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": FirstSight(appeals, blur=12.0),
    "casual": FirstSight(appeals, blur=1.0),
    "skilled": Planner(Judgement(width=10), playouts=70),
    "strong": Planner(Judgement(width=16), playouts=1000),
}
ANALYST: Final[Analyst] = TreeAnalyst(Ranks(Judgement(width=24), standing))
