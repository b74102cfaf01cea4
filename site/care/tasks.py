"""What workers do for fair play: carry out what moderators decided, look for what is odd each night, compare moves with our bot's."""

from __future__ import annotations

from datetime import datetime

from celery import shared_task
from django.utils import timezone

from care import enforcement
from care.detect import engine, nightly
from matches import followups
from matches.models import FollowUp
from notices import rows


@shared_task
def carry_out(row_id: int) -> None:
    """Bring a person's sessions, seats and tables in line with what holds now."""
    rows.carry_out(row_id, _enforce)


def _enforce(row: FollowUp, now: datetime) -> None:
    assert row.person is not None
    enforcement.enforce(row.person, now)
    followups.done(row, now)


@shared_task
def look(after: int = 0) -> None:
    """Look at a batch of the people who played lately, those with ids beyond `after`, and go on with the next batch."""
    last = nightly.look(after, timezone.now())
    if last is not None:
        look.delay(last)


@shared_task
def sample() -> None:
    """Choose finished matches whose moves are to be compared with our bot's, and ask for it."""
    for match_id, seat in engine.sample(timezone.now()):
        check.apply_async((match_id, seat), expires=engine.EXPIRES)


@shared_task
def check(match_id: int, seat: int, ply: int = 0, plies: int = 0, same: int = 0) -> None:
    """Compare some of a seat's moves with our bot's, from a ply on, and go on later where bots' turns wait or much is left.

    Waits in the queue for analysis, and gives way to bots after each position, since it wants a core as they do.
    """
    progress = engine.go_on(engine.Progress(match_id, seat, ply, plies, same), timezone.now())
    if progress is not None:
        check.apply_async(tuple(progress), countdown=engine.PAUSE, expires=engine.EXPIRES)
