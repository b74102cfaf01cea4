"""What is worth telling of a ply of Blokus: who is shut out, who has placed everything, whose corners were taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from games.blokus.notation import Placement
from games.blokus.rules import COLOUR_NAMES, Position
from games.blokus.scoring import squares_left
from games.kit.protocol import N_, Label, Move, Remark, State

MANY_CORNERS: Final = 3
"""A placement that takes so many corners of a rival with one piece is told of."""


def events(before: State, ply: Move, after: State) -> tuple[Remark, ...]:
    """Colours shut out, last pieces, and corners taken from rivals; see `Game.events`."""
    old, new = cast("Position", before), cast("Position", after)
    if not isinstance(ply, Placement) or old.colour is None:
        return ()
    return (*_last_piece(old.colour, new), *_taken(old, ply), *_shut_out(old, new))


def name_of(position: Position, colour: int) -> Label:
    """What people call a colour."""
    return COLOUR_NAMES[position.board.colours[colour]]


def _last_piece(colour: int, after: Position) -> Iterator[Remark]:
    hand, seat = after.hands[colour], after.board.seats[colour]
    if hand.pieces:
        return
    text = N_("{colour} has placed all its pieces")
    if hand.single_last:
        text = N_("{colour} has placed all its pieces, the single square last")
    yield Remark("last", text, (("colour", name_of(after, colour)),), seat)


def _taken(before: Position, move: Placement) -> Iterator[Remark]:
    """Rivals' corners under the piece."""
    mask, seats, mover = before.board.mask(move), before.board.seats, before.to_move
    for rival, hand in enumerate(before.hands):
        if rival == before.colour or seats[rival] in (mover, None) or not hand.pieces:
            continue
        taken = (mask & before.corners(rival) & before.allowed(rival)).bit_count()
        if taken >= MANY_CORNERS:
            names = (("colour", name_of(before, rival)), ("count", str(taken)))
            yield Remark("block", N_("Takes {count} corners of {colour}"), names, mover)


def _shut_out(before: Position, after: Position) -> Iterator[Remark]:
    """Colours that could place a piece before and never can again, though they have some."""
    for colour, (old, new) in enumerate(zip(before.hands, after.hands, strict=True)):
        if not new.pieces or old.out or after.placements(colour) or not before.placements(colour):
            continue
        left = squares_left(new.pieces)
        names = (("colour", name_of(after, colour)), ("squares", str(left)))
        yield Remark("shut", N_("{colour} can place no more; squares left: {squares}"), names, after.board.seats[colour])
