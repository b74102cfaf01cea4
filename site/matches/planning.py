"""Conditional moves, made: reading a plan, checking as much of it as its owner may know, and looking ahead on the board.

Where a game hides nothing, every line is played through in the present position, until a `*` or a draw makes it unknown.
Where it hides something no move of others is tried out: what would be refused could tell what they hold. Such a plan is
read as text, and whether an answer is possible shows when its turn comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from games.kit.protocol import CHANCE, N_, Game, Hides, State
from matches.clock import Pace
from matches.errors import MatchError, MatchOver, NotNow, NotSeated, StalePly
from matches.models import Match, Plan, Seat
from matches.plans import ANY, Branch
from matches.replay import position_of
from matches.services import read_move
from matches.writing import locked, seated

MOST_ANSWERS = 200
DEEPEST = 12
"""Own moves in one line of a plan."""
LONGEST_CONDITION = 12
"""Moves of others between two of one's own."""
LONGEST_LINE = DEEPEST * (LONGEST_CONDITION + 1)
FIELDS = {"when", "play", "then"}


class BadPlan(MatchError):
    code = "bad_plan"
    sentence = N_("This is not a plan. Build it on this page.")


@dataclass(frozen=True, slots=True)
class Imagined:
    """A position that a plan may lead to; `closed` when nothing can be planned from there."""

    state: State
    plies: int
    closed: bool


def check(match: Match, seat: Seat) -> None:
    """Raise why that seat cannot plan now: `NotSeated`, `MatchOver`, `NotNow`."""
    if seat.automatic:
        raise NotSeated
    if not match.running:
        raise MatchOver
    if match.pace == Pace.LIVE:
        raise NotNow(N_("Moves are planned in running matches over days or without a clock."))
    if match.to_move == seat.number:
        raise NotNow(N_("It is your turn. Move first; then plan how to answer."))


def has_plans(match: Match, seat: Seat) -> bool:
    """Whether the seat can have a plan in this match, be it that it cannot make one during its own turn."""
    return match.running and match.pace != Pace.LIVE and not seat.automatic


def may_plan(match: Match, seat: int | None) -> bool:
    """Whether that seat could make a plan now. No query when the match is loaded with its seats."""
    if seat is None:
        return False
    try:
        check(match, match.seats.all()[seat])
    except MatchError:
        return False
    return True


def is_open(state: State) -> bool:
    """Whether the game hides nothing, so that lines may be tried out."""
    return not isinstance(state, Hides)


def save(match_id: int, seat: int, tree: object, *, ply: int, now: datetime) -> list[Branch]:
    """Keep the plan of a seat in the position after `ply` plies, in place of an earlier one; an empty one removes it.

    Returns the branches as they are kept: in the canonical spelling, exact conditions first. Raises `BadPlan`, `RuleError`
    for a move that is none or that is not legal in an open line, `StalePly`, and what `check` raises.
    """
    with transaction.atomic():
        match, seats = locked(match_id)
        check(match, seated(seats, seat))
        if ply != match.ply:
            raise StalePly
        state = position_of(match).state
        branches = _branches(tree)
        if _count(branches) > MOST_ANSWERS:
            raise BadPlan(N_("A plan has at most {most} answers."), most=MOST_ANSWERS)
        branches = _checked(match.rules, state if is_open(state) else None, seat, branches)
        if branches:
            Plan.objects.update_or_create(match=match, seat=seat, defaults={"ply": ply, "tree": branches, "updated_at": now})
        else:
            Plan.objects.filter(match=match, seat=seat).delete()
        return branches


def look(match: Match, seat: int, line: Sequence[str]) -> Imagined:
    """The position after the moves of `line`, for planning beyond it. A `*` stands for all that others do before the seat's turn.

    Raises `NotNow` where something is hidden or cannot be known, `RuleError` for a move that is not possible.
    """
    state = position_of(match).state
    if not is_open(state):
        raise NotNow(N_("In this game something is hidden, so nobody can look ahead."))
    unknown = own = 0
    for text in line:
        if unknown == 2 or not isinstance(state.to_move, int):
            raise NotNow(N_("Nothing can be planned beyond this."))
        unknown += bool(unknown)
        if text == ANY:
            if state.to_move == seat:
                raise BadPlan
            ahead = answerable(state, seat)
            if ahead is None:
                raise NotNow(N_("Here no answer can be chosen ahead."))
            state, unknown = ahead, 1
        else:
            own += state.to_move == seat
            state = state.play(read_move(match.rules, text))
    return Imagined(state, len(line), unknown == 2 or own >= DEEPEST or not isinstance(state.to_move, int))


def answerable(state: State, seat: int) -> State | None:
    """The position with `seat` to move, to choose an answer to whatever others play; `None` where nothing can be chosen."""
    with suppress(LookupError):
        return state.ahead(seat)
    return None


# --- The shape of a plan


def _branches(tree: object, depth: int = 1) -> list[Branch]:
    """The branches, if they have exactly the fields and types of branches. Raises `BadPlan`."""
    if not isinstance(tree, list) or len(tree) > MOST_ANSWERS:
        raise BadPlan
    if tree and depth > DEEPEST:
        raise BadPlan(N_("A plan looks at most {most} of your moves ahead."), most=DEEPEST)
    return [_branch(branch, depth) for branch in tree]


def _branch(branch: Any, depth: int) -> Branch:
    if not isinstance(branch, dict) or branch.keys() != FIELDS:
        raise BadPlan
    when, play = branch["when"], branch["play"]
    if not isinstance(when, list) or len(when) > LONGEST_CONDITION or not all(isinstance(text, str) for text in (play, *when)):
        raise BadPlan
    return {"when": when, "play": play, "then": _branches(branch["then"], depth + 1)}


def _count(branches: Iterable[Branch]) -> int:
    return sum(1 + _count(branch["then"]) for branch in branches)


# --- What it means


def _checked(rules: Game, state: State | None, seat: int, branches: Iterable[Branch]) -> list[Branch]:
    """The branches in canonical spelling, exact conditions first. `state` is `None` where nobody may know it."""
    checked = [_followed(rules, state, seat, branch) for branch in branches]
    conditions = [tuple(branch["when"]) for branch in checked]
    if len(set(conditions)) < len(conditions):
        raise BadPlan(N_("Two branches of the plan answer the same moves."))
    return sorted(checked, key=_vagueness)


def _vagueness(branch: Branch) -> list[bool]:
    """Sorts exact conditions first. A `*` at the end goes on, so it is vaguer than one that an exact move follows."""
    vague = [text == ANY for text in branch["when"]]
    return vague + [True] * (LONGEST_CONDITION - len(vague))


def _followed(rules: Game, state: State | None, seat: int, branch: Branch) -> Branch:
    when = []
    for text in branch["when"]:
        if text == ANY:
            state = None
            when.append(ANY)
            continue
        move = read_move(rules, text)
        if state is not None:
            _expect_others(state, seat)
            state = state.play(move)
        when.append(str(move))
    answer = read_move(rules, branch["play"])
    if state is not None:
        if state.to_move != seat:
            raise BadPlan(_beyond(state) or N_("A branch of the plan stops before your turn. Give it an answer or delete it."))
        state = state.play(answer)
    return {"when": when, "play": str(answer), "then": _checked(rules, state, seat, branch["then"])}


def _expect_others(state: State, seat: int) -> None:
    if state.to_move == seat or not isinstance(state.to_move, int):
        raise BadPlan(_beyond(state) or N_("A branch of the plan waits for a move of others when it is your turn."))


def _beyond(state: State) -> str | None:
    """Why nothing can be planned in a position, when that is so."""
    if state.to_move is CHANCE:
        return N_("A branch of the plan goes on where something is drawn. Nobody can plan beyond that.")
    return N_("A branch of the plan goes on after the end of the match.") if state.to_move is None else None
