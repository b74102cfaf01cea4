"""Blockers! told cell by cell, as plainly as the rules read; shares no code with `games.blockers`.

It is told every ply and draw, keeps the match on its own, and says who is to move and which moves are legal.
"""

from __future__ import annotations

Cell = tuple[int, int]
ROWS, COLUMNS, SYMBOLS = "ABCDEFGHI", "123456789", "abcdefghi"
SET = [*ROWS, *COLUMNS, *SYMBOLS, "*"]
EVERY = [(row, column) for row in range(9) for column in range(9)]


def name(cell: Cell) -> str:
    return ROWS[cell[0]] + COLUMNS[cell[1]]


def count_groups(cells: set[Cell]) -> int:
    """How many sets of side-connected cells there are."""
    left, count = set(cells), 0
    while left:
        count += 1
        edge = [left.pop()]
        while edge:
            row, column = edge.pop()
            for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if near in left:
                    left.remove(near)
                    edge.append(near)
    return count


class Table:
    """A match by the plain rules."""

    def __init__(self, variant: str) -> None:
        kind, number = variant.split("-")
        self.seats = int(number)
        self.named = kind == "double"
        self.colours = "rygbp"[: self.seats * (2 if self.named else 1)]
        self.board: dict[Cell, tuple[str, str]] = {}
        self.rack: dict[str, list[str]] = {colour: [] for colour in self.colours}
        self.pile = {colour: list(SET) for colour in self.colours}
        self.taken: list[list[tuple[str, str]]] = [[] for _ in range(self.seats)]
        self.seat = 0

    def own(self, seat: int) -> list[str]:
        return [colour for index, colour in enumerate(self.colours) if index % self.seats == seat]

    def of(self, colour: str) -> set[Cell]:
        return {cell for cell, (there, _) in self.board.items() if there == colour}

    def allows(self, colour: str, tile: str, cell: Cell) -> bool:
        row, column = cell
        area = SYMBOLS[row // 3 * 3 + column // 3]
        if tile not in ("*", ROWS[row], COLUMNS[column], area):
            return False
        if cell not in self.board:
            return True
        there = self.board[cell][0]
        cells = self.of(there)
        return there != colour and count_groups(cells - {cell}) <= count_groups(cells)

    def legal(self, seat: int) -> set[str]:
        return {
            (f"{colour}:" if self.named else "") + f"{tile}@{name(cell)}"
            for colour in self.own(seat)
            if self.pile[colour] or len(self.rack[colour]) == 5
            for tile in self.rack[colour]
            for cell in EVERY
            if self.allows(colour, tile, cell)
        }

    def to_draw(self) -> list[str]:
        """The colours whose tiles must be drawn before the next move."""
        return [colour for colour in self.colours if len(self.rack[colour]) < 5 and self.pile[colour]]

    def drawn(self, text: str) -> None:
        for hand in text[1:].split(" "):
            colour, found = hand.split(":")
            for tile in found:
                self.pile[colour].remove(tile)
                self.rack[colour].append(tile)

    def placed(self, text: str) -> None:
        colour, _, rest = text.rpartition(":")
        colour = colour or self.colours[self.seat]
        tile, where = rest.split("@")
        cell = (ROWS.index(where[0]), COLUMNS.index(where[1]))
        if cell in self.board:
            self.taken[self.seat].append(self.board[cell])
        self.board[cell] = (colour, tile)
        self.rack[colour].remove(tile)

    def pass_on(self) -> int | None:
        """The next seat that can place, once draws are made; `None` when nobody can."""
        for step in range(1, self.seats + 1):
            seat = (self.seat + step) % self.seats
            if self.legal(seat):
                self.seat = seat
                return seat
        return None

    def scores(self) -> list[int]:
        return [
            sum(count_groups(self.of(colour)) for colour in self.own(seat))
            + max([self.taken_of(seat, colour) for colour in self.colours])
            for seat in range(self.seats)
        ]

    def taken_of(self, seat: int, colour: str) -> int:
        return sum(1 for there, _ in self.taken[seat] if there == colour)
