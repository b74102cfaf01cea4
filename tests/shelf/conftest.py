"""The cast of the shelf's tests, matches that are over, and a record from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from matches import payloads
from matches.models import Match
from matches.services import resign
from shelf import comments
from shelf.models import Comment
from shelf.subject import Subject, find
from studies.models import Imported
from tests.platform.conftest import NOW, Cast, _no_position_is_remembered, cast, now_at, play_on, table

__all__ = ["NOW", "Cast", "_no_position_is_remembered", "cast", "imported", "now_at", "over", "table", "thing", "write"]

Over = Callable[..., Match]


@pytest.fixture
def over(cast: Cast, table: Callable[..., Match]) -> Over:
    """`over()`: another finished match of alice and bob, four plies long."""

    def make(**more: Any) -> Match:
        match = table("duo-2", cast.alice, cast.bob, **more)
        play_on(match, 4)
        resign(match.pk, 1, now=NOW)
        return now_at(match)

    return make


def imported(owner: User, match: Match) -> Imported:
    """The record of a match as if it had come from elsewhere."""
    record = payloads.record_of(match, None).to_json()
    return Imported.objects.create(
        owner=owner, game=match.game, variant=match.variant, record=record, plies=match.ply, digest=f"{match.pk:064d}", made_at=NOW
    )


def thing(of: Match | Imported, player: User | None = None) -> Subject:
    """What the shelf knows it as."""
    return find("match", str(of.pk), player) if isinstance(of, Match) else find("imported", of.token, player)


def write(subject: Subject, user: User, text: str = "Why not the corner?", **more: Any) -> Comment:
    """Write to a ply."""
    intent: dict[str, Any] = {"ply": 2, "public": False, "client_id": uuid4(), "now": NOW}
    return comments.write(subject, user, text=text, **(intent | more))
