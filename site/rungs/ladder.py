"""The rungs themselves: joining, changing places, closing gaps. Every service that moves somebody holds the ladder's lock.

Locks are taken in one order: the ladder's, then the rows of its challenges and rungs, then what a new match writes.
"""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction
from django.db.models import Count, F, Max

from accounts import sanctions
from accounts.models import User
from games.kit.protocol import N_
from rungs.errors import NotNow
from rungs.models import Challenge, Rung, Step
from rungs.statutes import variant_of

LOCKS = 1_382_376_531
"""Our advisory locks, apart from anybody else's; one for each game."""


def lock(game: str) -> None:
    """Hold the ladder of a game until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCKS, game])


def rung_of(user: User | None, game: str) -> Rung | None:
    """Somebody's place in the ladder of a game."""
    return None if user is None else Rung.objects.filter(user=user, game=game).first()


def join(user: User, game: str, *, now: datetime) -> Rung:
    """Take the lowest rung; somebody who has one keeps it. Raises `UnknownGame`, and `NotNow` for who may not."""
    if variant_of(game) is None:
        raise NotNow(N_("This game is not played by two, so it has no challenge ladder."))
    if user.is_guest:
        raise NotNow(N_("The challenge ladder needs an account. Sign up first."))
    if sanctions.of_kind(user, sanctions.Kind.SUSPENSION, now):
        raise NotNow(N_("You may not play at present, so you cannot join a ladder."))
    with transaction.atomic():
        lock(game)
        if (own := rung_of(user, game)) is not None:
            return own
        lowest = Rung.objects.filter(game=game).aggregate(lowest=Max("position"))["lowest"] or 0
        return Rung.objects.create(game=game, user=user, position=lowest + 1, best=lowest + 1, joined_at=now, active_at=now)


def settle(challenge: Challenge, state: Challenge.State, now: datetime, *, why: str = "", swapped: bool = False) -> None:
    """Write down how a locked challenge ended."""
    challenge.state, challenge.why, challenge.swapped, challenge.settled_at = state, why, swapped, now
    challenge.save(update_fields=["state", "why", "swapped", "settled_at"])


def swap(higher: Rung, lower: Rung, now: datetime, *, down: Step.Why, up: Step.Why | None = None) -> None:
    """Let two people of a locked ladder change places; `down` and `up` say why each moved. Without `up` the lower one only makes room."""
    top, bottom = higher.position, lower.position
    higher.position, lower.position = bottom, top
    lower.best = min(lower.best, top)
    for rung in (higher, lower):
        rung.save(update_fields=["position", "best"])
    steps = [Step(game=higher.game, user=higher.user, before=top, after=bottom, why=down, at=now)]
    if up:
        steps.append(Step(game=lower.game, user=lower.user, before=bottom, after=top, why=up, at=now))
    Step.objects.bulk_create(steps)


def played(game: str, users: tuple[int, ...], now: datetime) -> None:
    """Note that these people are not idle."""
    Rung.objects.filter(game=game, user__in=users).update(active_at=now, warned_at=None, sunk_at=None, last_call_at=None)


def close_gaps() -> int:
    """Number anew each ladder out of which somebody went without leaving, as when an account is deleted; how many."""
    broken = Rung.objects.order_by().values("game").annotate(people=Count("pk"), lowest=Max("position")).exclude(people=F("lowest"))
    games = sorted(row["game"] for row in broken)
    for game in games:
        with transaction.atomic():
            lock(game)
            moved = []
            for position, rung in enumerate(Rung.objects.filter(game=game).order_by("position"), start=1):
                if rung.position != position:
                    rung.position, rung.best = position, min(rung.best, position)
                    moved.append(rung)
            Rung.objects.bulk_update(moved, ["position", "best"], batch_size=1000)
    return len(games)
