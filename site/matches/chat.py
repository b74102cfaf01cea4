"""What is said at a match: two rooms, own words or preset phrases, and who may say and read what.

While a match runs the players' room belongs to the table and the spectators' room to everybody else, so that nobody at the
table is told anything; after it everybody reads both. Lines come to a page as texts; nothing in them is markup.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext

from accounts import sanctions, ties
from accounts.models import User
from games.kit.protocol import N_
from matches import announce, words
from matches.errors import MatchError, Muted, NoSuchMatch, NotNow, NotSeated, TooMuch
from matches.models import ChatLine, Match

Payload = dict[str, Any]
PLAYERS, SPECTATORS = ChatLine.Room.PLAYERS.value, ChatLine.Room.SPECTATORS.value
ROOMS = (PLAYERS, SPECTATORS)
PHRASES = {
    "hello": N_("Hello!"),
    "luck": N_("Good luck, have fun!"),
    "nice": N_("Nice move!"),
    "well_played": N_("Well played!"),
    "good_game": N_("Good game!"),
    "thanks": N_("Thank you!"),
    "sorry": N_("Sorry!"),
    "oops": N_("Oops, that was not my plan."),
    "thinking": N_("I need a moment to think."),
    "brb": N_("Back in a minute."),
    "back": N_("I am back."),
    "your_turn": N_("It is your turn."),
    "again": N_("Another one?"),
    "bye": N_("I have to go. Bye!"),
}
"""Per key a sentence that everybody reads in their own language."""
LONGEST = 300
"""Characters of a line."""
LIMITS = ((timedelta(seconds=10), 5), (timedelta(minutes=10), 60))
"""How many lines one person may say at a match within how long."""
SHOWN = 60
"""How many of the newest lines are read at once."""
JOINERS = "\u200c\u200d"
"""Characters without a look of their own that Indic and Persian words and many emoji need."""


def readable(match: Match, player: User | None) -> frozenset[str]:
    """The rooms that somebody reads now; load the match with its seats."""
    if not match.visible_to(player):
        return frozenset()
    seated = match.seat_held_by(player) is not None
    open_to = set(ROOMS) if not match.running else {PLAYERS if seated else SPECTATORS}
    return frozenset(open_to & _wanted(player))


def speakable(match: Match, player: User | None) -> frozenset[str]:
    """The rooms in which somebody may say something now."""
    return frozenset(room for room in readable(match, player) if _refusal(match, player, room) is None)


def say(
    match_id: int, user: User | None, *, room: str, text: str = "", phrase: str = "", client_id: UUID, now: datetime
) -> tuple[ChatLine, bool]:
    """Say something: own words, or a phrase by its key. The line, and whether the same `client_id` had said it before.

    Raises `MatchError`, with a sentence for who tried.
    """
    match = Match.objects.with_seats().filter(pk=match_id).first()
    if match is None or not match.visible_to(user):
        raise NoSuchMatch
    if user is None:
        raise NotNow(N_("Sign in to talk here."))
    with transaction.atomic():
        _one_at_a_time(match_id)
        if said := ChatLine.objects.filter(match=match, user=user, client_id=client_id).first():
            return said, True
        if reason := _refusal(match, user, room):
            raise reason
        check_voice(user, now)
        own = _own_words(text, phrase)
        _hold_back(match, user, now)
        line = ChatLine.objects.create(
            match=match, room=room, user=user, seat=match.seat_held_by(user), phrase=phrase, text=own, client_id=client_id, at=now
        )
        announce.talked(match_id)
    return line, False


def check_voice(user: User, now: datetime) -> None:
    """Whether somebody may write to others at all, here or at a table that fills up. Raises `Muted`."""
    muted = sanctions.of_kind(user, sanctions.Kind.MUTE, now)
    if muted is not None:
        raise Muted(until=sanctions.until(muted, user), reason=muted.reason)


def lines_for(match: Match, player: User | None, after_id: int = 0, most: int = SHOWN) -> list[Payload]:
    """The newest lines after a known one, the oldest first, as somebody may read them: neither side of a block sees the other's."""
    lines = ChatLine.objects.filter(match=match, room__in=readable(match, player), pk__gt=after_id).select_related("user")
    if blocked := ties.blocked_with(player):
        lines = lines.exclude(Q(user__isnull=False) & Q(user__in=blocked))
    return [_payload(line, player) for line in reversed(lines.order_by("-pk")[:most])]


def cleaned(text: str) -> str:
    """Own words in one line, without control characters and without what would turn or hide the text around them."""
    kept = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or character in JOINERS or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
    )
    return " ".join(kept.split()).strip(JOINERS)


def phrases() -> list[Payload]:
    """The phrases in the reader's language, as `{key, text}`."""
    return [{"key": key, "text": gettext(sentence)} for key, sentence in PHRASES.items()]


def _wanted(player: User | None) -> set[str]:
    """The rooms that a person has not turned off."""
    choice = player.preferences.get("chat", "all") if player else "all"
    return {"off": set(), "players": {PLAYERS}}.get(choice, set(ROOMS))


def _refusal(match: Match, player: User | None, room: str) -> MatchError | None:
    """Why somebody may not say anything in a room; `None` when it may."""
    seated = match.seat_held_by(player) is not None
    if player is None or (room == SPECTATORS and player.is_guest):
        return NotNow(N_("Sign in to talk here."))
    if room not in ROOMS or (room == PLAYERS and not seated):
        return NotSeated()
    if room == SPECTATORS and seated and match.running:
        return NotNow(N_("The spectators' room opens to the players when the match is over."))
    if room not in _wanted(player):
        return NotNow(N_("You turned this chat off. Turn it on again in your settings to talk."))
    return None


def _own_words(text: str, phrase: str) -> str:
    """The words of a line, empty for a phrase. Raises `NotNow` where there is neither or both."""
    own = cleaned(text)
    if phrase and (own or phrase not in PHRASES):
        raise NotNow(N_("There is no such phrase. Choose one of the list, or write your own words."))
    if not phrase and not own:
        raise NotNow(N_("There is nothing to send yet. Write something, or choose a phrase."))
    if len(own) > LONGEST:
        raise NotNow(N_("A line has at most {limit} characters. Shorten it, or send two."), limit=LONGEST)
    return own


def _hold_back(match: Match, user: User, now: datetime) -> None:
    """Raise `TooMuch` when somebody said a lot lately."""
    for span, most in LIMITS:
        if ChatLine.objects.filter(match=match, user=user, at__gt=now - span).count() >= most:
            raise TooMuch(N_("You are writing very fast. Wait a little and send it again."))


def _one_at_a_time(match_id: int) -> None:
    """Let the lines of a match be stored one after the other, so that ids come in order and limits count; moves do not wait for it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"chat of match {match_id}"])


def _payload(line: ChatLine, reader: User | None) -> Payload:
    author = line.user if line.user is not None and line.user.is_active else None
    return {
        "id": line.pk,
        "room": line.room,
        "seat": line.seat,
        "name": author.display_name if author else gettext("Deleted player"),
        "you": reader is not None and line.user_id == reader.pk,
        "phrase": line.phrase or None,
        "text": words.say(PHRASES.get(line.phrase, "")) if line.phrase else line.text,
        "at": line.at.isoformat(),
    }
