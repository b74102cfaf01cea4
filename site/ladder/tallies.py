"""The tallies counted anew from the placings: what they must be, and putting them right.

They are kept by triggers of the database; this is to find out whether anybody has written around these.
"""

from __future__ import annotations

from django.db import connection

COUNTED = """
    SELECT period, place AS country, floor(10 * mu)::int AS bucket, count(*)::int AS people
    FROM ladder_placing, LATERAL (SELECT '' UNION SELECT country) AS places (place)
    WHERE listed AND game = %(game)s AND pace = %(pace)s
    GROUP BY period, place, floor(10 * mu)::int
"""
STORED = "SELECT period, country, bucket, people FROM ladder_tally WHERE people <> 0 AND game = %(game)s AND pace = %(pace)s"

WRONG = f"""
    SELECT period, country, bucket, coalesce(stored.people, 0), coalesce(counted.people, 0)
    FROM ({COUNTED}) AS counted FULL JOIN ({STORED}) AS stored USING (period, country, bucket)
    WHERE stored.people IS DISTINCT FROM counted.people
    ORDER BY period, country, bucket
"""  # noqa: S608 - parts of our own
AGAIN = f"""
    INSERT INTO ladder_tally (game, pace, period, country, bucket, people)
    SELECT %(game)s, %(pace)s, counted.* FROM ({COUNTED}) AS counted
"""  # noqa: S608


def wrong(game: str, pace: str) -> list[tuple[str, str, int, int, int]]:
    """The buckets of a pool whose number is not that of the placings: period, country, bucket, stored, counted."""
    with connection.cursor() as cursor:
        cursor.execute(WRONG, {"game": game, "pace": pace})
        rows: list[tuple[str, str, int, int, int]] = cursor.fetchall()
        return rows


def count_again(game: str, pace: str) -> None:
    """Count a pool anew. Until the end of the transaction nobody changes a placing, of any pool."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE ladder_placing IN SHARE ROW EXCLUSIVE MODE")
        cursor.execute("DELETE FROM ladder_tally WHERE game = %(game)s AND pace = %(pace)s", {"game": game, "pace": pace})
        cursor.execute(AGAIN, {"game": game, "pace": pace})
