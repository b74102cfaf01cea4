"""The matches of a person as lists for somebody else: those that run, those that ended, those that both had a seat in.

A match that nobody may watch is found by those alone who had a seat in it.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from matches.models import Match, MatchQuerySet, Seat

PAGE = 24
"""Matches on one page of a list."""


def seen_by(viewer: User | None) -> MatchQuerySet:
    """The matches that `viewer` may look at."""
    if viewer is None:
        return Match.objects.public()
    return Match.objects.filter(Q(private=False) | Exists(Seat.objects.filter(match=OuterRef("pk"), user=viewer)))


def running(person: User, viewer: User | None, limit: int) -> MatchQuerySet:
    """The running matches in which a person still sits, the one moved in last first."""
    return seen_by(viewer).of(person).filter(status=Match.Status.RUNNING).with_seats().order_by("-moved_at")[:limit]


def finished(person: User, viewer: User | None, *, game: str = "", both: bool = False) -> MatchQuerySet:
    """The finished matches of a person, the newest first; of one game, and with `viewer` in them, if so wished."""
    found = seen_by(viewer).filter(seats__user=person, status=Match.Status.FINISHED)
    if game:
        found = found.filter(game=game)
    if both:
        found = found.filter(Exists(Seat.objects.filter(match=OuterRef("pk"), user=viewer)))
    return found.with_seats().order_by("-finished_at", "-pk")


def page(found: MatchQuerySet, before: Match | None) -> tuple[list[Match], Match | None]:
    """One page of finished matches, those that ended before another one; and the last of it when there are more."""
    if before is not None and before.finished_at is not None:
        found = found.filter(Q(finished_at__lt=before.finished_at) | Q(finished_at=before.finished_at, pk__lt=before.pk))
    rows = list(found[: PAGE + 1])
    return rows[:PAGE], rows[PAGE - 1] if len(rows) > PAGE else None
