"""The cast and the tables of the lobby's tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from ladder import scale
from ladder.models import Rating
from lobby.models import Seek
from lobby.services import Wish, post_seek
from matches.clock import TimeControl
from tests.platform.conftest import NOW, Cast, _no_position_is_remembered, cast

__all__ = ["NOW", "Cast", "_no_position_is_remembered", "cast", "later", "wish"]

LIVE = TimeControl.parse("5m+10s")
DAYS = TimeControl.parse("3d")


def later(**more: float) -> Any:
    """`NOW` and so much more."""
    return NOW + timedelta(**more)


def wish(variant: str = "duo-2", game: str = "blokus", **more: Any) -> Wish:
    """A live casual table of Blokus, unless told otherwise."""
    return Wish(game, variant, **({"control": LIVE} | more))


@pytest.fixture
def post(cast: Cast) -> Callable[..., Seek]:
    """`post(host, variant, …)`: a table just opened."""

    def open_table(host: User, variant: str = "duo-2", *, kind: str = Seek.Kind.OPEN, now: Any = NOW, **more: Any) -> Seek:
        return Seek.objects.with_places().get(pk=post_seek(host, wish(variant, **more), now=now, kind=kind).pk)

    return open_table


def rate(user: User, shown: int, game: str = "blokus", pace: str = "live") -> User:
    """Give somebody a settled rating of that number."""
    mu = scale.START.mu + (shown - scale.CENTRE) / scale.POINTS
    Rating.objects.create(user=user, game=game, pace=pace, mu=mu, sigma=2.0, matches=50, updated_at=NOW)
    return user


def seen(now: Any, *people: User) -> None:
    """Let these people show a sign of life."""
    User.objects.filter(pk__in=[person.pk for person in people]).update(seen_at=now)
    for person in people:
        person.seen_at = now


def stored(seek: Seek) -> Seek:
    """The table as it is stored now."""
    return Seek.objects.with_places().get(pk=seek.pk)


def sitting(seek: Seek) -> list[str]:
    """Who sits there, place by place: a name, a level, or nothing."""
    return [place.user.username if place.user else place.level for place in stored(seek).places.all()]
