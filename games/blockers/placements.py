"""The legal moves of one seat, kept as sets of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.blockers.notation import Placement, bits


class Targets(NamedTuple):
    """Where one tile may go."""

    colour: int
    tile: int
    cells: int
    """A set of cells, never empty."""


class Placements:
    """The legal moves of one seat; a `Placement` is made only when it is asked for."""

    __slots__ = ("_named", "targets")

    def __init__(self, targets: Sequence[Targets], *, named: bool) -> None:
        """`named`: moves name the colour."""
        self.targets = targets
        self._named = named

    def __len__(self) -> int:
        count = 0
        for _, _, cells in self.targets:
            count += cells.bit_count()
        return count

    def __bool__(self) -> bool:
        return bool(self.targets)

    def __iter__(self) -> Iterator[Placement]:
        for target in self.targets:
            yield from self.moves_of(target)

    def moves_of(self, target: Targets) -> Iterator[Placement]:
        """The moves of one tile."""
        colour = target.colour if self._named else None
        for cell in bits(target.cells):
            yield Placement(colour, target.tile, cell)

    def __getitem__(self, index: int) -> Placement:
        """The move that iteration yields as number `index`, from 0. Raises `IndexError`."""
        if index >= 0:
            for colour, tile, cells in self.targets:
                count = cells.bit_count()
                if index < count:
                    for _ in range(index):
                        cells &= cells - 1
                    return Placement(colour if self._named else None, tile, (cells & -cells).bit_length() - 1)
                index -= count
        raise IndexError("there are fewer legal moves")

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Placement) or move.cell < 0:
            return False
        return any(
            tile == move.tile and (colour if self._named else None) == move.colour and cells >> move.cell & 1
            for colour, tile, cells in self.targets
        )

    def __repr__(self) -> str:
        return f"<{len(self)} placements>"
