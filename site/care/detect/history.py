"""The finished rated matches of some people, in the few numbers that the lists are made from; no plies, so nothing hidden."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from matches.models import Match, Seat

MOST_SEATS = 20_000
"""Seats that are read at once; beyond that the oldest matches are left out."""


@dataclass(frozen=True)
class Part:
    """A seat of a match: who, the rating then, the rank at the end, and how and after how many plies it was left, if it was."""

    user: int | None
    rating: int | None
    rank: int
    left_at: int | None
    why: str


@dataclass(frozen=True)
class Played:
    """A finished match."""

    match: int
    game: str
    variant: str
    ended_at: datetime
    plies: int
    complete: bool
    parts: tuple[Part, ...]

    def part_of(self, user: int) -> Part:
        """The seat of somebody who played."""
        return next(part for part in self.parts if part.user == user)

    def others(self, user: int) -> list[Part]:
        """The seats of the other people."""
        return [part for part in self.parts if part.user not in (None, user)]


def of(users: Collection[int], since: datetime, now: datetime) -> dict[int, list[Played]]:
    """Per person the rated matches that ended since then, the oldest first. One query."""
    held = Seat.objects.filter(user__in=users).values("match")
    seats = Seat.objects.filter(
        match__in=held, match__rated=True, match__status=Match.Status.FINISHED, match__finished_at__gt=since, match__finished_at__lte=now
    )
    rows = list(seats.select_related("match").order_by("-match__finished_at", "-match", "number")[:MOST_SEATS])
    found: dict[int, list[Played]] = defaultdict(list)
    wanted = set(users)
    for _, group in groupby(reversed(rows), key=attrgetter("match_id")):
        played = _played(sorted(group, key=attrgetter("number")))
        for part in played.parts:
            if part.user in wanted:
                found[part.user].append(played)
    return found


def _played(seats: list[Seat]) -> Played:
    match = seats[0].match
    ranks = match.ranks or []
    parts = tuple(Part(seat.user_id, seat.rating, ranks[seat.number], seat.left_at_ply, seat.left_why) for seat in seats)
    ended_at = match.finished_at
    assert ended_at is not None  # finished
    complete = match.termination == Match.Termination.COMPLETE
    return Played(match.pk, match.game, match.variant, ended_at, match.ply, complete, parts)
