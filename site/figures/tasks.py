"""What workers do for the statistics."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from figures import counting
from games import KEYS


@shared_task
def count() -> None:
    """Count the games whose figures are old; little is done when no match has ended since."""
    for game in KEYS:
        counting.recount(game, timezone.now())
