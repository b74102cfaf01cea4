"""The Nibble bots, weakest first. They see what a player sees, and a position and source give one move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from games.kit.chance import Source, choose
from games.kit.protocol import Analysis, Analyst, Bot, Candidate, Move, State
from games.kit.search import Ranks, TreeAnalyst, best_move
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


@dataclass(frozen=True, slots=True)
class Prover:
    """Searches, and near the end says of each move for certain whether it wins."""

    tree: TreeAnalyst
    last: int
    budget: int
    """As those of `Planner`."""

    def analyse(
        self,
        state: State,
        source: Source,
        *,
        playouts: int,
        also: Move | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> Analysis:
        found = self.tree.analyse(state, source, playouts=playouts, also=also, tell=tell)
        position = cast("Position", state)
        if position.left.bit_count() > self.last:
            return found
        try:
            return self._proven(position, found)
        except OutOfBudget:
            return found

    def _proven(self, position: Position, found: Analysis) -> Analysis:
        """The same with certain values, and with a winning move where the search had none."""
        proof, seat = Proof(self.budget), position.seat
        values = {True: (1.0, 0.0), False: (0.0, 1.0)}
        candidates = [
            replace(one, values=values[(seat == 0) != proof.wins(position.without(position.board.mask(cast("Take", one.move))))])
            for one in found.candidates
        ]
        if not any(one.values[seat] for one in candidates) and (winning := proof.winning(position)) is not None:
            take = position.board.take(winning)
            candidates.append(Candidate(take, values[seat == 0], 0.0, (take,)))
        candidates.sort(key=lambda one: -one.values[seat])
        return replace(found, values=candidates[0].values, candidates=tuple(candidates))


BOTS: Final[Mapping[str, Bot]] = {
    "beginner": Greedy(),
    "casual": FirstSight(blur=0.05),
    "skilled": Planner(Judgement(width=12), playouts=80, last=12, budget=500),
    "strong": Planner(Judgement(width=24), playouts=1800, last=18, budget=4000),
}
_GUIDE: Final = Judgement(width=24)
ANALYST: Final[Analyst] = Prover(TreeAnalyst(Ranks(_GUIDE, _GUIDE.values)), last=18, budget=4000)
