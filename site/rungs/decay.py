"""What idleness does: a warning, then a rung each week, another warning, and at last the place.

Vacations do not count as idle time, nobody sinks while a ladder match is on, and the top rung sinks never: nobody stands above
it to be challenged. Each look does one thing for each person at most, so that a site that was down catches up gently.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.clock import Rest
from matches.models import Vacation
from rungs import ladder, leaving, news
from rungs.models import Challenge, Rung, Step
from rungs.statutes import GONE_AFTER, IDLE_AFTER, SINKS_EVERY, WARNED_BEFORE

LOOKED_AT_ONCE = 500


def decay(now: datetime) -> int:
    """Do what is due; for how many people something changed."""
    return sum(_step(rung_id, game, now) for rung_id, game in list(_idle(now).values_list("pk", "game")[:LOOKED_AT_ONCE]))


def _idle(now: datetime) -> QuerySet[Rung]:
    """Those for whom something may be due, the longest idle first."""
    playing = Q(challenger=OuterRef("user")) | Q(challenged=OuterRef("user"))
    at_play = Challenge.objects.filter(playing, game=OuterRef("game"), state__in=Challenge.UNSETTLED)
    away = Vacation.objects.filter(user=OuterRef("user"), starts__lte=now, ends__gt=now)
    late = now - IDLE_AFTER + WARNED_BEFORE
    to_warn = Q(warned_at=None)
    to_sink = Q(active_at__lte=now - IDLE_AFTER, warned_at__lte=now - WARNED_BEFORE) & (Q(sunk_at=None) | Q(sunk_at__lte=now - SINKS_EVERY))
    to_call = Q(active_at__lte=now - GONE_AFTER + WARNED_BEFORE, warned_at__isnull=False, last_call_at=None)
    to_go = Q(active_at__lte=now - GONE_AFTER, last_call_at__lte=now - WARNED_BEFORE)
    return Rung.objects.filter(
        to_warn | to_sink | to_call | to_go, ~Exists(at_play), ~Exists(away), active_at__lte=late, position__gt=1
    ).order_by("active_at", "pk")


def _step(rung_id: int, game: str, now: datetime) -> bool:
    with transaction.atomic():
        ladder.lock(game)
        rung = _idle(now).select_related("user").filter(pk=rung_id).first()
        if rung is None:
            return False
        idle = _idle_for(rung, now)
        if idle >= GONE_AFTER and rung.last_call_at is not None and rung.last_call_at <= now - WARNED_BEFORE:
            news.gone(rung, now)
            leaving.remove(rung, now)
            return True
        if idle >= GONE_AFTER - WARNED_BEFORE and rung.warned_at is not None and rung.last_call_at is None:
            return _last_call(rung, idle, now)
        if idle >= IDLE_AFTER - WARNED_BEFORE and rung.warned_at is None:
            return _warn(rung, idle, now)
        if idle >= IDLE_AFTER and rung.warned_at is not None and rung.warned_at <= now - WARNED_BEFORE:
            return _sink(rung, now)
        return False


def _idle_for(rung: Rung, now: datetime) -> timedelta:
    away = Vacation.objects.filter(user=rung.user_id, ends__gt=rung.active_at, starts__lt=now).values_list("starts", "ends")
    return Rest(away=tuple(away)).between(rung.active_at, now)


def _warn(rung: Rung, idle: timedelta, now: datetime) -> bool:
    rung.warned_at = now
    rung.save(update_fields=["warned_at"])
    news.idle(rung, now + max(IDLE_AFTER - idle, WARNED_BEFORE), now)
    return True


def _last_call(rung: Rung, idle: timedelta, now: datetime) -> bool:
    rung.last_call_at = now
    rung.save(update_fields=["last_call_at"])
    news.last_call(rung, now + max(GONE_AFTER - idle, WARNED_BEFORE), now)
    return True


def _sink(rung: Rung, now: datetime) -> bool:
    """One rung down; at the bottom there is none."""
    if rung.sunk_at is not None and rung.sunk_at > now - SINKS_EVERY:
        return False
    rung.sunk_at = now
    rung.save(update_fields=["sunk_at"])
    below = Rung.objects.filter(game=rung.game, position=rung.position + 1).select_related("user").first()
    if below is not None:
        ladder.swap(rung, below, now, down=Step.Why.IDLE)
    return True
