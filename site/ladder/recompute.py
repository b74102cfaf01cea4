"""Rates a whole pool anew from its history, in memory, and compares that with what is stored, or puts right what differs.

The history is `RatedMatch` with its `RatingChange` rows: who sat where, the ranks, the order, and the strengths of the bots as they
were then. Everything else follows from it. What belonged to an account that is deleted since cannot be told apart any more: the
strength that it brought into a match is taken as stored, and only what came out of it is computed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection, models, transaction

from accounts.models import User
from ladder import periods, season, seasons, tallies
from ladder.book import Book
from ladder.models import Placing, Pool, RatedMatch, Rating, RatingChange, Season, SeasonPlace, Unlisted
from ladder.services import held, lock_pool

AT_ONCE = 1_000
"""Rows read or written together."""

STRENGTHS = ("mu_before", "sigma_before", "mu_after", "sigma_after")
RATED = ("mu", "sigma", "matches", "updated_at")
PLACED = (*RATED, "country", "listed")
SEASONED = ("points", "matches", "day", "day_matches")


@dataclass(frozen=True)
class Difference:
    """Something stored that the history does not lead to. `row` is what should be there; a `stale` row should not."""

    what: str
    stored: object
    computed: object
    row: models.Model | None = None
    fields: tuple[str, ...] = ()
    stale: bool = False

    def __str__(self) -> str:
        return f"{self.what}: stored {self.stored}, computed {self.computed}"


@dataclass
class Recomputed:
    """What a history leads to."""

    book: Book
    gone: Counter[str] = field(default_factory=Counter)
    """By season how often somebody counted whose account is deleted."""


@contextmanager
def one_moment() -> Iterator[None]:
    """See the database as it is now, whatever others write meanwhile; within a transaction that is open already, as that one does."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def check(game: str, pace: str) -> Iterator[Difference]:
    """What differs in a pool, history first. Call it within `one_moment`; one pass over the history, all ratings of the pool in memory."""
    result = Recomputed(Book(game, pace))
    yield from _history(result)
    yield from _ratings(result.book)
    yield from _placings(result.book)
    yield from _season_points(result)
    yield from _season_ends(game, pace)
    for period, country, bucket, stored, computed in tallies.wrong(game, pace):
        yield Difference(f"tally of {period or 'all time'}, {country or 'all countries'}, from {bucket / 10:.1f}", stored, computed)


def repair(game: str, pace: str, now: datetime) -> list[Difference]:
    """Put right in a pool what follows from its history; what had differed. Nothing is rated meanwhile, but matches may end.

    Numbers and ranks are the history itself and are left as they are.
    """
    with transaction.atomic():
        lock_pool(game, pace)
        result = Recomputed(Book(game, pace))
        found = [*_history(result), *_ratings(result.book), *_placings(result.book)]
        _write(found)
        for key in sorted({key for key, _ in result.book.places}):
            seasons.open_season(game, pace, key)
        points = list(_season_points(result))
        _write(points)
        ends = list(_season_ends(game, pace))
        if points or ends:
            seasons.run_again(game, pace, now)
        counts = [Difference("tally", stored, computed) for *_, stored, computed in tallies.wrong(game, pace)]
        if counts:
            tallies.count_again(game, pace)
        return [*found, *points, *ends, *counts]


def _history(result: Recomputed) -> Iterator[Difference]:
    """Rate all again, in order, and compare every seat."""
    book = result.book
    people: dict[int, str] = {}
    number, waiting = 0, False
    for match, stored in _results(book.game, book.pace):
        number += 1
        if match.number != number:
            yield Difference(f"the number after {number - 1}", match.number, number)
            number = match.number
        if waiting and match.applied_at is not None:
            yield Difference(f"result {number}", "rated", "waits for those before it")
        waiting = waiting or match.applied_at is None
        fresh = [_unrated(change) for change in stored]
        if not waiting:
            _learn(people, (change.user_id for change in fresh))
            book.rate(match, fresh, people)
            gone = [one for one in fresh if one.user_id is None and not one.level and one.before]
            result.gone[periods.season_of(match.ended_at)] += len(gone)
        for change, again in zip(stored, fresh, strict=True):
            yield from _compared(f"result {number}, seat {change.seat}", change, again, STRENGTHS)
    pool = Pool.objects.filter(game=book.game, pace=book.pace).first()
    if pool is not None and pool.next_number != number + 1:
        yield Difference("the number of the next result", pool.next_number, number + 1)


def _results(game: str, pace: str) -> Iterator[tuple[RatedMatch, list[RatingChange]]]:
    """All results of a pool in order, each with its seats."""
    last = -1
    while batch := list(RatedMatch.objects.filter(game=game, pace=pace, number__gt=last).order_by("number")[:AT_ONCE]):
        seats: defaultdict[int, list[RatingChange]] = defaultdict(list)
        for change in RatingChange.objects.filter(rated__in=[match.pk for match in batch]).order_by("rated", "seat"):
            seats[change.rated_id].append(change)
        for match in batch:
            yield match, seats[match.pk]
        last = batch[-1].number


def _unrated(change: RatingChange) -> RatingChange:
    """The seat as it was before its match was rated. Of somebody who is gone only the stored strength is left to start from."""
    known = change.user_id is None
    return RatingChange(
        pk=change.pk, rated_id=change.rated_id, seat=change.seat, user_id=change.user_id, level=change.level,
        mu_before=change.mu_before if known else None, sigma_before=change.sigma_before if known else None,
    )  # fmt: skip


def _learn(people: dict[int, str], user_ids: Iterable[int | None]) -> None:
    """Add the countries of those whom we have not met yet."""
    new = {user_id for user_id in user_ids if user_id is not None} - people.keys()
    if new:
        people.update(User.objects.filter(pk__in=new).values_list("pk", "country"))


def _ratings(book: Book) -> Iterator[Difference]:
    left = dict(book.ratings)
    for row in _rows(Rating.objects.filter(game=book.game, pace=book.pace)):
        yield from _matched(f"rating of person {row.user_id}", row, left.pop(row.user_id, None), RATED)
    for user_id, row in left.items():
        yield Difference(f"rating of person {user_id}", "nothing", _said(row, RATED), row)


def _placings(book: Book) -> Iterator[Difference]:
    left = dict(book.placings)
    out = set(Unlisted.objects.values_list("user", flat=True))
    for (_, user_id), placing in left.items():
        placing.listed = placing.listed and user_id not in out
    for row in _rows(Placing.objects.filter(game=book.game, pace=book.pace)):
        what = f"placing of person {row.user_id}, {row.period or 'all time'}"
        yield from _matched(what, row, left.pop((row.period, row.user_id), None), PLACED)
    for (period, user_id), row in left.items():
        yield Difference(f"placing of person {user_id}, {period or 'all time'}", "nothing", _said(row, PLACED), row)


def _season_points(result: Recomputed) -> Iterator[Difference]:
    """Compare the points of everybody who is still here; of the others only that they did not play more than there are results."""
    book = result.book
    left, gone = dict(book.places), Counter[str]()
    for row in _rows(SeasonPlace.objects.filter(season__game=book.game, season__pace=book.pace).select_related("season")):
        if row.user_id is None:
            gone[row.season.key] += row.matches
            continue
        what = f"points of person {row.user_id} in season {row.season.key}"
        yield from _matched(what, row, left.pop((row.season.key, row.user_id), None), SEASONED)
    known = dict(Season.objects.filter(game=book.game, pace=book.pace).values_list("key", "pk"))
    for (key, user_id), place in left.items():
        if key in known:
            place.season_id = known[key]
        yield Difference(f"points of person {user_id} in season {key}", "nothing", _said(place, SEASONED), place)
    for key, matches in gone.items():
        if matches > result.gone[key]:
            yield Difference(f"matches in season {key} of those whose accounts are deleted", matches, result.gone[key])


def _season_ends(game: str, pace: str) -> Iterator[Difference]:
    """Compare divisions with how the seasons before ended, and places and what follows from them with the points."""
    latest: dict[int, tuple[str, SeasonPlace]] = {}
    for running in Season.objects.filter(game=game, pace=pace).order_by("key"):
        places = list(SeasonPlace.objects.filter(season=running).order_by("pk"))
        ends = season.ends(places) if running.closed_at else {}
        for place in places:
            what = f"place {place.pk} in season {running.key}"
            end = ends.get(place.pk, (None, ""))
            if (place.place, place.outcome) != end:
                yield Difference(what, f"{place.place} {place.outcome}", f"{end[0]} {end[1]}")
            if place.user_id is None:
                continue
            before = latest.get(place.user_id)
            missed = 0 if before is None else periods.seasons_between(before[0], running.key) - 1
            division = season.division_after(before[1] if before else None, missed)
            if place.division != division:
                yield Difference(f"division of person {place.user_id} in season {running.key}", place.division, division)
            latest[place.user_id] = running.key, place


def _rows(rows: models.QuerySet[Any]) -> Iterator[Any]:
    """All rows, by their keys, so many at once."""
    last = 0
    while batch := list(rows.filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
        yield from batch
        last = batch[-1].pk


def _matched(what: str, stored: Any, computed: Any, fields: tuple[str, ...]) -> Iterator[Difference]:
    if computed is None:
        yield Difference(what, _said(stored, fields), "nothing", stored, stale=True)
    else:
        computed.pk = stored.pk
        yield from _compared(what, stored, computed, fields)


def _compared(what: str, stored: Any, computed: Any, fields: tuple[str, ...]) -> Iterator[Difference]:
    for name in fields:
        was, is_now = getattr(stored, name), getattr(computed, name)
        if was != is_now:
            yield Difference(f"{what}, {name}", was, is_now, computed, (name,))


def _said(row: models.Model, fields: Sequence[str]) -> str:
    return ", ".join(f"{name} {getattr(row, name)}" for name in fields)


def _write(found: Sequence[Difference]) -> None:
    """Store the rows that were missing or wrong, and delete those that should not be."""
    for model in (RatingChange, Rating, Placing, SeasonPlace):
        manager: models.Manager[Any] = model._default_manager
        own: list[tuple[Difference, Any]] = [(one, one.row) for one in found if isinstance(one.row, model)]
        new = sorted((row for one, row in own if not one.fields and not one.stale), key=lambda row: row.user_id)
        here = held(row.user_id for row in new)  # an account may have been deleted since we read
        manager.bulk_create([row for row in new if row.user_id in here], batch_size=AT_ONCE)
        manager.filter(pk__in=[row.pk for one, row in own if one.stale]).delete()
        changed = {row.pk: row for one, row in own if one.fields}
        if changed:
            names = sorted({name for one, _ in own for name in one.fields})
            manager.bulk_update([changed[key] for key in sorted(changed)], names, batch_size=AT_ONCE)
