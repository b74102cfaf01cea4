"""The people and results of the ladder's tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from accounts.models import User
from ladder.models import RatedMatch, RatingChange
from ladder.services import Entrant, apply_next, enter

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
POOL = ("blokus", "live")


class People:
    """Accounts; each is made when first named."""

    def __getattr__(self, name: str) -> User:
        if name.startswith("_"):
            raise AttributeError(name)
        return User.objects.get_or_create(username=name)[0]


@pytest.fixture
def people(db: None) -> People:
    return People()


def entrants(*seats: User | str | None) -> list[Entrant]:
    """Seats of people, of bots by level, and of those who are gone."""
    return [Entrant(level=seat) if isinstance(seat, str) else Entrant(seat.pk if seat else None) for seat in seats]


def result(
    match_id: int, *seats: User | str | None, ranks: Sequence[int] = (), pool: tuple[str, str] = POOL, now: datetime = NOW
) -> RatedMatch:
    """Enter a result; without `ranks` the seats come in as they are named."""
    return enter(match_id, *pool, entrants(*seats), ranks or range(1, len(seats) + 1), now)


def rated(*pool: str) -> int:
    """Rate all that waits; how many there were."""
    total = 0
    while done := apply_next(*(pool or POOL), NOW):
        total += done
    return total


def change(match_id: int, seat: int) -> RatingChange:
    """What a match changed for a seat."""
    return RatingChange.objects.get(rated__match_id=match_id, seat=seat)
