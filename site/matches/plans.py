"""Conditional moves, carried out: what a seat planned answers for it as soon as its turn comes, in the transaction that brings the turn.

A plan is a list of branches `{"when": [texts], "play": text, "then": [branches]}`. `when` lists the moves that others make
before the seat is to move again, as it may read them; `*` stands for any move, and as the last one for all that come before
the seat's turn. What was drawn is in no condition: a draw that the seat can read ends its plan, for it could not reckon
with it. With every ply the plan is cut down to what is still possible, so that `Plan.ply` is always the ply it stands at;
where it is not, moves were taken back. Of a plan that ended `{"why", "ply", "text"}` is kept in place of the branches.

Nothing here is told to anybody but the seat's person: what a plan plays is a move like any other, made at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict
from uuid import NAMESPACE_OID, uuid5

from django.utils.translation import gettext

from games.kit.protocol import N_, RuleError
from matches.clock import Charge, Pace
from matches.models import Match, Plan, Seat
from matches.replay import Position
from matches.writing import append

ANY = "*"
"""Stands in a condition for any move."""
UNREAD = "=?"
"""A draw that a seat cannot read at all."""
AT_ONCE = Charge(used=0, lag=0, left=None)
"""What a planned move costs: no time."""
ENDS = {
    "played": N_("Your plan was played to its end at move {ply}."),
    "unforeseen": N_("Your plan ended at move {ply}: it had no answer to what was played."),
    "illegal": N_("Your plan ended at move {ply}: your answer {move} was not possible."),
    "drawn": N_("Your plan ended at move {ply}: something was drawn, so choose anew."),
    "back": N_("Your plan ended: moves were taken back."),
}
"""Why a plan ended, as its owner reads it."""

Play = Callable[[Position, str], list[Position]]
"""Plays a move's text in a position: the positions after it and after each draw it led to. Raises `RuleError`."""


class Branch(TypedDict):
    """If this is played, that is the answer; see the module."""

    when: list[str]
    play: str
    then: list[Branch]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is left of a seat's plan, and why it ended where it did."""

    branches: list[Branch]
    ended: str = ""

    @property
    def lines(self) -> int:
        """How many ways the plan can go."""
        return _leaves(self.branches)


def of(match: Match, seat: int) -> Standing:
    """The plan of a seat as it stands now. For the seat's own person only."""
    plan = Plan.objects.filter(match=match, seat=seat).first() if match.running else None
    if plan is None:
        return Standing([])
    if not isinstance(plan.tree, list):
        return Standing([], gettext(ENDS[plan.tree["why"]]).format(ply=plan.tree["ply"], move=plan.tree["text"]))
    return Standing(plan.tree) if plan.ply == match.ply else Standing([], gettext(ENDS["back"]))


def answer(match: Match, seats: Sequence[Seat], before: Position, steps: Sequence[Position], now: datetime, play: Play) -> None:
    """Let the plans at the table follow the plies that led from `before` through `steps`, and answer for whom it is the turn.

    Inside the transaction that holds the match's lock, so each answer is given exactly once. It ends, since plans do.
    """
    if match.pace == Pace.LIVE or not match.running:
        return
    plans = [plan for plan in Plan.objects.filter(match=match) if isinstance(plan.tree, list)]
    for plan in plans:
        if plan.ply != before.ply:
            _end(plan, "back", plan.ply)
    while True:
        for plan in plans:
            _follow(plan, steps)
        before = steps[-1] if steps else before
        due = _due(match, seats, plans)
        if due is None:
            break
        answering, branch = due
        try:
            steps = play(before, branch["play"])
        except RuleError:
            _end(answering, "illegal", before.ply, branch["play"])
            break
        answering.tree = branch["then"]
        intent = uuid5(NAMESPACE_OID, f"plan:{match.pk}:{match.version}")
        append(match, seats, before, steps, now, client_id=intent, cost=AT_ONCE)
    Plan.objects.bulk_update(plans, ["ply", "tree"])


def _due(match: Match, seats: Sequence[Seat], plans: Iterable[Plan]) -> tuple[Plan, Branch] | None:
    """The plan of the seat to move and the branch it answers by, where it may answer now."""
    if not match.running or match.to_move is None or match.paused_at is not None or seats[match.to_move].automatic:
        return None
    plan = next((plan for plan in plans if plan.seat == match.to_move and isinstance(plan.tree, list)), None)
    if plan is None:
        return None
    branch = next((branch for branch in plan.tree if _ready(branch)), None)
    if branch is None:
        _end(plan, "unforeseen", match.ply)
        return None
    return plan, branch


def _follow(plan: Plan, steps: Iterable[Position]) -> None:
    """Cut the plan down to what is still possible after these plies. Its own seat cannot move by hand while it has an answer."""
    for position in steps:
        if position.last is None or not isinstance(plan.tree, list):
            return
        plan.ply = position.ply
        text = position.state.visible(position.last.move, plan.seat)
        if position.last.seat == plan.seat:  # the answer just given
            if not plan.tree:
                _end(plan, "played", plan.ply)
        elif position.last.seat is not None:
            plan.tree = [left for branch in plan.tree if (left := _after(branch, text))]
            if not plan.tree:
                _end(plan, "unforeseen", plan.ply)
        elif text != UNREAD:
            _end(plan, "drawn", plan.ply)


def _after(branch: Branch, text: str) -> Branch | None:
    """What is left of the branch after another seat's move; `None` when that is not what it waits for."""
    first, rest = branch["when"][:1], branch["when"][1:]
    if first == [ANY] and not rest:
        return branch
    return {**branch, "when": rest} if first in ([ANY], [text]) else None


def _ready(branch: Branch) -> bool:
    return all(text == ANY for text in branch["when"])


def _end(plan: Plan, why: str, ply: int, text: str = "") -> None:
    plan.tree = {"why": why, "ply": ply, "text": text}


def _leaves(branches: Iterable[Branch]) -> int:
    return sum(_leaves(branch["then"]) or 1 for branch in branches)
