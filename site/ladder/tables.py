"""Reading the seasons: the table of a division page by page, somebody's own place in it, and the winners of seasons that are over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet

from accounts.models import User
from ladder import season
from ladder.models import Season, SeasonPlace

PAGE = 50
NEIGHBOURS = 2
COUNTED_FOR = timedelta(minutes=1)
"""How old the numbers of people in the divisions of a season that runs may be."""
MOST_BADGES = 12


class Size(NamedTuple):
    """How many are in a division, and how many of them have played enough for a place."""

    people: int
    placed: int


class Spot(NamedTuple):
    """A place between the rows of a division, which keeps its meaning when they move."""

    points: int
    matches: int
    id: int

    @classmethod
    def parse(cls, text: str) -> Spot:
        """The spot that `str` wrote. Raises `ValueError` for anything else."""
        parts = text.split("_")
        if len(parts) != 3 or not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in parts):
            raise ValueError("no place in a division")
        points, matches, number = map(int, parts)
        if max(points, matches) >= 2**31:
            raise ValueError("no place in a division")
        return cls(points, matches, number)

    def __str__(self) -> str:
        return f"{self.points}_{self.matches}_{self.id}"


class Placed(NamedTuple):
    """A row with its place: the one it would have if the season ended now, or the one it got. None for who has not played enough."""

    place: int | None
    row: SeasonPlace


@dataclass(frozen=True)
class Stretch:
    """Rows of a division that follow each other, and whether there are more on either side."""

    rows: list[Placed]
    more_above: bool
    more_below: bool


def spot_of(row: SeasonPlace) -> Spot:
    return Spot(row.points, row.matches, row.pk)


def sizes(of: Season) -> dict[int, Size]:
    """By division, from the highest down, how many are in it. One query, remembered for a minute while the season runs."""
    key = f"season-sizes:{of.pk}:{of.closed_at is None}"
    known: dict[int, Size] | None = cache.get(key)
    if known is None:
        counts = of.places.values("division").annotate(people=Count("pk"), placed=Count("pk", filter=Q(matches__gte=season.ENOUGH)))
        known = {row["division"]: Size(row["people"], row["placed"]) for row in counts.order_by("-division")}
        cache.set(key, known, COUNTED_FOR.total_seconds())
    return known


def top(of: Season, division: int, size: int = PAGE) -> Stretch:
    """The first rows of a division."""
    rows = list(_rows(of, division)[: size + 1])
    return Stretch(_placed(of, rows[:size]), more_above=False, more_below=len(rows) > size)


def after(of: Season, division: int, spot: Spot, size: int = PAGE) -> Stretch:
    """The rows below a place."""
    rows = list(_below(of, division, spot)[: size + 1])
    return Stretch(_placed(of, rows[:size]), more_above=True, more_below=len(rows) > size)


def own(of: Season, user: User) -> tuple[SeasonPlace, list[Placed]] | None:
    """Somebody's own row, and it among its neighbours; `None` for who has not played in that season."""
    row = SeasonPlace.objects.filter(season=of, user=user).select_related("user").first()
    if row is None:
        return None
    spot = spot_of(row)
    higher = list(_above(of, row.division, spot)[:NEIGHBOURS])[::-1]
    lower = list(_below(of, row.division, spot)[:NEIGHBOURS])
    return row, _placed(of, [*higher, row, *lower])


def winners(seasons: Sequence[Season]) -> dict[int, list[SeasonPlace]]:
    """By season that is over the first three of the highest division in which anybody has a place. One query.

    Who is in no list is left out.
    """
    found: dict[int, list[SeasonPlace]] = {}
    best = SeasonPlace.objects.filter(season__in=seasons, place__lte=3, user__unlisted=None).select_related("user")
    for row in best.order_by("season", "-division", "place", "pk"):
        rows = found.setdefault(row.season_id, [])
        if not rows or rows[0].division == row.division:
            rows.append(row)
    return found


def badges_of(user: User) -> list[SeasonPlace]:
    """What somebody may show: places from the first to the third in seasons that are over, the highest division first."""
    places = SeasonPlace.objects.filter(user=user, place__lte=3).select_related("season")
    return list(places.order_by("-division", "place", "-season__key")[:MOST_BADGES])


def _rows(of: Season, division: int) -> QuerySet[SeasonPlace]:
    """Everybody in a division, in the order in which it is closed, but for those who are in no list."""
    rows = SeasonPlace.objects.filter(season=of, division=division, user__unlisted=None)
    return rows.select_related("user").order_by("-points", "matches", "pk")


def _below(of: Season, division: int, spot: Spot) -> QuerySet[SeasonPlace]:
    past = Q(points__lt=spot.points) | Q(matches__gt=spot.matches) | Q(matches=spot.matches, pk__gt=spot.id)
    return _rows(of, division).filter(past, points__lte=spot.points)


def _above(of: Season, division: int, spot: Spot) -> QuerySet[SeasonPlace]:
    past = Q(points__gt=spot.points) | Q(matches__lt=spot.matches) | Q(matches=spot.matches, pk__lt=spot.id)
    return _rows(of, division).filter(past, points__gte=spot.points).order_by("points", "-matches", "-pk")


def _placed(of: Season, rows: Sequence[SeasonPlace]) -> list[Placed]:
    """The rows with their places. One query for a season that runs."""
    if of.closed_at or not rows:
        return [Placed(row.place, row) for row in rows]
    first = rows[0]
    better = Q(points__gt=first.points) | Q(points=first.points, matches__lt=first.matches)
    beside = Q(points=first.points, matches=first.matches, pk__lt=first.pk)
    enough = SeasonPlace.objects.filter(season=of, division=first.division, matches__gte=season.ENOUGH)
    counts = enough.filter(points__gte=first.points).aggregate(better=Count("pk", filter=better), beside=Count("pk", filter=beside))
    placed: list[Placed] = []
    place, last = counts["better"] + counts["beside"], None
    for row in rows:
        if row.matches < season.ENOUGH:
            placed.append(Placed(None, row))
            continue
        place += 1
        if last is None:
            shared = counts["better"] + 1 if (row.points, row.matches) == (first.points, first.matches) else place
        else:
            shared = last.place if (row.points, row.matches) == (last.row.points, last.row.matches) else place
        last = Placed(shared, row)
        placed.append(last)
    return placed
