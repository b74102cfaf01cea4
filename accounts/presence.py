"""Who is here: a lease on `User.seen_at` that open pages renew."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from accounts.models import User

ONLINE = timedelta(seconds=60)
"""How long a sign of life counts."""
RENEWED = timedelta(seconds=15)
"""A lease younger than this is not written again."""


def touch(user: User, now: datetime) -> None:
    """Note a sign of life of `user`; a write every `RENEWED` at most, however many pages are open."""
    if user.seen_at is not None and now - RENEWED < user.seen_at <= now:
        return
    stale = Q(seen_at=None) | Q(seen_at__lte=now - RENEWED)
    User.objects.filter(stale, pk=user.pk).update(seen_at=now)
    user.seen_at = now


def online(now: datetime) -> QuerySet[User]:
    """Everybody who is here and does not hide it."""
    # Not `exclude(preferences__hidden=True)`, which loses those who never chose.
    return User.objects.filter(~Q(preferences__contains={"hidden": True}), seen_at__gt=now - ONLINE, is_active=True)
