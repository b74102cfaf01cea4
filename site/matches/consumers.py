"""The live socket of a match, `/ws/match/<id>/`, and its wire protocol.

Frames are JSON texts of at most 16 KiB with exactly the fields listed; a frame with others is refused.

From the browser:
    {"type": "beat", "version": n}             at open with n = -1, then every 5 s with the newest version shown
    {"type": "echo", "mark": n}                at once after each beat from the server, with its mark
    {"type": "move", "id", "ply", "text"}      `id` is a UUID per intent, sent again until answered; `ply` is the
                                               number of plies played in the position the mover saw
    {"type": "why", "id", "text"}              why would this move be refused?
    {"type": "ahead", "id"}                    what could my seat choose while others are to move?
    {"type": "resign", "id"}  {"type": "abort", "id"}  {"type": "resume", "id"}
    {"type": "offer", "id", "kind"}            makes an offer (`offers.KINDS`), or agrees to the one that is open
    {"type": "decline", "id", "kind"}
    {"type": "call_time", "id", "seat"}        that seat's person went away
    {"type": "take_over", "id", "seat"}        sit down in that bot's seat
    {"type": "flag"}                           a clock shows nothing any more: look at it
    {"type": "chat", "id", "room", "text", "phrase"}
                                               own words or the key of a phrase, the other one empty
    {"type": "seen", "ply": n}                 the plies up to this one were shown

To the browser:
    {"type": "beat", "version", "now", "mark", "here", "watching"}
                                               answers a beat, and asks a browser that is silent whether it lives (pages
                                               in the background beat rarely); a position follows when the versions
                                               differ. `here` says per seat whether its person is, `watching` how many
                                               spectators look on
    {"type": "position", ...}                  all that this viewer may know (`payloads.for_seat`), sent whenever the
                                               match changed; the newest version wins, older ones are ignored
    {"type": "received", "id"}                 a move arrived and is being decided
    {"type": "ack", "id", "ply", "version", "repeated"}
    {"type": "refused", "id", "code", "message", "version"}
                                               `id` is null when the frame had none that could be read. `busy` means
                                               send the same again later; every other code is final
    {"type": "why", "id", "message"}           the message is null when the move would be played
    {"type": "ahead", "id", "ply", "offer"}    the offer is null when nothing can be chosen ahead
    {"type": "chat", "lines", "read", "say"}   the rooms to read and to speak in now, and the lines that are new to this
                                               socket (`chat.lines_for`): with the first beat the newest of all. A line
                                               that comes twice has the same id
    {"type": "presence", "here", "watching"}   somebody came or went

Close codes: 1009 frame too big, 4001 signed out, 4008 too many frames, 4009 reads too slowly, 4404 no such match.

The group only carries hints. Each socket renders for its own viewer, so nothing hidden passes the broker,
and a lost message costs at most one beat. Channels hands a consumer one message at a time, so a burst of hints
costs one position: later hints find that version already shown.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as DatabaseError
from django.utils import timezone, translation

from matches import chat, commands, crier, frames, presence, words
from matches.announce import group_of, group_of_person, leave
from matches.errors import NoSuchMatch
from matches.lag import Lag
from matches.models import Match
from matches.presence import Presence

log = logging.getLogger(__name__)
T = TypeVar("T")

TOO_BIG, SIGNED_OUT, TOO_MANY, TOO_SLOW, NO_SUCH_MATCH = 1009, 4001, 4008, 4009, 4404
LONGEST_FRAME = 16 * 1024
BURST, PER_SECOND = 20, 5
MOST_UNSEEN = 256 * 1024
"""Bytes sent since the browser last said that it is up to date. The server buffers without bound, so we count."""
SILENCE_SECONDS = 6.0
"""After this a browser is asked for a sign of life, in time for its answer to renew the lease (`presence.LEASE`)."""
REJOIN_SECONDS = 3600
"""Channel layers may drop a member of a group after a day."""


class SignedOut(Exception):
    """The session no longer stands for the person who opened the socket."""


class Bucket:
    """A token bucket: a burst, then a steady rate."""

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst, self._per_second = burst, per_second
        self._tokens, self._at = burst, now

    def take(self, now: float) -> bool:
        """Whether one more is within bounds."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class MatchConsumer(AsyncWebsocketConsumer):
    """One browser looking at one match."""

    async def connect(self) -> None:
        self.match_id: int = self.scope["url_route"]["kwargs"]["match_id"]
        self.player_id: int | None = None
        self.shown = -1
        self.over = False
        self.unseen = 0
        self.joined: float | None = None
        self.heeded: str | None = None
        self.lease: int | None = None
        self.lag = Lag()
        self.heard_at = time.monotonic()
        self.renewed_at = self.heard_at
        self.asking: asyncio.Task[None] | None = None
        self.present: Presence | None = None
        self.rooms: tuple[list[str], list[str]] | None = None
        self.heard = 0
        self.bucket = Bucket(BURST, PER_SECOND, time.monotonic())
        # A socket is one task, so this lasts for it, in the database threads too.
        translation.activate(words.language_of(self.scope))
        # Before anything is read: a move between reading and joining would never be heard of.
        await self._join()
        await self.accept()
        async with self._guard():
            await self._ask(self._find, timezone.now())
            await self._heed_the_person()
            crier.somebody_came_or_went(self.match_id)
            self.asking = asyncio.create_task(self._ask_the_silent())

    async def disconnect(self, code: int) -> None:
        if self.asking is not None:
            self.asking.cancel()
        if self.lease is not None:
            with suppress(DatabaseError):  # the lease then runs out
                await self._ask(presence.closed, self.lease, timezone.now())
            crier.somebody_came_or_went(self.match_id)
        if self.joined is not None and self.channel_layer is not None:
            if self.heeded is not None:
                with suppress(Exception):  # a layer that is gone has forgotten us already
                    await self.channel_layer.group_discard(self.heeded, self.channel_name)
            await leave(self.channel_layer, group_of(self.match_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.bucket.take(time.monotonic()):
            await self.close(TOO_MANY)
            return
        if text_data is None or len(text_data.encode()) > LONGEST_FRAME:
            await self.close(TOO_BIG)
            return
        try:
            frame = frames.read(text_data)
        except frames.BadFrame as reason:
            await self._send(commands.refused(None, "bad_frame", str(reason)))
            return
        async with self._guard(lambda: self._send(commands.busy(frame.get("id")))):
            await self._take(frame, timezone.now())

    async def _take(self, frame: frames.Frame, arrived: datetime) -> None:
        """Do what a frame asks for. It counts from when it arrived, not from when a thread was free for it."""
        kind = frame["type"]
        self.heard_at = time.monotonic()
        if kind == "echo":
            self.lag.echoed(frame["mark"], self.heard_at)
            if self.heard_at - self.renewed_at > SILENCE_SECONDS / 2:
                await self._ask(self._renew, arrived)
        elif kind == "beat":
            await self._join()
            await self._beat(frame["version"], arrived)
        else:
            if kind == "move":
                await self._send({"type": "received", "id": str(frame["id"])})
            answer = await self._ask(self._obey, frame, arrived)
            if answer is not None:
                await self._send(answer)
            if kind == "chat":
                await self._talk()

    async def match_changed(self, hint: dict[str, Any]) -> None:
        """The match has a new version: show it, unless something newer is shown already."""
        if hint["version"] > self.shown:
            async with self._guard():
                await self._show(await self._ask(self._position))

    async def match_silence(self, hint: dict[str, Any]) -> None:
        """The browser has not been heard for a while: an echo to this says that it lives."""
        async with self._guard():
            await self._tell(*await self._ask(self._state, None))

    async def match_talked(self, hint: dict[str, Any]) -> None:
        """Somebody said something: send it on, where this viewer may read it."""
        async with self._guard():
            await self._talk()

    async def match_presence(self, hint: dict[str, Any]) -> None:
        """Somebody came or went, which is no secret: pass it on, unless this viewer knows or is not let in."""
        present = Presence(tuple(hint["here"]), hint["watching"])
        if self.lease is not None and present != self.present:
            self.present = present
            await self._send({"type": "presence", **asdict(present)})

    async def person_signed_out(self, hint: dict[str, Any]) -> None:
        """The viewer signed out somewhere, which may have been here."""
        async with self._guard():
            await self._ask(self._caller)

    async def person_changed(self, hint: dict[str, Any]) -> None:
        """What waits for the viewer elsewhere is shown elsewhere."""

    @asynccontextmanager
    async def _guard(self, busy: Callable[[], Awaitable[None]] | None = None) -> AsyncIterator[None]:
        """Close the socket where there is nothing more to show; outlive the database, for beats will come."""
        try:
            yield
        except SignedOut:
            await self.close(SIGNED_OUT)
        except NoSuchMatch:
            await self.close(NO_SUCH_MATCH)
        except DatabaseError as trouble:
            log.warning("match %s: the database did not answer (%s)", self.match_id, type(trouble).__name__)
            if busy is not None:
                await busy()

    async def _beat(self, seen: int, now: datetime) -> None:
        version, present, news = await self._ask(self._state, now)
        await self._tell(version, present, news)
        if seen == version:
            self.unseen = 0
        else:
            await self._show(await self._ask(self._position))

    async def _tell(self, version: int, present: Presence, news: commands.Answer | None) -> None:
        self.present = present
        mark = self.lag.mark(time.monotonic())
        await self._send({"type": "beat", "version": version, "now": timezone.now().isoformat(), "mark": mark, **asdict(present)})
        await self._pass_on(news)

    async def _ask_the_silent(self) -> None:
        """Through the socket's own channel, so that it is done in turn with all that the socket does."""
        asked_at = 0.0
        while self.channel_layer is not None:
            since = max(self.heard_at, asked_at)
            await asyncio.sleep(max(0.0, since + SILENCE_SECONDS - time.monotonic()))
            if time.monotonic() - self.heard_at >= SILENCE_SECONDS:
                asked_at = time.monotonic()
                with suppress(Exception):  # whatever the layer's client raises; it is asked again
                    await self.channel_layer.send(self.channel_name, {"type": "match.silence"})

    async def _show(self, position: commands.Answer) -> None:
        over = position["status"] != Match.Status.RUNNING
        self.shown = position["version"]
        await self._send({"type": "position", **position})
        if over and not self.over:  # the other room opens
            self.over = True
            await self._talk()

    async def _talk(self) -> None:
        await self._pass_on(await self._ask(self._unheard))

    async def _pass_on(self, news: commands.Answer | None) -> None:
        if news is not None:
            await self._send(news)

    async def _send(self, answer: commands.Answer) -> None:
        text = json.dumps(answer, separators=(",", ":"))
        self.unseen += len(text)
        if self.unseen > MOST_UNSEEN:
            await self.close(TOO_SLOW)
        else:
            await self.send(text_data=text)

    async def _join(self) -> None:
        now = time.monotonic()
        if self.channel_layer is None or (self.joined is not None and now - self.joined < REJOIN_SECONDS):
            return
        try:
            await self.channel_layer.group_add(group_of(self.match_id), self.channel_name)
            self.joined = now
        except Exception as trouble:  # whatever the layer's client raises; beats carry the match meanwhile
            log.warning("match %s: no live hints (%s)", self.match_id, type(trouble).__name__)

    async def _heed_the_person(self) -> None:
        """Hear at once when the viewer signs out; without it the next beat finds out."""
        if self.channel_layer is None or self.player_id is None:
            return
        self.heeded = group_of_person(self.player_id)  # first: what was joined halfway is left, too
        try:
            await self.channel_layer.group_add(self.heeded, self.channel_name)
        except Exception as trouble:  # whatever the layer's client raises
            log.warning("match %s: no hints about its viewer (%s)", self.match_id, type(trouble).__name__)

    async def _ask(self, act: Callable[..., T], *args: object) -> T:
        # Not in the one thread that Django's own async code shares: a match that waits for its lock would hold up all others.
        return await database_sync_to_async(act, thread_sensitive=False)(*args)

    # Below here everything is synchronous and runs in a database thread, one call per frame.

    def _caller(self) -> commands.Caller:
        """Who sits at the other end, by the session as it is stored now. Raises `SignedOut`."""
        player = commands.player_at(self.scope)
        if self.player_id is not None and (player is None or player.pk != self.player_id):
            raise SignedOut
        self.player_id = player.pk if player else None
        return commands.Caller(self.match_id, player)

    def _find(self, now: datetime) -> None:
        caller = self._caller()
        match = caller.match()
        self.lease = presence.opened(match, match.seat_held_by(caller.player), now)

    def _position(self) -> commands.Answer:
        return commands.position(self._caller())

    def _state(self, alive_at: datetime | None) -> tuple[int, Presence, commands.Answer | None]:
        """The match's version, who is there, and what is new in the chat; with a sign of life the lease is renewed first."""
        caller = self._caller()
        match = caller.match()
        if alive_at is not None:
            self._renew(alive_at, caller, match)
        return match.version, presence.at(match, timezone.now()), self._new_to(caller, match)

    def _renew(self, alive_at: datetime, caller: commands.Caller | None = None, match: Match | None = None) -> None:
        caller = caller or self._caller()
        match = match or caller.match()
        self.lease = presence.renewed(self.lease, match, match.seat_held_by(caller.player), self.lag.ms, alive_at)
        self.renewed_at = time.monotonic()

    def _unheard(self) -> commands.Answer | None:
        caller = self._caller()
        return self._new_to(caller, caller.match())

    def _new_to(self, caller: commands.Caller, match: Match) -> commands.Answer | None:
        """What of the chat this socket has not sent yet. Who may read other rooms than before gets all of them again."""
        rooms = sorted(chat.readable(match, caller.player)), sorted(chat.speakable(match, caller.player))
        changed, self.rooms = rooms != self.rooms, rooms
        lines = chat.lines_for(match, caller.player, 0 if changed else self.heard)
        if not lines and not changed:
            return None
        self.heard = lines[-1]["id"] if lines else 0
        return {"type": "chat", "lines": lines, "read": rooms[0], "say": rooms[1]}

    def _obey(self, frame: frames.Frame, now: datetime) -> commands.Answer | None:
        """Do what a frame asks for; the answer, where there is one."""
        caller = self._caller()
        match frame:
            case {"type": "flag"}:
                commands.flag(caller, now)
                return None
            case {"type": "seen", "ply": ply}:
                commands.seen(caller, ply)
                return None
            case {"type": "move", "id": intent, "text": text, "ply": ply}:
                return commands.move(caller, intent, text, ply, now, self.lag.ms)
            case {"type": "why", "id": intent, "text": text}:
                return commands.why(caller, intent, text)
            case {"type": "ahead", "id": intent}:
                return commands.ahead(caller, intent)
            case {"type": "chat", "id": intent, "room": room, "text": text, "phrase": phrase}:
                return commands.say(caller, intent, room, text, phrase, now)
            case {"type": "offer" | "decline" as kind, "id": intent, "kind": what}:
                return (commands.offer if kind == "offer" else commands.decline)(caller, intent, what, now)
            case {"type": "call_time" | "take_over" as kind, "id": intent, "seat": seat}:
                return (commands.call_time if kind == "call_time" else commands.take_over)(caller, intent, seat, now)
            case {"type": "resign" | "abort" | "resume" as kind, "id": intent}:
                return {"resign": commands.resign, "abort": commands.abort, "resume": commands.resume}[kind](caller, intent, now)
        raise AssertionError(f"nobody does what a {frame['type']} asks for")
