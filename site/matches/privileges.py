"""What a viewer of a match may ask for now, so that a page offers exactly that."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from matches import offers, services
from matches.models import Match
from matches.replay import Position

OFFERS = {"offer_abort": "abort", "takeback": "takeback", "pause": "pause", "rematch": "rematch"}
"""The word of the protocol for each kind of offer."""


def of(match: Match, position: Position, seat: int | None) -> dict[str, Any]:
    """Per wish whether it would be granted; `call_at` maps the seats that are away to when their time may be called.

    `take_over` lists the seats that somebody else may sit down in.
    """
    seats = list(match.seats.all())
    own = None if seat is None else seats[seat]
    playing = match.running and own is not None and not own.automatic
    may_abort = playing and services.may_abort(match, position)
    return {
        "resign": playing,
        "abort": may_abort,
        **{word: seat is not None and offers.may_offer(match, seats, seat, kind) for word, kind in OFFERS.items()},
        "resume": playing and match.paused_at is not None,
        "call_at": _call_at(match, seat) if playing else {},
        "take_over": services.free_seats(match, seats) if seat is None else [],
        "chat": seat is not None,
    } | ({"offer_abort": False} if may_abort else {})


def _call_at(match: Match, seat: int | None) -> dict[str, str]:
    now: datetime = timezone.now()
    moments = {other.number: services.callable_from(match, other, now) for other in match.seats.all() if other.number != seat}
    return {str(number): at.isoformat() for number, at in moments.items() if at is not None}
