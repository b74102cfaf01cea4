"""The four boards of Blokus and the bitboard arithmetic on them.

A bitboard is one whole number; the square (x, y) is bit y·stride + x. The stride is the size plus one: the spare
column is never free, so a connected piece that would wrap round an edge always meets it and does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from games.blokus.notation import Placement, cell_name
from games.blokus.pieces import ORIENTATION_OF, ORIENTATIONS, SQUARES, at_origin

_CLASSIC_STARTS: Final = {"blue": (0, 19), "yellow": (19, 19), "red": (19, 0), "green": (0, 0)}
_DUO_STARTS: Final = {"blue": (4, 9), "green": (9, 4)}
# The seat of each colour; `None` for a colour that the seats play in rotation.
_SEATS: Final[dict[str, tuple[int | None, ...]]] = {
    "classic-4": (0, 1, 2, 3),
    "classic-3": (0, 1, 2, None),
    "classic-2": (0, 1, 0, 1),
    "duo-2": (0, 1),
}


class Step(NamedTuple):
    """How an orientation grows from a smaller one, by one cell; the steps are in the order of `ORIENTATIONS`.

    All cells are counted from the *lead*, the leftmost cell of the lowest row, so a child's lead is its parent's.
    """

    parent: int
    """Index of an earlier orientation; the single square, the root, is its own parent."""
    shift: int
    """How many bits beyond the lead the added cell is."""
    piece_bit: int
    """The piece as a set of one, as in `Hand.pieces`."""
    lead: int
    """Column of the lead in the orientation's bounding box."""


class Board:
    """What never changes in a variant: size, colours in turn order, start squares, and precomputed shifts."""

    def __init__(self, variant: str) -> None:
        starts = _DUO_STARTS if variant == "duo-2" else _CLASSIC_STARTS
        self.variant: Final = variant
        self.size: Final = 14 if variant == "duo-2" else 20
        self.stride: Final = self.size + 1
        self.colours: Final = tuple(starts)
        self.seats: Final = _SEATS[variant]
        self.seat_count: Final = 1 + max(seat for seat in self.seats if seat is not None)
        self.starts: Final = tuple(1 << self.bit(x, y) for x, y in starts.values())
        self.any_start: Final = sum(self.starts)
        row = (1 << self.size) - 1
        self.squares: Final = sum(row << y * self.stride for y in range(self.size))
        self.masks: Final = tuple(sum(1 << self.bit(x, y) for x, y in shape.cells) for shape in ORIENTATIONS)
        self.steps: Final = _steps(self.stride)
        large = next(index for index, shape in enumerate(ORIENTATIONS) if SQUARES[shape.piece] == max(SQUARES))
        self.small_steps: Final = self.steps[1:large]
        """All but the root and the orientations from which nothing grows, which are the large ones."""
        self.large_steps: Final = self.steps[large:]

    def __repr__(self) -> str:
        return f"Board({self.variant!r})"

    def __reduce__(self) -> tuple[Callable[[str], Board], tuple[str]]:
        """Copies and pickles are the same board, so that positions stay equal."""
        return board_of, (self.variant,)

    def bit(self, x: int, y: int) -> int:
        """The index of the bit of a square."""
        return y * self.stride + x

    def holds(self, placement: Placement) -> bool:
        """Whether the whole placement lies on this board."""
        shape = ORIENTATIONS[placement.orientation]
        return 0 <= placement.x <= self.size - shape.width and 0 <= placement.y <= self.size - shape.height

    def mask(self, placement: Placement) -> int:
        """The squares that a placement on this board covers."""
        return self.masks[placement.orientation] << self.bit(placement.x, placement.y)

    def edges(self, squares: int) -> int:
        """All that touches `squares` along an edge; may include `squares` themselves."""
        stride = self.stride
        return (squares << 1 | squares >> 1 | squares << stride | squares >> stride) & self.squares

    def corners(self, squares: int) -> int:
        """All that touches `squares` corner to corner; may include neighbours and `squares` themselves."""
        beside = squares << 1 | squares >> 1
        return (beside << self.stride | beside >> self.stride) & self.squares

    def cells(self, squares: int) -> list[int]:
        """The squares of a bitboard as cell indices, row·size + column."""
        return [y * self.size + x for x, y in self._places(squares)]

    def names(self, squares: int) -> str:
        """The squares of a bitboard as people read them: `a1, c5`."""
        return ", ".join(cell_name(x, y) for x, y in self._places(squares))

    def _places(self, squares: int) -> list[tuple[int, int]]:
        return [(bit % self.stride, bit // self.stride) for bit in bits(squares)]


def bits(squares: int) -> Iterator[int]:
    """The indices of the bits that are set, lowest first."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def _steps(stride: int) -> tuple[Step, ...]:
    """Every orientation but the single square has a cell, not its lead, without which it is still a piece."""
    steps = [Step(0, 0, 1 << ORIENTATIONS[0].piece, 0)]
    for shape in ORIENTATIONS[1:]:
        lead, *others = shape.cells
        for added in others:
            parent = ORIENTATION_OF.get(at_origin(cell for cell in shape.cells if cell != added)[0])
            if parent is not None:
                shift = (added[1] - lead[1]) * stride + added[0] - lead[0]
                steps.append(Step(parent, shift, 1 << shape.piece, lead[0]))
                break
    return tuple(steps)


@cache
def board_of(variant: str) -> Board:
    """The one board of a variant, made when first asked for."""
    return Board(variant)
