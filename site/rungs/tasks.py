"""What the workers do for the challenge ladders."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from rungs import decay, settling


@shared_task
def sweep() -> None:
    """Settle the challenges that are overdue, played or impossible."""
    settling.sweep(timezone.now())


@shared_task
def idle() -> None:
    """Warn who has not played for long, and let sink who was warned."""
    decay.decay(timezone.now())
