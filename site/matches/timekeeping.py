"""The metronome: each web process has one, which beats once a second. It says that the site lives, and flags clocks that have run out.

A worker looks for overdue clocks too, should every metronome have missed one. Whether time is up, and whether anybody could
have moved, is decided again under the match's lock (`services.flag`).
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime

from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from matches import outages, services
from matches.models import Match

log = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
FLAGGED_AT_ONCE = 100


def flag_overdue(now: datetime) -> int:
    """Look at the matches whose deadline has passed; each is checked again under its lock. How many were flagged."""
    due = Match.objects.filter(status=Match.Status.RUNNING, deadline__lt=now).order_by("deadline")
    flagged = 0
    for match_id in due.values_list("pk", flat=True)[:FLAGGED_AT_ONCE]:
        try:
            flagged += services.flag(match_id, now)
        except DatabaseError as trouble:  # its lock is held, or it just went; the next beat looks again
            log.info("match %s not flagged yet (%s)", match_id, type(trouble).__name__)
    return flagged


class Metronome(threading.Thread):
    """A thread that beats until it is stopped or the process ends, whatever the database says."""

    def __init__(self) -> None:
        super().__init__(name="metronome", daemon=True)
        self._stopped = threading.Event()

    def run(self) -> None:
        while True:
            self._beat()
            if self._stopped.wait(BEAT_SECONDS):
                return

    def stop(self) -> None:
        """Let the beat that is on be the last, and wait for it."""
        self._stopped.set()
        self.join()

    @staticmethod
    def _beat() -> None:
        now = timezone.now()
        try:
            outages.beat(now)
            flag_overdue(now)
        except Exception as trouble:  # without its beats the site would count as down
            log.warning("a beat of the metronome failed (%s)", type(trouble).__name__)
        finally:
            connection.close()


def start() -> Metronome:
    """Start this process's metronome."""
    metronome = Metronome()
    metronome.start()
    return metronome
