"""The ratings that the lobby goes by: numbers as people see them, a newcomer's for whoever has none."""

from __future__ import annotations

from collections.abc import Iterable

from accounts.models import User
from ladder import scale, services
from ladder.models import Rating

Ratings = dict[tuple[int, str, str], int]
"""By person, game and pace."""


def number(user: User, game: str, pace: str) -> int:
    """The rating of one person. One query."""
    return services.standing_of(user, game, pace).rating


def numbers(users: Iterable[User], game: str, pace: str) -> dict[int, int]:
    """The rating of each by id, at one game and pace. One query."""
    return {person: standing.rating for person, standing in services.standings_of(users, game, pace).items()}


def all_of(user_ids: Iterable[int]) -> Ratings:
    """Every rating that these people have. One query; look missing ones up as `scale.CENTRE`."""
    rows = Rating.objects.filter(user__in=set(user_ids)).values_list("user", "game", "pace", "mu")
    return {(user, game, pace): scale.shown(mu) for user, game, pace, mu in rows}
