"""What the workers do for people's accounts."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from accounts import browsers


@shared_task
def tidy() -> None:
    """Forget the browsers that were not used for long."""
    browsers.prune(timezone.now())
