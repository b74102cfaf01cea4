"""The one reminder of a turn whose time runs out: planned when the turn begins, checked again when it is due.

A vacation, a pause or time given back moves the deadline; so the reminder reads the deadline as it is then, and either
waits on or is sent.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from matches import announce, followups
from matches.models import FollowUp, Match
from notices import rows
from notices.models import Kind
from notices.spreading import News, spread

LONGEST_NOTICE = timedelta(hours=24)
SHARE = 0.25
"""A reminder comes a day ahead, or at a quarter of the time for a move where that is later."""
LOOK_AGAIN = timedelta(hours=6)
"""While the match is paused there is no deadline to wait for."""
SLACK = timedelta(minutes=1)


def ahead(match: Match) -> timedelta:
    """How long before the deadline the reminder comes."""
    return min(LONGEST_NOTICE, timedelta(days=match.control.days) * SHARE)


def ask(match: Match, now: datetime) -> None:
    """Plan the reminder of the turn that has begun, inside the caller's transaction."""
    if match.deadline is None or match.to_move is None or not match.control.days:
        return
    person = match.seats.select_related("user").get(number=match.to_move).user
    if person is not None:
        key = f"remind:{person.pk}:{match.pk}:{match.version}"
        due_at = max(now, match.deadline - ahead(match))
        followups.ask(followups.REMIND, key=key, match=match, person=person, due_at=due_at, now=now)


def remind(row: FollowUp, now: datetime) -> None:
    """Send the reminder if its turn still runs out soon; wait on where the deadline has moved; else be done with it."""
    match, person = row.match, row.person
    if match is None or person is None or not _still(match, row):
        followups.done(row, now)
        return
    due_at = now + LOOK_AGAIN if match.deadline is None else match.deadline - ahead(match)
    if due_at > now + SLACK:
        rows.put_off(row, due_at)
        return
    tag = f"{Kind.DEADLINE}:{match.pk}:{row.key.rsplit(':', 1)[1]}"
    with transaction.atomic():
        spread(News(person, Kind.DEADLINE, tag, match, match.version, match.ply), now)
        followups.done(row, now)
        announce.persons([person.pk])


def _still(match: Match, row: FollowUp) -> bool:
    """Whether the person has not moved since."""
    if not match.running or match.to_move is None or match.ply != row.ply:
        return False
    return match.seats.filter(number=match.to_move, user=row.person, left_at_ply=None).exists()
