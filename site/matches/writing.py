"""What all services share: finding a match under its lock, appending plies, letting somebody leave, ending it, noting what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from games.kit.ranking import rank, with_leavers
from ladder import services as ladder
from matches import announce, counting, followups, timing
from matches.clock import Charge, Pace
from matches.errors import NoSuchMatch, NotSeated
from matches.models import Event, Match, Move, Plan, Seat
from matches.replay import Ply, Position, position_of, remember


def locked(match_id: int) -> tuple[Match, list[Seat]]:
    """The match, its row locked until the transaction ends, and its seats with their people. Raises `NoSuchMatch`."""
    # no_key: a plain FOR UPDATE would block, and could deadlock with, the key checks of rows that refer to the match.
    match = Match.objects.select_for_update(no_key=True).filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch
    return match, list(match.seats.select_related("user"))


def seated(seats: Sequence[Seat], number: int) -> Seat:
    """The seat of that number. Raises `NotSeated`."""
    for seat in seats:
        if seat.number == number:
            return seat
    raise NotSeated


def people(seats: Iterable[Seat]) -> list[int]:
    """The ids of the persons who sit there, be it that they left."""
    return [seat.user_id for seat in seats if seat.user_id is not None]


def note(match: Match, kind: str, now: datetime, seat: int | None = None, **data: object) -> None:
    """Keep for everybody what happened, with the version that the match has now."""
    Event.objects.create(match=match, version=match.version, ply=match.ply, kind=kind, seat=seat, data=data, at=now)


def append(
    match: Match,
    seats: Sequence[Seat],
    before: Position,
    played: Sequence[Position],
    now: datetime,
    *,
    client_id: UUID | None = None,
    cost: Charge | None = None,
) -> None:
    """Store the plies that led from `before` through `played`, and all that follows from them."""
    position = played[-1] if played else before
    mover = match.to_move
    match.version += 1
    match.ply, match.chain, match.moved_at = position.ply, position.chain, now
    match.to_move = position.state.to_move if isinstance(position.state.to_move, int) else None
    # What was asked for was asked in another position; only a wish to pause does not hang on that.
    match.offers = {kind: offer for kind, offer in match.offers.items() if kind == "pause"}
    Move.objects.bulk_create(_row(match, step.last, now, client_id, cost) for step in played if step.last)
    outcome = position.state.outcome()
    if outcome is not None:
        end(match, seats, Match.Termination.COMPLETE, outcome.scores, outcome.ranks, now)
    timing.begin_turn(match, seats, position, now)
    match.save()
    remember(match, position)
    pass_on(match, seats, now)
    announce.persons(user_id for seat in seats if seat.number in (mover, match.to_move) and (user_id := seat.user_id))
    announce.changed(match)


def pass_on(match: Match, seats: Sequence[Seat], now: datetime) -> None:
    """Ask for what must follow when it is somebody's turn: a bot's move, or word to a person."""
    if match.to_move is None:
        return
    if seats[match.to_move].automatic:
        followups.think(match, now)
    elif match.pace != Pace.LIVE:
        tell(match, seats, "turn", now, seat=match.to_move)


def tell(match: Match, seats: Sequence[Seat], event: str, now: datetime, **data: object) -> None:
    """Ask that the people be told of an event, where there are others to play with."""
    if len(people(seats)) > 1:
        key = f"{followups.TELL}:{match.pk}:{match.version}:{event}"
        followups.ask(followups.TELL, key=key, match=match, data={"event": event, **data}, now=now)


def leave(match: Match, seats: Sequence[Seat], leaver: Seat, why: Match.Termination, now: datetime) -> None:
    """Let a person leave for good. A bot plays the seat out and it ranks last; where only one other is left, that ends the match."""
    leaver.left_at_ply, leaver.left_why = match.ply, why
    leaver.save(update_fields=["left_at_ply", "left_why"])
    Plan.objects.filter(match=match, seat=leaver.number).delete()
    match.version += 1
    match.offers = {}
    note(match, "left", now, leaver.number, why=why.value)
    position = position_of(match)
    if sum(not seat.left for seat in seats) <= 1:
        scores = position.state.scores()
        end(match, seats, why, scores, rank(scores), now)
    elif match.to_move == leaver.number:
        timing.begin_turn(match, seats, position, now)
        pass_on(match, seats, now)
    match.save()
    announce.persons(people(seats))
    announce.changed(match)


def call_off(match: Match, seats: Sequence[Seat], why: str, now: datetime, seat: int | None = None) -> None:
    """End the match without a result. `why`: `asked` by one who may, `agreed` by all, `no_show` of a seat."""
    match.version += 1
    match.status, match.to_move, match.finished_at = Match.Status.ABORTED, None, now
    note(match, "called_off", now, seat, why=why)
    _close(match, seats, now)
    match.save()
    announce.changed(match)


def end(
    match: Match,
    seats: Sequence[Seat],
    termination: Match.Termination,
    scores: Sequence[int],
    ranks: Sequence[int],
    now: datetime,
) -> None:
    """Write the result onto the match, and enter it for the ratings if it counts; those who left rank behind all others.

    The caller saves and announces.
    """
    left = {seat.number: seat.left_at_ply for seat in seats if seat.left_at_ply is not None}
    match.status, match.termination, match.finished_at = Match.Status.FINISHED, termination, now
    match.to_move = None
    match.scores, match.ranks = list(scores), list(with_leavers(ranks, left))
    if match.rated:
        match.uncounted = counting.why_not(match, seats, termination, now)
    if match.rated and not match.uncounted:
        entrants = [ladder.Entrant(seat.user_id, seat.level) for seat in seats]
        ladder.enter(match.pk, match.game, match.pace, entrants, match.ranks, now)
        followups.ask(followups.RATE, key=f"{followups.RATE}:{match.pk}", match=match, now=now)
    _close(match, seats, now)


def _close(match: Match, seats: Sequence[Seat], now: datetime) -> None:
    """What goes with any end: no clock, no open offer, no plan, word to the people and to the lobby."""
    match.since = match.deadline = match.paused_at = None
    match.offers = {}
    Plan.objects.filter(match=match).delete()
    tell(match, seats, "end", now)
    announce.persons(people(seats))
    announce.lobby()


def _row(match: Match, played: Ply, now: datetime, client_id: UUID | None, cost: Charge | None) -> Move:
    chance = played.seat is None
    row = Move(match=match, ply=played.number, seat=played.seat, text=str(played.move), version=match.version, at=now)
    if not chance:
        row.client_id = client_id
    if not chance and cost is not None:
        row.used_ms, row.lag_ms, row.left_ms = cost.used, cost.lag, cost.left
    return row
