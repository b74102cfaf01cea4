"""The cast of the tests of studies: people, matches that are over, and the worker for analysis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from matches.models import FollowUp, Match
from studies import guard, tasks
from tests.platform.conftest import NOW, Cast, _no_position_is_remembered, cast, legal, now_at, play_on, table

__all__ = ["NOW", "Cast", "_no_position_is_remembered", "cast", "legal", "now_at", "play_on", "table"]


SECRET = bytes(range(3, 35))
"""Deals alice 5 and 12, and bob 7 and 11."""


@pytest.fixture(autouse=True)
def _nothing_is_remembered(services: None) -> None:
    """Matches of another test had the same numbers."""
    cache.clear()
    guard.courses.clear()


@pytest.fixture
def over(cast: Cast, table: Callable[..., Match]) -> Match:
    """A match of cards that alice won against bob, always the same: nine plies, of which the first, third and fifth are draws."""
    return play_on(table("cards-2", cast.alice, cast.bob, secret=SECRET))


def asked(client: Client, path: str, source: object, ply: object, moves: object = ()) -> Any:
    """The answer to a question of the analysis page."""
    body = {"source": source, "ply": ply, "moves": list(moves) if isinstance(moves, tuple) else moves}
    return client.post(f"/analysis/{path}/", body, content_type="application/json")


def waiting() -> list[FollowUp]:
    """What waits for the worker."""
    return list(FollowUp.objects.filter(kind="study", done_at=None, dead_at=None).order_by("pk"))


def worked(goes: int = 1) -> None:
    """Let the worker do what waits, so many times over."""
    for _ in range(goes):
        for row in waiting():
            tasks.go_on(row.pk)
