"""The one door: everything that changes a match comes through here.

Each service locks the match row, checks, writes and bumps the version in one transaction; sockets and workers
are told after the commit. `now` is an argument so that time has one source, the entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from accounts.models import User
from games import registry
from games.kit.chance import KeyedSource, commitment, new_secret
from games.kit.protocol import CHANCE, N_, Game, InvalidMove, RuleError, State, is_chance
from games.kit.protocol import Move as GameMove
from games.kit.ranking import rank, with_leavers
from matches import announce, followups
from matches.errors import (
    MatchError,
    MatchOver,
    NoSuchMatch,
    NotSeated,
    NotYourTurn,
    StalePly,
    TooLateToAbort,
)
from matches.models import Match, Move, Seat, Secret
from matches.replay import Ply, Position, position_of, remember, start_of

LONGEST_TEXT = 500
"""Characters of a move; the longest real one of any game is far shorter."""


@dataclass(frozen=True, slots=True)
class Person:
    """A seat for a person."""

    user: User


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat for a bot of this level."""

    level: str


SeatPlan = Person | BotSeat
Draw = Callable[[Match, State], GameMove]
"""Gives the chance ply that is due in a state."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the service did: the ply that was played (or stood at), the match's version then, and whether it had been done before."""

    ply: int
    version: int
    repeated: bool = False


def start_match(
    game: str,
    variant: str,
    *,
    seats: Sequence[SeatPlan],
    options: Collection[str] = (),
    now: datetime,
    secret: bytes | None = None,
    draw: Draw | None = None,
) -> Match:
    """Start a match. Raises `UnknownGame`, `RuleError` for its variant, house rules or level, `MatchError` for the seats.

    `secret` fixes every draw to come; without it the operating system gives a new one. `draw` replaces the draws that
    the secret gives, for tests of what a viewer can tell; such a match does not pass the check of its record.
    """
    rules = registry.get(game)
    rules.start(variant, options)
    _check_plan(rules, variant, seats)
    secret = secret or new_secret()
    match = Match(
        game=game,
        variant=variant,
        options=sorted(options),
        rules_version=rules.version,
        commitment=commitment(secret),
        created_at=now,
        moved_at=now,
    )
    start = start_of(match)
    match.chain = start.chain
    with transaction.atomic():
        match.save()
        Secret.objects.create(match=match, value=secret)
        rows = Seat.objects.bulk_create(_seat(match, number, plan) for number, plan in enumerate(seats))
        _append(match, rows, start, _draws(match, start, draw or drawn_by_secret), now)
    return match


def play_move(
    match_id: int,
    seat: int,
    text: str,
    *,
    ply: int,
    client_id: UUID | None = None,
    now: datetime,
    automatic: bool = False,
    draw: Draw | None = None,
) -> Receipt:
    """Play a move of `seat` in the position after `ply` plies, draw what chance owes, and say so after the commit.

    A repeated `client_id` gets its first answer again, whatever has happened since. `automatic` is for the site's
    own moves, in seats of bots and of those who left; `draw` is as for `start_match`. Raises `MatchError`, `InvalidMove` or `IllegalMove`.
    """
    with transaction.atomic():
        match, seats = _locked(match_id)
        if client_id is not None:
            first = Move.objects.filter(match=match, seat=seat, client_id=client_id).first()
            if first is not None:
                return Receipt(first.ply, first.version, repeated=True)
        if _seated(seats, seat).automatic is not automatic:
            raise NotSeated
        if not match.running:
            raise MatchOver
        if ply != match.ply:
            raise StalePly
        position = position_of(match)
        if position.state.to_move != seat:
            raise NotYourTurn
        played = position.after(read_move(match.rules, text))
        _append(match, seats, position, [played, *_draws(match, played, draw or drawn_by_secret)], now, client_id)
        return Receipt(played.ply, match.version)


def resign(match_id: int, seat: int, *, now: datetime) -> Receipt:
    """Leave the match for good. With two seats that ends it; with more a bot plays the seat out and it ranks last."""
    with transaction.atomic():
        match, seats = _locked(match_id)
        leaver = _seated(seats, seat)
        if leaver.left:
            return Receipt(match.ply, match.version, repeated=True)
        if leaver.automatic:
            raise NotSeated
        if not match.running:
            raise MatchOver
        leaver.left_at_ply = match.ply
        leaver.save(update_fields=["left_at_ply"])
        match.version += 1
        if len(seats) == 2:
            scores = position_of(match).state.scores()
            _finish(match, seats, Match.Termination.RESIGNED, scores, rank(scores), now)
        match.save()
        if match.to_move == seat:
            followups.ask(followups.THINK, match, now)
        announce.changed(match)
        return Receipt(match.ply, match.version)


def abort(match_id: int, seat: int, *, now: datetime) -> Receipt:
    """Call the match off, without a result; only until every seat has moved once."""
    with transaction.atomic():
        match, seats = _locked(match_id)
        if _seated(seats, seat).automatic:
            raise NotSeated
        if match.status == Match.Status.ABORTED:
            return Receipt(match.ply, match.version, repeated=True)
        if not match.running:
            raise MatchOver
        if not may_abort(match, position_of(match)):
            raise TooLateToAbort
        match.version += 1
        match.status, match.to_move, match.finished_at = Match.Status.ABORTED, None, now
        match.save()
        announce.changed(match)
        return Receipt(match.ply, match.version)


def hand_over_seats(guest: User, user: User) -> None:
    """Give all of a guest's seats to an account; where both sit at the same match, the guest's stays the guest's."""
    for match_id in Seat.objects.filter(user=guest).order_by("match_id").values_list("match_id", flat=True):
        with transaction.atomic():
            match, seats = _locked(match_id)
            if not any(seat.user_id == user.pk for seat in seats):
                Seat.objects.filter(match=match, user=guest).update(user=user)
                match.version += 1
                match.save(update_fields=["version"])
                announce.changed(match)


def may_abort(match: Match, position: Position) -> bool:
    """Whether the match can still be called off."""
    return match.running and len(position.moved) < match.rules_variant.seats


def read_move(rules: Game, text: str) -> GameMove:
    """A seat's move from its text. Raises `InvalidMove`; nobody but the site draws for chance."""
    if len(text) > LONGEST_TEXT:
        raise InvalidMove("too_long", "A move has at most {limit} characters.", limit=LONGEST_TEXT)
    if is_chance(text):
        raise InvalidMove("chance", "Nobody moves for chance.")
    return rules.parse_move(text)


def _check_plan(rules: Game, variant: str, seats: Sequence[SeatPlan]) -> None:
    wanted = rules.variant(variant).seats
    if len(seats) != wanted:
        sentence = N_("{game} {variant} is for {wanted} seats, not {given}.")
        raise MatchError(sentence, game=rules.name, variant=variant, wanted=wanted, given=len(seats))
    people = [plan.user.pk for plan in seats if isinstance(plan, Person)]
    if len(people) != len(set(people)):
        raise MatchError("Nobody can hold two seats of a match.")
    for plan in seats:
        if isinstance(plan, BotSeat) and plan.level not in {level.key for level in rules.levels}:
            raise RuleError("unknown_level", "{game} has no bot “{level}”.", game=rules.name, level=plan.level)


def _seat(match: Match, number: int, plan: SeatPlan) -> Seat:
    if isinstance(plan, Person):
        return Seat(match=match, number=number, user=plan.user)
    return Seat(match=match, number=number, level=plan.level)


def _locked(match_id: int) -> tuple[Match, list[Seat]]:
    # no_key: a plain FOR UPDATE would block, and could deadlock with, the key checks of rows that refer to the match.
    match = Match.objects.select_for_update(no_key=True).filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch
    return match, list(match.seats.all())


def _seated(seats: Sequence[Seat], number: int) -> Seat:
    for seat in seats:
        if seat.number == number:
            return seat
    raise NotSeated


def drawn_by_secret(match: Match, state: State) -> GameMove:
    """The chance ply that the match's secret gives."""
    return state.draw(KeyedSource(Secret.of(match), state.chance_label))


def _draws(match: Match, position: Position, draw: Draw) -> list[Position]:
    """The positions after each chance ply that is due now."""
    drawn: list[Position] = []
    while position.state.to_move is CHANCE:
        position = position.after(draw(match, position.state))
        drawn.append(position)
    return drawn


def _append(
    match: Match,
    seats: Sequence[Seat],
    before: Position,
    played: Sequence[Position],
    now: datetime,
    client_id: UUID | None = None,
) -> None:
    """Store the plies that led from `before` through `played`, and all that follows from them."""
    position = played[-1] if played else before
    match.version += 1
    match.ply, match.chain, match.moved_at = position.ply, position.chain, now
    match.to_move = position.state.to_move if isinstance(position.state.to_move, int) else None
    Move.objects.bulk_create(_row(match, step.last, now, client_id) for step in played if step.last)
    outcome = position.state.outcome()
    if outcome is not None:
        _finish(match, seats, Match.Termination.COMPLETE, outcome.scores, outcome.ranks, now)
    match.save()
    remember(match, position)
    if match.to_move is not None and seats[match.to_move].automatic:
        followups.ask(followups.THINK, match, now)
    announce.changed(match)


def _row(match: Match, played: Ply, now: datetime, client_id: UUID | None) -> Move:
    return Move(
        match=match,
        ply=played.number,
        seat=played.seat,
        text=str(played.move),
        client_id=None if played.seat is None else client_id,
        version=match.version,
        at=now,
    )


def _finish(
    match: Match,
    seats: Sequence[Seat],
    termination: Match.Termination,
    scores: Sequence[int],
    ranks: Sequence[int],
    now: datetime,
) -> None:
    left = {seat.number: seat.left_at_ply for seat in seats if seat.left_at_ply is not None}
    match.status, match.termination, match.finished_at = Match.Status.FINISHED, termination, now
    match.to_move = None
    match.scores, match.ranks = list(scores), list(with_leavers(ranks, left))
