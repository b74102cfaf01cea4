"""How fast the rules of Nibble are. No other engine of it can be installed, so they are measured alone."""

from __future__ import annotations

from functools import partial
from typing import cast

from games.kit.chance import Source
from games.kit.checks import play_out
from games.kit.protocol import State
from games.kit.record import Record, replay
from games.nibble import GAME
from games.nibble.rules import Position
from games.nibble.takes import Takes
from tests.bench.rates import rates
from tests.games.sources import lines, source


def report() -> None:
    """Legal moves in the middle of a match of another engine, found afresh each time, and random whole matches."""
    print("nibble: there is no peer to compare with")
    randomness = source("bench nibble")
    for variant in GAME.variants:
        line = next(line for line in lines("records.jsonl") if line["variant"] == variant.key)
        states = list(replay(Record.from_json(line)))
        middle = cast("Position", states[len(states) // 2])
        found, drawn, played = rates(
            partial(Takes, middle.board, middle.blocks, middle.left),
            partial(states[0].draw, randomness),
            partial(match, states[1], randomness),
        )
        moves = len(middle.legal_moves())
        print(
            f"  {variant.key}: {1000 / found:.3f} ms for {moves} legal moves ({found * moves:,.0f} a second), "
            f"{played:.0f} random whole matches a second, {1000 / drawn:.1f} ms to draw a layout"
        )


def match(state: State, randomness: Source) -> None:
    for _ in play_out(state, randomness):
        pass
