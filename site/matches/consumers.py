"""The live socket of a match, `/ws/match/<id>/`, and its wire protocol.

Frames are JSON texts of at most 16 KiB with exactly the fields listed; a frame with others is refused.

From the browser:
    {"type": "beat", "version": n}             at open with n = -1, then every 5 s with the newest version shown
    {"type": "move", "id", "ply", "text"}      `id` is a UUID per intent, sent again until answered; `ply` is the
                                               number of plies played in the position the mover saw
    {"type": "why", "id", "text"}              why would this move be refused?
    {"type": "resign", "id"}  {"type": "abort", "id"}

To the browser:
    {"type": "beat", "version", "now"}         answers a beat; a position follows when the versions differ
    {"type": "position", ...}                  all that this viewer may know (`payloads.for_seat`), sent whenever the
                                               match changed; the newest version wins, older ones are ignored
    {"type": "ack", "id", "ply", "version", "repeated"}
    {"type": "refused", "id", "code", "message", "version"}
                                               `id` is null when the frame had none that could be read. `busy` means
                                               send the same again later; every other code is final
    {"type": "why", "id", "message"}           the message is null when the move would be played

Close codes: 1009 frame too big, 4001 signed out, 4008 too many frames, 4009 reads too slowly, 4404 no such match.

The group only carries version numbers. Each socket renders for its own seat, so nothing hidden passes the broker,
and a lost message costs at most one beat. Channels hands a consumer one message at a time, so a burst of hints
costs one position: later hints find that version already shown.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as DatabaseError
from django.utils import timezone, translation

from matches import commands, frames, words
from matches.announce import group_of
from matches.errors import NoSuchMatch
from matches.models import Match

log = logging.getLogger(__name__)
T = TypeVar("T")

TOO_BIG, SIGNED_OUT, TOO_MANY, TOO_SLOW, NO_SUCH_MATCH = 1009, 4001, 4008, 4009, 4404
LONGEST_FRAME = 16 * 1024
BURST, PER_SECOND = 20, 5
MOST_UNSEEN = 256 * 1024
"""Bytes sent since the browser last said that it is up to date. The server buffers without bound, so we count."""
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
        self.unseen = 0
        self.joined: float | None = None
        self.bucket = Bucket(BURST, PER_SECOND, time.monotonic())
        # A socket is one task, so this lasts for it, in the database threads too.
        translation.activate(words.language_of(self.scope))
        # Before anything is read: a move between reading and joining would never be heard of.
        await self._join()
        await self.accept()
        async with self._guard():
            await self._ask(self._find)

    async def disconnect(self, code: int) -> None:
        if self.joined is not None and self.channel_layer is not None:
            with suppress(Exception):  # a layer that is gone has forgotten us already
                await self.channel_layer.group_discard(group_of(self.match_id), self.channel_name)

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
            if frame["type"] == "beat":
                await self._join()
                await self._beat(frame["version"])
            else:
                await self._send(await self._ask(self._obey, frame))

    async def match_changed(self, hint: dict[str, Any]) -> None:
        """The match has a new version: show it, unless something newer is shown already."""
        if hint["version"] > self.shown:
            async with self._guard():
                await self._show(await self._ask(self._position))

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

    async def _beat(self, seen: int) -> None:
        version = await self._ask(self._version)
        await self._send({"type": "beat", "version": version, "now": timezone.now().isoformat()})
        if seen == version:
            self.unseen = 0
        else:
            await self._show(await self._ask(self._position))

    async def _show(self, position: commands.Answer) -> None:
        self.shown = position["version"]
        await self._send({"type": "position", **position})

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

    async def _ask(self, act: Callable[..., T], *args: object) -> T:
        # Not in the one thread that Django's own async code shares: a match that waits for its lock would hold up all others.
        return await database_sync_to_async(act, thread_sensitive=False)(*args)

    # Below here everything is synchronous and runs in a database thread, one call per frame.

    def _caller(self) -> commands.Caller:
        """Who sits at the other end, by the session as it is stored now. Raises `SignedOut`."""
        session = self.scope.get("session")
        player = commands.player_in(session.session_key) if session is not None and session.session_key else None
        if self.player_id is not None and (player is None or player.pk != self.player_id):
            raise SignedOut
        self.player_id = player.pk if player else None
        return commands.Caller(self.match_id, player)

    def _find(self) -> None:
        commands.find(self.match_id)
        self._caller()

    def _position(self) -> commands.Answer:
        return commands.position(self._caller())

    def _version(self) -> int:
        self._caller()
        version = Match.objects.filter(pk=self.match_id).values_list("version", flat=True).first()
        if version is None:
            raise NoSuchMatch
        return version

    def _obey(self, frame: frames.Frame) -> commands.Answer:
        caller, now = self._caller(), timezone.now()
        if frame["type"] == "move":
            return commands.move(caller, frame["id"], frame["text"], frame["ply"], now)
        if frame["type"] == "why":
            return commands.why(caller, frame["id"], frame["text"])
        if frame["type"] == "resign":
            return commands.resign(caller, frame["id"], now)
        return commands.abort(caller, frame["id"], now)
