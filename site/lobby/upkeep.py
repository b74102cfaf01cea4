"""What time does to tables: invitations expire, who went away loses its place, who waits is looked further for."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from lobby.checks import here
from lobby.errors import NoSuchTable
from lobby.models import HERE, Place, Seek
from lobby.pairing import widen
from lobby.services import close, empty, locked
from matches.clock import Pace

SWEPT_AT_ONCE = 200
KEPT = timedelta(days=30)
"""How long a table that is closed is kept."""
PRUNED_AT_ONCE = 5_000


def sweep(now: datetime) -> int:
    """Do all that is due; how many tables changed. Sweeps may overlap: a table that is held is left to the next."""
    closed = sum(_expire(seek_id, now) for seek_id in _overdue(now))
    emptied = sum(_let_go(seek_id, now) for seek_id in _deserted(now))
    waiting = Seek.objects.listed(now).filter(kind=Seek.Kind.QUICK).order_by("created_at", "pk")
    paired = sum(widen(seek_id, now) is not None for seek_id in list(waiting.values_list("pk", flat=True)[:SWEPT_AT_ONCE]))
    return closed + emptied + paired


def prune(now: datetime) -> int:
    """Delete tables that were closed long ago, with their places; how many tables. Their matches stay."""
    old = Seek.objects.filter(closed_at__lt=now - KEPT).values("pk")[:PRUNED_AT_ONCE]
    return Seek.objects.filter(pk__in=old).delete()[1].get("lobby.Seek", 0)


def _overdue(now: datetime) -> list[int]:
    late = Q(expires_at__lte=now)
    away = Q(host__seen_at=None) | Q(host__seen_at__lte=now - HERE)
    deserted = Q(pace=Pace.LIVE, kind__in=Seek.PUBLIC) & away
    return list(Seek.objects.filter(late | deserted, status=Seek.Status.OPEN).values_list("pk", flat=True)[:SWEPT_AT_ONCE])


def _expire(seek_id: int, now: datetime) -> bool:
    with transaction.atomic():
        try:
            seek, places = locked(seek_id, skip=True)
        except NoSuchTable:
            return False
        waits = seek.expires_at > now and (seek.pace != Pace.LIVE or seek.kind not in Seek.PUBLIC or here(seek.host, now))
        if not seek.is_open or waits:
            return False
        close(seek, places, Seek.Status.EXPIRED, now)
        return True


def _deserted(now: datetime) -> list[int]:
    """Live tables at which somebody sits who went away; hosts of links and challenges may."""
    gone = Q(user__seen_at=None) | Q(user__seen_at__lte=now - HERE)
    places = Place.objects.filter(gone, seek__status=Seek.Status.OPEN, seek__pace=Pace.LIVE, user__isnull=False)
    return list(places.exclude(user=F("seek__host")).values_list("seek", flat=True).distinct()[:SWEPT_AT_ONCE])


def _let_go(seek_id: int, now: datetime) -> bool:
    with transaction.atomic():
        try:
            seek, places = locked(seek_id, skip=True)
        except NoSuchTable:
            return False
        gone = [place for place in places if place.user and place.user_id != seek.host_id and not here(place.user, now)]
        if not seek.is_open or not gone:
            return False
        empty(seek, places, gone)
        return True
