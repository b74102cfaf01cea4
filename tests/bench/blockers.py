"""How fast the rules of Blockers! are. No other engine of it can be installed, so they are measured alone."""

from __future__ import annotations

from functools import partial
from typing import cast

from games.blockers import GAME
from games.blockers.board import bridges, groups
from games.blockers.placements import Placements
from games.blockers.rules import Position
from games.kit.chance import Source
from games.kit.checks import play_out
from games.kit.protocol import State
from games.kit.record import Record, replay
from tests.bench.rates import rates
from tests.games.sources import lines, source


def report() -> None:
    """Legal moves in the middle of a match of another engine, with nothing remembered, and random whole matches."""
    print("blockers: there is no peer to compare with")
    randomness = source("bench blockers")
    for variant in GAME.variants:
        line = next(line for line in lines("records.jsonl") if line["variant"] == variant.key)
        states = [cast("Position", state) for state in replay(Record.from_json(line))]
        middle = next(state for state in states[len(states) // 2 :] if isinstance(state.to_move, int))
        found, played = rates(partial(legal_moves, middle), partial(match, states[0], randomness))
        moves = len(middle.legal_moves())
        print(
            f"  {variant.key}: {1000 / found:.3f} ms for {moves} legal moves ({found * moves:,.0f} a second), "
            f"{played:.0f} random whole matches a second"
        )


def legal_moves(position: Position) -> Placements:
    """The legal moves of the seat to move, found afresh."""
    groups.cache_clear()
    bridges.cache_clear()
    assert position.seat is not None
    return position.placements(position.seat)


def match(state: State, randomness: Source) -> None:
    for _ in play_out(state, randomness):
        pass
