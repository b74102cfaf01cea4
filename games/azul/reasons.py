"""Why one move of Azul is better than another, in a sentence: points, floor, bonuses, the next player's chances."""

from __future__ import annotations

from typing import cast

from games.azul.notation import Take
from games.azul.rules import Position
from games.azul.scoring import PENALTIES
from games.kit.protocol import N_, Move, Remark, State
from games.kit.story import most


def reason(state: State, better: Move, played: Move) -> Remark | None:
    """See `Game.reason`."""
    position = cast("Position", state)
    seat = position.to_move
    if not isinstance(seat, int) or not isinstance(better, Take) or not isinstance(played, Take):
        return None
    less, more = (-PENALTIES[len(position.play(move).boards[seat].floor)] for move in (better, played))
    names = (("less", str(less)), ("more", str(more)))
    return most([(more - less, Remark("floor", N_("The floor costs less: {less} instead of {more}."), names, seat))])
