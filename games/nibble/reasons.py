"""Why one take of Nibble is better than another, in a sentence: wins, majorities, threats, and what is left to the rival.

Each difference between the two is weighed in majorities, and the greatest is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from games.kit.protocol import N_, Label, Move, Remark, State
from games.kit.story import Merit, most
from games.nibble.board import COLOUR_NAMES
from games.nibble.endgame import settled, winning_take
from games.nibble.notation import Take
from games.nibble.rules import Position
from games.nibble.scoring import Threat, threats
from games.nibble.story import colour_name, three, won

_LEAST: Final = 0.05
"""Less is not worth a sentence."""
_WIN: Final = 100.0
_LOSS: Final = 50.0
_CERTAIN: Final = 20.0
_MAJORITY: Final = 1.0
_LEFT: Final = 0.6
"""A majority that the rival can take at once."""
_THREAT: Final = 2.5
"""A win at once, over the number of blocks that it is short of."""
_BLOCK: Final = 0.12
"""A block of a colour that is not decided yet."""
_OPENED: Final = 0.1
"""A block of such a colour that the rival may take thanks to the move."""


class Outlook(NamedTuple):
    """What a take leads to."""

    after: Position
    reply: int | None
    """A take with which the rival wins at once."""
    colour: int
    blocks: int
    """How many blocks are taken."""


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    position = cast("Position", state)
    if position.over or not position.blocks:
        return None
    one, other = _outlook(position, cast("Take", better)), _outlook(position, cast("Take", played))
    seat = position.seat
    merits = list(_at_once(seat, one, other))
    if one.after.win is None and other.after.win is None:
        merits += [
            *_majority(position, one, other),
            *_left(seat, one, other),
            *_threatened(seat, one, other),
            *_blocks(position, one, other),
            *_opened(position, one, other),
        ]
    told = most(merits, _LEAST)
    return None if told is None else told._replace(seat=seat)


def _outlook(position: Position, take: Take) -> Outlook:
    mask = position.board.mask(take)
    after = position.without(mask)
    return Outlook(after, None if after.over else winning_take(after), position.colour_of(mask), mask.bit_count())


def _remark(kind: str, text: str, **names: object) -> Remark:
    return Remark(kind, text, tuple((name, value if isinstance(value, str) else str(value)) for name, value in names.items()))


def _name(colour: int) -> Label:
    return Label(COLOUR_NAMES[colour])


def _at_once(seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Wins at once, of the mover and of the rival, and majorities that nobody can turn over any more."""
    if better.after.win is not None and played.after.win is None:
        remark = won(better.after.board, better.after.win, seat)
        text = N_("It wins at once, with all {colour} blocks.")
        if better.after.win.kind == "triple":
            text = N_("It wins at once, with {count} blocks each of {first}, {second} and {third}.")
        yield _WIN, remark._replace(text=text)
    if played.reply is not None and better.reply is None:
        names = {"blocks": played.after.board.names(played.reply), "colour": _name(played.after.colour_of(played.reply))}
        text = N_("The move that was made lets the rival win at once, by taking {colour} on {blocks}.")
        yield _LOSS, _remark("win", text, **names)
    if settled(better.after) == seat != settled(played.after):
        yield _CERTAIN, _remark("decided", N_("It makes the win certain: most majorities, and nothing the rival could do at once."))
    if settled(played.after) == 1 - seat and settled(better.after) != 1 - seat:
        yield _CERTAIN, _remark("decided", N_("It keeps the match open; after the move that was made the rival has won for certain."))


def _majority(position: Position, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """A majority that the take brings."""
    gains, instead = _gains(position, better), _gains(position, played)
    if gains and not instead:
        yield _MAJORITY, _remark("majority", N_("It wins the majority in {colour}."), colour=_name(better.colour))


def _gains(position: Position, outlook: Outlook) -> bool:
    majority, seat, colour = position.board.majority, position.seat, outlook.colour
    return position.counts(seat)[colour] < majority <= outlook.after.counts(seat)[colour]


def _left(seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Majorities that the rival can win with its next take."""
    now, then = _reachable(better.after, 1 - seat), _reachable(played.after, 1 - seat)
    for colour in sorted(then - now):
        if better.after.counts(1 - seat)[colour] < better.after.board.majority:
            text = N_("The move that was made lets the rival win the majority in {colour} with its next take.")
            yield _LEFT + 0.1 * (len(then) - len(now)), _remark("majority", text, colour=_name(colour))


def _reachable(position: Position, seat: int) -> set[int]:
    """The colours in which the seat to move can win the majority with one take."""
    counts, majority, found = position.counts(seat), position.board.majority, set()
    for mask in position.legal_moves().masks:
        colour = position.colour_of(mask)
        if counts[colour] < majority <= counts[colour] + mask.bit_count():
            found.add(colour)
    return found


def _threatened(seat: int, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Wins at once that come near, for either."""
    now, then = _threats(better.after), _threats(played.after)
    for key, threat in now.items():
        if threat.seat == seat and key not in then:
            yield _told(better.after, threat, N_("It threatens to take all {colour} blocks: {needs} more would do."), _TRIPLE_NEAR)
    for key, threat in then.items():
        if threat.seat != seat and key not in now:
            yield _told(better.after, threat, N_("It stops the rival, who is {needs} short of all {colour} blocks."), _TRIPLE_STOPPED)


_TRIPLE_NEAR: Final = N_("It threatens to reach {count} blocks each of {first}, {second} and {third}: {needs} more would do.")
_TRIPLE_STOPPED: Final = N_("It stops the rival, who is {needs} short of {count} blocks each of {first}, {second} and {third}.")


def _threats(position: Position) -> dict[tuple[int, str, str], Threat]:
    if position.over:
        return {}
    found = threats(position.board, [position.counts(0), position.counts(1)])
    return {(threat.seat, threat.kind, threat.colours): threat for threat in found}


def _told(position: Position, threat: Threat, text: str, triple: str) -> Merit:
    needs = sum(threat.needs)
    names: tuple[tuple[str, str], ...] = (("needs", str(needs)),)
    if threat.kind == "all":
        names += (("colour", colour_name(position.board, threat.colours)),)
    else:
        text, names = triple, names + three(position.board, threat.colours)
    return _THREAT / needs, Remark("threat", text, names)


def _open(position: Position, colour: int) -> bool:
    """Whether nobody has the majority of the colour yet."""
    return max(position.counts(0)[colour], position.counts(1)[colour]) < position.board.majority


def _blocks(position: Position, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Blocks of colours that are still to be won."""
    majority, seat = position.board.majority, position.seat
    more, fewer = (outlook.blocks * _open(position, outlook.colour) for outlook in (better, played))
    has = better.after.counts(seat)[better.colour]
    if played.blocks and not _open(position, played.colour) and more:
        text = N_("It takes {colour}, which is not decided yet, rather than {other}, whose majority is.")
        yield _BLOCK * (more + 1), _remark("many", text, colour=_name(better.colour), other=_name(played.colour))
    elif better.blocks > played.blocks:
        text = N_("It takes more blocks: {more} instead of {fewer}.")
        yield _BLOCK * (more - fewer), _remark("many", text, more=better.blocks, fewer=played.blocks)
    near, far = _nearness(position, better), _nearness(position, played)
    text = N_("It comes nearer to the majority in {colour}: {count} blocks of the {majority} that it takes.")
    yield near - far, _remark("many", text, colour=_name(better.colour), count=has, majority=majority)


def _nearness(position: Position, outlook: Outlook) -> float:
    """What a take does for a majority: the more, the nearer both seats are to it. Nothing where it is decided."""
    colour, seat = outlook.colour, position.seat
    if not _open(position, colour):
        return 0.0
    own, rival = outlook.after.counts(seat)[colour], outlook.after.counts(1 - seat)[colour]
    return 0.4 * outlook.blocks * (own + rival) / position.board.each / position.board.majority


def _opened(position: Position, better: Outlook, played: Outlook) -> Iterator[Merit]:
    """Blocks of colours not decided yet that only the take lets the rival have."""
    less, more = _newly(position, better), _newly(position, played)
    if more > less:
        text = N_("It opens fewer blocks for the rival: {less} instead of {more} of colours that are not decided yet.")
        yield _OPENED * (more - less), _remark("opened", text, less=less, more=more)


def _newly(position: Position, outlook: Outlook) -> int:
    before = {mask for mask in position.legal_moves().masks if mask & (mask - 1) == 0}
    new = [mask for mask in outlook.after.legal_moves().masks if mask & (mask - 1) == 0 and mask not in before]
    return sum(_open(outlook.after, outlook.after.colour_of(mask)) for mask in new)
