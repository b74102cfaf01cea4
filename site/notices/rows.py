"""How notices treat their follow-ups: held while something leaves the house, put off, put back with growing pauses."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from datetime import datetime, timedelta

from django.utils import timezone

from matches import followups
from matches.models import FollowUp

log = logging.getLogger(__name__)

SENDING = timedelta(seconds=60)
"""How long a row is held while its message is on the way out; a message takes less, or its task is ended."""
PAUSES = (timedelta(seconds=20), timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30), timedelta(hours=2))
"""Between attempts; after the last one given here the last pause holds, until `followups.ATTEMPTS` are used up."""


def carry_out(row_id: int, act: Callable[[FollowUp, datetime], None]) -> None:
    """Claim a row and do `act`, which marks it done; after a failure it is put back. Does nothing where it cannot be claimed."""
    now = timezone.now()
    row = followups.claim(row_id, now)
    if row is None:
        return
    try:
        act(row, now)
    except Exception as trouble:
        # Where it happened but not what was said: a message may quote an address.
        where = "".join(traceback.format_tb(trouble.__traceback__))
        log.error("%s: attempt %s failed with %s at\n%s", row, row.attempts, type(trouble).__name__, where)
        put_back(row, trouble, timezone.now())


def hold(row: FollowUp, now: datetime) -> bool:
    """Keep a claimed row to oneself until its message is out; `False` when another took it over meanwhile."""
    mine = FollowUp.objects.filter(pk=row.pk, attempts=row.attempts, done_at=None)
    return mine.update(lease_until=now + SENDING) == 1


def put_back(row: FollowUp, trouble: Exception, now: datetime) -> None:
    """Try again after a pause that grows with each failure."""
    pause = PAUSES[min(row.attempts, len(PAUSES)) - 1]
    error = type(trouble).__name__
    FollowUp.objects.filter(pk=row.pk).update(lease_until=None, due_at=now + pause, error=error)


def put_off(row: FollowUp, due_at: datetime) -> None:
    """Ask for the row again at another time; nothing has failed."""
    FollowUp.objects.filter(pk=row.pk).update(lease_until=None, due_at=due_at, attempts=0)
