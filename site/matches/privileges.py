"""What a viewer of a match may ask for now, so that a page offers exactly that."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from matches import offers, services
from matches.models import Match
from matches.replay import Position

OFFERS = {"offer_abort": "abort", "takeback": "takeback", "pause": "pause", "rematch": "rematch"}
"""The word of the protocol for each kind of offer."""


def of(match: Match, position: Position, seat: int | None) -> dict[str, Any]:
    """Per wish whether it would be granted. `call_time` lists the seats whose time may be called, `call_at` maps all who are away to when.

    `take_over` lists the seats that somebody else may sit down in.
    """
    seats = list(match.seats.all())
    own = None if seat is None else seats[seat]
    playing = match.running and own is not None and not own.automatic
    may_abort = playing and services.may_abort(match, position)
    now = timezone.now()
    calls = services.callable_from(match, seats, now) if playing else {}
    return {
        "resign": playing,
        "abort": may_abort,
        **{word: seat is not None and offers.may_offer(match, seats, seat, kind) for word, kind in OFFERS.items()},
        "resume": playing and match.paused_at is not None,
        "call_time": [other for other, at in calls.items() if other != seat and at <= now],
        "call_at": {str(other): at.isoformat() for other, at in calls.items() if other != seat},
        "take_over": services.free_seats(match, seats) if seat is None else [],
        "chat": seat is not None,
    } | ({"offer_abort": False} if may_abort else {})
