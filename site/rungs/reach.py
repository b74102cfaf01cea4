"""Who may be challenged by whom just now, and why others may not: for one target or for all that a page shows, in as many queries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from accounts import sanctions
from accounts.browsers import linked
from accounts.models import User
from accounts.ties import blocked_with
from games.kit.protocol import N_
from matches.models import Vacation
from rungs.errors import Blocked, Busy, MatchError, NotNow, NotOnLadder, OutOfReach, TooSoon, Unavailable
from rungs.models import Challenge, Rung
from rungs.statutes import AGAIN_AFTER, REACH, SAFE_FOR

State = Challenge.State


def own_bar(user: User | None, own: Rung | None, now: datetime) -> MatchError | None:
    """Why somebody may challenge nobody in a ladder just now; `None` for who may. `own` is the rung there."""
    if user is None or user.is_guest:
        return NotNow(N_("The challenge ladder needs an account. Sign up first."))
    if own is None:
        return NotOnLadder()
    if user.pk in shut_out([user.pk], now):
        return NotNow(N_("You may not play at present, so you can challenge nobody."))
    if user.pk in _away([user.pk], now):
        return NotNow(N_("You are on vacation. Come back first, then challenge."))
    if Challenge.objects.filter(game=own.game, challenger=user, state__in=Challenge.UNSETTLED).exists():
        return Busy(N_("You have challenged somebody already. Play that match first, or withdraw the challenge."))
    return None


def bars(own: Rung, targets: Sequence[Rung], now: datetime) -> dict[int, MatchError | None]:
    """Per person on these rungs why the one on `own` may not challenge it now; `None` where it may. Seven queries at most."""
    near = [rung for rung in targets if 1 <= own.position - rung.position <= REACH]
    ids = [rung.user_id for rung in near]
    facts = _Facts(own, ids, now) if ids else None
    found: dict[int, MatchError | None] = {rung.user_id: OutOfReach(reach=REACH) for rung in targets}
    for rung in near:
        assert facts is not None
        found[rung.user_id] = facts.bar(rung)
    return found


class _Facts:
    """What decides about some people near a rung."""

    def __init__(self, own: Rung, ids: Sequence[int], now: datetime) -> None:
        self.now = now
        self.blocked = blocked_with(own.user)
        self.shut_out = shut_out(ids, now)
        self.away = _away(ids, now)
        self.one_browser = {person for pair in linked([own.user_id, *ids], now) if own.user_id in pair for person in pair}
        self.challenged = set(
            Challenge.objects.filter(game=own.game, challenged__in=ids, state__in=Challenge.UNSETTLED).values_list("challenged", flat=True)
        )
        self.met = _met(own, ids, now)
        self.held = _held(own.game, ids, now)

    def bar(self, rung: Rung) -> MatchError | None:
        person = rung.user_id
        if person in self.blocked:
            return Blocked()
        if person in self.shut_out or not rung.user.is_active:
            return Unavailable()
        if person in self.one_browser:
            return NotNow(N_("You two play from one browser, so the ladder takes you for one person."))
        if person in self.away:
            return NotNow(N_("This player is on vacation."))
        if person in self.challenged:
            return Busy()
        if (met := self.met.get(person)) is not None:
            return TooSoon(N_("You two met here less than {days} days ago."), days=AGAIN_AFTER.days, until=met + AGAIN_AFTER)
        if (held := self.held.get(person)) is not None:
            return TooSoon(N_("This player held the rung less than {days} days ago."), days=SAFE_FOR.days, until=held + SAFE_FOR)
        return None


def shut_out(ids: Sequence[int], now: datetime) -> set[int]:
    """Who of these people may not play at present."""
    found = sanctions.holding(now).filter(user__in=ids, kind=sanctions.Kind.SUSPENSION)
    return set(found.values_list("user", flat=True))


def _away(ids: Sequence[int], now: datetime) -> set[int]:
    return set(Vacation.objects.filter(user__in=ids, starts__lte=now, ends__gt=now).values_list("user", flat=True))


def _met(own: Rung, ids: Sequence[int], now: datetime) -> dict[int, datetime]:
    """When the one on `own` and each of these last ended a challenge that cannot be made again at once."""
    pair = Q(challenger=own.user_id, challenged__in=ids) | Q(challenged=own.user_id, challenger__in=ids)
    lately = Challenge.objects.filter(pair, game=own.game, settled_at__gt=now - AGAIN_AFTER).exclude(state=State.VOID)
    found: dict[int, datetime] = {}
    for challenger, challenged, at in lately.order_by("settled_at").values_list("challenger", "challenged", "settled_at"):
        found[challenged if challenger == own.user_id else challenger] = at or now
    return found


def _held(game: str, ids: Sequence[int], now: datetime) -> dict[int, datetime]:
    """When each of these last defended the rung on the board."""
    held = Challenge.objects.filter(
        game=game, challenged__in=ids, state__in=(State.LOST, State.DRAWN), settled_at__gt=now - SAFE_FOR
    ).values_list("challenged", "settled_at")
    return {person: at or now for person, at in held.order_by("settled_at")}  # the newest of each stays
