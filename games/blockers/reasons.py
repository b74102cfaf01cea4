"""Why one placement of Blockers! is better than another, in a sentence: groups, captures, and who is kept apart.

Each difference between the two is weighed in points of the score, roughly as `games.blockers.judgement` does, and the
greatest is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from games.blockers.board import REACH, beside, groups, joints
from games.blockers.notation import TILES, WILD, Placement, bits, cell_name
from games.blockers.refusals import NAMES
from games.blockers.rules import Position
from games.blockers.story import joined
from games.kit.protocol import N_, Move, Remark, State
from games.kit.story import Merit, most

_LEAST: Final = 0.08
"""Less is not worth a sentence."""
_GROUP: Final = 0.75
_CAPTURED_MOST: Final = 1.0
"""One more tile of the colour that is captured most,"""
_CAPTURED_OTHER: Final = 0.3
"""and of another, which raises nothing yet."""
_LONE_TILE: Final = 0.4
"""To take a rival's group of one tile off its score."""
_BLOCK: Final = 0.3
"""To stand where groups of a rival could have met."""
_APART: Final = 0.3
"""A group that no single tile can join to another any more."""
_HOMELESS: Final = 0.12
"""A tile of the rack that fits beside none of its colour."""
_CELL: Final = 0.05
"""A free cell beside a group, where it may grow,"""
_RIVAL_CELL: Final = 0.04
"""and one beside a rival's."""
_WILD: Final = 0.5
"""The wild tile, which fits anywhere later, too."""


class Outlook(NamedTuple):
    """What a placement does."""

    move: Placement
    colour: int
    after: Position
    loser: int | None
    """The colour whose tile it captures."""

    @property
    def cell(self) -> str:
        return cell_name(self.move.cell)


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    position = cast("Position", state)
    seat = position.seat
    if seat is None or position.drawing is not None:
        return None
    one, other = (_outlook(position, seat, cast("Placement", move)) for move in (better, played))
    merits = [
        *_groups(position, seat, one, other),
        *_captures(position, seat, one, other),
        *_lone_tile(position, seat, one, other),
        *_kept_apart(position, seat, one, other),
        *_later(seat, one, other),
        *_room(position, seat, one, other),
    ]
    told = most(merits, _LEAST)
    return None if told is None else told._replace(seat=seat)


def _outlook(position: Position, seat: int, move: Placement) -> Outlook:
    there = position.cells[move.cell]
    loser = (there - 1) // len(TILES) if there else None
    return Outlook(move, seat if move.colour is None else move.colour, position.play(move), loser)


def _remark(kind: str, text: str, **names: object) -> Remark:
    return Remark(kind, text, tuple((name, value if isinstance(value, str) else str(value)) for name, value in names.items()))


def _groups(position: Position, seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Fewer groups of one's own."""
    fewer, more = better.after.groups_of(seat), played.after.groups_of(seat)
    meeting, name = joined(position, better.colour, better.move.cell), NAMES[better.colour]
    names: dict[str, object] = {"fewer": fewer, "more": more}
    text = N_("It leaves fewer groups: {fewer} instead of {more}.")
    if meeting > 1:
        text, names = N_("It joins {count} groups of {colour} on {cell}."), {"count": meeting, "colour": name, "cell": better.cell}
    elif meeting and not joined(position, played.colour, played.move.cell) and position.boards[played.colour]:
        text, names = N_("It stays beside {colour}, where the move that was made begins a new group."), {"colour": name}
    yield _GROUP * (more - fewer), _remark("groups", text, **names)


def _captures(position: Position, seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """What is captured counts, but only that of the colour captured most."""
    counts = position.captured_by_colour(seat)
    worth = _cost(counts, played.loser) - _cost(counts, better.loser)
    if played.loser is None:
        return
    now, then = max(better.after.captured_by_colour(seat)), max(played.after.captured_by_colour(seat))
    if better.loser is None:
        text = N_("It captures nothing; taking one more of {colour} costs a point.") if then > now else N_("It captures nothing.")
        yield worth, _remark("capture", text, colour=NAMES[played.loser])
    elif better.loser != played.loser:
        text = N_("It takes from {colour}, of which fewer are captured so far than of {other}: {count} instead of {more}.")
        names = {"colour": NAMES[better.loser], "other": NAMES[played.loser]}
        yield worth, _remark("capture", text, **names, count=counts[better.loser], more=counts[played.loser])


def _cost(counts: list[int], loser: int | None) -> float:
    if loser is None:
        return 0.0
    return _CAPTURED_MOST if counts[loser] == max(counts) else _CAPTURED_OTHER + 0.1 * counts[loser] / max(counts)


def _lone_tile(position: Position, seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """To capture a group of one tile does its owner a favour."""
    helped, instead = _lone(position, seat, better), _lone(position, seat, played)
    if instead is not None and helped is None:
        text = N_("It does not take the lone tile of {colour} on {cell}, which then has a group fewer.")
        yield _LONE_TILE, _remark("capture", text, colour=NAMES[instead], cell=played.cell)


def _lone(position: Position, seat: int, outlook: Outlook) -> int | None:
    """The rival's colour that loses a group of one tile."""
    if outlook.loser is None or position.setup.seats[outlook.loser] == seat:
        return None
    bit = 1 << outlook.move.cell
    return outlook.loser if bit in groups(position.boards[outlook.loser]) else None


def _kept_apart(position: Position, seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Cells where rivals' groups could have met."""
    for rival, cells in enumerate(position.boards):
        if position.setup.seats[rival] == seat:
            continue
        places = joints(cells)
        if places >> better.move.cell & 1 and not places >> played.move.cell & 1:
            meeting = joined(position, rival, better.move.cell)
            text = N_("It stands on {cell}, where {count} groups of {colour} could have met.")
            yield _BLOCK * (meeting - 1), _remark("block", text, cell=better.cell, count=meeting, colour=NAMES[rival])


def _later(seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """What can still become of one's own colours."""
    if played.move.tile == WILD != better.move.tile:
        yield _WILD, _remark("wild", N_("It keeps the wild tile, which fits anywhere, for later."))
    less, more = _apart(better.after, seat), _apart(played.after, seat)
    text = N_("It keeps the own groups near each other: single tiles could join them down to {less} instead of {more}.")
    yield _APART * (more - less), _remark("apart", text, less=less, more=more)
    name = NAMES[better.colour]
    stuck, others = _homeless(better), _homeless(played, better.colour)
    text = N_("More tiles of the rack then fit beside {colour}: without a place there are {less} instead of {more}.")
    yield _HOMELESS * (others - stuck), _remark("fits", text, colour=name, less=stuck, more=others)


def _apart(position: Position, seat: int) -> int:
    """How many groups there would be if every cell where two of a colour meet were filled."""
    found = 0
    for colour in position.setup.colours_of[seat]:
        cells = position.boards[colour]
        found += len(groups(cells | joints(cells) & position.free(colour)))
    return found


def _homeless(outlook: Outlook, colour: int | None = None) -> int:
    """How many tiles of the rack of a colour fit on no cell beside it."""
    colour = outlook.colour if colour is None else colour
    position = outlook.after
    near = beside(position.boards[colour]) & position.free(colour)
    return sum(not REACH[tile] & near for tile in bits(position.racks[colour]))


def _room(position: Position, seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Free cells beside groups."""
    for colour, name in enumerate(NAMES[: len(position.boards)]):
        this, other = _growth(better.after, colour), _growth(played.after, colour)
        if position.setup.seats[colour] == seat:
            text = N_("{colour} has more free cells to grow to: {this} instead of {other}.")
            yield _CELL * (this - other), _remark("room", text, colour=name, this=this, other=other)
        else:
            text = N_("It takes room from {colour}; free cells beside it: {this} instead of {other}.")
            yield _RIVAL_CELL * (other - this), _remark("cut", text, colour=name, this=this, other=other)


def _growth(position: Position, colour: int) -> int:
    """How many empty cells lie beside a colour."""
    empty = ~sum(position.boards)  # no cell is covered twice
    return (beside(position.boards[colour]) & empty).bit_count()
