"""Blokus legality told square by square, as plainly as the rules read; shares no code with `games.blokus`."""

from __future__ import annotations

Cell = tuple[int, int]


def moved_to_origin(cells: frozenset[Cell]) -> frozenset[Cell]:
    left, bottom = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - bottom) for x, y in cells)


def beside(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def at_corners(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)]


def fixed_polyominoes(most: int = 5) -> set[frozenset[Cell]]:
    """All shapes of up to `most` connected squares, grown square by square."""
    grown = {frozenset({(0, 0)})}
    found = set(grown)
    for _ in range(most - 1):
        grown = {
            moved_to_origin(shape | {new})
            for shape in grown
            for cell in shape
            for new in beside(cell)
            if new not in shape
        }
        found |= grown
    return found


def kind(shape: frozenset[Cell]) -> frozenset[frozenset[Cell]]:
    """What a shape has in common with all its turned and flipped ways up."""
    ways = set()
    for _ in range(4):
        shape = moved_to_origin(frozenset((y, -x) for x, y in shape))
        ways |= {shape, moved_to_origin(frozenset((-x, y) for x, y in shape))}
    return frozenset(ways)


SHAPES = {shape: kind(shape) for shape in fixed_polyominoes()}


class Table:
    """Who covers which square, and what each colour has used up."""

    def __init__(self, size: int, starts: list[Cell], free_corners: bool) -> None:
        self.size, self.starts, self.free_corners = size, starts, free_corners
        self.own: list[set[Cell]] = [set() for _ in starts]
        self.used: list[set[frozenset[frozenset[Cell]]]] = [set() for _ in starts]

    def place(self, colour: int, cells: frozenset[Cell]) -> None:
        self.used[colour].add(kind(moved_to_origin(cells)))
        self.own[colour] |= cells

    def allows(self, colour: int, cells: frozenset[Cell]) -> bool:
        """Whether `colour`, if it were its turn, may cover exactly `cells`."""
        own = self.own[colour]
        if SHAPES[moved_to_origin(cells)] in self.used[colour]:
            return False
        if any(not (0 <= x < self.size and 0 <= y < self.size) for x, y in cells):
            return False
        if any(cell in taken for taken in self.own for cell in cells):
            return False
        if not own:
            return any(start in cells for start in (self.starts if self.free_corners else [self.starts[colour]]))
        if any(near in own for cell in cells for near in beside(cell)):
            return False
        return any(near in own for cell in cells for near in at_corners(cell))

    def legal(self, colour: int) -> set[frozenset[Cell]]:
        every = range(self.size)
        return {
            cells
            for shape in SHAPES
            for left in every
            for bottom in every
            if self.allows(colour, cells := frozenset((x + left, y + bottom) for x, y in shape))
        }
