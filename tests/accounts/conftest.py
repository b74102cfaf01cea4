"""A browser that starts matches, signs up and signs in, as the tests of people need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import registry
from matches.models import Seat

PASSWORD = "olive-tile-7"


class Visitor(Client):
    """A browser with a person in front of it."""

    def play(self) -> int:
        """Click "Play now" on the first game; the number of the match."""
        game = registry.all_games()[0]
        choice = {"game": game.key, "variant": game.variants[0].key, "level": game.levels[0].key, "seat": "first"}
        answer = self.post(reverse("play"), choice)
        assert answer.status_code == 302, answer.content
        return int(answer["Location"].strip("/").split("/")[-1])

    def sign_up(self, name: str, email: str = "", password: str = PASSWORD) -> HttpResponse:
        """Send the sign-up form."""
        form = {"username": name, "email": email, "password1": password, "password2": password}
        return self.post(reverse("account_signup"), form)

    def sign_in(self, name: str, password: str = PASSWORD, **more: Any) -> HttpResponse:
        """Send the sign-in form."""
        return self.post(reverse("account_login"), {"login": name, "password": password}, **more)

    def sign_out(self) -> None:
        """Send the sign-out form."""
        self.post(reverse("account_logout"))

    @property
    def user_id(self) -> int | None:
        """The account that is signed in."""
        return int(self.session["_auth_user_id"]) if "_auth_user_id" in self.session else None


@pytest.fixture(autouse=True)
def _no_attempts_counted(services: None) -> Iterator[None]:
    cache.clear()
    yield


@pytest.fixture
def visitor(db: None) -> Visitor:
    return Visitor()


@pytest.fixture
def other(db: None) -> Visitor:
    return Visitor()


@pytest.fixture
def account(db: None) -> Callable[..., User]:
    """`account("Ann")`: an account that exists already."""

    def make(name: str, email: str = "") -> User:
        return User.objects.create_user(name, email, PASSWORD)

    return make


def matches_of(user_id: int | None) -> set[int]:
    """The numbers of the matches in which somebody has a seat."""
    return set(Seat.objects.filter(user_id=user_id).values_list("match_id", flat=True))
