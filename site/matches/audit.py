"""Whether the results that ratings are made from are those of the matches: each that counts once, as it ended, in the order of the ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from ladder import periods
from ladder.models import Pool, RatedMatch, RatingChange
from ladder.recompute import AT_ONCE, Difference, check, one_moment, repair
from matches.models import Match, Seat

Sat = tuple[int, int | None, str]
"""A seat: its number, its person, its bot's level."""


def pools() -> list[tuple[str, str]]:
    """Every game and pace of which there is a result, or should be one."""
    known = set(Pool.objects.values_list("game", "pace"))
    return sorted(known | set(_counting().order_by().values_list("game", "pace").distinct()))


def differences(game: str, pace: str) -> Iterator[Difference]:
    """All that is wrong with the ratings of a pool: its results against the matches, and its numbers against the results."""
    with one_moment():
        yield from _results(game, pace)
        yield from check(game, pace)


def put_right(game: str, pace: str, now: datetime) -> list[Difference]:
    """Put right what follows from the results; what differed, with what is wrong about the results themselves, which stays as it is."""
    return [*_results(game, pace), *repair(game, pace, now)]


def _counting() -> QuerySet[Match]:
    return Match.objects.filter(rated=True, status=Match.Status.FINISHED, uncounted="")


def _results(game: str, pace: str) -> Iterator[Difference]:
    entered = RatedMatch.objects.filter(match_id=OuterRef("pk"))
    for match_id in _counting().filter(~Exists(entered), game=game, pace=pace).order_by("pk").values_list("pk", flat=True):
        yield Difference(f"match {match_id}", "not entered", "entered once")
    last, ended = -1, None
    while batch := list(RatedMatch.objects.filter(game=game, pace=pace, number__gt=last).order_by("number")[:AT_ONCE]):
        matches = {match.pk: match for match in _counting().filter(game=game, pace=pace, pk__in=[row.match_id for row in batch])}
        sat, entrants = _seats([row.match_id for row in batch]), _entrants(batch)
        for row in batch:
            match = matches.get(row.match_id)
            if match is None:
                yield Difference(f"match {row.match_id}", f"entered as result {row.number}", "does not count here")
                continue
            if row.ranks != match.ranks:
                yield Difference(f"ranks of result {row.number}", row.ranks, match.ranks)
            if entrants[row.pk] != sat[match.pk]:
                yield Difference(f"seats of result {row.number}", entrants[row.pk], sat[match.pk])
            assert match.finished_at is not None  # it is finished
            due = match.finished_at if ended is None else max(ended, match.finished_at)
            if row.ended_at != due and not _put_off(due, row.ended_at):
                yield Difference(f"the time of result {row.number}", row.ended_at, due)
            ended = row.ended_at
        last = batch[-1].number


def _put_off(due: datetime, entered: datetime) -> bool:
    """Whether a result counts from the first moment of a season, since the one that it came too late for was closed already."""
    return due < entered == periods.span(periods.season_of(entered)).starts


def _seats(match_ids: list[int]) -> dict[int, list[Sat]]:
    """Per match its seats: number, person, level."""
    seats: defaultdict[int, list[Sat]] = defaultdict(list)
    rows = Seat.objects.filter(match__in=match_ids).order_by("match", "number")
    for match_id, number, user, level in rows.values_list("match", "number", "user", "level"):
        seats[match_id].append((number, user, level))
    return seats


def _entrants(batch: list[RatedMatch]) -> dict[int, list[Sat]]:
    """The same per result, as it was entered."""
    seats: defaultdict[int, list[Sat]] = defaultdict(list)
    rows = RatingChange.objects.filter(rated__in=batch).order_by("rated", "seat")
    for rated, number, user, level in rows.values_list("rated", "seat", "user", "level"):
        seats[rated].append((number, user, level))
    return seats
