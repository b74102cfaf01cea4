"""The end of a match worked out to the last block: who wins, whatever the other does."""

from __future__ import annotations

from collections.abc import Sequence

from games.nibble.board import Board
from games.nibble.rules import Position
from games.nibble.scoring import majorities
from games.nibble.takes import takeable, together


class OutOfBudget(Exception):
    """So many positions were looked at that the proof was given up."""


def settled(position: Position) -> int | None:
    """The seat that has won or cannot but win: it has most majorities, and the other cannot win at once any more."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.ranks.index(1)
    counts = position.counts(0), position.counts(1)
    for seat in (0, 1):
        most = 2 * len(majorities(position.board, counts[seat])) > position.board.each
        if most and not may_win_against(position.board, counts[seat]):
            return seat
    return None


def may_win_against(board: Board, rival: Sequence[int]) -> bool:
    """Whether a seat could still win at once if it got all blocks that are left; `rival` are the other seat's."""
    if not all(rival):
        return True
    spare = board.each - board.triple
    row = 0
    for count in rival:
        row = row + 1 if count <= spare else 0
        if row == 3:
            return True
    return False


def winning_take(position: Position) -> int | None:
    """A take that wins at once for the seat to move, as a bitboard, if there is one."""
    board = position.board
    own, rival = position.counts(position.seat), position.counts(1 - position.seat)
    needs = _needs(board, own, rival)
    single = takeable(board, position.left) if needs else 0
    for colour, need in needs.items():
        joining = single & position.blocks[colour]
        if joining.bit_count() >= need:
            for mask in together(board, position.left, joining):
                if mask.bit_count() >= need:
                    return mask
    return None


def _needs(board: Board, own: Sequence[int], rival: Sequence[int]) -> dict[int, int]:
    """How many blocks of one colour, by colour, would make a seat win at once."""
    needs = {colour: board.each - count for colour, count in enumerate(own) if not rival[colour]}
    reached = [count >= board.triple for count in own]
    for first in range(board.each - 2):
        if sum(reached[first : first + 3]) == 2:
            colour = first + reached[first : first + 3].index(False)
            needs[colour] = min(board.triple - own[colour], needs.get(colour, board.each))
    return needs


class Proof:
    """Looks for takes that win for certain, at no more than `budget` positions."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._known: dict[tuple[int, int, int], bool] = {}

    def winning(self, position: Position) -> int | None:
        """A take after which the seat to move wins whatever the other does; `None` if there is none.

        Raises `OutOfBudget` when that could not be found out.
        """
        at_once = winning_take(position)
        if at_once is not None:
            return at_once
        return next((mask for mask in self._ordered(position) if not self.wins(position.without(mask))), None)

    def wins(self, position: Position) -> bool:
        """Whether the seat to move wins."""
        key = position.left, position.taken[0], position.seat
        if key not in self._known:
            if len(self._known) >= self.budget:
                raise OutOfBudget
            winner = settled(position)
            wins = self.winning(position) is not None if winner is None else winner == position.seat
            self._known[key] = wins
        return self._known[key]

    def _ordered(self, position: Position) -> list[int]:
        """The takes, first those of colours in which the majority is near, many blocks before few."""
        own, rival = position.counts(position.seat), position.counts(1 - position.seat)
        majority = position.board.majority

        def promise(mask: int) -> int:
            colour = position.colour_of(mask)
            open_still = max(own[colour], rival[colour]) < majority
            return (10 + own[colour] + rival[colour] if open_still else 0) + mask.bit_count()

        return sorted(position.legal_moves().masks, key=promise, reverse=True)
