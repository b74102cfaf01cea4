"""The look of the night at all who played lately, a batch of people at a time."""

from __future__ import annotations

from datetime import datetime, timedelta

from care.detect import browsers, findings, history, pairs, thrown
from matches.models import Match, Seat

LATELY = timedelta(days=3)
"""Whoever finished a match since then is looked at: more than a day, should a night have been missed."""
LOOKED_BACK = timedelta(days=90)
BATCH = 50


def look(after: int, now: datetime) -> int | None:
    """Look at the next people in the order of their ids; the id to go on after, `None` when all were looked at."""
    lately = Seat.objects.filter(user__gt=after, match__status=Match.Status.FINISHED, match__finished_at__gt=now - LATELY)
    people = [user for user in lately.order_by("user").values_list("user", flat=True).distinct()[:BATCH] if user is not None]
    if not people:
        return None
    histories = history.of(people, now - LOOKED_BACK, now)
    usual = thrown.usual_lengths(histories.values())
    for user, played in histories.items():
        findings.keep(pairs.look(user, played), now)
        findings.keep(thrown.look(user, played, usual), now)
    findings.keep(browsers.look(people, now - LOOKED_BACK, now), now)
    return people[-1] if len(people) == BATCH else None
