"""Nibble legality told cell by cell, as plainly as the rules read; shares no code with `games.nibble`."""

from __future__ import annotations

from itertools import combinations

Cell = tuple[int, int]
AROUND = {
    "square": [(1, 0), (0, 1), (-1, 0), (0, -1)],
    "hex": [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)],
}


class Table:
    """The blocks that are left: cell to colour letter, cells as column (q) and row (r) from 1."""

    def __init__(self, shape: str, layout: str) -> None:
        self.shape = shape
        self.blocks: dict[Cell, str] = {}
        for row, letters in enumerate(reversed(layout.removeprefix("=").split("/")), start=1):
            columns = range(1, len(letters) + 1) if shape == "square" else range(max(1, 9 - row), min(15, 23 - row) + 1)
            assert len(columns) == len(letters)
            self.blocks.update(((column, row), letter) for column, letter in zip(columns, letters, strict=True))

    def take(self, cells: frozenset[Cell]) -> None:
        for cell in cells:
            del self.blocks[cell]

    def sides(self, cell: Cell) -> list[Cell]:
        return [(cell[0] + dx, cell[1] + dy) for dx, dy in AROUND[self.shape]]

    def is_corner(self, cell: Cell) -> bool:
        free = [side not in self.blocks for side in self.sides(cell)]
        run = 2 if self.shape == "square" else 3
        return any(all(free[(first + step) % len(free)] for step in range(run)) for first in range(len(free)))

    def has_free_sides(self, cell: Cell, count: int) -> bool:
        """The other way to read the rule: free sides anywhere."""
        return sum(side not in self.blocks for side in self.sides(cell)) >= count

    def stays_whole_without(self, taken: frozenset[Cell]) -> bool:
        rest = set(self.blocks) - taken
        if not rest:
            return True
        seen, fresh = set[Cell](), [next(iter(rest))]
        while fresh:
            cell = fresh.pop()
            if cell in rest and cell not in seen:
                seen.add(cell)
                fresh += self.sides(cell)
        return seen == rest

    def legal(self, *, anywhere: bool = False) -> set[frozenset[Cell]]:
        """Every set of blocks of one colour that are corners and leave the rest in one piece."""
        corners: dict[str, list[Cell]] = {}
        for cell, colour in self.blocks.items():
            if self.has_free_sides(cell, 2) if anywhere else self.is_corner(cell):
                corners.setdefault(colour, []).append(cell)
        return {
            frozenset(chosen)
            for cells in corners.values()
            for count in range(1, len(cells) + 1)
            for chosen in combinations(cells, count)
            if self.stays_whole_without(frozenset(chosen))
        }
