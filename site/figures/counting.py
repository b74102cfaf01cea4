"""Counts finished matches into the rows that the charts of a game are drawn from.

Only public matches count. Each chart is one statement per game, grouped by variant and rating band at once: one pass over the
finished matches of the game, however many variants and bands there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from figures.models import Figure
from games import registry
from games.kit.protocol import InvalidMove, Opening
from matches.models import Match

BANDS = ("", "0", "1200", "1500", "1800")
"""Where each rating band begins, by the mean rating of the table; the first is everybody, unrated matches too."""
DAYS = 90
"""How many days back the chart of matches per day goes."""
OPENINGS = 12
"""How many first moves are kept."""
BARS = 24
"""About how many bars a distribution has."""
ROUND = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
"""How wide a bar may be."""

PATIENCE_SECONDS = 30

Key = tuple[str, str]
"""A variant and a band."""
Rows = dict[Key, list[tuple[Any, ...]]]

_MATCHES = """
    WITH counted AS (
        SELECT m.id, m.variant, m.ranks, m.scores, m.ply, m.pace, m.finished_at, band
        FROM matches_match AS m
        CROSS JOIN LATERAL (
            SELECT '' UNION ALL SELECT CASE WHEN m.rating < 1200 THEN '0' WHEN m.rating < 1500 THEN '1200'
                WHEN m.rating < 1800 THEN '1500' ELSE '1800' END WHERE m.rating IS NOT NULL
        ) AS bands (band)
        WHERE m.game = %(game)s AND m.status = 'finished' AND NOT m.private
    )
"""
_DAYS = """
    SELECT variant, band, (finished_at AT TIME ZONE 'UTC')::date AS day, pace, count(*) FROM counted
    WHERE finished_at >= %(since)s GROUP BY 1, 2, 3, 4 ORDER BY 3, 4
"""
_SEATS = """
    SELECT variant, band, seat, count(*), sum((rank::int = 1)::int / winners::numeric), avg(rank::int)
    FROM counted
    CROSS JOIN LATERAL jsonb_array_elements_text(ranks) WITH ORDINALITY AS seats (rank, seat)
    CROSS JOIN LATERAL (SELECT count(*) FROM jsonb_array_elements_text(ranks) AS other WHERE other::int = 1) AS firsts (winners)
    GROUP BY 1, 2, 3 ORDER BY 3
"""
_LENGTHS = "SELECT variant, band, ply, count(*) FROM counted GROUP BY 1, 2, 3"
_SCORES = """
    SELECT variant, band, score::int, count(*), count(*) FILTER (WHERE rank::int = 1) FROM counted
    CROSS JOIN LATERAL ROWS FROM (jsonb_array_elements_text(scores), jsonb_array_elements_text(ranks)) AS seats (score, rank)
    GROUP BY 1, 2, 3
"""
# A match begins with draws in some games; its first move is the first that a seat made.
_OPENINGS = """
    SELECT variant, band, first.text, count(*), avg((ranks ->> first.seat)::int), sum(((ranks ->> first.seat)::int = 1)::int) FROM counted
    CROSS JOIN LATERAL (
        SELECT seat, text FROM matches_move WHERE match_id = counted.id AND seat IS NOT NULL ORDER BY ply LIMIT 1
    ) AS first
    GROUP BY 1, 2, 3
"""


def recount(game: str, now: datetime) -> bool:
    """Count a game anew when a match has ended since the last time, or a day has begun; whether it was."""
    counted = Figure.objects.filter(game=game).order_by("counted_at").values_list("counted_at", flat=True).first()
    ended = Match.objects.filter(game=game, status=Match.Status.FINISHED)
    if counted is not None:
        ended = ended.filter(finished_at__gt=counted)
    if not ended.exists() and (counted is None or counted >= _midnight(now)):
        return False
    count_game(game, now)
    return True


def count_game(game: str, now: datetime) -> int:
    """Count all charts of a game anew; how many rows of `Figure` there are now. One transaction: a page never sees half of it."""
    charts: dict[str, tuple[str, Callable[[list[tuple[Any, ...]]], dict[str, Any]]]] = {
        "days": (_DAYS, lambda rows: _days(rows, now)),
        "seats": (_SEATS, _seats),
        "length": (_LENGTHS, _distribution),
        "scores": (_SCORES, _distribution),
        "openings": (_OPENINGS, lambda rows: _openings(game, rows)),
    }
    values = {"game": game, "since": _midnight(now) - timedelta(days=DAYS - 1)}
    with transaction.atomic():
        _be_patient()
        totals = {key: rows[0][0] for key, rows in _ask("SELECT variant, band, count(*) FROM counted GROUP BY 1, 2", values).items()}
        figures = [
            Figure(game=game, variant=variant, band=band, name=name, data=shape(rows), matches=totals[variant, band], counted_at=now)
            for name, (statement, shape) in charts.items()
            for (variant, band), rows in _ask(statement, values).items()
        ]
        Figure.objects.filter(game=game).delete()
        Figure.objects.bulk_create(figures)
    return len(figures)


def _ask(statement: str, values: dict[str, Any]) -> Rows:
    """The rows of a statement over the counted matches by variant and band, without these two."""
    rows: Rows = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_MATCHES + statement, values)
        for variant, band, *rest in cursor.fetchall():
            rows[variant, band].append(tuple(rest))
    return rows


def _be_patient() -> None:
    """A whole game may take longer than any page may; until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = '{PATIENCE_SECONDS}s'")


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _days(rows: list[tuple[Any, ...]], now: datetime) -> dict[str, Any]:
    """`{"first": the first day, "paces": {pace: [matches of each day]}}`; days without a match are there as well."""
    first = (_midnight(now) - timedelta(days=DAYS - 1)).date()
    paces: dict[str, list[int]] = {}
    for day, pace, matches in rows:
        paces.setdefault(pace, [0] * DAYS)[(day - first).days] = matches
    return {"first": first.isoformat(), "paces": paces}


def _seats(rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Per seat in order how many matches, wins (a shared first place is a share of one), and the mean rank."""
    return {"seats": [{"matches": matches, "wins": float(wins), "rank": float(rank)} for _, matches, wins, rank in rows]}


def _distribution(rows: Iterable[tuple[Any, ...]]) -> dict[str, Any]:
    """`{"from": the least value, "width": of a bar, "bars": [[how many, ...] each]}` of rows of a value and one or more counts."""
    counts = {value: numbers for value, *numbers in rows}
    low, high = min(counts), max(counts)
    width = next((width for width in ROUND if (high - low) / width <= BARS), ROUND[-1])
    start = low // width * width
    bars = [[0] * len(next(iter(counts.values()))) for _ in range((high - start) // width + 1)]
    for value, numbers in counts.items():
        bar = bars[(value - start) // width]
        for place, number in enumerate(numbers):
            bar[place] += number
    return {"from": start, "width": width, "bars": bars}


def _openings(game: str, rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """The most usual kinds of first move, in words, how often each was played and won, and the mean rank that came of it."""
    rules = registry.get(game)
    kinds: dict[Opening, Played] = defaultdict(Played)
    for text, played, rank, wins in rows:
        try:
            kind = rules.opening(rules.parse_move(text))
        except InvalidMove:
            kind = Opening(text)  # of an older notation
        kinds[kind].add(played, wins, float(rank) * played)
    usual = sorted(kinds.items(), key=lambda item: (-item[1].played, item[0]))[:OPENINGS]
    return {
        "moves": [
            {"text": kind.text, "names": dict(kind.names), "played": one.played, "wins": one.wins, "rank": one.ranks / one.played}
            for kind, one in usual
        ]
    }


@dataclass
class Played:
    """How often a kind of first move was played and won, and the sum of the ranks that came of it."""

    played: int = 0
    wins: int = 0
    ranks: float = 0

    def add(self, played: int, wins: int, ranks: float) -> None:
        self.played += played
        self.wins += wins
        self.ranks += ranks
