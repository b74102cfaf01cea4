"""Why one take of Nibble is better than another, in a sentence: majorities, threats, and what is left to the rival."""

from __future__ import annotations

from typing import cast

from games.kit.protocol import N_, Move, Remark, State
from games.kit.story import most
from games.nibble.notation import Take
from games.nibble.rules import Position


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    more, fewer = (len(cast("Take", move).cells) for move in (better, played))
    names = (("more", str(more)), ("fewer", str(fewer)))
    seat = cast("Position", state).seat
    return most([(more - fewer, Remark("many", N_("It takes more blocks: {more} instead of {fewer}."), names, seat))])
