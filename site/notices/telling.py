"""From what happened to whom to tell.

A `tell` row becomes a `Notice` per person and, by that person's settings, rows for its mail and its pushes, all in one
transaction. All keys are derived from the event, so doing it twice, even at the same moment, tells nobody twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from matches import announce, followups, stakes
from matches.models import FollowUp, Match, Move, Seat
from notices import news, reminders
from notices.models import DECLINED, NEWS, Kind
from notices.spreading import News, spread


def tell(row: FollowUp, now: datetime) -> None:
    """Tell everybody whom the event of a `tell` row concerns, and mark the row done with it.

    Before word of an end goes out its ratings are brought up to it, which that word tells.
    """
    if row.data["event"] == Kind.END and row.match is not None:
        stakes.settle(row.match, now)
    with transaction.atomic():
        people = [spread(piece, now) for piece in _news(row)]
        if row.data["event"] == Kind.TURN and row.match is not None:
            reminders.ask(row.match, now)
        followups.done(row, now)
        announce.persons(people)


def _news(row: FollowUp) -> Iterable[News]:
    event, match = row.data["event"], row.match
    if event == NEWS:
        return [news.of(row)]
    if event == Kind.CHALLENGE:
        assert row.person is not None
        return [News(row.person, Kind.CHALLENGE, row.key.partition(":")[2], data=row.data)]
    if event == DECLINED:
        assert row.person is not None
        return [News(row.person, Kind.CHALLENGE, row.key.partition(":")[2], data=row.data, quiet=True)]
    if match is None:
        return []
    kind, version = Kind(event), int(row.key.split(":")[2])
    seats = _concerned(kind, match, row)
    return [
        News(seat.user, kind, f"{kind}:{match.pk}:{version}", match, version, row.ply or 0, row.data) for seat in seats if seat.user
    ]


def _concerned(kind: Kind, match: Match, row: FollowUp) -> list[Seat]:
    """The seats whose people an event of a match is news to."""
    seats = [seat for seat in match.seats.select_related("user") if seat.user and not seat.left]
    if kind == Kind.OFFER:
        return [seat for seat in seats if seat.number != row.data["seat"]]
    if kind != Kind.TURN:
        return seats
    if match.ply != row.ply or _moved_last(match, row.data["seat"]):
        return []
    return [seat for seat in seats if seat.number == row.data["seat"] == match.to_move]


def _moved_last(match: Match, seat: int) -> bool:
    """Whether the seat goes on after a move of its own, which is no news to it."""
    last = Move.objects.filter(match=match, seat__isnull=False).order_by("-ply").values_list("seat", flat=True).first()
    return last == seat
