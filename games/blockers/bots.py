"""The bots of Blockers!, weakest first. They see what a player sees, and a position and source give one move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from games.blockers.judgement import Judgement, appeals, standing
from games.blockers.notation import Placement
from games.blockers.rules import Position
from games.kit.bots import FirstSight
from games.kit.chance import Source
from games.kit.protocol import Analyst, Bot, State
from games.kit.search import Ranks, TreeAnalyst, best_move


@dataclass(frozen=True, slots=True)
class Planner:
    """Looks ahead in several worlds that differ in the tiles it has not seen."""

    guide: Judgement
    playouts: int
    """For two colours; fewer for more of them, since each takes its time to judge."""
    worlds: int

    def choose(self, state: State, source: Source) -> Placement:
        position = cast("Position", state)
        playouts = 4 * self.playouts // (2 + len(position.boards))
        move = best_move(position, self.guide, source, playouts=playouts, worlds=self.worlds)
        return cast("Placement", move)


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": FirstSight(appeals, blur=4.0),
    "casual": FirstSight(appeals, blur=2.0),
    "skilled": Planner(Judgement(width=8), playouts=60, worlds=6),
    "strong": Planner(Judgement(width=16), playouts=2000, worlds=24),
}
ANALYST: Final[Analyst] = TreeAnalyst(Ranks(Judgement(width=24), standing), worlds=24)
