"""Seasons as they run: who plays in which division, and the end of one with its places, promotion and relegation."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import connection, transaction

from ladder import periods, season
from ladder.models import Pool, RatedMatch, Season, SeasonPlace


def open_season(game: str, pace: str, key: str) -> Season:
    """The season of that key, made when it is the first result's."""
    return Season.objects.get_or_create(game=game, pace=pace, key=key)[0]


def divisions(game: str, pace: str, key: str, user_ids: Collection[int]) -> dict[int, int]:
    """The division that each person starts the season `key` in. One query."""
    latest: dict[int, SeasonPlace] = {}
    earlier = SeasonPlace.objects.filter(season__game=game, season__pace=pace, season__key__lt=key, user__in=user_ids)
    for place in earlier.select_related("season").order_by("season__key"):
        assert place.user_id is not None  # asked for by person
        latest[place.user_id] = place
    return {user_id: _division(latest.get(user_id), key) for user_id in user_ids}


def close_ended(game: str, pace: str, now: datetime) -> list[Season]:
    """Close the seasons of a pool that are over and have no result left to rate. Call it in a transaction that has the pool's lock.

    A season is over when the clock says so, or when a result has come in that belongs to a later one: clocks differ.
    """
    closed = []
    for running in Season.objects.filter(game=game, pace=pace, closed_at=None).order_by("key"):
        if not _is_over(running, now):
            break
        # Whoever ends a match holds the pool's row. With it, whatever they have entered can be seen, and what they enter later is
        # not of this season any more (`closed_until`).
        list(Pool.objects.select_for_update(no_key=True).filter(game=game, pace=pace))
        if not _is_over(running, now):
            break
        _close(running, now)
        closed.append(running)
    return closed


def closed_until(game: str, pace: str) -> datetime | None:
    """The end of the last season of a pool that was closed: no result can be of an earlier time."""
    key = Season.objects.filter(game=game, pace=pace, closed_at__isnull=False).order_by("-key").values_list("key", flat=True).first()
    return None if key is None else periods.span(key).ends


def reopen(game: str, pace: str, moment: datetime) -> None:
    """Open the season of that moment and all later ones again, for a history that is loaded in its own order. In the loading transaction.

    The clock would have them closed while results of that time still come in; they are closed anew after the last of them.
    """
    Season.objects.filter(game=game, pace=pace, key__gte=periods.season_of(moment), closed_at__isnull=False).update(closed_at=None)


def run_again(game: str, pace: str, now: datetime) -> None:
    """Go through all seasons of a pool anew, the first one first: who starts where, and how each that is over ended.

    Call it in a transaction that has the pool's lock, when the points are right.
    """
    for running in Season.objects.filter(game=game, pace=pace).order_by("key"):
        places = list(SeasonPlace.objects.filter(season=running, user__isnull=False))
        starts = divisions(game, pace, running.key, [place.user_id for place in places if place.user_id is not None])
        for place in places:
            assert place.user_id is not None  # asked for by person
            place.division = starts[place.user_id]
        SeasonPlace.objects.bulk_update(places, ["division"], batch_size=1_000)
        if running.closed_at or _is_over(running, now):
            _close(running, running.closed_at or now)


def _is_over(running: Season, now: datetime) -> bool:
    """Whether its time is past, and every result of that time rated."""
    ends = periods.span(running.key).ends
    results = RatedMatch.objects.filter(game=running.game, pace=running.pace)
    last = results.order_by("-number").values_list("ended_at", flat=True).first()
    past = now >= ends or (last is not None and last >= ends)
    return past and not results.filter(applied_at=None, ended_at__lt=ends).exists()


def _close(ended: Season, now: datetime) -> None:
    """Give a place to each who played enough, and to each an outcome: the best quarter up, the last quarter and the idle ones down."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            """
            WITH ordered AS (
                SELECT id, division, matches >= %(enough)s AS enough,
                    rank() OVER (PARTITION BY division, matches >= %(enough)s ORDER BY points DESC, matches) AS place,
                    count(*) OVER (PARTITION BY division, matches >= %(enough)s) AS people
                FROM ladder_seasonplace WHERE season_id = %(season)s
            )
            UPDATE ladder_seasonplace AS own SET
                place = CASE WHEN ordered.enough THEN ordered.place END,
                outcome = CASE
                    WHEN NOT ordered.enough THEN CASE WHEN ordered.division = %(lowest)s THEN 'stayed' ELSE 'relegated' END
                    WHEN ordered.place <= greatest(1, ordered.people / %(share)s) AND ordered.division < %(highest)s THEN 'promoted'
                    WHEN ordered.place > ordered.people - ordered.people / %(share)s AND ordered.division > %(lowest)s THEN 'relegated'
                    ELSE 'stayed' END
            FROM ordered WHERE ordered.id = own.id
            """,
            {"season": ended.pk, "enough": season.ENOUGH, "share": season.SHARE, "lowest": season.LOWEST, "highest": season.HIGHEST},
        )
    ended.closed_at = now
    ended.save(update_fields=["closed_at"])


def _division(place: SeasonPlace | None, key: str) -> int:
    missed = 0 if place is None else periods.seasons_between(place.season.key, key) - 1
    return season.division_after(place, missed)
