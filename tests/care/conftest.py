"""The cast of the tests of fair play: people, moderators, and matches made through the real services."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import Sanction, User
from care import services, tasks
from matches.clock import TimeControl
from matches.models import FollowUp, Match
from tests.platform.conftest import Cast, _no_position_is_remembered, cast, legal, now_at, play_on, table

__all__ = ["Cast", "_no_position_is_remembered", "carried_out", "cast", "impose", "later", "legal", "now_at", "play_on", "table"]

LIVE = TimeControl.parse("5m+10s")


@pytest.fixture(autouse=True)
def _nothing_counted(services: None) -> None:
    cache.clear()


@pytest.fixture
def chief(db: None) -> User:
    """An owner of the site, who may do everything."""
    return User.objects.create_superuser("Chief", password="olive-tile-7")


@pytest.fixture
def duel(cast: Cast, table: Callable[..., Match]) -> Match:
    """A match of alice, to move, against bob."""
    return table("cards-2", cast.alice, cast.bob)


def impose(
    moderator: User, user: User, kind: str = Sanction.Kind.SUSPENSION, reason: str = "Be kind", days: int | None = 1, **more: Any
) -> Sanction:
    """Impose something now, for so many days or for good, without carrying out what follows."""
    now = more.pop("now", timezone.now())
    return services.impose(moderator, user, kind, reason, ends_at=now + timedelta(days=days) if days else None, now=now, **more)


def carried_out(*, also_due_later: bool = False) -> int:
    """Do as the worker does what follows from sanctions; how many rows."""
    rows = FollowUp.objects.filter(kind="care", done_at=None)
    rows = rows if also_due_later else rows.filter(due_at__lte=timezone.now())
    done = list(rows.order_by("due_at", "pk").values_list("pk", flat=True))
    for row in done:
        tasks.carry_out(row)
    return len(done)


def later(**more: float) -> Any:
    """Now and so much more."""
    return timezone.now() + timedelta(**more)
