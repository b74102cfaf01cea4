"""Quick match: finds the table of somebody near in rating, and looks further the longer one waits.

All who look for the same (game, variant, clock, rated or not) are paired one after the other, under a lock of the database:
two who press at once are paired once, and nobody is left beside a table that suits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from django.db import connection, transaction

from accounts.models import User
from accounts.ties import blocked_with
from games import registry
from games.kit.protocol import N_
from lobby import standing
from lobby.checks import HIGHEST_RATING, Wish
from lobby.errors import BadWish, NoSuchTable
from lobby.models import Place, Seek
from lobby.services import close, locked, post_seek, sit
from matches.clock import Pace, TimeControl
from matches.errors import MatchError

CONTROLS = {Pace.LIVE: "5m+10s", Pace.CORRESPONDENCE: "3d"}
"""The clock of a quick match by pace."""
NEAR, WIDER = 100, 25
"""Points of rating apart at first, and by how many more after each second."""
EVERYBODY = timedelta(seconds=30)
"""After so long anybody will do."""
LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Sought:
    """What somebody looks for."""

    game: str
    variant: str
    control: str
    rated: bool

    @classmethod
    def by(cls, seek: Seek) -> Sought:
        """What the host of a quick table looks for."""
        return cls(seek.game, seek.variant, seek.time_control, seek.rated)

    def lock(self) -> None:
        """Hold up everybody else who looks for the same, until the transaction ends."""
        digest = hashlib.sha256(repr((self.game, self.variant, self.control, self.rated)).encode()).digest()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int.from_bytes(digest[:8], signed=True)])


def variant_for(game: str, seats: int) -> str:
    """The variant that a quick match of so many is played in: the game's first. Raises `BadWish`, `UnknownGame`."""
    rules = registry.get(game)
    for variant in rules.variants:
        if variant.seats == seats:
            return variant.key
    raise BadWish(N_("{game} has no table for {seats}. Choose another number of players."), game=rules.name, seats=seats)


def window(waited: timedelta, pace: str) -> int | None:
    """How many points apart two may be after waiting so long; `None` for any number."""
    if waited >= EVERYBODY or pace != Pace.LIVE:
        return None
    return NEAR + WIDER * max(0, int(waited.total_seconds()))


def quick_match(user: User, game: str, pace: str, *, seats: int = 2, rated: bool | None = None, now: datetime) -> Seek:
    """Sit down with somebody who suits, or wait for one; the table tells which. Guests, and who asks for it, play casual.

    Pressing again while waiting changes nothing; asking for something else ends the waiting for the first.
    """
    if pace not in CONTROLS:
        raise BadWish(N_("A quick match is live or over days."))
    wish = Wish(
        game,
        variant_for(game, seats),
        control=TimeControl.parse(CONTROLS[Pace(pace)]),
        rated=not user.is_guest if rated is None else rated and not user.is_guest,
    )
    sought = Sought(wish.game, wish.variant, str(wish.control), wish.rated)
    with transaction.atomic():
        sought.lock()
        waiting = _end_other_waiting(user, sought, now)
        if waiting is not None:
            return waiting
        return _join_best(user, sought, timedelta(), now) or post_seek(user, wish, now=now, kind=Seek.Kind.QUICK)


def widen(seek_id: int, now: datetime) -> Seek | None:
    """Look again on behalf of who waits alone at a quick table; the table it sits down at instead, if there is one."""
    seek = Seek.objects.select_related("host").filter(pk=seek_id, kind=Seek.Kind.QUICK, status=Seek.Status.OPEN).first()
    if seek is None:
        return None
    with transaction.atomic():
        Sought.by(seek).lock()
        try:
            seek, places = locked(seek_id, skip=True)
        except NoSuchTable:  # somebody is sitting down there this moment
            return None
        if not seek.is_open or any(place.user_id not in (None, seek.host_id) for place in places):
            return None
        found = _join_best(seek.host, Sought.by(seek), now - seek.created_at, now, instead_of=seek)
        if found is not None:
            close(seek, places, Seek.Status.CANCELLED, now)
        return found


def look_for(user: User, now: datetime) -> None:
    """Look again on behalf of `user`, where it waits at a quick table; the sweep does so too."""
    for seek_id in Seek.objects.open(now).filter(host=user, kind=Seek.Kind.QUICK).values_list("pk", flat=True):
        widen(seek_id, now)


def _end_other_waiting(user: User, sought: Sought, now: datetime) -> Seek | None:
    """The quick table at which `user` waits for the same already; those for something else are closed."""
    same = None
    for seek in Seek.objects.open(now).select_for_update(no_key=True).filter(host=user, kind=Seek.Kind.QUICK):
        if Sought.by(seek) == sought:
            same = seek
        else:
            close(seek, list(seek.places.all()), Seek.Status.CANCELLED, now)
    return same


def _join_best(user: User, sought: Sought, waited: timedelta, now: datetime, instead_of: Seek | None = None) -> Seek | None:
    """Sit down at the best table there is; the next best where somebody else was faster."""
    for seek_id in _suiting(user, sought, waited, now, instead_of):
        try:
            with transaction.atomic():
                seek, places = locked(seek_id)
                sit(seek, places, user, None, now)
                return seek
        except MatchError:
            continue
    return None


def _suiting(user: User, sought: Sought, waited: timedelta, now: datetime, instead_of: Seek | None) -> list[int]:
    """The ids of the tables within reach, the best first: the fullest, then the nearest, then the one that waits longest."""
    tables = Seek.objects.listed(now).with_places().exclude(places__user=user)
    tables = tables.filter(
        game=sought.game, variant=sought.variant, time_control=sought.control, rated=sought.rated, options=[], private=False
    )
    seeks = [seek for seek in tables.order_by("created_at", "pk")[:LOOKED_AT] if instead_of is None or seek.pk != instead_of.pk]
    people = {place.user for seek in seeks for place in seek.places.all() if place.user}
    pace = TimeControl.parse(sought.control).pace
    ratings = standing.numbers({user, *people}, sought.game, pace)
    blocked = blocked_with(user)
    ranked: list[tuple[int, float, datetime, int]] = []
    for seek in seeks:
        places = list(seek.places.all())
        if any(place.user_id in blocked for place in places) or not _in_range(seek, ratings[user.pk]):
            continue
        apart = _apart(places, ratings, user)
        # At a quick table both look, so whoever has waited longer decides how far.
        reach = window(max(waited, now - seek.created_at) if seek.kind == Seek.Kind.QUICK else waited, pace)
        if reach is None or apart <= reach:
            ranked.append((-sum(not place.free for place in places), apart, seek.created_at, seek.pk))
    return [seek_id for *_, seek_id in sorted(ranked)]


def _apart(places: Sequence[Place], ratings: dict[int, int], user: User) -> float:
    others = [ratings[place.user_id] for place in places if place.user_id]
    return abs(fmean(others) - ratings[user.pk]) if others else 0.0


def _in_range(seek: Seek, rating: int) -> bool:
    return (seek.rating_low or 0) <= rating <= (HIGHEST_RATING if seek.rating_high is None else seek.rating_high)
