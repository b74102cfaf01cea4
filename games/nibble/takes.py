"""The legal takes of a position: per colour every set of blocks that may go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.nibble.board import Board, bits
from games.nibble.notation import Take


def takeable(board: Board, left: int) -> int:
    """The blocks that may be taken one by one, of the blocks `left`, which are connected."""
    found = 0
    for bit in bits(board.corners(left)):
        if not board.cuts(1 << bit, left):
            found |= 1 << bit
    return found


def together(board: Board, left: int, single: int) -> list[int]:
    """Every set of blocks of one colour that may be taken; `single` are those of the colour that may go alone.

    Taking a block makes no other of its colour a corner, as they never touch; and what cuts cannot be mended by taking
    more. So each part of a legal set is legal, and sets can be grown block by block.
    """
    found: list[int] = []
    grown = [(0, left, [1 << bit for bit in bits(single)])]
    while grown:
        taken, rest, joining = grown.pop()
        for index, block in enumerate(joining):
            if taken and board.cuts(block, rest):
                continue
            found.append(taken | block)
            if index + 1 < len(joining):
                grown.append((taken | block, rest ^ block, joining[index + 1 :]))
    return found


class Takes:
    """The legal takes: a collection of `Take`, kept as bitboards (see `games.kit.protocol.LegalMoves`)."""

    __slots__ = ("_board", "masks")

    def __init__(self, board: Board, blocks: Sequence[int], left: int) -> None:
        """`blocks` per colour, gone or not; `left` those still on the board."""
        self._board = board
        single = takeable(board, left) if left else 0
        self.masks: list[int] = [mask for own in blocks if own & single for mask in together(board, left, own & single)]
        """The blocks of each take, those of a colour one after another."""

    def __iter__(self) -> Iterator[Take]:
        return map(self._board.take, self.masks)

    def __len__(self) -> int:
        return len(self.masks)

    def __contains__(self, move: object, /) -> bool:
        if not isinstance(move, Take):
            return False
        mask = self._board.mask(move)
        return mask in self.masks and self._board.take(mask) == move

    def __getitem__(self, index: int, /) -> Take:
        return self._board.take(self.masks[index])
