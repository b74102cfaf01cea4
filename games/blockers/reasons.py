"""Why one placement of Blockers! is better than another, in a sentence: groups, captures, and who is kept apart."""

from __future__ import annotations

from typing import cast

from games.blockers.rules import Position
from games.kit.protocol import N_, Move, Remark, State
from games.kit.story import most


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    position = cast("Position", state)
    assert position.seat is not None
    fewer, more = (position.play(move).groups_of(position.seat) for move in (better, played))
    names = (("fewer", str(fewer)), ("more", str(more)))
    return most([(more - fewer, Remark("groups", N_("It leaves fewer groups: {fewer} instead of {more}."), names, position.seat))])
