"""What a player may ask for, answered as the wire protocol says: the socket and the plain POST share these.

Each function is synchronous, finds out anew who is asking, and never lets a refusal escape as an exception.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from accounts.models import User
from accounts.players import player_of
from games.kit.protocol import N_, RuleError
from matches import payloads, services, words
from matches.errors import MatchError, MatchOver, NoSuchMatch, NotSeated, NotYourTurn
from matches.models import Match, Seat
from matches.replay import position_of

Answer = dict[str, Any]
BUSY = N_("The server is busy. Your move will be sent again.")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks about which match."""

    match_id: int
    player: User | None

    def seat(self) -> int:
        """The caller's seat. Raises `NotSeated`."""
        seat = Seat.objects.filter(match=self.match_id, user=self.player).first() if self.player else None
        if seat is None:
            raise NotSeated
        return seat.number


def player_in(session_key: str | None) -> User | None:
    """Whom a session, as it is stored now, stands for; nobody once it was signed out, flushed or its account closed."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    return player_of(request.session, get_user(request))


def find(match_id: int) -> Match:
    """A match with its seats. Raises `NoSuchMatch`."""
    match = Match.objects.with_seats().filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch
    return match


def position(caller: Caller) -> Answer:
    """The match as it stands, for the caller."""
    match = find(caller.match_id)
    return payloads.for_seat(match, match.seat_held_by(caller.player))


def move(caller: Caller, intent: UUID, text: str, ply: int, now: datetime) -> Answer:
    """Play a move: `ack` or `refused`."""
    return _answer(caller, intent, lambda: services.play_move(caller.match_id, caller.seat(), text, ply=ply, client_id=intent, now=now))


def resign(caller: Caller, intent: UUID, now: datetime) -> Answer:
    """Leave the match: `ack` or `refused`."""
    return _answer(caller, intent, lambda: services.resign(caller.match_id, caller.seat(), now=now))


def abort(caller: Caller, intent: UUID, now: datetime) -> Answer:
    """Call the match off: `ack` or `refused`."""
    return _answer(caller, intent, lambda: services.abort(caller.match_id, caller.seat(), now=now))


def why(caller: Caller, intent: UUID, text: str) -> Answer:
    """Why a move would be refused now, in the rules' own words and the reader's language; the message is `None` when it would be played."""
    message = None
    try:
        seat = caller.seat()
        match = find(caller.match_id)
        if not match.running:
            raise MatchOver
        state = position_of(match).state
        if state.to_move != seat:
            raise NotYourTurn
        state.play(services.read_move(match.rules, text))
    except (MatchError, RuleError) as reason:
        message = words.say(reason)
    return {"type": "why", "id": str(intent), "message": message}


def refused(intent: object, code: str, message: str, version: int | None = None) -> Answer:
    """A refusal; `version` is the match's present one where it is known, so that a stale page notices."""
    return {"type": "refused", "id": None if intent is None else str(intent), "code": code, "message": message, "version": version}


def busy(intent: object) -> Answer:
    """The refusal while the database does not answer; the only one after which the same move is to be sent again."""
    return refused(intent, "busy", words.say(BUSY))


def _answer(caller: Caller, intent: UUID, act: Callable[[], services.Receipt]) -> Answer:
    try:
        receipt = act()
    except (MatchError, RuleError) as reason:
        version = Match.objects.filter(pk=caller.match_id).values_list("version", flat=True).first()
        return refused(intent, reason.code, words.say(reason), version)
    return {
        "type": "ack",
        "id": str(intent),
        "ply": receipt.ply,
        "version": receipt.version,
        "repeated": receipt.repeated,
    }
