"""What is worth telling of a match, ply by ply and in the reader's language: what the game tells of each, and who takes the lead.

Games tell only what everybody may know (see `games.kit.protocol.Game.events`), and scores are open, so this may be shown of a
match that runs, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext

from games.kit.protocol import Game, Move, State
from matches import words
from matches.replay import Position

LEAD = "lead"
Told = dict[str, Any]
"""`{"kind", "seat", "text"}`: a stable word, the seat that it is about or `None`, and a caption without a full stop."""


def story_of(rules: Game, positions: Sequence[Position]) -> list[list[Told]]:
    """Per ply what is worth telling of it; `positions` are the start and the one after each ply."""
    moves = [position.last.move for position in positions if position.last is not None]
    return tell(rules, [position.state for position in positions], moves)


def tell(rules: Game, states: Sequence[State], moves: Sequence[Move]) -> list[list[Told]]:
    """The same for states, the start first, and the plies between them."""
    told = [
        [{"kind": remark.kind, "seat": remark.seat, "text": words.say(remark)} for remark in rules.events(before, move, after)]
        for before, move, after in zip(states, moves, states[1:], strict=False)
    ]
    for ply, seat in lead_changes(states):
        told[ply - 1].append({"kind": LEAD, "seat": seat, "text": gettext("Takes the lead")})
    return told


def lead_changes(states: Sequence[State]) -> Iterator[tuple[int, int]]:
    """The plies, counted from 1, at which the lead goes from one seat to another for good enough, and the seat that has it then.

    Seats move one after another, so whoever has just scored is ahead for a while. A lead counts when it still stands
    after as many moves as there are seats, or at the end.
    """
    leaders = [_leader(state) for state in states]
    holder = None
    for ply in range(1, len(states)):
        leader = leaders[ply]
        if leader is None or leader == holder or not _stands(states[ply:], leaders[ply:]):
            continue
        if holder is not None:
            yield ply, leader
        holder = leader


def _leader(state: State) -> int | None:
    """The seat that is ahead of all others."""
    ranks = state.ranks()
    return ranks.index(1) if ranks.count(1) == 1 else None


def _stands(states: Sequence[State], leaders: Sequence[int | None]) -> bool:
    """Whether who leads in the first of these positions still does when the others have answered."""
    answers = len(states[0].ranks())
    for state, leader in zip(states, leaders, strict=True):
        if leader != leaders[0]:
            return False
        if state.to_move is None or not answers:
            return True
        answers -= isinstance(state.to_move, int)
    return False
