"""How well a Nibble position stands and how good a take looks, for the bots.

The chance of a seat is put together from colours: if each block that is left went to either seat with even chances,
how likely would it have the majority of a colour, seven (ten) of it, all of it? From these follow the chances to win at
once and, if nobody does, to have most majorities. `_RESISTANCE` and `_OPENED` were found by matches between bots that
differed in them, 50 or 60 a value; a change of `_SHARPNESS` by half made no difference that so few matches show.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from heapq import nlargest
from math import comb, exp, sqrt
from operator import itemgetter
from typing import Final

from games.nibble.board import Board, bits
from games.nibble.endgame import settled, winning_take
from games.nibble.notation import Take
from games.nibble.rules import Position
from games.nibble.scoring import immediate_win

_DOUBT: Final = 0.4
"""Added to the variance of the number of majorities: even chances per block are only a guess."""
_SLOPE: Final = 1.7
"""Turns a lead in standard deviations into a chance, by the logistic curve that is nearest to the normal one."""
_RESISTANCE: Final = 0.9
"""A chance to win at once counts by so much, since the rival sees it coming and takes a block that it needs."""
_OPENED: Final = 0.1
"""How much of what a block is worth to the rival counts against the take that makes it a corner."""
_SHARPNESS: Final = 12.0
"""How much the search prefers what looks good: a chance better by 0.1 is 3.3 times the prior."""
Row = tuple[tuple[float, ...], ...]


class Odds:
    """Chances of a seat in one colour, by the blocks it has and those that its rival has: `majority[own][rival]`."""

    def __init__(self, each: int, majority: int, triple: int) -> None:
        self.majority: Final = _table(each, majority)
        self.triple: Final = _table(each, triple)
        self.all: Final = _table(each, each)


def _table(each: int, goal: int) -> Row:
    """By own and rival's blocks, how likely the seat comes to `goal` of `each` if all others are shared out by coin."""
    rows = []
    for own in range(each + 1):
        row = []
        for rival in range(each + 1 - own):
            free = each - own - rival
            ways = sum(comb(free, more) for more in range(max(0, goal - own), free + 1))
            row.append(ways / 2**free)
        rows.append(tuple(row))
    return tuple(rows)


@cache
def odds_of(board: Board) -> Odds:
    """The chances on a board, made when first asked for."""
    return Odds(board.each, board.majority, board.triple)


def chance(odds: Odds, own: Sequence[int], rival: Sequence[int]) -> float:
    """The chance that the seat with the blocks `own` of each colour wins against one with `rival`."""
    mean = variance = 0.0
    for mine, theirs in zip(own, rival, strict=True):
        likely = odds.majority[mine][theirs]
        mean += likely
        variance += likely * (1 - likely)
    lead = (mean - len(own) / 2) / sqrt(variance + _DOUBT)
    most = 1 / (1 + exp(-_SLOPE * lead))
    ours, others = _at_once(odds, own, rival), _at_once(odds, rival, own)
    return ours * (1 - others / 2) + (1 - ours) * (1 - others) * most


def _at_once(odds: Odds, own: Sequence[int], rival: Sequence[int]) -> float:
    """The chance of the seat with the blocks `own` to win at once."""
    neither = 1.0
    before = last = 0.0
    for mine, theirs in zip(own, rival, strict=True):
        reach = odds.triple[mine][theirs]
        neither *= 1 - _RESISTANCE * before * last * reach
        before, last = last, reach
        if not theirs:
            neither *= 1 - _RESISTANCE * odds.all[mine][0]
    return 1 - neither


def appeals(position: Position, masks: Sequence[int]) -> list[tuple[float, int]]:
    """Each of the legal takes `masks` with how good it looks: the seat's chance after it, less what it opens.

    A take that wins at once is worth 1.
    """
    board = position.board
    own, rival = position.counts(position.seat), position.counts(1 - position.seat)
    gains: dict[tuple[int, int], float] = {}
    prizes: dict[int, float] = {}
    corners, hopes = board.corners(position.left), chance(odds_of(board), rival, own)
    looks = []
    for mask in masks:
        colour, count = position.colour_of(mask), mask.bit_count()
        if (colour, count) not in gains:
            gains[colour, count] = _chance_with(board, own, rival, colour, count)
        appeal = gains[colour, count]
        opened = board.corners(position.left ^ mask) & ~corners if appeal < 1 else 0
        for bit in bits(opened):
            prize = position.colour_of(1 << bit)
            if prize not in prizes:
                prizes[prize] = _chance_with(board, rival, own, prize, 1) - hopes
            appeal -= _OPENED * prizes[prize]
        looks.append((appeal, mask))
    return looks


def _chance_with(board: Board, own: Sequence[int], rival: Sequence[int], colour: int, count: int) -> float:
    """The chance of a seat once it takes `count` blocks of a colour: 1 when that wins at once."""
    after = [*own[:colour], own[colour] + count, *own[colour + 1 :]]
    return 1.0 if immediate_win(board, after, colour) else chance(odds_of(board), after, rival)


class Judgement:
    """Steers the tree search (`games.kit.search.Guide`) through the `width` best-looking takes."""

    def __init__(self, width: int) -> None:
        self.width = width

    def candidates(self, state: Position) -> Sequence[tuple[Take, float]]:
        win = winning_take(state)
        if win is not None:
            return [(state.board.take(win), 1.0)]
        best = nlargest(self.width, appeals(state, state.legal_moves().masks), key=itemgetter(0))
        weights = [exp(_SHARPNESS * (appeal - best[0][0])) for appeal, _ in best]
        total = sum(weights)
        return [(state.board.take(mask), weight / total) for weight, (_, mask) in zip(weights, best, strict=True)]

    def values(self, state: Position) -> Sequence[float]:
        """Certain where the winner is, else by the chances of the seat to move."""
        winner = settled(state)
        if winner is None and winning_take(state) is not None:
            winner = state.seat
        if winner is not None:
            return (1.0, 0.0) if winner == 0 else (0.0, 1.0)
        likely = chance(odds_of(state.board), state.counts(0), state.counts(1))
        return likely, 1 - likely
