"""How well a position of Blockers! stands and how good a placement looks, for the bots.

Both judgements are in points of the final score. The weights of the first were fitted to what positions of matches
between bots came to in the end, and then held against others in matches between bots that differed in one weight; those
of the second were set by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from math import exp
from operator import itemgetter
from typing import Final

from games.blockers.board import BESIDE, REACH, beside, bridges, groups, joints
from games.blockers.notation import TILES, WILD, Placement, bits
from games.blockers.rules import Position
from games.blockers.setup import PLACED, RACK
from games.kit.standing import likely

# What a group costs in the end: so much now, so much less (or more) when all tiles are still to be placed.
_GROUP: Final = 0.75
_GROUP_EARLY: Final = -0.6
_APART: Final = 0.25
"""What a group costs that no single tile can join to another."""
_APART_EARLY: Final = 0.45
_HOMELESS: Final = 0.1
"""What a tile costs that is still to be placed and fits beside no tile of its colour."""
_LEAD: Final = 1.5
"""A lead of so many points is a value of about 0.73."""
_TIE_BREAK: Final = 0.02

# What a placement is worth at first sight.
_JOIN: Final = 1.0
_TAKE: Final = 1.0
"""The cost of one more tile of the colour captured most."""
_TAKE_OTHER: Final = 0.35
_TAKE_SINGLE: Final = 0.3
"""The cost of taking a group of one tile off an opponent's score."""
_BLOCK: Final = 0.3
"""For every group that could have been joined to others on this cell, and no longer can."""
_SPARE_WILD: Final = 0.5
_SHARPNESS: Final = 2.0
"""How much the search prefers what looks good: a point more is 7.4 times the prior."""


def appeals(position: Position) -> Iterator[tuple[float, Placement]]:
    """Each legal placement with how good it looks."""
    setup, boards = position.setup, position.boards
    if position.seat is None:
        return
    counts = position.captured_by_colour(position.seat)
    takes = [_TAKE if count == max(counts) else _TAKE_OTHER for count in counts]
    mine = setup.colours_of[position.seat]
    blocked = [joints(cells) if colour not in mine else 0 for colour, cells in enumerate(boards)]
    legal = position.legal_moves()
    for target in legal.targets:
        own = groups(boards[target.colour])
        spare = _SPARE_WILD if target.tile == WILD else 0.0
        for move in legal.moves_of(target):
            bit, near = 1 << move.cell, BESIDE[move.cell]
            appeal = -_JOIN - spare
            for group in own:
                if group & near:
                    appeal += _JOIN
            there = position.cells[move.cell]
            if there:
                loser = (there - 1) // len(TILES)
                appeal -= takes[loser]
                if not boards[loser] & near:
                    appeal += _JOIN if loser in mine else -_TAKE_SINGLE
            for cells in blocked:
                if cells & bit:
                    appeal += _BLOCK
            yield appeal, move


def prospects(position: Position) -> list[float]:
    """The groups that each colour may expect to have in the end."""
    held = [bridges(cells) for cells in position.boards]
    every = 0
    for cells in held:
        every |= cells
    found = []
    for colour, cells in enumerate(position.boards):
        count = len(groups(cells))
        unplaced = position.racks[colour] | position.piles[colour]
        early = (unplaced.bit_count() - RACK + 1) / PLACED
        if position.seat is None or not early:
            found.append(float(count))
            continue
        free = ~(every | cells)
        apart = len(groups(cells | joints(cells) & free))
        beside_own = beside(cells) & free
        homeless = sum(not REACH[tile] & beside_own for tile in bits(unplaced))
        found.append(
            count * (_GROUP + _GROUP_EARLY * early) + apart * (_APART + _APART_EARLY * early) + homeless * _HOMELESS
        )
    return found


def expected_scores(position: Position) -> list[float]:
    """The score that each seat may expect to have in the end."""
    setup = position.setup
    groups_of = prospects(position)
    rivals = len(setup.colours) - (0 if setup.named else 1)
    early = 0.0 if position.seat is None else 1 - position.progress() / 100
    scores = []
    for seat in range(setup.seat_count):
        counts = position.captured_by_colour(seat)
        # Early on it matters less which colour a seat has captured most than how many tiles it took in all.
        captured = (1 - early) * max(counts) + early * sum(counts) / rivals
        groups_held = sum(groups_of[colour] for colour in setup.colours_of[seat])
        scores.append(groups_held + captured + _TIE_BREAK * sum(counts))
    return scores


def standing(position: Position) -> list[float]:
    """Per seat how it stands by the scores to expect, of which the lowest wins, from 0 to 1."""
    return likely([-score for score in expected_scores(position)], _LEAD)


class Judgement:
    """Steers the tree search (`games.kit.search.Guide`) through the `width` best-looking placements."""

    def __init__(self, width: int) -> None:
        self.width = width

    def candidates(self, state: Position) -> Sequence[tuple[Placement, float]]:
        best = nlargest(self.width, appeals(state), key=itemgetter(0))
        weights = [exp(_SHARPNESS * (appeal - best[0][0])) for appeal, _ in best]
        total = sum(weights)
        return [(move, weight / total) for weight, (_, move) in zip(weights, best, strict=True)]

    def values(self, state: Position) -> Sequence[float]:
        """Per seat by how much it expects to be ahead of the best of the others."""
        scores = expected_scores(state)
        leads = [min(scores[:seat] + scores[seat + 1 :]) - score for seat, score in enumerate(scores)]
        return [1 / (1 + exp(-lead / _LEAD)) for lead in leads]
