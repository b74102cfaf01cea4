"""What the workers do for the lobby."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from lobby import upkeep


@shared_task
def sweep() -> None:
    """Close what has expired, free places of who went away, and pair who waits."""
    upkeep.sweep(timezone.now())


@shared_task
def tidy() -> None:
    """Delete tables that were closed long ago."""
    upkeep.prune(timezone.now())
