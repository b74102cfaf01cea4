"""Reading the ladders: pages of them by key, ranks out of the tallies, and where one person stands among the neighbours.

Whatever the size of a ladder, a question reads a few rows: a page begins at a key of the index, and a rank is the sum of the
buckets above plus a count within one's own. docs/ladder.md shows the plans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import floor
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from ladder import formula, periods, scale
from ladder.models import Placing, Unlisted
from ladder.scale import Strength

PAGE = 25
NEIGHBOURS = 2
"""Rows shown above and below one's own."""
FRIENDS = 500
"""Of so many friends the best known are compared; nobody has more in earnest."""
MOST_TO_GO = 60

RANKS = """
    SELECT
        (SELECT coalesce(sum(people), 0) FROM ladder_tally AS tally
            WHERE (tally.game, tally.pace, tally.period, tally.country) = (asked.game, asked.pace, asked.period, %(country)s)
                AND tally.bucket > floor(10 * asked.mu)::int)
        + (SELECT count(*) FROM ladder_placing AS other
            WHERE other.listed AND (other.game, other.pace, other.period) = (asked.game, asked.pace, asked.period) {country}
                AND other.mu > asked.mu AND other.mu < (floor(10 * asked.mu) + 1.5) / 10
                AND floor(10 * other.mu)::int = floor(10 * asked.mu)::int) AS above,
        (SELECT count(*) FROM ladder_placing AS other
            WHERE other.listed AND (other.game, other.pace, other.period) = (asked.game, asked.pace, asked.period) {country}
                AND other.mu = asked.mu AND other.id < asked.id) AS beside,
        (SELECT count(*) FROM ladder_placing AS other
            WHERE other.listed AND (other.game, other.pace, other.period) = (asked.game, asked.pace, asked.period) {country}
                AND other.mu = asked.mu) AS equal,
        (SELECT coalesce(sum(people), 0) FROM ladder_tally AS tally
            WHERE (tally.game, tally.pace, tally.period, tally.country) = (asked.game, asked.pace, asked.period, %(country)s)) AS people
    FROM unnest(%(games)s::text[], %(paces)s::text[], %(periods)s::text[], %(mus)s::float8[], %(ids)s::bigint[])
        WITH ORDINALITY AS asked (game, pace, period, mu, id, place)
    ORDER BY asked.place
"""
WITHIN = "AND other.country = %(country)s"
PEOPLE = """
    SELECT coalesce(sum(people), 0) FROM ladder_tally
    WHERE game = %(game)s AND pace = %(pace)s AND period = %(period)s AND country = %(country)s
"""
# From one value of an index straight to the next, however many rows share it.
PERIODS = """
    WITH RECURSIVE found (period) AS (
        (SELECT period FROM ladder_tally WHERE game = %(game)s AND pace = %(pace)s ORDER BY period LIMIT 1)
        UNION ALL
        SELECT (
            SELECT period FROM ladder_tally
            WHERE game = %(game)s AND pace = %(pace)s AND period > found.period ORDER BY period LIMIT 1
        ) FROM found WHERE found.period IS NOT NULL
    )
    SELECT period FROM found WHERE period <> ''
"""
COUNTRIES = """
    WITH RECURSIVE found (country) AS (
        SELECT ''::text
        UNION ALL
        SELECT (
            SELECT country::text FROM ladder_tally
            WHERE game = %(game)s AND pace = %(pace)s AND period = %(period)s AND country > found.country ORDER BY country LIMIT 1
        ) FROM found WHERE found.country IS NOT NULL
    )
    SELECT country FROM found WHERE country <> ''
"""


class Cursor(NamedTuple):
    """A place between the rows of a ladder. It keeps its meaning when rows come, go and move."""

    mu: float
    id: int

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """The cursor that `str` wrote. Raises `ValueError` for anything else."""
        mu, _, number = text.partition("_")
        if len(text) > 60 or not number.isascii() or not number.isdecimal() or int(number) >= 2**63:
            raise ValueError("no place in a ladder")
        cursor = cls(float(mu), int(number))
        if not abs(cursor.mu) < 1e6:
            raise ValueError("no place in a ladder")
        return cursor

    def __str__(self) -> str:
        return f"{self.mu!r}_{self.id}"


@dataclass(frozen=True)
class Ladder:
    """One list: of a game, a pace and a period (`ladder.periods`), of all countries or of one."""

    game: str
    pace: str
    period: str = periods.ALL_TIME
    country: str = ""

    def rows(self) -> QuerySet[Placing]:
        """Everybody in it, in no order yet."""
        rows = Placing.objects.filter(game=self.game, pace=self.pace, period=self.period, listed=True).select_related("user")
        return rows.filter(country=self.country) if self.country else rows

    def below(self, cursor: Cursor, *, inclusive: bool = False) -> QuerySet[Placing]:
        """The rows after a place, downwards."""
        # The first condition is where the index is entered, the second leaves out who is beside the place on the wrong side.
        past = Q(mu__lt=cursor.mu) | (Q(id__gte=cursor.id) if inclusive else Q(id__gt=cursor.id))
        return self.rows().filter(past, mu__lte=cursor.mu).order_by("-mu", "id")

    def above(self, cursor: Cursor) -> QuerySet[Placing]:
        """The rows before a place, upwards."""
        return self.rows().filter(Q(mu__gt=cursor.mu) | Q(id__lt=cursor.id), mu__gte=cursor.mu).order_by("mu", "-id")


class Rank(NamedTuple):
    """Where a strength stands: how many are above, how many with the same come first, how many there are with the same, and in all."""

    above: int
    beside: int
    equal: int
    people: int

    @property
    def number(self) -> int:
        """Who is equal shares a rank."""
        return self.above + 1

    @property
    def ahead_of(self) -> int | None:
        """The percentile: how many of a hundred of the others are below, rounded down; `None` where there are none."""
        others = self.people - 1
        return None if others < 1 else floor(100 * max(0, self.people - self.above - self.equal) / others)


class Numbered(NamedTuple):
    """A row with its rank; without one for somebody who is not in the list."""

    rank: int | None
    placing: Placing


@dataclass(frozen=True)
class Page:
    """A stretch of a ladder, and whether there is more on either side."""

    rows: list[Numbered]
    more_above: bool
    more_below: bool

    @property
    def first(self) -> Cursor:
        return cursor_of(self.rows[0].placing)

    @property
    def last(self) -> Cursor:
        return cursor_of(self.rows[-1].placing)


@dataclass(frozen=True)
class Mine:
    """One person's own place: the row with its neighbours, the rank it has or would have, and how many matches it takes to be listed."""

    placing: Placing
    rank: Rank
    listed: bool
    to_go: int
    rows: list[Numbered]


def cursor_of(placing: Placing) -> Cursor:
    return Cursor(placing.mu, placing.pk)


def top(ladder: Ladder, size: int = PAGE) -> Page:
    """The first page."""
    rows = list(ladder.rows().order_by("-mu", "id")[: size + 1])
    return Page(_numbered(ladder, rows[:size]), more_above=False, more_below=len(rows) > size)


def page_after(ladder: Ladder, cursor: Cursor, size: int = PAGE) -> Page:
    """The page below a place."""
    rows = list(ladder.below(cursor)[: size + 1])
    higher = ladder.above(Cursor(cursor.mu, cursor.id + 1))
    return Page(_numbered(ladder, rows[:size]), more_above=_any(higher), more_below=len(rows) > size)


def page_before(ladder: Ladder, cursor: Cursor, size: int = PAGE) -> Page:
    """The page above a place. Where there is not a whole one it is the first page, so that none is short."""
    rows = list(ladder.above(cursor)[: size + 1])
    if len(rows) <= size:
        return top(ladder, size)
    return Page(_numbered(ladder, rows[size - 1 :: -1]), more_above=True, more_below=_any(ladder.below(cursor, inclusive=True)))


def page_around(ladder: Ladder, cursor: Cursor, size: int = PAGE) -> Page:
    """The page with a place in the middle."""
    half = size // 2
    higher = list(ladder.above(cursor)[: half + 1])
    lower = list(ladder.below(cursor, inclusive=True)[: size - min(len(higher), half) + 1])
    rows = [*reversed(higher[:half]), *lower[: size - min(len(higher), half)]]
    return Page(_numbered(ladder, rows), more_above=len(higher) > half, more_below=len(higher[:half]) + len(lower) > len(rows))


def on_the_way(ladder: Ladder, size: int = PAGE) -> list[Numbered]:
    """Those whose rating is not narrow enough to be ranked yet, the best first: what a short list of all countries goes on with."""
    waiting = Placing.objects.filter(game=ladder.game, pace=ladder.pace, period=ladder.period, listed=False, sigma__gt=scale.WIDEST)
    shut_out = Unlisted.objects.filter(user=OuterRef("user"))
    rows = waiting.filter(~Exists(shut_out)).select_related("user").order_by("-mu", "id")[:size]
    return [Numbered(None, row) for row in rows]


def ranks_of(placings: Sequence[Placing], country: str = "") -> list[Rank]:
    """The rank that each has, or would have if it is not listed, in its own game, pace and period. One query."""
    if not placings:
        return []
    asked: dict[str, Any] = {
        "games": [row.game for row in placings],
        "paces": [row.pace for row in placings],
        "periods": [row.period for row in placings],
        "mus": [row.mu for row in placings],
        "ids": [row.pk for row in placings],
        "country": country,
    }
    with connection.cursor() as cursor:
        cursor.execute(RANKS.format(country=WITHIN if country else ""), asked)
        return [Rank(*(int(number) for number in row)) for row in cursor.fetchall()]


def people_in(ladder: Ladder) -> int:
    """How many are in a ladder."""
    return int(_column(PEOPLE, game=ladder.game, pace=ladder.pace, period=ladder.period, country=ladder.country)[0])


def periods_with_people(game: str, pace: str) -> list[str]:
    """The months and seasons in which anybody was listed, in the order of the keys."""
    return _column(PERIODS, game=game, pace=pace)


def countries_with_people(ladder: Ladder) -> list[str]:
    """The countries of which anybody is or was listed."""
    return _column(COUNTRIES, game=ladder.game, pace=ladder.pace, period=ladder.period)


def mine(ladder: Ladder, user: User, now: datetime) -> Mine | None:
    """The person's own place with its neighbours; `None` without a rated match in that game, pace and period.

    Somebody who is not listed, or not of that country, has a row without a rank at the place that the rating leads to.
    """
    own = Placing.objects.filter(user=user, game=ladder.game, pace=ladder.pace, period=ladder.period).select_related("user").first()
    if own is None:
        return None
    listed = own.listed and ladder.country in ("", own.country)
    cursor = cursor_of(own)
    higher = list(ladder.above(cursor)[:NEIGHBOURS])[::-1]
    lower = list(ladder.below(cursor)[:NEIGHBOURS])
    window = [*higher, *([own] if listed else []), *lower]
    *first, rank = ranks_of([*window[:1], own], ladder.country)
    rows = _in_order(window, first[0].above, first[0].beside) if first else []
    if not listed:
        rows.insert(len(higher), Numbered(None, own))
    to_go = 0 if own.listed else matches_to_go(formula.widened(own.strength, now - own.updated_at))
    return Mine(own, rank, listed, to_go, rows)


def matches_to_go(strength: Strength) -> int:
    """About how many more matches make a rating narrow enough to be listed: against settled players who are as strong."""
    other = Strength(strength.mu, scale.SETTLED / scale.POINTS)
    for number in range(MOST_TO_GO):
        if not scale.provisional(strength.sigma):
            return number
        strength = Strength(other.mu, formula.rate([strength, other], [1, 2])[0].sigma)
    return MOST_TO_GO


def among(game: str, pace: str, period: str, user_ids: Collection[int]) -> list[Numbered]:
    """A ladder of a few people, such as friends: first those who are listed, by rank; then those whose rating is not narrow enough yet."""
    few = sorted(user_ids)[:FRIENDS]
    placings = Placing.objects.filter(user__in=few, game=game, pace=pace, period=period).select_related("user")
    rows = sorted(placings, key=lambda row: (-row.mu, row.pk))
    listed = [row for row in rows if row.listed]
    waiting = [Numbered(None, row) for row in rows if not row.listed and scale.provisional(row.sigma)]
    return [*_in_order(listed, 0, 0), *waiting]


def _numbered(ladder: Ladder, rows: Sequence[Placing]) -> list[Numbered]:
    if not rows:
        return []
    first = ranks_of(rows[:1], ladder.country)[0]
    return _in_order(rows, first.above, first.beside)


def _in_order(rows: Iterable[Placing], above: int, beside: int) -> list[Numbered]:
    """Number rows that follow each other, after `above` better ones and `beside` that are equal to the first."""
    numbered: list[Numbered] = []
    for place, row in enumerate(rows, above + beside + 1):
        last = numbered[-1] if numbered else None
        if last is None:
            rank: int | None = above + 1
        else:
            rank = last.rank if last.placing.mu == row.mu else place
        numbered.append(Numbered(rank, row))
    return numbered


def _any(rows: QuerySet[Placing]) -> bool:
    return bool(rows[:1])


def _column(query: str, **asked: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query, asked)
        return [row[0] for row in cursor.fetchall()]
