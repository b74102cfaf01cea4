"""A seat's own board: its lines, its floor, its wall, and what becomes of them when a round ends (rules: Azul)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from games.azul.notation import FLOOR, SIZE
from games.azul.scoring import (
    EMPTY_WALL,
    FLOOR_PLACES,
    PENALTIES,
    ROWS,
    WALL_COLUMNS,
    Wall,
    coloured_column,
    occupied,
    place,
    points,
    runs,
)
from games.azul.tiles import COLOURS, FIELD, LETTERS, NO_TILE, ONE, colour_of, count, heap_of

MARKER: Final = "*"
"""The starting marker on the floor."""
TARGETS: Final = SIZE + 1
"""Where a take may go: the lines and the floor."""
_TARGETS_OF_LINE: Final = tuple(sum(1 << TARGETS * colour + line for colour in COLOURS) for line in range(TARGETS))
_EVERYWHERE: Final = (1 << TARGETS * len(COLOURS)) - 1
FULL_LINE: Final = tuple({(line + 1) * ONE[colour]: colour for colour in COLOURS} for line in range(SIZE))
"""Per line its colour by the heap that fills it."""


class Tiled(NamedTuple):
    """A line's tile went to the wall. `across` and `down` are the runs that were counted."""

    line: int
    colour: int
    column: int
    across: int
    down: int
    points: int


class Charged(NamedTuple):
    """The floor was paid for."""

    floor: str
    points: int
    """What the score fell by, as a negative number; less than the penalty when the score reached 0."""


class Bonus(NamedTuple):
    """Complete rows, columns or colours at the end of the match."""

    kind: str
    """`row`, `column` or `colour`."""
    complete: int
    points: int


Step = Tiled | Charged | Bonus


class Board(NamedTuple):
    """What lies before a seat. Lines, rows and columns count from 0."""

    score: int = 0
    wall: Wall = EMPTY_WALL
    lines: tuple[int, ...] = (NO_TILE,) * SIZE
    """A heap per line, of one colour."""
    floor: str = ""
    """Colour letters and perhaps the marker, in the order of the floor's places."""
    open: int = _EVERYWHERE
    """Where takes may go: bit 6·colour + line. It follows from the rest and saves finding it before every move."""

    def line_colour(self, line: int) -> int | None:
        """The colour of the tiles on a line."""
        return colour_of(self.lines[line])

    def has_colour(self, row: int, colour: int) -> bool:
        """Whether that row of the wall has a tile of `colour`."""
        return bool(self.wall[colour] & ROWS[row])

    def room(self, line: int, colour: int) -> int:
        """How many more tiles of `colour`, which the line accepts, fit on it."""
        return line + 1 - count(self.lines[line], colour)

    def put(self, colour: int, tiles: int, line: int, *, marker: bool) -> tuple[Board, int]:
        """This board after a take of so many tiles to an open line or the floor, and the heap that goes to the lid.

        The marker comes first; when the floor is full it has no place there.
        """
        score, wall, lines, floor, targets = self
        if marker and len(floor) < FLOOR_PLACES:
            floor += MARKER
        if line != FLOOR:
            heap = lines[line]
            fills = line + 1 - count(heap, colour)
            only = 0
            if tiles < fills:
                fills = tiles
                only = 1 << TARGETS * colour + line
            lines = (*lines[:line], heap + fills * ONE[colour], *lines[line + 1 :])
            targets = targets & ~_TARGETS_OF_LINE[line] | only
            tiles -= fills
        spilt = len(floor) + tiles - FLOOR_PLACES
        if spilt < 0:
            spilt = 0
        floor += LETTERS[colour] * (tiles - spilt)
        return Board(score, wall, lines, floor, targets), spilt * ONE[colour]

    def columns(self, line: int, colour: int, *, grey: bool) -> tuple[int, ...]:
        """Where the tile of a full line may go, from the left."""
        return _columns(self.wall, line, colour) if grey else (coloured_column(line, colour),)

    def tile(self, line: int, column: int) -> tuple[Board, Tiled, int]:
        """The board with the tile of a full line in that column, the points for it, and what goes to the lid."""
        colour = FULL_LINE[line][self.lines[line]]
        across, down = runs(occupied(self.wall), line, column)
        scored = points(across, down)
        masks = list(self.wall)
        masks[colour] |= place(line, column)
        wall: Wall = (masks[0], masks[1], masks[2], masks[3], masks[4])
        board = Board(self.score + scored, wall, _emptied(self.lines, line), self.floor, self.open)
        return board, Tiled(line, colour, column, across, down, scored), line * ONE[colour]

    def drop(self, line: int) -> tuple[Board, int]:
        """The board with the tiles of a full line on the floor, and what goes to the lid."""
        colour = FULL_LINE[line][self.lines[line]]
        return self._replace(lines=_emptied(self.lines, line)).put(colour, line + 1, FLOOR, marker=False)

    def charge(self) -> tuple[Board, Charged | None, int]:
        """The board with its floor paid for and cleared, and what goes to the lid. A score never falls below 0."""
        targets = _open(self.wall, self.lines)
        if not self.floor:
            return self._replace(open=targets), None, NO_TILE
        score = max(0, self.score + PENALTIES[len(self.floor)])
        step = Charged(self.floor, score - self.score)
        return Board(score, self.wall, self.lines, "", targets), step, heap_of(self.floor)


class Settled(NamedTuple):
    """A board when its round ends, as far as no column has to be chosen."""

    board: Board
    steps: tuple[Step, ...]
    lid: int
    """The heap that goes to the lid."""
    line: int | None
    """The line whose tile has more than one column to go to; the floor is charged only after that."""


def settle(board: Board, grey: bool) -> Settled:
    """The end of a round on one board: the full lines from the top, then the floor."""
    steps: list[Step] = []
    lid = NO_TILE
    for line in range(SIZE):
        colour = FULL_LINE[line].get(board.lines[line])
        if colour is None:
            continue
        columns = board.columns(line, colour, grey=grey)
        if len(columns) > 1:
            return Settled(board, tuple(steps), lid, line)
        if columns:
            board, tiled, discarded = board.tile(line, columns[0])
            steps.append(tiled)
        else:
            board, discarded = board.drop(line)
        lid += discarded
    board, charged, discarded = board.charge()
    if charged is not None:
        steps.append(charged)
    return Settled(board, tuple(steps), lid + discarded, None)


@lru_cache(maxsize=1 << 12)
def forecast(board: Board, grey: bool) -> tuple[Board, tuple[Tiled, ...]]:
    """The board if the round ended now, without bonuses, and the tiles that would go to its wall.

    Where a column may be chosen, each tile goes where it scores most at once, furthest left of equals.
    """
    tiles: list[Tiled] = []
    settled = settle(board, grey)
    while True:
        tiles += [step for step in settled.steps if isinstance(step, Tiled)]
        if settled.line is None:
            return settled.board, tuple(tiles)
        full, line = settled.board, settled.line
        columns = full.columns(line, FULL_LINE[line][full.lines[line]], grey=grey)
        board, tiled, _ = max((full.tile(line, column) for column in columns), key=lambda way: way[1].points)
        tiles.append(tiled)
        settled = settle(board, grey)


def _emptied(lines: tuple[int, ...], line: int) -> tuple[int, ...]:
    return (*lines[:line], NO_TILE, *lines[line + 1 :])


@lru_cache(maxsize=1 << 12)
def _columns(wall: Wall, row: int, colour: int) -> tuple[int, ...]:
    """The columns of the grey side that are free in `row` and have no tile of `colour`."""
    places = occupied(wall)
    return tuple(
        column for column in range(SIZE) if not places & place(row, column) and not wall[colour] & WALL_COLUMNS[column]
    )


def _open(wall: Wall, lines: tuple[int, ...]) -> int:
    """Where takes may go: bit 6·colour + line; the floor for all colours."""
    targets = _EVERYWHERE
    for line, heap in enumerate(lines):
        for colour in COLOURS:
            if heap & ~FIELD[colour] or wall[colour] & ROWS[line] or heap in FULL_LINE[line]:
                targets &= ~(1 << TARGETS * colour + line)
    return targets
