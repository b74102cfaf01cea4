"""What time and matches do to challenges: those not answered are lost, those played are decided, those that cannot be are void.

All is worked out from stored rows under the ladder's lock, so doing it twice, at the same moment or after a crash, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts import sanctions
from accounts.browsers import linked
from accounts.models import Tie
from matches.models import Event, Match, Seat
from rungs import ladder, news, services
from rungs.errors import NoSuchChallenge
from rungs.models import Challenge
from rungs.reach import shut_out

State, Why = Challenge.State, Challenge.Why
SWEPT_AT_ONCE = 200


def sweep(now: datetime) -> int:
    """Do all that is due; how many challenges changed."""
    changed = sum(_each(_orphans(now), orphaned, now))
    changed += sum(_each(_overdue(now), overdue, now))
    changed += sum(_each(_ended(), ended, now))
    ladder.close_gaps()
    return changed


def orphaned(challenge_id: int, now: datetime) -> bool:
    """Give up a challenge of which somebody's account, or the match, is gone, or of which who challenged may not play."""
    with transaction.atomic():
        found = services.locked(challenge_id)
        if found.state not in Challenge.UNSETTLED:
            return False
        gone = _bereft(found) or (found.state == State.PLAYING and found.match is None)
        barred = found.state == State.OPEN and not gone and (services.barred(found) or bool(shut_out([found.challenger_id or 0], now)))
        if not gone and not barred:
            return False
        ladder.settle(found, State.VOID, now, why=Why.LEFT if gone else Why.BARRED)
        news.void(found, now)
        return True


def overdue(challenge_id: int, now: datetime) -> bool:
    """Let a challenge that was not answered in time be won, or wait on where a vacation gave more time."""
    with transaction.atomic():
        found = services.locked(challenge_id)
        if found.state != State.OPEN or found.answer_by > now or _bereft(found):
            return False
        due_at = services.due_at(found)
        if due_at > now:
            found.answer_by = due_at
            found.save(update_fields=["answer_by"])
            return False
        services.forfeit(found, Why.LATE, now)
        return True


def ended(challenge_id: int, now: datetime) -> bool:
    """Let the match of a challenge that is over decide it."""
    with transaction.atomic():
        found = services.locked(challenge_id)
        match = found.match
        if found.state != State.PLAYING or match is None or match.running or _bereft(found):
            return False
        if match.status == Match.Status.ABORTED:
            _called_off(found, match, now)
        elif linked((found.challenger_id or 0, found.challenged_id or 0), match.finished_at or now):
            ladder.settle(found, State.VOID, now, why=Why.LINKED)
            news.void(found, now)
        else:
            _decide(found, match, now)
        return True


def _bereft(found: Challenge) -> bool:
    """Whether the account of one of the two is gone."""
    return found.challenger_id is None or found.challenged_id is None


def _decide(found: Challenge, match: Match, now: datetime) -> None:
    ranks = {seat.user_id: (match.ranks or ())[seat.number] for seat in Seat.objects.filter(match=match)}
    mine, theirs = ranks[found.challenger_id], ranks[found.challenged_id]
    rungs = services.rungs_of(found)
    state = State.WON if mine < theirs else State.DRAWN if mine == theirs else State.LOST
    swapped = state == State.WON and services.won(found, rungs, now)
    ladder.settle(found, state, now, swapped=swapped)
    ladder.played(found.game, tuple(rungs), now)
    news.decided(found, rungs, now)


def _called_off(found: Challenge, match: Match, now: datetime) -> None:
    """Void; but who was challenged cannot save the rung by calling the match off, or by not coming to it."""
    off = Event.objects.filter(match=match, kind="called_off").order_by("-pk").first()
    seat = None if off is None or off.seat is None else Seat.objects.filter(match=match, number=off.seat).first()
    if seat is not None and seat.user_id == found.challenged_id:
        services.forfeit(found, Why.CALLED_OFF, now)
        return
    ladder.settle(found, State.VOID, now, why=Why.CALLED_OFF)
    news.void(found, now)


def _orphans(now: datetime) -> Q:
    gone = Q(challenger=None) | Q(challenged=None) | Q(state=State.PLAYING, match=None)
    blocked = Tie.objects.filter(user=OuterRef("challenger"), other=OuterRef("challenged"), kind=Tie.Kind.BLOCK)
    shut = sanctions.holding(now).filter(user=OuterRef("challenger"), kind=sanctions.Kind.SUSPENSION)
    return gone | (Q(state=State.OPEN) & (Q(Exists(blocked)) | Q(Exists(shut))))


def _overdue(now: datetime) -> Q:
    return Q(state=State.OPEN, answer_by__lte=now)


def _ended() -> Q:
    return Q(state=State.PLAYING, match__isnull=False) & ~Q(match__status=Match.Status.RUNNING)


def _each(which: Q, act: Callable[[int, datetime], bool], now: datetime) -> list[bool]:
    found = Challenge.objects.filter(which, state__in=Challenge.UNSETTLED).order_by("pk").values_list("pk", flat=True)
    done = []
    for challenge_id in list(found[:SWEPT_AT_ONCE]):
        try:
            done.append(act(challenge_id, now))
        except NoSuchChallenge:  # deleted meanwhile
            continue
    return done
