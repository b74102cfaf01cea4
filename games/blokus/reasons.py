"""Why one placement of Blokus is better than another, in a sentence: size, corners, room, and who is shut out.

Each difference between the two is weighed in squares, roughly as `games.blokus.judgement` does, and the greatest is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from games.blokus.board import Board
from games.blokus.notation import Placement
from games.blokus.pieces import ORIENTATIONS, PIECES, SINGLE, SQUARES
from games.blokus.rules import Position
from games.blokus.scoring import SINGLE_LAST_BONUS, squares_left
from games.blokus.story import name_of
from games.kit.protocol import N_, Move, Remark, State
from games.kit.story import Merit, most

_LEAST: Final = 0.4
"""Less is not worth a sentence."""
_SIZE: Final = 1.5
_OWN_CORNER: Final = 0.5
_RIVAL_CORNER: Final = 0.6
_ROOM: Final = 0.25
_RIVAL_ROOM: Final = 0.2
"""Per square within reach."""
_REACH: Final = 4
"""Room is what a colour reaches in so many steps from its corners."""
_PIECE_FITS: Final = 2.0
"""A kind of piece that can still be placed, when few are left."""
_FEW_PIECES: Final = 9
_STOPPED: Final = 12.0
"""Being able to go on at all, or not."""
_SINGLE: Final = 2.5
"""The single square, saved for the end."""
_OPENING: Final = 4
"""A colour heads for the middle with so many pieces."""
_STEP_TO_MIDDLE: Final = 0.8


class Front(NamedTuple):
    """How a colour can go on."""

    corners: int
    """How many squares there are of which its next piece must cover one."""
    room: int
    """How many free squares it reaches from there in a few steps."""
    fitting: int
    """How many of its pieces fit somewhere."""


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    position = cast("Position", state)
    seat = position.to_move
    if seat is None:
        return None
    one, other = cast("Placement", better), cast("Placement", played)
    after, instead = position.play(one), position.play(other)
    merits = [*_piece(position, one, other), *_middle(position, one, other)]
    for colour, hand in enumerate(position.hands):
        owner = position.board.seats[colour]
        if owner is None or not hand.pieces or hand.out:
            continue
        fronts = _front(after, colour), _front(instead, colour)
        merits += _own(after, colour, *fronts) if owner == seat else _rival(after, colour, *fronts)
    told = most(merits, _LEAST)
    return None if told is None else told._replace(seat=seat)


def _remark(kind: str, text: str, **names: object) -> Remark:
    return Remark(kind, text, tuple((name, value if isinstance(value, str) else str(value)) for name, value in names.items()))


def _front(position: Position, colour: int) -> Front:
    allowed = position.allowed(colour)
    front = position.corners(colour) & allowed
    reached = front
    for _ in range(_REACH):
        front = position.board.edges(front) & allowed & ~reached
        reached |= front
    fitting = {ORIENTATIONS[orientation].piece for orientation in position.placements(colour).orientations()}
    return Front((position.corners(colour) & allowed).bit_count(), reached.bit_count(), len(fitting))


def _piece(position: Position, better: Placement, played: Placement) -> Iterator[Merit]:
    """What the piece itself is worth; nothing of a colour that all play in turn."""
    colour = position.colour
    if colour is None or position.board.seats[colour] is None:
        return
    more, fewer = SQUARES[better.piece], SQUARES[played.piece]
    text = N_("It places a bigger piece: {more} squares instead of {fewer}.")
    yield _SIZE * (more - fewer), _remark("size", text, more=more, fewer=fewer)
    if played.piece == SINGLE != better.piece:
        text = N_("It saves the single square, which fits almost anywhere and as the very last piece is worth {points} more.")
        yield _SINGLE, _remark("single", text, points=SINGLE_LAST_BONUS)


def _middle(position: Position, better: Placement, played: Placement) -> Iterator[Merit]:
    """Early on, who is in the middle can go anywhere."""
    colour = position.colour
    if colour is None or len(PIECES) - position.hands[colour].pieces.bit_count() >= _OPENING:
        return
    near, far = _steps_to_middle(position.board, better), _steps_to_middle(position.board, played)
    text = N_("It heads for the middle; squares away from it: {near} instead of {far}.")
    yield _STEP_TO_MIDDLE * (far - near), _remark("middle", text, near=near, far=far)


def _steps_to_middle(board: Board, move: Placement) -> int:
    """How many squares lie between the placement and the four squares in the middle, in the direction where they are more."""
    low, high = board.size // 2 - 1, board.size // 2
    across = min(max(x - high, low - x, 0) for x, _ in move.cells)
    up = min(max(y - high, low - y, 0) for _, y in move.cells)
    return max(across, up)


def _own(after: Position, colour: int, front: Front, instead: Front) -> Iterator[Merit]:
    name, pieces = name_of(after, colour), after.hands[colour].pieces.bit_count()
    if front.fitting and not instead.fitting:
        text = N_("{colour} can go on afterwards; the move that was made leaves no place for any of its pieces.")
        yield _STOPPED, _remark("out", text, colour=name)
        return
    needs = _needs(after, colour)
    if pieces <= _FEW_PIECES:
        text = N_("More pieces of {colour} still fit afterwards: {this} instead of {other}.")
        yield _counted("fits", text, name, front.fitting, instead.fitting, _PIECE_FITS)
    text = N_("{colour} has more corners to go on from: {this} instead of {other}.")
    yield _counted("corners", text, name, front.corners, instead.corners, needs * _OWN_CORNER)
    text = N_("It opens more room for {colour}: {this} free squares within reach instead of {other}.")
    yield _counted("room", text, name, front.room, instead.room, needs * _ROOM)


def _rival(after: Position, colour: int, front: Front, instead: Front) -> Iterator[Merit]:
    name = name_of(after, colour)
    if instead.fitting and not front.fitting:
        yield _STOPPED, _remark("shut", N_("It shuts {colour} out: none of its pieces fits any more."), colour=name)
        return
    needs = _needs(after, colour)
    if after.hands[colour].pieces.bit_count() <= _FEW_PIECES:
        text = N_("It leaves {colour} fewer pieces that fit: {this} instead of {other}.")
        yield _counted("shut", text, name, front.fitting, instead.fitting, -_PIECE_FITS / 2)
    text = N_("It leaves {colour} fewer corners to go on from: {this} instead of {other}.")
    yield _counted("block", text, name, front.corners, instead.corners, -needs * _RIVAL_CORNER)
    text = N_("It cuts {colour} off; free squares within its reach: {this} instead of {other}.")
    yield _counted("cut", text, name, front.room, instead.room, -needs * _RIVAL_ROOM)


def _needs(position: Position, colour: int) -> float:
    """How much corners and room matter to a colour: less when it has little left to place."""
    return min(1.0, squares_left(position.hands[colour].pieces) / 20)


def _counted(kind: str, text: str, name: str, this: int, other: int, each: float) -> Merit:
    """A difference in something that is counted, each worth so much: more of it is better, or worse where `each` is negative."""
    return each * (this - other), _remark(kind, text, colour=name, this=this, other=other)
