"""What all people at a table must agree to: calling the match off late, taking a move back, a pause, a rematch.

An offer is open on the match until everybody agreed, one declined, or the position changed (a wish to pause outlives
that). Making an offer that is open already is agreeing to it. Bots agree to everything, and so do seats that were left.
`Match.offers` holds per kind `{"by": seat, "agreed": [seats], …}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max, Q

from games.kit.protocol import N_, Hides
from matches import announce, timing
from matches.clock import Pace
from matches.errors import MatchOver, NothingOffered, NotNow, NotSeated
from matches.models import Match, Move, Seat, TakenBack
from matches.replay import fold, position_of, remember
from matches.services import BotSeat, Person, Receipt, SeatPlan, go_by_plans, start_match
from matches.writing import call_off, locked, note, people, seated, tell

LONGEST_PAUSE = timedelta(days=14)
"""A pause that nobody ended by then ends by itself."""


Terms = Mapping[str, int]
"""What an offer says besides its kind: for a takeback `to`, the ply to return to."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of offer."""

    check: Callable[[Match, Sequence[Seat], int], Terms]
    """The terms of an offer by that seat now. Raises `NotNow` or `MatchOver` with the reason why there can be none."""
    act: Callable[[Match, Sequence[Seat], Terms, datetime], None]
    """What follows when all agree; the caller saves the match."""
    asks: Callable[[Seat], bool]
    """Whose consent it takes."""


def offer(match_id: int, seat: int, kind: str, *, now: datetime) -> Receipt:
    """Make an offer, or agree to the one that is open. Raises `NothingOffered` for an unknown kind, `NotNow`, `MatchOver`, `NotSeated`."""
    if kind not in KINDS:
        raise NothingOffered
    rules = KINDS[kind]
    with transaction.atomic():
        match, seats = locked(match_id)
        if not rules.asks(seated(seats, seat)):
            raise NotSeated
        known = match.offers.get(kind, {"by": seat, "agreed": []})
        if seat in known["agreed"] or (kind == "rematch" and _has_rematch(match)):
            return Receipt(match.ply, match.version, repeated=True)
        # Checked again when somebody agrees: an account may be gone by then.
        known = known | rules.check(match, seats, known["by"])
        agreed = sorted({*known["agreed"], seat})
        match.version += 1
        if all(other.number in agreed for other in seats if rules.asks(other)):
            match.offers = _without(match, kind)
            rules.act(match, seats, known, now)
        else:
            match.offers = {**match.offers, kind: {**known, "agreed": agreed}}
            if known["by"] == seat:
                tell(match, seats, "offer", now, offer=kind, seat=seat)
        match.save()
        announce.persons(people(seats))
        announce.changed(match)
        return Receipt(match.ply, match.version)


def decline(match_id: int, seat: int, kind: str, *, now: datetime) -> Receipt:
    """Decline an offer, or withdraw one's own. Raises `NothingOffered` when it is open no more."""
    with transaction.atomic():
        match, seats = locked(match_id)
        if kind not in match.offers:
            raise NothingOffered
        if not KINDS[kind].asks(seated(seats, seat)):
            raise NotSeated
        match.offers = _without(match, kind)
        match.version += 1
        note(match, "declined", now, seat, offer=kind)
        match.save()
        announce.changed(match)
        return Receipt(match.ply, match.version)


def resume(match_id: int, seat: int, *, now: datetime) -> Receipt:
    """End a pause; anybody at the table may."""
    with transaction.atomic():
        match, seats = locked(match_id)
        if seated(seats, seat).automatic:
            raise NotSeated
        if match.paused_at is None:
            return Receipt(match.ply, match.version, repeated=True)
        _resume(match, seats, now, seat)
        return Receipt(match.ply, match.version)


def end_long_pauses(now: datetime) -> int:
    """End every pause that has lasted for `LONGEST_PAUSE`; how many."""
    stale = Match.objects.filter(status=Match.Status.RUNNING, paused_at__lt=now - LONGEST_PAUSE).values_list("pk", flat=True)
    ended = 0
    for match_id in list(stale):
        with transaction.atomic():
            match, seats = locked(match_id)
            if match.paused_at is not None and match.paused_at < now - LONGEST_PAUSE:
                _resume(match, seats, now, None)
                ended += 1
    return ended


def may_offer(match: Match, seats: Sequence[Seat], seat: int, kind: str) -> bool:
    """Whether that seat could make such an offer now."""
    rules = KINDS[kind]
    if not rules.asks(seats[seat]):
        return False
    try:
        rules.check(match, seats, seat)
    except (NotNow, MatchOver):
        return False
    return True


def _without(match: Match, kind: str) -> dict[str, object]:
    return {name: other for name, other in match.offers.items() if name != kind}


def _plays(seat: Seat) -> bool:
    return not seat.automatic


def _alone_in_earnest(match: Match, seats: Sequence[Seat]) -> bool:
    """Whether only bots would have to agree, where a rating is at stake: they agree to everything."""
    return match.rated and sum(_plays(seat) for seat in seats) < 2


# --- Calling off


def _check_abort(match: Match, seats: Sequence[Seat], seat: int) -> Terms:
    if not match.running:
        raise MatchOver
    if _alone_in_earnest(match, seats):
        raise NotNow(N_("A rated match against bots is played to its end, or resigned."))
    return {}


def _abort(match: Match, seats: Sequence[Seat], terms: Terms, now: datetime) -> None:
    call_off(match, seats, "agreed", now)


# --- Taking back


def _check_takeback(match: Match, seats: Sequence[Seat], seat: int) -> Terms:
    if not match.running:
        raise MatchOver
    if match.rated:
        raise NotNow(N_("In a rated match no move is taken back."))
    if isinstance(position_of(match).state, Hides):
        raise NotNow(N_("Here a move shows something hidden, so it cannot be taken back."))
    last = Move.objects.filter(match=match).aggregate(own=Max("ply", filter=Q(seat=seat)), drawn=Max("ply", filter=Q(seat=None)))
    own: int | None = last["own"]
    if own is None:
        raise NotNow(N_("You have not moved yet."))
    if last["drawn"] is not None and last["drawn"] > own:
        raise NotNow(N_("Since your move something was drawn, so it cannot be taken back."))
    if any(other.left_at_ply is not None and other.left_at_ply >= own for other in seats):
        raise NotNow(N_("Since your move somebody left, so it cannot be taken back."))
    return {"to": own - 1}


def _take_back(match: Match, seats: Sequence[Seat], terms: Terms, now: datetime) -> None:
    """Return to the ply that the offer named. The plies after it leave the log and are kept apart; the clocks show what they showed."""
    undone = Move.objects.filter(match=match, ply__gt=terms["to"])
    TakenBack.objects.bulk_create(
        TakenBack(
            match=match, ply=move.ply, seat=move.seat, text=move.text, client_id=move.client_id,
            version=move.version, at=move.at, taken_back_at=now,
        )
        for move in undone
        if move.seat is not None
    )  # fmt: skip
    undone.delete()
    kept = list(Move.objects.filter(match=match))
    *_, before = fold(match, (move.text for move in kept))
    match.ply, match.chain, match.to_move = before.ply, before.chain, _seat_or_none(before.state.to_move)
    if (clocks := timing.clocks_of(match)) is not None:
        full = match.control.base * 1000
        shown = {move.seat: move.left_ms for move in kept if move.left_ms is not None}
        match.clock = replace(clocks, left=tuple(shown.get(seat.number, full) for seat in seats)).as_json()
    timing.begin_turn(match, seats, before, now)
    note(match, "taken_back", now, _seat_or_none(before.state.to_move), to=terms["to"])
    remember(match, before)


def _seat_or_none(to_move: object) -> int | None:
    return to_move if isinstance(to_move, int) else None


# --- Pausing


def _check_pause(match: Match, seats: Sequence[Seat], seat: int) -> Terms:
    if not match.running:
        raise MatchOver
    if match.pace == Pace.NONE:
        raise NotNow(N_("There is no clock to stop."))
    if match.paused_at is not None:
        raise NotNow(N_("The match is paused already."))
    if match.pace == Pace.LIVE and _alone_in_earnest(match, seats):
        raise NotNow(N_("In a rated match against bots the clock is not stopped."))
    return {}


def _pause(match: Match, seats: Sequence[Seat], terms: Terms, now: datetime) -> None:
    timing.pause(match, seats, position_of(match), now)
    note(match, "paused", now)


def _resume(match: Match, seats: Sequence[Seat], now: datetime, seat: int | None) -> None:
    match.paused_at = None
    match.version += 1
    note(match, "resumed", now, seat)
    timing.begin_turn(match, seats, position_of(match), now)
    match.save()
    go_by_plans(match, seats, now)
    announce.persons(people(seats))
    announce.changed(match)


# --- Playing again


def _check_rematch(match: Match, seats: Sequence[Seat], seat: int) -> Terms:
    if match.running:
        raise NotNow(N_("First play this match to its end."))
    if any(other.user is None and not other.level for other in seats):
        raise NotNow(N_("Somebody of this table is gone."))
    if _has_rematch(match):
        raise NotNow(N_("The rematch has begun already."))
    return {}


def _has_rematch(match: Match) -> bool:
    return Match.objects.filter(previous=match).exists()


def _rematch(match: Match, seats: Sequence[Seat], terms: Terms, now: datetime) -> None:
    """Start the same match again, everybody one seat further, so that each begins in turn."""
    order = [*seats[1:], seats[0]]
    plan: list[SeatPlan] = [Person(seat.user) if seat.user else BotSeat(seat.level) for seat in order]
    start_match(
        match.game, match.variant, seats=plan, options=match.options, control=match.control, rated=match.rated,
        private=match.private, previous=match, now=now,
    )  # fmt: skip


KINDS = {
    "abort": Kind(_check_abort, _abort, _plays),
    "takeback": Kind(_check_takeback, _take_back, _plays),
    "pause": Kind(_check_pause, _pause, _plays),
    "rematch": Kind(_check_rematch, _rematch, lambda seat: seat.user_id is not None),
}
"""The kinds of offers by name."""
