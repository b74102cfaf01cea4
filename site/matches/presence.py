"""Who is at a match: a lease per socket, renewed by its beats, so that whoever is cut off counts as away without anybody saying so.

The rows of seats stay as the history of their connections; a spectator's row goes when its socket does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Max, Q, QuerySet

from matches.models import Connection, Match, Move

LEASE = timedelta(seconds=10)
"""How long a sign of life holds. With beats every 5 s the others are shown that somebody is away 15 s after the last one at most."""
STALE = timedelta(seconds=60)
"""After this the sweep closes a row. A page in the background beats only once a minute, and then opens another."""
SWEPT_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is at a match now: per seat whether its person is here, and the number of sockets of spectators."""

    here: tuple[bool, ...]
    watching: int


def opened(match: Match, seat: int | None, now: datetime) -> int:
    """Take a lease for a new socket; its id."""
    with _hurried():
        return Connection.objects.create(match=match, seat=seat, opened_at=now, seen_at=now).pk


def renewed(lease: int | None, match: Match, seat: int | None, lag: int, now: datetime) -> int:
    """Renew a lease at a beat; its id, a new one where it was lost or its person sat down meanwhile. `lag` is in ms, 0 when unknown."""
    with _hurried():
        if lease is not None:
            held = Connection.objects.filter(pk=lease, seat=seat, closed_at=None)
            if held.update(seen_at=now, lag_ms=lag or None):
                return lease
            closed(lease, now)
        return Connection.objects.create(match=match, seat=seat, opened_at=now, seen_at=now, lag_ms=lag or None).pk


def closed(lease: int | None, now: datetime) -> None:
    """Give a lease back; what was given back or swept before stays as it is."""
    if lease is None:
        return
    with _hurried():
        held = Connection.objects.filter(pk=lease, closed_at=None)
        if not held.filter(seat=None).delete()[0]:
            held.update(closed_at=now, seen_at=now)


def at(match: Match, now: datetime) -> Presence:
    """Who is at the match; load it with its seats. A bot is always here, a seat of a person who left only by its person's socket."""
    open_now = list(_alive(now).filter(match=match).values_list("seat", flat=True))
    seats = match.seats.all()
    return Presence(tuple(bool(seat.level) or seat.number in open_now for seat in seats), open_now.count(None))


def here(match: Match, now: datetime) -> list[bool]:
    """Per seat whether its person is here."""
    return list(at(match, now).here)


def watching(match: Match, now: datetime) -> int:
    """How many sockets of spectators look at the match."""
    return _alive(now).filter(match=match, seat=None).count()


def watching_each(matches: Sequence[int], now: datetime) -> dict[int, int]:
    """The same for many matches in one query, by their ids; those that nobody watches are left out."""
    found: dict[int, int] = {}
    for match_id in _alive(now).filter(match__in=matches, seat=None).values_list("match_id", flat=True):
        found[match_id] = found.get(match_id, 0) + 1
    return found


def away(match: Match, seats: Collection[int], now: datetime) -> dict[int, datetime]:
    """Those of the seats whose person is away, with its last sign of life, be it a move without a socket.

    One query, and another one if somebody is away.
    """
    sockets = Connection.objects.filter(match=match, seat__in=seats).order_by().values_list("seat")
    signs = dict.fromkeys(seats, match.created_at)
    for seat, seen, lease in sockets.annotate(seen=Max("seen_at"), lease=Max("seen_at", filter=Q(closed_at=None))):
        if lease is not None and lease > now - LEASE:
            del signs[seat]
        else:
            signs[seat] = max(seen, signs[seat])
    if signs:
        moves = Move.objects.filter(match=match, seat__in=signs, client_id__isnull=False).order_by().values_list("seat")
        for seat, moved in moves.annotate(moved=Max("at")):
            signs[seat] = max(moved, signs[seat])
    return signs


def sweep(now: datetime) -> int:
    """Close what was cut off without a word; how many rows it were. Safe to run twice at once."""
    stale = list(Connection.objects.filter(closed_at=None, seen_at__lt=now - STALE).values_list("pk", flat=True)[:SWEPT_AT_ONCE])
    if not stale:
        return 0
    # Asked for again in the same statement: a late beat may have renewed the lease since.
    found = Connection.objects.filter(pk__in=stale, closed_at=None, seen_at__lt=now - STALE)
    spectators, _ = found.filter(seat=None).delete()
    return spectators + found.update(closed_at=F("seen_at"))


def _alive(now: datetime) -> QuerySet[Connection]:
    return Connection.objects.filter(closed_at=None, seen_at__gt=now - LEASE)


@contextmanager
def _hurried() -> Iterator[None]:
    """A transaction whose commit does not wait for the disk: a lease that a crash loses is lost with its socket."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = off")
        yield
