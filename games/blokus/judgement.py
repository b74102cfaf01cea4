"""How well a Blokus position stands and how good a placement looks, for the bots.

Both judgements rest on four ideas: place big pieces while there is room, keep corners from which to go on, take the
corners of others, and head for the middle early. The weights are in squares; they were found by matches between bots
that differed in one weight (`python -m tests.bench.duel` plays such matches).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from math import exp
from operator import itemgetter
from typing import Final

from games.blokus.board import Board
from games.blokus.notation import Placement
from games.blokus.pieces import ORIENTATIONS, PIECES, SQUARES
from games.blokus.rules import Position
from games.blokus.scoring import seat_scores, squares_left
from games.kit.standing import likely

# What a placement is worth at first sight.
_SIZE: Final = 2.0
_OWN_CORNER: Final = 0.35
_TAKEN_CORNER: Final = 2.0
_STEP_TO_MIDDLE: Final = 0.5
_OPENING: Final = 3
"""A colour heads for the middle with so many pieces."""

# What a position promises.
_CORNER: Final = 0.8
_ROOM: Final = 0.4
_REACH: Final = 4
"""Room is counted so many steps away from a corner."""
_LEAD: Final = 8.0
"""A lead of so many points is a value of about 0.73."""

_SHARPNESS: Final = 0.5
"""How much the search prefers what looks good: a square more is 1.65 times the prior."""


def appeals(position: Position, moves: Iterable[Placement]) -> Iterator[tuple[float, Placement]]:
    """Each of `moves`, legal in a position that is not over, with how good it looks, in squares."""
    if position.colour is None:
        return
    board, hand = position.board, position.hands[position.colour]
    stride = board.stride
    allowed = position.allowed(position.colour)
    corners = position.corners(position.colour) & allowed
    targets = _corners_of_rivals(position, position.colour)
    opening = len(PIECES) - hand.pieces.bit_count() < _OPENING
    for move in moves:
        mask = board.mask(move)
        beside = mask << 1 | mask >> 1
        left_open = allowed & ~(mask | beside | mask << stride | mask >> stride)
        own = (corners | beside << stride | beside >> stride) & left_open
        appeal = (
            _SIZE * SQUARES[move.piece] + _OWN_CORNER * own.bit_count() + _TAKEN_CORNER * (mask & targets).bit_count()
        )
        if opening:
            appeal -= _STEP_TO_MIDDLE * _steps_to_middle(board, move)
        yield appeal, move


def _corners_of_rivals(position: Position, colour: int) -> int:
    """The squares from which colours of other seats may go on."""
    seats = position.board.seats
    targets = 0
    for rival, hand in enumerate(position.hands):
        if seats[rival] != seats[colour] and not hand.out:
            targets |= position.corners(rival) & position.allowed(rival)
    return targets


def _steps_to_middle(board: Board, move: Placement) -> float:
    """How far the nearest side of the placement's bounding box is from the middle of the board."""
    shape = ORIENTATIONS[move.orientation]
    middle = (board.size - 1) / 2
    across = max(move.x - middle, middle - (move.x + shape.width - 1), 0)
    up = max(move.y - middle, middle - (move.y + shape.height - 1), 0)
    return max(across, up)


def promises(position: Position) -> list[float]:
    """The points each colour may hope for: those it has, and the more of what it has left the more room it has.

    Its room is the squares that it can reach from its corners in few steps, and before any other colour can.
    """
    allowed = [position.allowed(colour) for colour in range(len(position.hands))]
    fronts = [
        0 if hand.out else position.corners(colour) & allowed[colour] for colour, hand in enumerate(position.hands)
    ]
    hopes = [_CORNER * front.bit_count() for front in fronts]
    reached = 0
    for _ in range(_REACH):
        reached_before = reached
        for colour, front in enumerate(fronts):
            gained = front & ~reached_before
            hopes[colour] += _ROOM * gained.bit_count()
            reached |= gained
            fronts[colour] = position.board.edges(gained) & allowed[colour]
    return [
        hand.points + (left * (1 - exp(-hope / left)) if (left := squares_left(hand.pieces)) else 0)
        for hand, hope in zip(position.hands, hopes, strict=True)
    ]


def standing(position: Position) -> list[float]:
    """Per seat how it stands by what its colours are promised, from 0 to 1."""
    return likely(seat_scores(promises(position), position.board.seats), _LEAD)


class Judgement:
    """Steers the tree search (`games.kit.search.Guide`) through the `width` best-looking placements."""

    def __init__(self, width: int) -> None:
        self.width = width

    def candidates(self, state: Position) -> Sequence[tuple[Placement, float]]:
        best = nlargest(self.width, appeals(state, state.legal_moves()), key=itemgetter(0))
        weights = [exp(_SHARPNESS * (appeal - best[0][0])) for appeal, _ in best]
        total = sum(weights)
        return [(move, weight / total) for weight, (_, move) in zip(weights, best, strict=True)]

    def values(self, state: Position) -> Sequence[float]:
        """Per seat by how much its promise is ahead of the best of the others."""
        totals = seat_scores(promises(state), state.board.seats)
        leads = [total - max(totals[:seat] + totals[seat + 1 :]) for seat, total in enumerate(totals)]
        return [1 / (1 + exp(-lead / _LEAD)) for lead in leads]
