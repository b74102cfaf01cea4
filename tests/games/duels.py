"""Bots against each other, as the tests of all bots need them."""

from __future__ import annotations

from hashlib import sha256

from games.kit.chance import Source
from games.kit.checks import play_match
from games.kit.protocol import Bot, Game, Move, State


class AnyMove:
    """Plays any legal move."""

    def choose(self, state: State, source: Source) -> Move:
        legal = state.legal_moves()
        return legal[source.below(len(legal))]


def wins(game: Game, variant: str, bot: Bot, rival: Bot, matches: int) -> float:
    """How many of `matches` for two the first bot wins, changing seats; an equal rank counts one half."""
    total = 0.0
    for number in range(matches):
        bots = [bot, rival] if number % 2 == 0 else [rival, bot]
        result = play_match(game, variant, bots, sha256(b"%d" % number).digest()).result
        assert result is not None
        own, other = result.ranks if number % 2 == 0 else reversed(result.ranks)
        total += (own < other) + (own == other) / 2
    return total
