"""Vacations from matches over days: a budget that everybody earns by and by, spent as it is used, and what it does to the clocks.

Nothing goes on vacation by itself: a person takes one until some moment and may come back earlier. Locks are taken in one
order: the person's running correspondence matches by number, then the person.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games.kit.protocol import N_
from matches import announce, timing
from matches.clock import Pace, Rest
from matches.errors import NotNow
from matches.models import Match, Seat, Vacation
from matches.writing import note, people

AT_FIRST = timedelta(days=4)
"""What a new account has."""
DAYS_FOR_ONE = 12
"""So many days at the site, vacations not counted, earn one day of vacation."""
MOST_HELD = timedelta(days=30)
SHORTEST = timedelta(hours=1)


def balance(user: User, now: datetime) -> timedelta:
    """The vacation that a person could take now; nothing for guests. What is planned of a vacation that is on counts as unspent."""
    if user.is_guest:
        return timedelta()
    held, at = AT_FIRST, user.date_joined
    for starts, ends in Vacation.objects.filter(user=user, starts__lt=now).order_by("starts").values_list("starts", "ends"):
        back = min(ends, now)
        held, at = _earned(held, starts - at) - (back - starts), back
    return _earned(held, now - at)


def current(user: User, now: datetime) -> Vacation | None:
    """The vacation that is on."""
    return Vacation.objects.filter(user=user, starts__lte=now, ends__gt=now).first()


def away(match: Match, now: datetime) -> dict[int, datetime]:
    """Until when people at a running correspondence match are on vacation, by seat; load it with its seats.

    One query, none at other paces.
    """
    if match.pace != Pace.CORRESPONDENCE or not match.running:
        return {}
    seats = {seat.user_id: seat.number for seat in match.seats.all() if not seat.automatic}
    on = Vacation.objects.filter(user__in=seats, starts__lte=now, ends__gt=now).values_list("user", "ends")
    return {seats[user]: ends for user, ends in on}


def take(user: User, until: datetime, *, now: datetime) -> None:
    """Go on vacation now, or change until when one that is on lasts.

    Raises `NotNow` for guests, for a moment too near, and for more than is held.
    """
    if user.is_guest:
        raise NotNow(N_("Vacations need an account. Sign up first."))
    if until - now < SHORTEST:
        raise NotNow(N_("Choose a later day to come back."))

    def go() -> None:
        if until - now > balance(user, now):
            raise NotNow(N_("You do not have so many days. Come back earlier."))
        if not Vacation.objects.filter(user=user, starts__lte=now, ends__gt=now).update(ends=until):
            Vacation.objects.create(user=user, starts=now, ends=until)

    _with_clocks(user, now, go, "away")


def come_back(user: User, *, now: datetime) -> bool:
    """End the vacation that is on, whose days that are left are kept; whether there was one."""
    ended = False

    def end() -> None:
        nonlocal ended
        on = Vacation.objects.filter(user=user, starts__lte=now, ends__gt=now)
        ended = bool(on.filter(starts=now).delete()[0] or on.update(ends=now))

    _with_clocks(user, now, end, "back")
    return ended


def _earned(held: timedelta, during: timedelta) -> timedelta:
    """What is held after some time at the site; no more is earned while `MOST_HELD` is."""
    return max(held, min(MOST_HELD, held + max(during, timedelta()) / DAYS_FOR_ONE))


@transaction.atomic
def _with_clocks(user: User, now: datetime, change: Callable[[], None], word: str) -> None:
    """Change the vacations of a person, and with them when the clocks that run for the person run out."""
    # All of them, not only those in which it is the person's turn: no turn may begin by the old vacations meanwhile.
    at_tables = Match.objects.filter(pk__in=_running(user).values("match"))
    matches = list(at_tables.select_for_update(no_key=True).with_seats().order_by("pk"))
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    before = {match.pk: timing.rest_of(user, match.control) for match in matches}
    change()
    for match in matches:
        seat = match.seat_held_by(user)
        if match.running and seat is not None:  # and not over or handed over while its lock was waited for
            _set_clock(match, seat, before[match.pk], timing.rest_of(user, match.control), now)
            match.version += 1
            note(match, word, now, seat)
            match.save(update_fields=["deadline", "version"])
            announce.changed(match)
            announce.persons(people(match.seats.all()))


def _set_clock(match: Match, seat: int, before: Rest, after: Rest, now: datetime) -> None:
    """Let what was left of a turn by the old vacations be left by the new ones. Time that is over stays over."""
    if match.to_move == seat and match.deadline is not None and match.deadline > now:
        match.deadline = after.after(now, before.between(now, match.deadline))


def _running(user: User) -> QuerySet[Seat]:
    """The person's seats at running correspondence matches."""
    return Seat.objects.filter(user=user, left_at_ply=None, match__status=Match.Status.RUNNING, match__pace=Pace.CORRESPONDENCE)
