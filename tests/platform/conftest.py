"""The cast and the tables of the platform's tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import pytest
from django.conf import settings as site
from django.db import connection, transaction
from django.test import Client

from accounts.models import User
from accounts.players import SESSION_KEY
from games import registry
from matches import commands, consumers, replay
from matches.models import Match
from matches.services import BotSeat, Person, SeatPlan, play_move, start_match
from tests.games.fake_cards import CARDS

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
registry.register(CARDS)


@dataclass
class Cast:
    """People who play in these tests; each is made when first named."""

    def __getattr__(self, name: str) -> User:
        if name.startswith("_"):
            raise AttributeError(name)
        user, made = User.objects.get_or_create(username=name)
        if made:
            user.set_unusable_password()
            user.save()
        return user

    def guest(self) -> User:
        """A new guest."""
        user = User(username=f"guest-{User.objects.count()}", is_guest=True)
        user.save()
        return user

    def at_browser(self, user: User) -> Client:
        """A browser in which `user` plays: signed in, or with the guest's session."""
        client = Client()
        if user.is_guest:
            session = client.session
            session[SESSION_KEY] = user.pk
            session.save()
            client.cookies[site.SESSION_COOKIE_NAME] = session.session_key
        else:
            client.force_login(user)
        return client


@pytest.fixture(autouse=True)
def _no_position_is_remembered() -> None:
    """Matches of another test had the same numbers."""
    replay.recent.clear()


@pytest.fixture(autouse=True)
def _no_socket_is_asked_whether_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a test may be silent for long; the tests of this shorten it again."""
    monkeypatch.setattr(consumers, "SILENCE_SECONDS", 3600.0)


@pytest.fixture
def cast(db: None) -> Cast:
    return Cast()


@pytest.fixture
def table(cast: Cast) -> Callable[..., Match]:
    """`table("cards-2", alice, bob)`: a match just started; a text is the level of a bot."""

    def start(variant: str, *seats: User | str, **more: Any) -> Match:
        game = "cards" if variant.startswith("cards") else "blokus"
        plan: list[SeatPlan] = [BotSeat(seat) if isinstance(seat, str) else Person(seat) for seat in seats]
        match = start_match(game, variant, seats=plan, now=NOW, **more)
        return commands.find(match.pk)

    return start


def now_at(match: Match) -> Match:
    """The match as it is stored now, with its seats."""
    return commands.find(match.pk)


def legal(match: Match, index: int = 0) -> str:
    """A legal move of the seat to move; nothing that is legal when nobody is."""
    moves = replay.position_of(now_at(match)).state.legal_moves()
    return str(next(islice(moves, index, None), "nothing"))


def play_on(match: Match, plies: int | None = None) -> Match:
    """Let the people in turn make legal moves, to the end or for so many turns."""
    match = now_at(match)
    while match.running and plies != 0:
        assert match.to_move is not None
        play_move(match.pk, match.to_move, legal(match), ply=match.ply, now=NOW)
        match = now_at(match)
        plies = None if plies is None else plies - 1
    return match


@contextmanager
def held(match: Match) -> Iterator[None]:
    """Hold the match's row, as a transaction that does not end would."""
    locked, free = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Match.objects.select_for_update().get(pk=match.pk)
            locked.set()
            free.wait(10)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert locked.wait(10)
    try:
        yield
    finally:
        free.set()
        holder.join()
