"""The cast and the finished matches of the profiles' tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest

from accounts.models import User
from matches.models import Match, Seat
from matches.replay import start_of
from matches.services import resign
from tests.platform.conftest import NOW, Cast, _no_position_is_remembered, cast, now_at, play_on, table

__all__ = ["NOW", "Cast", "_no_position_is_remembered", "cast", "finished", "many", "now_at", "play_on", "table"]

_numbers = count(1)


@pytest.fixture
def over(cast: Cast, table: Any) -> Match:
    """A match of Zelda and Bob that is over."""
    match = table("duo-2", cast.Zelda, cast.Bob)
    play_on(match, 4)
    resign(match.pk, 1, now=NOW)
    return now_at(match)


def finished(seats: Sequence[User | str], ranks: Sequence[int], variant: str = "duo-2", game: str = "blokus", **more: Any) -> Match:
    """A match that is over, as it is stored, but for its plies; a text is the level of a bot. `ratings` are those of the people."""
    ratings: Sequence[int | None] = more.pop("ratings", [None] * len(seats))
    at = more.pop("at", NOW)
    match = _match(game, variant, ranks, at, more)
    match.save()
    Seat.objects.bulk_create(_seats(match, seats, ratings))
    return match


def many(person: User, others: Sequence[User], how_many: int) -> None:
    """So many finished matches of one person against two others each, in bulk."""
    days = [NOW - timedelta(minutes=10 * number) for number in range(how_many)]
    games = (("blokus", "classic-3"), ("azul", "grey-3"), ("blockers", "basic-3"))
    rows = (_match(*games[number % 3], [1 + (number + seat) % 3 for seat in range(3)], at, {}) for number, at in enumerate(days))
    matches = Match.objects.bulk_create(rows, batch_size=2000)
    seats = (
        seat
        for number, match in enumerate(matches)
        for seat in _seats(match, [person, others[number % len(others)], "skilled"], [1500, 1300 + number % 500, None])
    )
    Seat.objects.bulk_create(seats, batch_size=1000)  # triggers follow each batch, within the time of a statement


def _match(game: str, variant: str, ranks: Sequence[int], at: datetime, more: dict[str, Any]) -> Match:
    row: dict[str, Any] = {
        "game": game, "variant": variant, "rules_version": 1, "status": Match.Status.FINISHED, "termination": "complete",
        "ranks": list(ranks), "scores": [0] * len(ranks), "commitment": f"{next(_numbers):064d}",
        "pace": "live", "time_control": "5m+10s",
        "created_at": at - timedelta(minutes=9), "moved_at": at, "finished_at": at,
    }  # fmt: skip
    match = Match(**row | more)
    match.chain = start_of(match).chain
    return match


def _seats(match: Match, seats: Sequence[User | str], ratings: Sequence[int | None]) -> list[Seat]:
    people = [None if isinstance(seat, str) else seat for seat in seats]
    levels = [seat if isinstance(seat, str) else "" for seat in seats]
    each = enumerate(zip(people, levels, ratings, strict=True))
    return [Seat(match=match, number=number, user=user, level=level, rating=rating) for number, (user, level, rating) in each]
