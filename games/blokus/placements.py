"""The legal moves of one colour, found for all squares of the board at once.

A piece is grown cell by cell from a smaller one. Shifting the bitboard of allowed squares by the added cell's offset
and intersecting it with the smaller piece's result gives every square where the bigger one fits; the union of shifted
corner squares tells where it touches one. So 91 steps of a few operations find all moves, without a table of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.blokus.board import Board, bits
from games.blokus.notation import Placement


class Placements:
    """The legal moves of one colour, kept as bitboards; a `Placement` is made only when it is asked for."""

    __slots__ = ("_board", "_leads")

    def __init__(self, board: Board, allowed: int, corners: int, pieces: int) -> None:
        """`allowed` are the squares a piece may cover, `corners` those of which it must cover one."""
        self._board = board
        # Pairs of an orientation and the bitboard, never empty, of the squares where its lead may lie.
        self._leads = _find_leads(board, allowed, corners & allowed, pieces)

    def __len__(self) -> int:
        count = 0
        for _, leads in self._leads:
            count += leads.bit_count()
        return count

    def __bool__(self) -> bool:
        return bool(self._leads)

    def __iter__(self) -> Iterator[Placement]:
        for orientation, leads in self._leads:
            for bit in bits(leads):
                yield self._placement(orientation, bit)

    def __getitem__(self, index: int) -> Placement:
        """The move that iteration yields as number `index`, from 0. Raises `IndexError`."""
        if index >= 0:
            for orientation, leads in self._leads:
                count = leads.bit_count()
                if index < count:
                    for _ in range(index):
                        leads &= leads - 1
                    return self._placement(orientation, (leads & -leads).bit_length() - 1)
                index -= count
        raise IndexError("there are fewer legal moves")

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Placement) or not self._board.holds(move):
            return False
        lead = self._board.bit(move.x + self._board.steps[move.orientation].lead, move.y)
        return any(orientation == move.orientation and leads >> lead & 1 for orientation, leads in self._leads)

    def orientations(self) -> list[int]:
        """Those that fit somewhere, as indices into `ORIENTATIONS`."""
        return [orientation for orientation, _ in self._leads]

    def __repr__(self) -> str:
        return f"<{len(self)} placements>"

    def _placement(self, orientation: int, bit: int) -> Placement:
        y, x = divmod(bit, self._board.stride)
        return Placement(orientation, x - self._board.steps[orientation].lead, y)


def _find_leads(board: Board, allowed: int, corners: int, pieces: int) -> list[tuple[int, int]]:
    """Per orientation of `pieces` the squares where its lead may lie: all cells allowed, one of them a corner."""
    if not corners:
        return []
    root = board.steps[0]
    found = [(0, corners)] if root.piece_bit & pieces else []
    fits, touches = [allowed], [corners]
    for index, (parent, shift, piece_bit, _) in enumerate(board.small_steps, start=1):
        fit = fits[parent] & allowed >> shift
        touch = touches[parent] | corners >> shift
        fits.append(fit)
        touches.append(touch)
        if piece_bit & pieces and fit & touch:
            found.append((index, fit & touch))
    for index, (parent, shift, piece_bit, _) in enumerate(board.large_steps, start=len(fits)):
        # Nothing grows from a piece of the largest size, so one that is not at hand need not be looked at.
        if piece_bit & pieces and fits[parent]:
            leads = fits[parent] & allowed >> shift & (touches[parent] | corners >> shift)
            if leads:
                found.append((index, leads))
    return found
