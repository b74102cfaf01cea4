"""The metronome: flags that fall, and clocks that are put right when nobody could move because the site was down.

Each web process runs one (`start`), which beats once a second: it says that web processes live (`Pulse`), and flags clocks
that have run out. A beat after a silence gives the running clocks the outage back before anybody can be flagged. A worker
sweeps too (`sweep`), for flags that every metronome missed, but only while web processes live.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta

from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.utils import timezone

from matches import announce, services, timing
from matches.clock import Pace
from matches.models import Match, Outage, Pulse
from matches.writing import locked, note

log = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
SILENCE = timedelta(seconds=4)
"""Web processes that have not beaten for so long are down."""
AFTERWARDS = timedelta(seconds=10)
"""Given on top of an outage, to find back to the board."""
MOST_LIVE, MOST_CORRESPONDENCE = timedelta(minutes=2), timedelta(days=1)
"""The most of an outage that is given back. Who is away for longer than two minutes of a live match has other worries."""
SLIGHT = timedelta(minutes=10)
"""Correspondence clocks do not notice a shorter outage."""
FLAGGED_AT_ONCE = 100


def beat(now: datetime) -> None:
    """Say that web processes live; the first beat after a silence puts the clocks right."""
    with transaction.atomic():
        pulse = Pulse.objects.select_for_update().filter(pk=1).first()
        if pulse is None:
            Pulse.objects.get_or_create(pk=1, defaults={"at": now})
            return
        silent_since = pulse.at
        if now - silent_since > SILENCE:
            give_back(silent_since, now)
        pulse.at = max(now, silent_since)
        pulse.save(update_fields=["at"])


def alive(now: datetime) -> bool:
    """Whether some web process has beaten lately, so that people could move."""
    return Pulse.objects.filter(pk=1, at__gt=now - SILENCE).exists()


def give_back(began: datetime, ended: datetime) -> int:
    """Put back every clock that ran through an outage; how many. Inside the transaction that ends the outage."""
    length = ended - began
    running = Match.objects.filter(status=Match.Status.RUNNING, since__isnull=False).order_by("pk")
    if length <= SLIGHT:
        running = running.filter(pace=Pace.LIVE)
    ids = list(running.values_list("pk", flat=True))
    for match_id in ids:
        _give_back(match_id, began, length, ended)
    if ids:
        Outage.objects.create(began_at=began, ended_at=ended, matches=len(ids))
        log.warning("down for %.0f s: %s clocks put back", length.total_seconds(), len(ids))
    return len(ids)


def _give_back(match_id: int, began: datetime, length: timedelta, now: datetime) -> None:
    match, _ = locked(match_id)
    if match.since is None or match.deadline is None:
        return
    live = match.pace == Pace.LIVE
    # A turn that began within the outage, by a worker's bot, has lost only what came after.
    lost = length - max(match.since - began, timedelta())
    amount = min(max(lost, timedelta()), MOST_LIVE if live else MOST_CORRESPONDENCE) + (AFTERWARDS if live else timedelta())
    timing.give_back(match, amount)
    match.version += 1
    note(match, "credit", now, match.to_move, seconds=round(amount.total_seconds()))
    match.save()
    announce.changed(match)


def sweep(now: datetime) -> int:
    """Flag every clock that has run out, unless nobody could have moved; how many were flagged."""
    return flag_overdue(now) if alive(now) else 0


def flag_overdue(now: datetime) -> int:
    """Look at the matches whose deadline has passed; each is checked again under its lock."""
    due = Match.objects.filter(status=Match.Status.RUNNING, deadline__lt=now).order_by("deadline")
    flagged = 0
    for match_id in due.values_list("pk", flat=True)[:FLAGGED_AT_ONCE]:
        try:
            flagged += services.flag(match_id, now)
        except DatabaseError as trouble:  # its lock is held, or it just went; the next beat looks again
            log.info("match %s not flagged yet (%s)", match_id, type(trouble).__name__)
    return flagged


def start() -> None:
    """Start this process's metronome, a thread that ends with the process."""
    threading.Thread(target=_run, name="metronome", daemon=True).start()


def _run() -> None:
    pause = threading.Event()
    while True:
        now = timezone.now()
        try:
            beat(now)
            flag_overdue(now)
        except Exception as trouble:  # the metronome must not stop, whatever the database says
            log.warning("a beat of the metronome failed (%s)", type(trouble).__name__)
        finally:
            connection.close()
        pause.wait(BEAT_SECONDS)
