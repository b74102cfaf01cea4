"""The verbs of a table that fills up: post, join, leave, cancel, decline, give a place to a bot.

Each locks the table's row, checks, writes and raises its version in one transaction; everybody concerned is told after the
commit. Who takes the last place starts the match in the same transaction, so there is exactly one. `now` is an argument
so that time has one source, the entry point.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from accounts.presence import touch
from accounts.ties import any_blocked
from games import registry
from games.kit.protocol import N_
from lobby.checks import Wish, check_bounds, check_joiner, check_level, check_open, check_restless, check_wish
from lobby.errors import BadWish, Blocked, Full, NoSuchTable, NotHost, NotInvited, NotNow, OwnSeek, PlaceTaken, SeekClosed, ToYourself
from lobby.models import Place, Seek
from matches import announce, chat, followups
from matches.clock import Pace
from matches.services import BotSeat, Person, SeatPlan, start_match

KEPT_OPEN = timedelta(days=14)
CHALLENGE_STANDS, LIVE_CHALLENGE_STANDS = timedelta(days=7), timedelta(minutes=10)


def post_seek(host: User, wish: Wish, *, now: datetime, kind: str = Seek.Kind.OPEN, invited: Sequence[User] = ()) -> Seek:
    """Open a table at which `host` sits. Raises `UnknownGame`, `RuleError`, or `MatchError` for what is not possible.

    `invited` are kept the first free places. With no place left free the match begins at once.
    """
    rules = registry.get(wish.game)
    rules.start(wish.variant, wish.options)
    check_wish(rules, wish, host)
    if wish.message:
        chat.check_voice(host, now)
    with transaction.atomic():
        check_bounds(host, now)
        seek = Seek.objects.create(
            kind=kind,
            host=host,
            game=wish.game,
            variant=wish.variant,
            options=sorted(wish.options),
            time_control=str(wish.control),
            pace=wish.control.pace,
            rated=wish.rated,
            private=wish.private,
            open_seats=wish.open_seats,
            rating_low=wish.rating_low,
            rating_high=wish.rating_high,
            language=wish.language,
            seating=wish.seating,
            message=wish.message,
            created_at=now,
            expires_at=now + _stands(kind, wish.control.pace),
        )
        places = Place.objects.bulk_create(_places(seek, wish, invited, now))
        touch(host, now)
        _settle(seek, places, now)
    return seek


def challenge(host: User, people: Sequence[User], wish: Wish, *, now: datetime) -> Seek:
    """Ask these people to a table of their own; each is told. Raises as `post_seek` does, and `ToYourself`, `Blocked`."""
    if any(person.pk == host.pk for person in people):
        raise ToYourself
    free = registry.get(wish.game).variant(wish.variant).seats - 1 - len(wish.bots)
    if len({person.pk for person in people}) != len(people) or len(people) != free:
        raise BadWish(N_("This table has {free} other places for people, and you named {named}."), free=free, named=len(people))
    if wish.rated and any(person.is_guest for person in people):
        raise NotNow(N_("A rated match needs an account. Sign up, or play casual."))
    if any_blocked([host, *people]):
        raise Blocked
    with transaction.atomic():
        seek = post_seek(host, wish, now=now, kind=Seek.Kind.CHALLENGE, invited=people)
        for person in people:
            key = f"{followups.TELL}:challenge:{seek.pk}:{person.pk}"
            followups.ask(followups.TELL, key=key, person=person, data={"event": "challenge", "seek": seek.pk}, now=now)
    return seek


def join_seek(seek_id: int, user: User, place: int | None = None, *, now: datetime) -> Seek:
    """Sit down, in that place where places are chosen; who sits already may move there. Raises `MatchError`."""
    with transaction.atomic():
        seek, places = locked(seek_id)
        sit(seek, places, user, place, now)
    return seek


def sit(seek: Seek, places: Sequence[Place], user: User, number: int | None, now: datetime) -> None:
    """The same for a table that the caller has locked."""
    own = next((place for place in places if place.user_id == user.pk), None)
    if own is not None and seek.status == Seek.Status.STARTED:
        return
    check_open(seek, now)
    if own is not None:
        _move(seek, places, own, number, now)
    else:
        check_joiner(seek, places, user, now)
        taken = _free_place(seek, places, user, number)
        check_restless(user, now)
        taken.user, taken.joined_at = user, now
        taken.save(update_fields=["user", "joined_at"])
    touch(user, now)
    _settle(seek, places, now)


def leave_seek(seek_id: int, user: User, *, now: datetime) -> Seek:
    """Get up again; when the host does, the table is closed. Does nothing for somebody who does not sit there."""
    with transaction.atomic():
        seek, places = locked(seek_id)
        own = next((place for place in places if place.user_id == user.pk), None)
        if own is None or not seek.is_open:
            return seek
        if seek.host_id == user.pk:
            close(seek, places, Seek.Status.CANCELLED, now)
        else:
            empty(seek, places, [own])
    return seek


def cancel_seek(seek_id: int, user: User, *, now: datetime) -> Seek:
    """Close one's own table. Raises `NotHost`, and `SeekClosed` when its match has begun meanwhile."""
    with transaction.atomic():
        seek, places = _hosted(seek_id, user)
        if seek.status == Seek.Status.STARTED:
            raise SeekClosed(N_("The match has begun already."))
        if seek.is_open:
            close(seek, places, Seek.Status.CANCELLED, now)
    return seek


def decline_challenge(seek_id: int, user: User, *, now: datetime) -> Seek:
    """Say no to a challenge, which closes it for all. Raises `NotInvited`, `SeekClosed`."""
    with transaction.atomic():
        seek, places = locked(seek_id)
        if all(place.invited_id != user.pk for place in places):
            raise NotInvited
        if seek.status == Seek.Status.STARTED:
            raise SeekClosed(N_("The match has begun already."))
        if seek.is_open:
            close(seek, places, Seek.Status.DECLINED, now, by=user)
    return seek


def fill_with_bot(seek_id: int, user: User, number: int, level: str, *, now: datetime) -> Seek:
    """Give a free place of one's own table to a bot. Raises `MatchError`, `RuleError` for a level that does not exist."""
    with transaction.atomic():
        seek, places = _hosted(seek_id, user)
        check_open(seek, now)
        check_level(seek.rules, level)
        place = _numbered(places, number)
        if not place.free:
            raise PlaceTaken
        place.level, place.invited = level, None
        place.save(update_fields=["level", "invited"])
        _settle(seek, places, now)
    return seek


def empty_place(seek_id: int, user: User, number: int, *, now: datetime) -> Seek:
    """Take a bot away from one's own table again. Raises `MatchError`."""
    with transaction.atomic():
        seek, places = _hosted(seek_id, user)
        check_open(seek, now)
        place = _numbered(places, number)
        if place.user_id is not None:
            raise NotNow(N_("A person sits there."))
        if place.level:
            empty(seek, places, [place])
    return seek


def hand_over_places(guest: User, user: User) -> None:
    """Give a guest's places at open tables to an account; where both are at the same table, the guest's stays the guest's."""
    for seek_id in Seek.objects.concerning(guest).filter(status=Seek.Status.OPEN).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            seek, places = locked(seek_id)
            own = next((place for place in places if place.user_id == guest.pk), None)
            if own is None or not seek.is_open or any(user.pk in (place.user_id, place.invited_id) for place in places):
                continue
            own.user = user
            own.save(update_fields=["user"])
            if seek.host_id == guest.pk:
                seek.host = user
            _changed(seek, places)


def locked(seek_id: int, *, skip: bool = False) -> tuple[Seek, list[Place]]:
    """The table, its row locked until the transaction ends, and its places. Raises `NoSuchTable`; with `skip` also when it is held."""
    # no_key: rows that refer to the table can be written meanwhile, as in `matches.writing.locked`.
    seek = Seek.objects.select_for_update(no_key=True, skip_locked=skip).filter(pk=seek_id).first()
    if seek is None:
        raise NoSuchTable
    return seek, list(seek.places.select_related("user"))


def close(seek: Seek, places: Sequence[Place], status: Seek.Status, now: datetime, by: User | None = None) -> None:
    """End a locked table without a match; who challenged somebody is told that `by` declined, or that nobody answered in time."""
    seek.status, seek.closed_at = status, now
    if seek.kind == Seek.Kind.CHALLENGE and status in (Seek.Status.DECLINED, Seek.Status.EXPIRED):
        people = [by.pk] if by else [place.invited_id for place in places if place.invited_id and place.user_id is None]
        data = {"event": "declined", "seek": seek.pk, "status": str(status), "people": people}
        followups.ask(followups.TELL, key=f"{followups.TELL}:declined:{seek.pk}", person=seek.host, data=data, now=now)
    _changed(seek, places)


def empty(seek: Seek, places: Sequence[Place], emptied: Sequence[Place]) -> None:
    """Let those places of a locked table be free again."""
    people = [place.user_id for place in emptied if place.user_id]
    for place in emptied:
        place.user, place.level, place.joined_at = None, "", None
        place.save(update_fields=["user", "level", "joined_at"])
    _changed(seek, places)
    announce.persons(people)


def _settle(seek: Seek, places: Sequence[Place], now: datetime) -> None:
    """After any change of who sits there: begin the match when all places are taken, and tell."""
    if not any(place.free for place in places):
        seek.match = start_match(
            seek.game,
            seek.variant,
            seats=_seats(seek, places),
            options=seek.options,
            control=seek.control,
            rated=seek.rated,
            private=seek.private,
            open_seats=seek.open_seats,
            now=now,
        )
        seek.status, seek.closed_at = Seek.Status.STARTED, now
        if seek.pace == Pace.LIVE:
            _withdraw_others(seek, [place.user_id for place in places if place.user_id], now)
    _changed(seek, places)


def _seats(seek: Seek, places: Sequence[Place]) -> list[SeatPlan]:
    seats: list[SeatPlan] = [Person(place.user) if place.user else BotSeat(place.level) for place in places]
    if seek.seating == Seek.Seating.RANDOM:
        secrets.SystemRandom().shuffle(seats)
    return seats


def _withdraw_others(started: Seek, people: Sequence[int], now: datetime) -> None:
    """Who plays live waits at no other live table. One that is being changed this moment is left to itself."""
    waiting = Seek.objects.filter(status=Seek.Status.OPEN, pace=Pace.LIVE, kind__in=Seek.PUBLIC, places__user__in=people)
    for seek_id in waiting.exclude(pk=started.pk).values_list("pk", flat=True).distinct():
        try:
            seek, places = locked(seek_id, skip=True)
        except NoSuchTable:
            continue
        if not seek.is_open:
            continue
        if seek.host_id in people:
            close(seek, places, Seek.Status.CANCELLED, now)
        else:
            empty(seek, places, [place for place in places if place.user_id in people])


def _changed(seek: Seek, places: Sequence[Place]) -> None:
    seek.version += 1
    seek.save()
    announce.lobby()
    announce.persons({person for place in places for person in (place.user_id, place.invited_id) if person} | {seek.host_id})


def _places(seek: Seek, wish: Wish, invited: Sequence[User], now: datetime) -> list[Place]:
    places = [Place(seek=seek, number=number, level=wish.bots.get(number, "")) for number in range(seek.rules_variant.seats)]
    places[wish.seat].user, places[wish.seat].joined_at = seek.host, now
    free = [place for place in places if place.free]
    for place, person in zip(free, invited, strict=False):
        place.invited = person
    return places


def _stands(kind: str, pace: str) -> timedelta:
    if kind == Seek.Kind.CHALLENGE:
        return LIVE_CHALLENGE_STANDS if pace == Pace.LIVE else CHALLENGE_STANDS
    return KEPT_OPEN


def _free_place(seek: Seek, places: Sequence[Place], user: User, number: int | None) -> Place:
    """The place that `user` gets: the one asked for, the one kept for it, or the first that is free."""
    free = [place for place in places if place.free and place.invited_id in (None, user.pk)]
    if not free:
        raise Full
    if number is not None and seek.seating == Seek.Seating.CHOSEN:
        place = _numbered(places, number)
        if place not in free:
            raise PlaceTaken
        return place
    return min(free, key=lambda place: (place.invited_id is None, place.number))


def _move(seek: Seek, places: Sequence[Place], own: Place, number: int | None, now: datetime) -> None:
    """Let somebody who sits there take another place, where places are chosen; sitting down again is no change."""
    if number is None or number == own.number or seek.seating != Seek.Seating.CHOSEN:
        if seek.host_id == own.user_id:
            raise OwnSeek
        return
    other = _numbered(places, number)
    if not other.free or other.invited_id is not None or own.invited_id is not None:
        raise PlaceTaken
    user, joined_at = own.user, own.joined_at
    assert user is not None
    check_restless(user, now)
    own.user, own.joined_at = None, None
    own.save(update_fields=["user", "joined_at"])
    other.user, other.joined_at = user, joined_at
    other.save(update_fields=["user", "joined_at"])


def _numbered(places: Sequence[Place], number: int) -> Place:
    for place in places:
        if place.number == number:
            return place
    raise PlaceTaken(N_("This table has no such place."))


def _hosted(seek_id: int, user: User) -> tuple[Seek, list[Place]]:
    seek, places = locked(seek_id)
    if seek.host_id != user.pk:
        raise NotHost
    return seek, places
