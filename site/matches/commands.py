"""What a player may ask for, answered as the wire protocol says: the socket and the plain POST share these.

Each function is synchronous, finds out anew who is asking, and never lets a refusal escape as an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
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
from matches import chat, offers, payloads, services, words
from matches.errors import MatchError, MatchOver, NoSuchMatch, NotNow, NotSeated, NotYourTurn
from matches.models import Match, Seat
from matches.replay import position_of

Answer = dict[str, Any]
BUSY = N_("The server is busy. Your move will be sent again.")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks about which match."""

    match_id: int
    player: User | None

    def match(self) -> Match:
        """The match with its seats. Raises `NoSuchMatch`, also for a match that the caller may not know of."""
        match = find(self.match_id)
        if not match.visible_to(self.player):
            raise NoSuchMatch
        return match

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


def player_at(scope: Mapping[str, Any]) -> User | None:
    """Who sits at the other end of a socket, by its session as it is stored now."""
    session = scope.get("session")
    return player_in(session.session_key) if session is not None and session.session_key else None


def find(match_id: int) -> Match:
    """A match with its seats. Raises `NoSuchMatch`."""
    match = Match.objects.with_seats().filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch
    return match


def position(caller: Caller) -> Answer:
    """The match as it stands, for the caller."""
    match = caller.match()
    return payloads.for_seat(match, match.seat_held_by(caller.player))


def move(caller: Caller, intent: UUID, text: str, ply: int, now: datetime, lag: int = 0) -> Answer:
    """Play a move: `ack` or `refused`. `lag` is the one-way lag of the caller's connection in ms, 0 when unknown."""
    return _answer(
        caller, intent, lambda: services.play_move(caller.match_id, caller.seat(), text, ply=ply, client_id=intent, lag=lag, now=now)
    )


def resign(caller: Caller, intent: UUID, now: datetime) -> Answer:
    """Leave the match: `ack` or `refused`."""
    return _answer(caller, intent, lambda: services.resign(caller.match_id, caller.seat(), now=now))


def abort(caller: Caller, intent: UUID, now: datetime) -> Answer:
    """Call the match off: `ack` or `refused`."""
    return _answer(caller, intent, lambda: services.abort(caller.match_id, caller.seat(), now=now))


def offer(caller: Caller, intent: UUID, kind: str, now: datetime) -> Answer:
    """Make an offer, or agree to the one that is open: `ack` or `refused`."""
    return _answer(caller, intent, lambda: offers.offer(caller.match_id, caller.seat(), kind, now=now))


def decline(caller: Caller, intent: UUID, kind: str, now: datetime) -> Answer:
    """Decline an offer, or withdraw one's own: `ack` or `refused`."""
    return _answer(caller, intent, lambda: offers.decline(caller.match_id, caller.seat(), kind, now=now))


def resume(caller: Caller, intent: UUID, now: datetime) -> Answer:
    """End a pause: `ack` or `refused`."""
    return _answer(caller, intent, lambda: offers.resume(caller.match_id, caller.seat(), now=now))


def call_time(caller: Caller, intent: UUID, target: int, now: datetime) -> Answer:
    """Treat a seat whose person went away as having left: `ack` or `refused`."""
    return _answer(caller, intent, lambda: services.call_time(caller.match_id, caller.seat(), target, now=now))


def take_over(caller: Caller, intent: UUID, target: int, now: datetime) -> Answer:
    """Sit down in a bot's seat: `ack` or `refused`."""
    return _answer(caller, intent, lambda: services.take_over(caller.match().pk, target, _somebody(caller), now=now))


def flag(caller: Caller, now: datetime) -> None:
    """Look at the clock, which the caller's page shows at nothing. What follows is told to everybody. Raises `NoSuchMatch`."""
    services.flag(caller.match().pk, now)


def say(caller: Caller, intent: UUID, room: str, text: str, phrase: str, now: datetime) -> Answer:
    """Say something in a chat: `ack` or `refused`."""

    def act() -> services.Receipt:
        _, repeated = chat.say(caller.match_id, caller.player, room=room, text=text, phrase=phrase, client_id=intent, now=now)
        match = caller.match()
        return services.Receipt(match.ply, match.version, repeated)

    return _answer(caller, intent, act)


def seen(caller: Caller, ply: int) -> None:
    """Keep up to which ply the caller's seat was shown the match; a ply that was not played yet, or a spectator's, is not kept."""
    if caller.player is not None and Match.objects.filter(pk=caller.match_id, ply__gte=ply).exists():
        Seat.objects.filter(match=caller.match_id, user=caller.player, seen_ply__lt=ply).update(seen_ply=ply)


def ahead(caller: Caller, intent: UUID) -> Answer:
    """What the caller's own seat could play if it were its turn; the offer is `None` when it is, and where nothing can be chosen ahead."""
    match = caller.match()
    seat = match.seat_held_by(caller.player)
    choice = None
    if match.running and seat is not None and not match.seats.all()[seat].left:
        state = position_of(match).state
        if state.to_move != seat:
            with suppress(LookupError):
                choice = state.ahead(seat).offer()
    return {"type": "ahead", "id": str(intent), "ply": match.ply, "offer": choice}


def why(caller: Caller, intent: UUID, text: str) -> Answer:
    """Why a move would be refused now, in the rules' own words and the reader's language; the message is `None` when it would be played."""
    message = None
    try:
        seat = caller.seat()
        match = caller.match()
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


def _somebody(caller: Caller) -> User:
    """Who asks. Raises `NotNow` for somebody whom nothing can be given yet."""
    if caller.player is None:
        raise NotNow(N_("Sign in, or play as a guest first, to take a seat."))
    return caller.player


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
