"""What is worth telling of a ply of Azul: what a round's end brought to the boards, and how the match was decided."""

from __future__ import annotations

from collections.abc import Iterator
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
    found = [_of_step(seat, step) for seat, step in steps if not isinstance(step, Bonus)]
    for seat, (board, then) in enumerate(zip(old.boards, new.boards, strict=True)):
        found += _completed(seat, board, then)
    found += [_bonus(seat, step) for seat, step in steps if isinstance(step, Bonus)]
    return tuple(remark for remark in found if remark is not None)


def _steps(before: Position, ply: Move, after: Position) -> tuple[tuple[int, Step], ...]:
    """What this ply did at a round's end; a chosen column goes on with the end that a take began."""
    return after.tiling[len(before.tiling) :] if isinstance(ply, Column) else after.tiling if isinstance(ply, Take) else ()


def _of_step(seat: int, step: Tiled | Charged) -> Remark | None:
    """A tile or a floor that is big enough to be told of."""
    if isinstance(step, Charged):
        cost = -PENALTIES[len(step.floor)]
        return None if cost < BIG_FLOOR else Remark("floor", N_("The floor costs {points} points"), (("points", str(cost)),), seat)
    if step.points < BIG_TILE:
        return None
    return Remark("points", N_("One tile scores {points} points"), (("points", str(step.points)),), seat)


def _bonus(seat: int, step: Bonus) -> Remark:
    return Remark("bonus", _BONUSES[step.kind], (("points", str(step.points)), ("number", str(step.complete))), seat)


_BONUSES: Final = {
    "row": N_("Bonus for complete rows: {points} points ({number})"),
    "column": N_("Bonus for complete columns: {points} points ({number})"),
    "colour": N_("Bonus for complete colours: {points} points ({number})"),
}


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
