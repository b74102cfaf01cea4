"""Why one placement of Blokus is better than another, in a sentence: size, corners, room, and who is shut out."""

from __future__ import annotations

from typing import cast

from games.blokus.notation import Placement
from games.blokus.pieces import SQUARES
from games.kit.protocol import N_, Move, Remark, State
from games.kit.story import most


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    more, fewer = (SQUARES[cast("Placement", move).piece] for move in (better, played))
    names = (("more", str(more)), ("fewer", str(fewer)))
    return most([(more - fewer, Remark("size", N_("It places a bigger piece: {more} squares instead of {fewer}."), names))])
