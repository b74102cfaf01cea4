"""Signs of life of the web processes, and time given back for when there were none: nobody could move, so nobody has lost.

`Pulse` holds the newest beat of any web process. The first beat after a silence ends the outage: it gives every clock that
ran what the silence took, in one transaction. Until then no flag falls, and a move that comes earlier is made good by itself.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction

from matches import announce, timing
from matches.clock import Pace
from matches.models import Match, Outage, Pulse
from matches.writing import locked, note

log = logging.getLogger(__name__)

SILENCE = timedelta(seconds=4)
"""Web processes that have not beaten for so long are down; less is not worth a word."""
AFTERWARDS = timedelta(seconds=10)
"""Given to a live clock on top of an outage, to find back to the board."""
MOST = timedelta(days=1)
"""The most of an outage that is given back."""
SLIGHT = timedelta(minutes=10)
"""Correspondence clocks do not notice a shorter outage."""


def beat(now: datetime) -> None:
    """Say that web processes live; the first beat after a silence puts the clocks right."""
    with transaction.atomic():
        pulse, _ = Pulse.objects.select_for_update().get_or_create(pk=1, defaults={"at": now})
        if now - pulse.at > SILENCE:
            give_back(pulse.at, now)
        pulse.at = max(now, pulse.at)
        pulse.save(update_fields=["at"])


def silent(now: datetime) -> bool:
    """Whether the web processes are down, or just up again with clocks that are not put right yet."""
    return Pulse.objects.filter(pk=1, at__lt=now - SILENCE).exists()


def give_back(began: datetime, ended: datetime) -> int:
    """Put back every clock that ran through an outage; how many. Inside the transaction that ends the outage."""
    running = Match.objects.filter(status=Match.Status.RUNNING, deadline__isnull=False).order_by("pk")
    if ended - began <= SLIGHT:
        running = running.filter(pace=Pace.LIVE)
    put_back = 0
    for match_id in list(running.values_list("pk", flat=True)):
        match, _ = locked(match_id)
        if _credit(match, began, ended):
            match.save()
            announce.changed(match)
            put_back += 1
    if put_back:
        Outage.objects.create(began_at=began, ended_at=ended, matches=put_back)
        log.warning("down for %.0f s: %s clocks put back", (ended - began).total_seconds(), put_back)
    return put_back


def make_good(match: Match, now: datetime) -> None:
    """Give the clock that runs what a silence took that no beat has ended yet. Under the match's lock; the caller saves."""
    if match.since is None or now - match.since <= SILENCE:
        return
    pulse = Pulse.objects.filter(pk=1, at__lt=now - SILENCE).first()
    if pulse is not None:
        _credit(match, pulse.at, now)


def _credit(match: Match, began: datetime, ended: datetime) -> bool:
    """Give back what the clock lost from `began` to `ended`, if that is worth a word, and note it; whether it was."""
    if match.since is None or match.deadline is None:
        return False
    live = match.pace == Pace.LIVE
    # A turn that began within the outage, by a worker's bot, has lost only what came after.
    lost = ended - max(began, match.since)
    if lost <= (SILENCE if live else SLIGHT):
        return False
    amount = min(lost, MOST) + (AFTERWARDS if live else timedelta())
    timing.give_back(match, amount)
    match.version += 1
    note(match, "credit", ended, match.to_move, seconds=round(amount.total_seconds()))
    return True
