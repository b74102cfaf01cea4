"""The Blokus bots, weakest first. They see what a player sees, and a position and source give one move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from games.blokus.judgement import Judgement, appeals, standing
from games.blokus.notation import Placement
from games.blokus.pieces import PIECES, SQUARES
from games.blokus.rules import Position
from games.kit.bots import FirstSight
from games.kit.chance import Source, choose
from games.kit.protocol import Analyst, Bot, State
from games.kit.search import Ranks, TreeAnalyst, best_move


class BigPieces:
    """Places any big piece anywhere: one of the biggest it can, or one square smaller."""

    def choose(self, state: State, source: Source) -> Placement:
        legal = list(cast("Position", state).legal_moves())
        biggest = max(SQUARES[move.piece] for move in legal)
        return choose([move for move in legal if SQUARES[move.piece] >= biggest - 1], source)


@dataclass(frozen=True, slots=True)
class Planner:
    """Looks ahead, with more playouts the further the match is, since they get cheaper as moves get fewer."""

    guide: Judgement
    first: int
    """Playouts for a first move."""
    last: int
    """Playouts when all pieces are placed."""

    def choose(self, state: State, source: Source) -> Placement:
        position = cast("Position", state)
        pieces = len(PIECES) * len(position.hands)
        placed = pieces - sum(hand.pieces.bit_count() for hand in position.hands)
        playouts = self.first + (self.last - self.first) * placed // pieces
        return cast("Placement", best_move(position, self.guide, source, playouts=playouts))


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": BigPieces(),
    "casual": FirstSight(lambda position: appeals(position, position.legal_moves()), blur=6.0),
    "skilled": Planner(Judgement(width=16), first=60, last=160),
    "strong": Planner(Judgement(width=24), first=400, last=2000),
}
ANALYST: Final[Analyst] = TreeAnalyst(Ranks(Judgement(width=24), standing))
