"""A ladder of people for the tests of the challenge ladders."""

from __future__ import annotations

from datetime import datetime, timedelta

from accounts.models import User
from matches.models import Match
from matches.services import resign
from notices.models import Notice
from rungs import services
from rungs.ladder import join
from rungs.models import Challenge, Rung
from tests.notices.conftest import work
from tests.platform.conftest import NOW, Cast, _no_position_is_remembered, cast, now_at

__all__ = ["NOW", "Cast", "_no_position_is_remembered", "cast"]

GAME = "cards"
DAYS = ("1d", "3d")


def ladder(cast: Cast, *names: str, game: str = GAME) -> list[User]:
    """These people, on the rungs of a ladder from the top down."""
    people = [getattr(cast, name) for name in names]
    for person in people:
        join(person, game, now=NOW)
    return people


def order(game: str = GAME) -> list[str]:
    """The names from the top down; fails where the rungs are not numbered from 1 without gaps."""
    rungs = list(Rung.objects.filter(game=game).order_by("position").values_list("position", "user__username"))
    assert [position for position, _ in rungs] == list(range(1, len(rungs) + 1))
    return [name for _, name in rungs]


def dare(challenger: User, challenged: User, *, now: datetime = NOW, controls: tuple[str, ...] = DAYS) -> Challenge:
    """A challenge just made."""
    return services.challenge(challenger, challenged, GAME, controls, now=now)


def playing(challenger: User, challenged: User, *, now: datetime = NOW) -> tuple[Challenge, Match]:
    """A challenge that was accepted, and its match."""
    made = services.accept(dare(challenger, challenged, now=now).pk, challenged, "3d", now=now)
    assert made.match is not None
    return made, now_at(made.match)


def lose(match: Match, loser: User, *, now: datetime = NOW + timedelta(hours=1)) -> None:
    """Let somebody resign."""
    seat = now_at(match).seat_held_by(loser)
    assert seat is not None
    resign(match.pk, seat, now=now)


def told(person: User) -> list[str]:
    """The titles of what the ladders told somebody, the oldest first."""
    work("tell")
    return [notice.data["title"] for notice in Notice.objects.filter(user=person, kind="rungs").order_by("pk")]
