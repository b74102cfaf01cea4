"""Work that must follow a commit: rows written with it, claimed under a lease, swept up when a wake-up was lost.

The broker only carries wake-ups, so a wiped broker costs seconds and loses nothing. Whoever does the work
marks the row done in the same transaction as the effect, and the effect has a unique key of its own: doing it
twice, even at the same moment, changes nothing.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from matches.courier import Courier
from matches.models import FollowUp, Match

log = logging.getLogger(__name__)
_courier = Courier()

THINK = "think"
TASKS = {THINK: ("matches.tasks.think", "bots")}
"""Per kind the task that does it and the queue it waits in."""

LEASE = timedelta(seconds=10)
"""How long a claim holds; a worker that died frees its row by this much later."""
GRACE = timedelta(seconds=3)
"""How long a wake-up may take before the sweep sends another."""
AGAIN = timedelta(seconds=7)
"""The pause, beside the grace, before the sweep wakes the same row once more."""
ATTEMPTS = 8
SWEPT_AT_ONCE = 200
LONGEST_WAIT = 60
"""Seconds. A broker may repeat a message that waits longer than its visibility timeout."""


def ask(kind: str, match: Match, now: datetime) -> None:
    """Write the row for the match's present ply, inside the caller's transaction, and wake a worker after it."""
    pace = min(settings.BOT_PACE_SECONDS, LONGEST_WAIT)
    row = FollowUp.objects.create(
        key=f"{kind}:{match.pk}:{match.ply}",
        kind=kind,
        match=match,
        ply=match.ply,
        due_at=now + timedelta(seconds=pace),
    )
    transaction.on_commit(lambda: wake(row, countdown=pace))


def wake(row: FollowUp, *, countdown: float = 0) -> None:
    """Send the wake-up for a row. Failing is harmless: the sweep sends another."""
    task, queue = TASKS[row.kind]
    _courier.send(
        f"the wake-up {row}",
        lambda: current_app.send_task(task, (row.pk,), queue=queue, countdown=countdown, expires=countdown + LONGEST_WAIT, retry=False),
    )


def _claimable(now: datetime) -> QuerySet[FollowUp]:
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    return FollowUp.objects.filter(free, done_at=None, dead_at=None)


def claim(row_id: int, now: datetime) -> FollowUp | None:
    """Take the row for the length of a lease; `None` when it is done, dead, or in somebody else's hands."""
    taken = _claimable(now).filter(pk=row_id, attempts__lt=ATTEMPTS).update(lease_until=now + LEASE, attempts=F("attempts") + 1)
    return FollowUp.objects.select_related("match").get(pk=row_id) if taken else None


def done(row: FollowUp, now: datetime) -> None:
    """Mark the row done, in the transaction of its effect."""
    FollowUp.objects.filter(pk=row.pk).update(done_at=now, lease_until=None, error="")


def failed(row: FollowUp, trouble: Exception, now: datetime) -> None:
    """Give the row back after a failure and ask for another attempt."""
    error = type(trouble).__name__
    FollowUp.objects.filter(pk=row.pk).update(lease_until=None, due_at=now, error=error)
    wake(row)


def sweep(now: datetime) -> int:
    """Wake up again whatever is overdue, bury what failed too often; how many rows were woken.

    Sweeps may overlap: a row that another one holds is passed over, and a woken row is not due again at once.
    """
    with transaction.atomic():
        overdue = _claimable(now).filter(due_at__lte=now - GRACE).order_by("due_at", "pk")
        rows = list(overdue.select_for_update(skip_locked=True)[:SWEPT_AT_ONCE])
        dead = [row for row in rows if row.attempts >= ATTEMPTS]
        woken = [row for row in rows if row.attempts < ATTEMPTS]
        FollowUp.objects.filter(pk__in=[row.pk for row in dead]).update(dead_at=now)
        FollowUp.objects.filter(pk__in=[row.pk for row in woken]).update(due_at=now + AGAIN)
    for row in dead:
        log.error("%s: given up after %s attempts (%s)", row, row.attempts, row.error)
    for row in woken:
        wake(row)
    return len(woken)
