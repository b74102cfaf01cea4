"""The ratings that the lobby goes by: numbers as people see them, a newcomer's for whoever has none."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from accounts.models import User
from ladder import scale, services


class Shown(NamedTuple):
    """A rating as people see it, and its deviation."""

    rating: int
    deviation: int


Ratings = dict[tuple[int, str, str], Shown]
"""By person, game and pace."""


def number(user: User, game: str, pace: str) -> int:
    """The rating of one person. One query."""
    return services.standing_of(user, game, pace).rating


def numbers(users: Iterable[User], game: str, pace: str) -> dict[int, int]:
    """The rating of each by id, at one game and pace. One query."""
    return {person: standing.rating for person, standing in services.standings_of(users, game, pace).items()}


def all_of(user_ids: Iterable[int], now: datetime) -> Ratings:
    """Every rating that these people have. One query; `own` says what somebody has who is missing."""
    strengths = services.strengths_of(user_ids, now)
    return {pool: Shown(scale.shown(strength.mu), scale.deviation(strength.sigma)) for pool, strength in strengths.items()}


def own(ratings: Ratings, user: User | None, game: str, pace: str) -> int:
    """The number to choose tables by: a newcomer's for whoever has none."""
    shown = ratings.get((user.pk, game, pace)) if user else None
    return scale.CENTRE if shown is None else shown.rating
