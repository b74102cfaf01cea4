"""The three boards of Nibble and the bitboard arithmetic on them.

A bitboard is one whole number; the cell (x, y) is bit y·stride + x. The stride is one more than the widest row: the
spare column never holds a block, so a shift that wraps round an edge finds nothing there. A hexagon is kept
slanted: x and y are its axial coordinates q and r, and a row's cells start where q + r allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from math import sqrt
from typing import Final

from games.kit.protocol import N_
from games.nibble.notation import COLOURS, Cell, Take, cell_name

COLOUR_NAMES: Final = (
    N_("white"),
    N_("yellow"),
    N_("orange"),
    N_("red"),
    N_("pink"),
    N_("purple"),
    N_("blue"),
    N_("teal"),
    N_("green"),
    N_("lime"),
    N_("brown"),
    N_("grey"),
    N_("black"),
)
"""What people call the colours, in the order of the colour table."""
_SQUARE_SIDES: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
_HEX_SIDES: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_HEX_SIZE: Final = 8


class Board:
    """What never changes in a variant: its cells, neighbours and the numbers that win."""

    def __init__(self, variant: str) -> None:
        shape, _, count = variant.partition("-")
        self.variant: Final = variant
        self.hex: Final = shape == "hex"
        self.size: Final = _HEX_SIZE if self.hex else int(count)
        self.width: Final = 2 * _HEX_SIZE - 1 if self.hex else self.size
        self.stride: Final = self.width + 1
        self.each: Final = int(count)
        """How many colours there are, and how many blocks of each; all of them win."""
        self.triple: Final = 7 if self.each == 9 else 10
        """So many of each of three colours in a row on the table win."""
        self.majority: Final = self.each // 2 + 1
        self.colours: Final = COLOURS[: self.each]
        self.sides: Final = _HEX_SIDES if self.hex else _SQUARE_SIDES
        """The steps to the neighbours in turning order."""
        self.rows: Final = tuple(self._row(y) for y in range(self.width))
        """The cells of each row, from the lowest; together they are in the order of their indices."""
        self.cells: Final = tuple(cell for row in self.rows for cell in row)
        self.all: Final = sum(1 << self.bit(cell) for cell in self.cells)
        self.steps: Final = tuple(y * self.stride + x for x, y in self.sides)
        """How many bits each neighbour is away."""
        self.neighbours: Final = tuple(self._neighbours(cell) for cell in self.cells)
        """Per cell the indices of the cells at its sides."""
        self._blocks: Final = {cell: 1 << self.bit(cell) for cell in self.cells}
        self._index: Final = {self.bit(cell): index for index, cell in enumerate(self.cells)}
        self._cell_of: Final = {self.bit(cell): cell for cell in self.cells}

    def __repr__(self) -> str:
        return f"Board({self.variant!r})"

    def __reduce__(self) -> tuple[Callable[[str], Board], tuple[str]]:
        """Copies and pickles are the same board, so that positions stay equal."""
        return board_of, (self.variant,)

    def _row(self, y: int) -> tuple[Cell, ...]:
        least = max(0, _HEX_SIZE - 1 - y) if self.hex else 0
        most = min(self.width, 3 * _HEX_SIZE - 2 - y) if self.hex else self.width
        return tuple((x, y) for x in range(least, most))

    def _neighbours(self, cell: Cell) -> tuple[int, ...]:
        beside = [(cell[0] + dx, cell[1] + dy) for dx, dy in self.sides]
        return tuple(self.cells.index(near) for near in beside if near in self.cells)

    def bit(self, cell: Cell) -> int:
        """The index of the bit of a cell."""
        return cell[1] * self.stride + cell[0]

    def mask(self, take: Take) -> int:
        """The blocks of a take, those off this board left out."""
        mask = 0
        for cell in take.cells:
            mask |= self._blocks.get(cell, 0)
        return mask

    def holds(self, cell: Cell) -> bool:
        """Whether this board has the cell."""
        return cell in self._blocks

    def take(self, mask: int) -> Take:
        """The take of the blocks of a bitboard."""
        return Take(tuple(self._cell_of[bit] for bit in bits(mask)))

    def indices(self, mask: int) -> list[int]:
        """The cells of a bitboard as indices into `cells`, ascending."""
        return [self._index[bit] for bit in bits(mask)]

    def names(self, mask: int) -> str:
        """The cells of a bitboard as people read them: `a1, c5`."""
        return ", ".join(cell_name(self._cell_of[bit]) for bit in bits(mask))

    def centre(self, cell: Cell) -> tuple[float, float]:
        """Where the middle of a cell is, in cell widths, y up, the leftmost and lowest middles at 0."""
        x, y = cell
        if not self.hex:
            return x, y
        return x + y / 2 - (_HEX_SIZE - 1) / 2, y * sqrt(3) / 2

    def beside(self, cells: int) -> int:
        """All that touches `cells` along a side; may include cells of `cells`, and bits outside the board."""
        found = 0
        for step in self.steps:
            found |= cells << step if step > 0 else cells >> -step
        return found

    def corners(self, blocks: int) -> int:
        """The blocks that have two adjacent free sides, on a hexagon three consecutive ones."""
        free = [blocks & ~(blocks >> step if step > 0 else blocks << -step) for step in self.steps]
        if not self.hex:
            east, north, west, south = free
            return (east | west) & (north | south)
        a, b, c, d, e, f = free
        return a & b & (c | f) | c & d & (b | e) | e & f & (d | a)

    def reach(self, start: int, blocks: int) -> int:
        """The blocks that hang together with `start`, a part of `blocks`."""
        reached = start
        while True:
            grown = (reached | self.beside(reached)) & blocks
            if grown == reached:
                return reached
            reached = grown

    def connected(self, blocks: int) -> bool:
        """Whether the blocks are one group; none at all is fine."""
        return self.reach(blocks & -blocks, blocks) == blocks

    def groups(self, blocks: int) -> list[int]:
        """The connected groups, the largest first."""
        found = []
        while blocks:
            found.append(self.reach(blocks & -blocks, blocks))
            blocks ^= found[-1]
        return sorted(found, key=int.bit_count, reverse=True)

    def cuts(self, corner: int, blocks: int) -> bool:
        """Whether `blocks`, which are connected, would fall apart without `corner`: one of their corners, as its bit.

        The neighbours of a corner lie in a row. Mostly they touch, or the block between them joins them on the spot;
        only where that is missing must the way round be looked for.
        """
        rest = blocks ^ corner
        near = self.beside(corner) & rest
        first = near & -near
        others = near ^ first
        if not others:
            return False
        if self.hex:
            if others & (others - 1) or self.beside(first) & others:
                return False
        elif self.beside(first) & self.beside(others) & rest:
            return False
        reached = first
        while others & ~reached:
            grown = (reached | self.beside(reached)) & rest
            if grown == reached:
                return True
            reached = grown
        return False


def bits(mask: int) -> Iterator[int]:
    """The indices of the bits that are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@cache
def board_of(variant: str) -> Board:
    """The one board of a variant, made when first asked for."""
    return Board(variant)
