"""The cast and the tables of the tests of notices, and workers that do what is due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts.models import User
from games import registry
from matches import commands
from matches.clock import TimeControl
from matches.models import FollowUp, Match
from matches.services import Person, play_move, start_match
from notices import tasks
from notices.models import NoticeSettings
from tests.platform.conftest import Cast, _no_position_is_remembered, cast, legal, now_at

__all__ = ["Cast", "_no_position_is_remembered", "cast"]

TASKS = {"tell": tasks.tell, "mail": tasks.mail, "push": tasks.push, "remind": tasks.remind}


@pytest.fixture
def days(cast: Cast) -> Callable[..., Match]:
    """`days(alice, bob)`: a match of the card game with three days a move, just started."""

    def start(*people: User, control: str = "3d", game: str = "cards", variant: str = "", **more: Any) -> Match:
        variant = variant or f"{game}-{len(people)}"
        seats = [Person(user) for user in people]
        more.setdefault("now", timezone.now())
        match = start_match(registry.get(game).key, variant, seats=seats, control=TimeControl.parse(control), **more)
        return commands.find(match.pk)

    return start


def reachable(user: User, **choices: Any) -> User:
    """The person with a confirmed address and, if given, choices of its own."""
    user.email = f"{user.username}@example.org"
    user.save(update_fields=["email"])
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
    if choices:
        NoticeSettings.objects.update_or_create(user=user, defaults=choices)
    return user


def prefers(user: User, **preferences: Any) -> None:
    """Let the person's browser have told this about itself."""
    User.objects.filter(pk=user.pk).update(preferences=preferences)


def move(match: Match, **more: Any) -> Match:
    """Let whose turn it is make a legal move."""
    match = now_at(match)
    play_move(match.pk, match.to_move, legal(match), ply=match.ply, now=timezone.now(), **more)
    return now_at(match)


def rows(kind: str, **more: Any) -> list[FollowUp]:
    """What of a kind waits to be done, the oldest first."""
    return list(FollowUp.objects.filter(kind=kind, done_at=None, dead_at=None, **more).order_by("pk"))


def work(*kinds: str) -> None:
    """Do all that waits of these kinds, whenever it is due."""
    for kind in kinds:
        for row in rows(kind):
            TASKS[kind](row.pk)


def told() -> None:
    """Do as the workers do some minutes after something happened: tell, then send what came of it."""
    work("tell", "mail", "push")


def later(**more: float) -> Any:
    """Now and so much more."""
    return timezone.now() + timedelta(**more)
