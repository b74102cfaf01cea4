"""What the worker for analysis does: look at one position, or at the next plies of a match."""

from __future__ import annotations

import logging
import traceback
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from matches import followups
from matches.models import FollowUp
from notices import rows
from studies import analysis, reviews

log = logging.getLogger(__name__)

FIRST = 2
"""Positions that are looked at before a slice of a match, where so many wait."""
PATIENCE = timedelta(seconds=20)
"""The pause after a failure."""


@shared_task
def go_on(row_id: int) -> None:
    """Do what a row asks for, or a slice of it; the rest waits its turn behind what others asked for meanwhile.

    A worker that is killed loses a slice: the row is free again when its hold ends, and the sweep wakes it.
    """
    row = followups.claim(row_id, timezone.now())
    if row is None:
        return
    try:
        if rows.hold(row, timezone.now()):
            _do(row)
    except Exception as trouble:
        where = "".join(traceback.format_tb(trouble.__traceback__))
        log.error("%s: attempt %s failed with %s at\n%s", row, row.attempts, type(trouble).__name__, where)
        _failed(row, trouble)


def _do(row: FollowUp) -> None:
    if row.data["what"] == analysis.POSITION:
        analysis.work(row)
        return
    for waiting in analysis.waiting(timezone.now())[:FIRST]:  # somebody looks at these right now
        go_on(waiting)
    if rows.hold(row, timezone.now()) and reviews.work(row):
        rows.put_off(row, timezone.now())
        followups.wake(row)


def _failed(row: FollowUp, trouble: Exception) -> None:
    again = timezone.now() + PATIENCE
    FollowUp.objects.filter(pk=row.pk).update(lease_until=None, due_at=again, error=type(trouble).__name__)
    if row.attempts >= followups.ATTEMPTS and row.data["what"] == reviews.REVIEW:
        reviews.give_up(row)
