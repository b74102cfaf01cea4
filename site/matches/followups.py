"""Work that must follow a commit: rows written with it, claimed under a lease, swept up when a wake-up was lost.

The broker only carries wake-ups, so a wiped broker costs seconds and loses nothing. Whoever does the work
marks the row done in the same transaction as the effect, and the effect has a unique key of its own: doing it
twice, even at the same moment, changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import User
from matches.courier import Courier
from matches.models import FollowUp, Match

log = logging.getLogger(__name__)
_courier = Courier()

THINK, RATE, TELL, MAIL, PUSH, REMIND, CARE, STUDY = "think", "rate", "tell", "mail", "push", "remind", "care", "study"
TASKS = {
    THINK: ("matches.tasks.think", "bots"),
    RATE: ("matches.tasks.rate", "default"),
    TELL: ("notices.tasks.tell", "default"),
    MAIL: ("notices.tasks.mail", "notices"),
    PUSH: ("notices.tasks.push", "notices"),
    REMIND: ("notices.tasks.remind", "default"),
    CARE: ("care.tasks.carry_out", "default"),
    STUDY: ("studies.tasks.go_on", "analysis"),
}
"""Per kind the task that does it and the queue it waits in: by name, since those who do it know more than matches do."""

LEASE = timedelta(seconds=10)
"""How long a claim holds; a worker that died frees its row by this much later."""
GRACE = timedelta(seconds=3)
"""How long a wake-up may take before the sweep sends another."""
AGAIN = timedelta(seconds=7)
"""The pause, beside the grace, before the sweep wakes the same row once more."""
ATTEMPTS = 8
SWEPT_AT_ONCE = 200
KEPT, KEPT_DEAD = timedelta(days=7), timedelta(days=30)
"""How long a row that is done, and one that was given up, is kept: to look at, and so that its key is not asked for again."""
PRUNED_AT_ONCE = 5_000
LONGEST_WAIT = 60
"""Seconds. A broker may repeat a message that waits longer than its visibility timeout."""


def ask(
    kind: str,
    *,
    key: str,
    now: datetime,
    match: Match | None = None,
    person: User | None = None,
    data: Mapping[str, Any] | None = None,
    due_at: datetime | None = None,
) -> None:
    """Write the row inside the caller's transaction, and wake a worker after it. A key that was asked for already is left as it is.

    A row that is due later than `LONGEST_WAIT` is left to the sweep.
    """
    due_at = due_at or now
    ply = None if match is None else match.ply
    row = FollowUp(key=key, kind=kind, match=match, ply=ply, person=person, data=dict(data or {}), due_at=due_at)
    FollowUp.objects.bulk_create([row], ignore_conflicts=True)
    if due_at - now <= timedelta(seconds=LONGEST_WAIT):
        transaction.on_commit(lambda: _wake_by_key(key, (due_at - now).total_seconds()))


def _wake_by_key(key: str, countdown: float) -> None:
    row = FollowUp.objects.filter(key=key, done_at=None).first()
    if row is not None:
        wake(row, countdown=countdown)


def think(match: Match, now: datetime) -> None:
    """Ask for the move of the bot whose turn it is, no sooner than people can follow."""
    pace = timedelta(seconds=min(settings.BOT_PACE_SECONDS, LONGEST_WAIT))
    ask(THINK, key=f"{THINK}:{match.pk}:{match.version}", match=match, now=now, due_at=now + pace)


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


def prune(now: datetime) -> int:
    """Delete rows that were done or given up long ago; how many."""
    old = FollowUp.objects.filter(Q(done_at__lt=now - KEPT) | Q(dead_at__lt=now - KEPT_DEAD)).values("pk")[:PRUNED_AT_ONCE]
    return FollowUp.objects.filter(pk__in=old).delete()[0]
