"""Bots against each other, as the tests of all bots need them."""

from __future__ import annotations

import time
from hashlib import sha256

from games.kit.chance import Source
from games.kit.checks import play_match
from games.kit.protocol import Bot, Game, Move, State
from tests.games.sources import source


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


def move_within_a_second(bot: Bot, state: State) -> Move:
    """What `bot` plays, asserting that it took less than a second of CPU time.

    A try that was too slow may have been the machine's doing, so two more are granted; the bot itself never varies.
    """
    times = []
    for _ in range(3):
        began = time.process_time()
        move = bot.choose(state, source("think"))
        times.append(time.process_time() - began)
        if times[-1] < 1:
            return move
    raise AssertionError(f"the fastest of three tries took {min(times):.2f} s")
