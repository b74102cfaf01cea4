"""The Nibble bots, weakest first. They see what a player sees, and a position and source give one move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from games.kit.chance import Source, choose
from games.kit.protocol import Bot, State
from games.kit.search import best_move
from games.nibble.endgame import OutOfBudget, Proof
from games.nibble.judgement import Judgement, appeals
from games.nibble.notation import Take
from games.nibble.rules import Position


class Greedy:
    """Takes as many blocks at once as it can, or one fewer, whatever they are good for."""

    def choose(self, state: State, source: Source) -> Take:
        position = cast("Position", state)
        masks = position.legal_moves().masks
        most = max(map(int.bit_count, masks))
        return position.board.take(choose([mask for mask in masks if mask.bit_count() >= most - 1], source))


@dataclass(frozen=True, slots=True)
class FirstSight:
    """Takes what looks best without looking ahead, and misjudges each take by up to `blur`, a part of a win."""

    blur: float

    def choose(self, state: State, source: Source) -> Take:
        position = cast("Position", state)
        looks = [
            (appeal + self.blur * source.below(1000) / 1000, mask)
            for appeal, mask in appeals(position, position.legal_moves().masks)
        ]
        return position.board.take(max(looks)[1])


@dataclass(frozen=True, slots=True)
class Planner:
    """Looks ahead, and near the end works out whether it can win for certain."""

    guide: Judgement
    playouts: int
    last: int
    """With so many blocks left it looks for a proof."""
    budget: int
    """So many positions may be looked at for that."""

    def choose(self, state: State, source: Source) -> Take:
        position = cast("Position", state)
        if position.left.bit_count() <= self.last:
            try:
                proven = Proof(self.budget).winning(position)
            except OutOfBudget:
                proven = None
            if proven is not None:
                return position.board.take(proven)
        return cast("Take", best_move(position, self.guide, source, playouts=self.playouts))


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": Greedy(),
    "casual": FirstSight(blur=0.05),
    "skilled": Planner(Judgement(width=12), playouts=80, last=12, budget=500),
    "strong": Planner(Judgement(width=24), playouts=1800, last=18, budget=4000),
}
