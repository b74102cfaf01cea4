"""Lets two bot levels play each other and prints how it went.

    python -m tests.bench.duel blokus duo-2 strong skilled 40

The levels take the seats in turn and change seats with every match; matches come in pairs with the same secret. In
variants of more seats a level's rank and score are means over its seats. The better rank wins and counts 1, an equal
one ½. CPU time is that of `choose` alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from statistics import fmean

from games import registry
from games.kit.chance import Source
from games.kit.checks import play_match
from games.kit.protocol import Bot, Game, Move, State


@dataclass
class Timed:
    """A bot and how long its moves took, in seconds."""

    bot: Bot
    times: list[float] = field(default_factory=list)

    def choose(self, state: State, source: Source) -> Move:
        start = time.process_time()
        move = self.bot.choose(state, source)
        self.times.append(time.process_time() - start)
        return move

    def __str__(self) -> str:
        return f"{1000 * sum(self.times) / len(self.times):.0f} ms a move, at most {1000 * max(self.times):.0f} ms"


def duel(game: Game, variant: str, levels: tuple[str, str], matches: int) -> str:
    """What `levels` did against each other, in a line for people."""
    bots = [Timed(game.bot(level)) for level in levels]
    seats = game.variant(variant).seats
    wins, lead = 0.0, 0.0
    for number in range(matches):
        sides = [(seat + number) % 2 for seat in range(seats)]
        record = play_match(game, variant, [bots[side] for side in sides], sha256(b"%d" % (number // 2)).digest())
        if record.result is None:
            raise RuntimeError("the match has no end")
        ranks, scores = _means(record.result.ranks, sides), _means(record.result.scores, sides)
        wins += (ranks[0] < ranks[1]) + (ranks[0] == ranks[1]) / 2
        lead += (scores[0] - scores[1]) / matches
    return (
        f"{variant}: {levels[0]} {wins:g} of {matches} against {levels[1]}, {lead:+.1f} points; {bots[0]} / {bots[1]}"
    )


def _means(numbers: Sequence[int], sides: Sequence[int]) -> list[float]:
    """Per side the mean of the numbers of its seats."""
    return [fmean(number for number, side in zip(numbers, sides, strict=True) if side == at) for at in (0, 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("game", "variant", "level", "rival"):
        parser.add_argument(name)
    parser.add_argument("matches", type=int, nargs="?", default=40)
    given = parser.parse_args()
    print(duel(registry.get(given.game), given.variant, (given.level, given.rival), given.matches))


if __name__ == "__main__":
    main()
