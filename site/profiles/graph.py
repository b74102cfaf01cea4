"""How somebody's ratings went: the pools one has played in, and the course of one of them as a figure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.utils.translation import gettext

from accounts.models import User
from ladder import scale
from ladder.charts import Chart, Series
from ladder.formula import widened
from ladder.models import Rating
from matches.clock import Pace
from profiles.statistics import game_names

POINTS = 240
"""Of a longer history so many moments are drawn, evenly spaced by matches."""


@dataclass(frozen=True)
class Pool:
    """Where somebody stands at one game and pace."""

    game: str
    pace: str
    name: str
    game_name: str
    pace_name: str
    rating: int
    deviation: int
    provisional: bool
    matches: int

    @property
    def key(self) -> str:
        """As it stands in an address."""
        return f"{self.game}:{self.pace}"


def pools(person: User, now: datetime) -> list[Pool]:
    """The ratings of a person, the most played first, each as wide as the time without a match has made it. One query."""
    names = game_names()
    paces = {Pace.LIVE.value: gettext("live"), Pace.CORRESPONDENCE.value: gettext("over days")}
    rows = Rating.objects.filter(user=person, game__in=names).order_by("-matches", "game", "pace")
    return [_pool(row, names[row.game], paces.get(row.pace, row.pace), now) for row in rows]


def chart(person: User, pool: Pool) -> Chart:
    """The course of a rating, with the range that the true number was in with nineteen chances in twenty. One query."""
    history = _history(person, pool)
    means = [scale.shown(mu) for _, mu, _ in history]
    reach = [2 * scale.deviation(sigma) for _, _, sigma in history]
    return Chart(
        name="rating",
        title=gettext("{game}, {pace}: rating").format(game=pool.game_name, pace=pool.pace_name),
        across=gettext("Day"),
        x=[at for at, _, _ in history],
        series=[
            Series(gettext("Rating"), means),
            Series(gettext("At least, very likely"), [mean - far for mean, far in zip(means, reach, strict=True)]),
            Series(gettext("At most, very likely"), [mean + far for mean, far in zip(means, reach, strict=True)]),
        ],
    )


def _history(person: User, pool: Pool) -> list[tuple[datetime, float, float]]:
    """When, mean and deviation after each match, thinned to `POINTS`; the first and the last always among them."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH course AS (
                SELECT r.ended_at, c.mu_after, c.sigma_after, row_number() OVER (ORDER BY r.number) AS at, count(*) OVER () AS of
                FROM ladder_ratingchange c JOIN ladder_ratedmatch r ON r.id = c.rated_id
                WHERE c.user_id = %s AND r.game = %s AND r.pace = %s AND c.mu_after IS NOT NULL
            )
            SELECT ended_at, mu_after, sigma_after FROM course
            WHERE at = 1 OR at = of OR at %% (1 + of / %s) = 0 ORDER BY at
            """,
            [person.pk, pool.game, pool.pace, POINTS],
        )
        rows: list[Any] = cursor.fetchall()
    return rows


def _pool(row: Rating, game_name: str, pace_name: str, now: datetime) -> Pool:
    sigma = widened(row.strength, now - row.updated_at).sigma
    return Pool(
        game=row.game,
        pace=row.pace,
        name=gettext("{game}, {pace}").format(game=game_name, pace=pace_name),
        game_name=game_name,
        pace_name=pace_name,
        rating=scale.shown(row.mu),
        deviation=scale.deviation(sigma),
        provisional=scale.provisional(sigma),
        matches=row.matches,
    )
