"""What is worth telling of a ply of Azul: what a round's end brought to the boards, and how the match was decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from games.azul.boards import Board, Bonus, Charged, Step, Tiled
from games.azul.notation import SIZE, Column, Take
from games.azul.rules import Position
from games.azul.scoring import PENALTIES, ROWS, WALL_COLUMNS, occupied
from games.azul.tiles import COLOURS, LABELS
from games.kit.protocol import N_, Move, Remark, State

BIG_FLOOR: Final = 6
"""A floor that costs so much is told of,"""
BIG_TILE: Final = 7
"""and a tile that scores so much."""


def events(before: State, ply: Move, after: State) -> tuple[Remark, ...]:
    """Rows, columns and colours that were completed, big scores and big floors, and the bonuses; see `Game.events`."""
    old, new = cast("Position", before), cast("Position", after)
    steps = _steps(old, ply, new)
    found: list[Remark] = []
    for seat, (board, then) in enumerate(zip(old.boards, new.boards, strict=True)):
        own = [step for owner, step in steps if owner == seat]
        found += [*_scored(seat, own), *_completed(seat, board, then)]
    return (*found, *_bonuses(steps))


def _steps(before: Position, ply: Move, after: Position) -> tuple[tuple[int, Step], ...]:
    """What this ply did at a round's end; a chosen column goes on with the end that a take began."""
    return after.tiling[len(before.tiling) :] if isinstance(ply, Column) else after.tiling if isinstance(ply, Take) else ()


def _scored(seat: int, steps: Sequence[Step]) -> Iterator[Remark]:
    """The best tile and the floor, if they are big enough to be told of."""
    best = max((step.points for step in steps if isinstance(step, Tiled)), default=0)
    if best >= BIG_TILE:
        yield Remark("points", N_("One tile scores {points} points"), (("points", str(best)),), seat)
    cost = sum(-PENALTIES[len(step.floor)] for step in steps if isinstance(step, Charged))
    if cost >= BIG_FLOOR:
        yield Remark("floor", N_("The floor costs {points} points"), (("points", str(cost)),), seat)


def _bonuses(steps: Sequence[tuple[int, Step]]) -> Iterator[Remark]:
    """What complete rows, columns and colours bring each seat at the end."""
    seats = sorted({seat for seat, step in steps if isinstance(step, Bonus)})
    for seat in seats:
        total = sum(step.points for owner, step in steps if owner == seat and isinstance(step, Bonus))
        yield Remark("bonus", N_("Bonuses at the end: {points} points"), (("points", str(total)),), seat)


def _completed(seat: int, before: Board, after: Board) -> Iterator[Remark]:
    old, new = occupied(before.wall), occupied(after.wall)
    for number, (row, column) in enumerate(zip(ROWS, WALL_COLUMNS, strict=True), start=1):
        if new & row == row and old & row != row:
            yield Remark("row", N_("Row {row} is complete"), (("row", str(number)),), seat)
        if new & column == column and old & column != column:
            yield Remark("column", N_("Column {column} is complete"), (("column", str(number)),), seat)
    for colour in COLOURS:
        if after.wall[colour].bit_count() == SIZE > before.wall[colour].bit_count():
            yield Remark("colour", N_("All five {colour} tiles are on the wall"), (("colour", LABELS[colour]),), seat)
