"""What the workers do for the ladders when nobody plays."""

from __future__ import annotations

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from ladder import listing, seasons
from ladder.models import Season
from ladder.services import apply_next, lock_pool


@shared_task
def close_seasons() -> None:
    """Close the seasons that are over, and rate what waited for that. Whoever rates a match does the same for its own pool."""
    now = timezone.now()
    for game, pace in Season.objects.filter(closed_at=None).order_by("game", "pace").values_list("game", "pace").distinct():
        while apply_next(game, pace, now):
            pass
        with transaction.atomic():
            lock_pool(game, pace)
            seasons.close_ended(game, pace, now)


@shared_task
def keep_lists() -> None:
    """Take out of the lists who was shut out, and let back in whose sanction has ended."""
    while any(listing.keep(timezone.now())):
        pass
