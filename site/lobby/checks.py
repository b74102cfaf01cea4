"""What the lobby checks before it opens a table or lets somebody sit down; each check raises a refusal of `lobby.errors`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from accounts.models import User
from accounts.ties import any_blocked
from games.kit.protocol import N_, Game, RuleError
from lobby import standing
from lobby.errors import BadWish, Blocked, Expired, Full, NotInvited, NotNow, OutsideRating, SeekClosed, TooMuch
from lobby.models import HERE, LONGEST_MESSAGE, Place, SatDown, Seek
from matches.clock import Pace, TimeControl
from matches.services import NO_CLOCK

MOST_OPEN = 12
"""Tables that one person may have open at once."""
MOST_POSTED, POSTED_WITHIN = 30, timedelta(minutes=10)
"""Tables that one person may open in that time."""
MOST_SAT, SAT_WITHIN = 30, timedelta(minutes=10)
"""How often one person may sit down in that time."""
HIGHEST_RATING = 4000


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asks a table to be."""

    game: str
    variant: str
    options: tuple[str, ...] = ()
    control: TimeControl = NO_CLOCK
    rated: bool = False
    private: bool = False
    open_seats: bool = False
    rating_low: int | None = None
    rating_high: int | None = None
    language: str = ""
    seating: str = Seek.Seating.RANDOM
    message: str = ""
    seat: int = 0
    """The host's own place."""
    bots: Mapping[int, str] = field(default_factory=dict)
    """Per place that goes to a bot its level."""


def here(user: User, now: datetime) -> bool:
    """Whether one of the person's pages showed a sign of life lately."""
    return user.seen_at is not None and user.seen_at > now - HERE


def check_joiner(seek: Seek, places: Sequence[Place], user: User, now: datetime) -> None:
    """Whether `user` may sit down there at all, place or not. Raises `MatchError`."""
    if seek.pace == Pace.LIVE and seek.kind in Seek.PUBLIC and not here(seek.host, now):
        raise SeekClosed(N_("The host of this table has gone. Take another one, or open your own."))
    if seek.kind == Seek.Kind.CHALLENGE and all(place.invited_id != user.pk for place in places):
        raise NotInvited
    if seek.rated and user.is_guest:
        raise NotNow(N_("A rated match needs an account. Sign up, or play casual."))
    if any_blocked([user, *(place.user for place in places if place.user)]):
        raise Blocked
    if seek.rating_low is not None or seek.rating_high is not None:
        rating = standing.number(user, seek.game, seek.pace)
        low, high = seek.rating_low or 0, seek.rating_high or HIGHEST_RATING
        if not low <= rating <= high:
            raise OutsideRating(low=low, high=high, rating=rating)


def check_open(seek: Seek, now: datetime) -> None:
    """Whether the table can still be joined."""
    if seek.status == Seek.Status.STARTED:
        raise Full
    if seek.status == Seek.Status.EXPIRED or (seek.is_open and seek.expires_at <= now):
        raise Expired
    if not seek.is_open:
        raise SeekClosed


def check_level(rules: Game, level: str) -> None:
    """Whether the game has such a bot. Raises `RuleError`."""
    if level not in {known.key for known in rules.levels}:
        raise RuleError("unknown_level", "{game} has no bot “{level}”.", game=rules.name, level=level)


def check_wish(rules: Game, wish: Wish, host: User) -> None:
    """Whether `host` may open such a table."""
    seats = rules.variant(wish.variant).seats
    if len(wish.message) > LONGEST_MESSAGE:
        raise BadWish(N_("A message has at most {limit} characters."), limit=LONGEST_MESSAGE)
    if wish.language and wish.language not in dict(settings.LANGUAGES):
        raise BadWish(N_("Choose one of the languages of the list."))
    if wish.seating not in Seek.Seating.values:
        raise BadWish(N_("Places are either drawn by lot or chosen."))
    if not 0 <= wish.seat < seats or any(number == wish.seat or not 0 <= number < seats for number in wish.bots):
        raise BadWish(N_("This table has {seats} places, and one of them is yours."), seats=seats)
    for level in wish.bots.values():
        check_level(rules, level)
    _check_rating(wish)
    if wish.rated:
        if host.is_guest:
            raise NotNow(N_("A rated match needs an account. Sign up, or play casual."))
        if wish.control.pace is Pace.NONE:
            raise NotNow(N_("A rated match needs a clock. Choose one, or play casual."))
        if wish.open_seats:
            raise NotNow(N_("In a rated match nobody takes over a bot’s seat. Choose one of the two."))


def _check_rating(wish: Wish) -> None:
    low, high = wish.rating_low, wish.rating_high
    if low is None and high is None:
        return
    if wish.control.pace is Pace.NONE:
        raise BadWish(N_("Without a clock there are no ratings to choose by. Leave the range empty."))
    if not 0 <= (low or 0) <= (HIGHEST_RATING if high is None else high) <= HIGHEST_RATING:
        raise BadWish(N_("A range of ratings goes from a lower to a higher number, up to {limit}."), limit=HIGHEST_RATING)


def check_bounds(host: User, now: datetime) -> None:
    """Keep one person from flooding the lobby; the lock on the person makes the count hold."""
    User.objects.select_for_update(no_key=True).get(pk=host.pk)
    own = Seek.objects.filter(host=host)
    still_open = Q(status=Seek.Status.OPEN, expires_at__gt=now)
    if own.filter(still_open).count() >= MOST_OPEN:
        raise TooMuch(N_("You have {limit} open tables. Close one of them first."), limit=MOST_OPEN)
    if own.filter(created_at__gt=now - POSTED_WITHIN).count() >= MOST_POSTED:
        raise TooMuch(N_("You opened {limit} tables in a short time. Wait a few minutes."), limit=MOST_POSTED)


def check_restless(user: User, now: datetime) -> None:
    """Count that `user` sits down, and keep one person from doing so over and over: everybody in the lobby is told each time.

    Each span begins with the first time after the last one ended. What is refused is not counted.
    """
    SatDown.objects.bulk_create([SatDown(user=user, since=now)], ignore_conflicts=True)
    # A row of its own and not the person's, which `check_bounds` locks before any table: here the table is locked already.
    count = SatDown.objects.select_for_update().get(user=user)
    if count.since <= now - SAT_WITHIN:
        count.since, count.times = now, 0
    if count.times >= MOST_SAT:
        raise TooMuch(N_("You sat down very often in a short time. Wait a few minutes."))
    count.times += 1
    count.save()
