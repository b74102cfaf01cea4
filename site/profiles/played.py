"""The matches of a person as lists for somebody else: those that run, those that ended, those that both had a seat in.

A match that nobody may watch is found by those alone who had a seat in it.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from matches.models import Match, MatchQuerySet, Seat
from profiles.models import Played

PAGE = 24
"""Matches on one page of a list."""


def running(person: User, viewer: User | None, limit: int) -> MatchQuerySet:
    """The running matches in which a person still sits, the one moved in last first."""
    found = Match.objects.of(person).filter(status=Match.Status.RUNNING)
    if viewer is None:
        found = found.public()
    else:
        found = found.filter(Q(private=False) | Exists(Seat.objects.filter(match=OuterRef("pk"), user=viewer)))
    return found.with_seats().order_by("-moved_at")[:limit]


def finished(person: User, viewer: User | None, *, game: str = "", both: bool = False) -> QuerySet[Played]:
    """The finished matches of a person, the newest first; of one game, and with `viewer` in them, if so wished."""
    found = Played.objects.filter(user=person)
    sat_there = Exists(Played.objects.filter(match=OuterRef("match"), user=viewer))
    if viewer is None:
        found = found.filter(private=False)
    elif viewer.pk != person.pk:
        found = found.filter(Q(private=False) | sat_there)
    if game:
        found = found.filter(game=game)
    if both:
        found = found.filter(sat_there)
    return found.order_by("-finished_at", "-match")


def page(found: QuerySet[Played], before: int | None = None, size: int = PAGE) -> tuple[list[Match], int | None]:
    """One page of matches, those that ended before another one of them; and the number of the last when there are more."""
    start = found.filter(match=before).first() if before is not None else None
    if start is not None:
        found = found.filter(Q(finished_at__lt=start.finished_at) | Q(finished_at=start.finished_at, match__lt=start.match_id))
    numbers = list(found.values_list("match", flat=True)[: size + 1])
    matches = Match.objects.with_seats().in_bulk(numbers[:size])
    return [matches[number] for number in numbers[:size]], numbers[size - 1] if len(numbers) > size else None
