"""What being shut out brings with it, and its end takes away: sessions, seats at running matches, open tables, places in ladders.

All of it looks only at what holds now, so it can be done as often as one likes. **All running matches are left at once**, live,
over days, rated or not: those at which not everybody has moved are called off, the others left as by resigning, so that nobody
waits for somebody who cannot come. Points won or lost so far stay as they are.
"""

from __future__ import annotations

from datetime import datetime

from allauth.usersessions.models import UserSession

from accounts import sanctions
from accounts.models import User
from ladder import listing
from lobby import services as lobby
from lobby.models import Seek
from matches import announce
from matches import services as matches
from matches.errors import MatchError, TooLateToAbort
from matches.models import Match, Seat


def enforce(user: User, now: datetime) -> bool:
    """Bring everything in line with whether somebody is shut out now; whether it is."""
    shut_out = sanctions.of_kind(user, sanctions.Kind.SUSPENSION, now) is not None
    if shut_out:
        end_sessions(user)
        leave_tables(user, now)
        leave_matches(user, now)
        listing.unlist(user)
    else:
        listing.relist(user)
    announce.persons([user.pk])
    return shut_out


def end_sessions(user: User) -> int:
    """Sign somebody out everywhere; how many sessions it were. Sockets find out with the next thing they do."""
    sessions = list(UserSession.objects.filter(user=user))
    for session in sessions:
        session.end()
    announce.signed_out(user.pk)
    return len(sessions)


def leave_tables(user: User, now: datetime) -> int:
    """Get up from tables that fill up, close one's own, and decline what somebody is asked to; how many tables."""
    found = list(Seek.objects.concerning(user).filter(status=Seek.Status.OPEN).with_places())
    for seek in found:
        sits = any(place.user_id == user.pk for place in seek.places.all())
        act = lobby.cancel_seek if seek.host_id == user.pk else lobby.leave_seek if sits else lobby.decline_challenge
        try:
            act(seek.pk, user, now=now)
        except MatchError:  # it began or was closed this moment
            continue
    return len(found)


def leave_matches(user: User, now: datetime) -> int:
    """Leave every running match through the door that a player would take; how many."""
    seats = Seat.objects.filter(user=user, left_at_ply=None, match__status=Match.Status.RUNNING)
    held = list(seats.order_by("match").values_list("match", "number"))
    for match_id, seat in held:
        try:
            _leave(match_id, seat, now)
        except MatchError:  # it ended this moment
            continue
    return len(held)


def _leave(match_id: int, seat: int, now: datetime) -> None:
    try:
        matches.abort(match_id, seat, now=now)
    except TooLateToAbort:
        matches.resign(match_id, seat, now=now)
