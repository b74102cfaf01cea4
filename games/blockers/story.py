"""What is worth telling of a ply of Blockers!: captures, groups that meet and groups that are kept apart, last tiles.

It rests on the open board alone: racks and piles are hidden while a match runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from games.blockers.board import BESIDE, groups, joints
from games.blockers.notation import TILES, Placement, cell_name
from games.blockers.refusals import NAMES
from games.blockers.rules import Position
from games.kit.protocol import N_, Label, Move, Remark, State


def events(before: State, ply: Move, after: State) -> tuple[Remark, ...]:
    """Captures, groups joined, groups of rivals kept apart, and last tiles; see `Game.events`."""
    old, new = cast("Position", before), cast("Position", after)
    if not isinstance(ply, Placement) or new.last is None or old.seat is None:
        return ()
    seat, colour = old.seat, new.last.colour
    return (
        *_captured(old, new, seat),
        *_joined(old, colour, ply.cell, seat),
        *_kept_apart(old, colour, ply.cell, seat),
        *_last_tile(old, new, colour, seat),
    )


def _captured(before: Position, after: Position, seat: int) -> Iterator[Remark]:
    assert after.last is not None
    if not after.last.captured:
        return
    loser, tile = divmod(after.last.captured - 1, len(TILES))
    count = after.captured_by_colour(seat)
    text = N_("Captures the {tile} of {colour} on {cell}")
    if 1 < count[loser] == max(count) > max(before.captured_by_colour(seat)):
        text = N_("Captures the {tile} of {colour} on {cell}, now {count} of that colour")
    names = (("tile", tile_name(tile)), ("colour", NAMES[loser]), ("cell", cell_name(after.last.cell)), ("count", str(count[loser])))
    yield Remark("capture", text, names, seat)


def tile_name(tile: int) -> str:
    """What people call a tile: its letter, its number, or the name of what it shows."""
    text = TILES[tile]
    return _SHOWN.get(text, text)


_SHOWN: Final = {
    "a": Label(N_("sun")),
    "b": Label(N_("waves")),
    "c": Label(N_("leaf")),
    "d": Label(N_("pillar")),
    "e": Label(N_("fish")),
    "f": Label(N_("jug")),
    "g": Label(N_("moon")),
    "h": Label(N_("key")),
    "i": Label(N_("anchor")),
    "*": Label(N_("star")),
}


def joined(position: Position, colour: int, cell: int) -> int:
    """How many groups of `colour` meet on a cell."""
    return sum(bool(group & BESIDE[cell]) for group in groups(position.boards[colour]))


def _joined(before: Position, colour: int, cell: int, seat: int) -> Iterator[Remark]:
    count = joined(before, colour, cell)
    if count > 1:
        names = (("count", str(count)), ("colour", NAMES[colour]))
        yield Remark("join", N_("Joins {count} groups of {colour}"), names, seat)


def _kept_apart(before: Position, colour: int, cell: int, seat: int) -> Iterator[Remark]:
    """Rivals whose groups could have met on the cell, and that did not lie there themselves."""
    for rival, cells in enumerate(before.boards):
        if rival != colour and before.setup.seats[rival] != seat and joints(cells) >> cell & 1:
            names = (("colour", NAMES[rival]), ("cell", cell_name(cell)))
            yield Remark("block", N_("Stands between groups of {colour} on {cell}"), names, seat)


def _last_tile(before: Position, after: Position, colour: int, seat: int) -> Iterator[Remark]:
    """How many tiles a colour has placed is open, and so is when it stops."""
    if after.stopped(colour) and not before.stopped(colour):
        names = (("colour", NAMES[colour]), ("count", str(len(groups(after.boards[colour])))))
        yield Remark("last", N_("{colour} has placed its last tile; groups: {count}"), names, seat)
