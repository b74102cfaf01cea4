"""The clock of a match as it is stored: started with a turn, charged by a move, stopped, put back; all under the match's lock.

`Match.since` is when the clock of the seat to move began to run, `Match.deadline` when it runs out; both are empty while
none runs: when a bot is to move, in a pause, without a time control, after the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from accounts.models import User
from accounts.zones import zone_of
from matches.clock import GRACE_MS, LAG_ALLOWANCE_MS, Charge, Clocks, Pace, Rest, TimeControl, milliseconds
from matches.models import Connection, Match, Seat, Vacation
from matches.replay import Position

HELD = "held"
"""The key of `Match.clock` for what a pause left of a turn of days, in milliseconds."""


def clocks_of(match: Match) -> Clocks | None:
    """The live clocks as they stood when the present turn began; `None` without any."""
    return Clocks.stored(match.control, match.clock) if match.pace == Pace.LIVE else None


def begin_turn(match: Match, seats: Sequence[Seat], position: Position, now: datetime) -> None:
    """Start the clock of the seat to move, if it has one that runs now; a turn of days that a pause held up goes on where it stood."""
    match.since = match.deadline = None
    held = match.clock.pop(HELD, None)
    if match.to_move is None or match.paused_at is not None or seats[match.to_move].automatic:
        return
    match.since = now
    match.deadline = _deadline(match, seats[match.to_move], position, now, held)


def charge(match: Match, position: Position, now: datetime, lag: int) -> Charge | None:
    """Take the time of the turn that ends now off the clock; what it cost, or `None` when none ran.

    `lag` is the one-way lag of the mover's connection in milliseconds, 0 when unknown.
    """
    if match.since is None or match.to_move is None:
        return None
    elapsed = milliseconds(now - match.since)
    clocks = clocks_of(match)
    if clocks is None:
        return Charge(used=elapsed, lag=0, left=None)
    after, cost = clocks.after_move(match.to_move, elapsed, lag, first=is_first(match, position))
    match.clock = after.as_json()
    return cost


def is_first(match: Match, position: Position) -> bool:
    """Whether the seat to move has not moved yet."""
    return match.to_move not in position.moved


def is_up(match: Match, now: datetime, lag: int | None = None) -> bool:
    """Whether the time of the seat to move is over, lag that may be given back included.

    `lag` is that of the connection a move came over; `None` looks it up.
    """
    if match.deadline is None or match.to_move is None:
        return False
    late = milliseconds(now - match.deadline)
    clocks = clocks_of(match)
    if clocks is None or late <= GRACE_MS:
        return late > 0 and clocks is None
    if lag is None:
        lag = _lag_of(match, match.to_move)
    given = min(lag + LAG_ALLOWANCE_MS, clocks.quota[match.to_move]) if lag else 0
    return late > GRACE_MS + given


def pause(match: Match, seats: Sequence[Seat], position: Position, now: datetime) -> None:
    """Stop the clock, what was used of the turn being used."""
    clocks = clocks_of(match)
    if match.since is not None and match.to_move is not None:
        if clocks is None and match.deadline is not None:
            rest = rest_of(seats[match.to_move].user, match.control)
            match.clock[HELD] = milliseconds(rest.between(now, match.deadline))
        elif clocks is not None and not is_first(match, position):
            match.clock = clocks.banked(match.to_move, milliseconds(now - match.since)).as_json()
    match.paused_at, match.since, match.deadline = now, None, None


def give_back(match: Match, amount: timedelta) -> None:
    """Let the clock that runs have begun so much later."""
    if match.since is not None:
        match.since += amount
    if match.deadline is not None:
        match.deadline += amount


def rest_of(user: User | None, control: TimeControl) -> Rest:
    """When a person's clock stands still under this time control."""
    vacations = Vacation.objects.filter(user=user).values_list("starts", "ends") if user else ()
    return Rest(zone_of(user), control.nights, control.weekends, tuple(vacations))


def _deadline(match: Match, seat: Seat, position: Position, now: datetime, held: int | None) -> datetime | None:
    clocks = clocks_of(match)
    if clocks is not None:
        return now + timedelta(milliseconds=clocks.allowance(seat.number, first=is_first(match, position)))
    if match.pace == Pace.CORRESPONDENCE:
        allowed = timedelta(days=match.control.days) if held is None else timedelta(milliseconds=held)
        return rest_of(seat.user, match.control).after(now, allowed)
    return None


def _lag_of(match: Match, seat: int) -> int:
    """The lag measured last on the open connections of a seat; the best of them."""
    lags = Connection.objects.filter(match=match, seat=seat, closed_at=None).values_list("lag_ms", flat=True)
    return min((lag for lag in lags if lag is not None), default=0)
