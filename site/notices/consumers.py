"""The socket of a person, `/ws/me/`, which every page of somebody who plays keeps open.

From the browser, JSON texts with exactly these fields:
    {"type": "beat", "zone": name}     at open and then every 20 s, with the browser's IANA time zone

To the browser:
    {"type": "mine", ...}              what waits for the person (`mine.mine`), at open and whenever it is another

A beat says that the person is here, and looks again at what waits: a hint that was lost costs at most one beat. Hints
carry nothing, so nothing private passes the broker. Close codes: 1009 frame too big, 4001 nobody, or signed out, 4008 too
many frames. Anything else that is sent is passed over.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as DatabaseError
from django.utils import timezone, translation

from accounts import presence
from accounts.models import User
from accounts.zones import zone_called
from matches import commands, words
from matches.announce import group_of_person, leave
from matches.consumers import SIGNED_OUT, TOO_BIG, TOO_MANY, Bucket, SignedOut
from notices import mine
from notices.people import keep

log = logging.getLogger(__name__)
T = TypeVar("T")

LONGEST_FRAME = 256
BURST, PER_SECOND = 10, 1
REJOIN_SECONDS = 3600
PAUSE = 1.0
"""Seconds between two looks that hints bring about."""


class PersonConsumer(AsyncWebsocketConsumer):
    """One page of one person's."""

    async def connect(self) -> None:
        self.person_id: int | None = None
        self.shown: mine.Mine | None = None
        self.joined: float | None = None
        self.looking = asyncio.Lock()
        self.looked_at = 0.0
        self.pending: asyncio.Task[None] | None = None
        self.bucket = Bucket(BURST, PER_SECOND, time.monotonic())
        self.language = words.language_of(self.scope)
        translation.activate(self.language)  # a socket is one task, so this lasts for it
        await self.accept()
        async with self._guard():
            await self._ask(self._person)
            # Before anything is read: what changed between reading and joining would never be heard of.
            await self._join()
            await self._show()

    async def disconnect(self, code: int) -> None:
        if self.pending is not None:
            self.pending.cancel()
        if self.joined is not None and self.channel_layer is not None and self.person_id is not None:
            await leave(self.channel_layer, group_of_person(self.person_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.bucket.take(time.monotonic()):
            await self.close(TOO_MANY)
        elif text_data is None or len(text_data.encode()) > LONGEST_FRAME:
            await self.close(TOO_BIG)
        elif (zone := _beat(text_data)) is not None:
            async with self._guard():
                await self._join()
                await self._ask(self._here, zone)
                await self._show()

    async def person_changed(self, hint: dict[str, Any]) -> None:
        """Something that waits for the person has come or gone: look, but not at every move of a fast match."""
        if self.pending is not None:
            return
        if (wait := self.looked_at + PAUSE - time.monotonic()) > 0:
            self.pending = asyncio.create_task(self._show_later(wait))
        else:
            async with self._guard():
                await self._show()

    async def person_signed_out(self, hint: dict[str, Any]) -> None:
        """The person signed out somewhere, which may have been here."""
        async with self._guard():
            await self._ask(self._person)

    async def _show_later(self, wait: float) -> None:
        await asyncio.sleep(wait)
        self.pending = None  # a hint from here on asks for another look
        async with self._guard():
            await self._show()

    @asynccontextmanager
    async def _guard(self) -> AsyncIterator[None]:
        try:
            yield
        except SignedOut:
            await self.close(SIGNED_OUT)
        except DatabaseError as trouble:
            log.warning("a page of person %s: the database did not answer (%s)", self.person_id, type(trouble).__name__)

    async def _show(self) -> None:
        async with self.looking:  # an older look never goes out after a newer one
            self.looked_at = time.monotonic()
            now = await self._ask(self._mine)
            if now != self.shown:
                self.shown = now
                await self.send(text_data=json.dumps({"type": "mine", **now}, separators=(",", ":")))

    async def _join(self) -> None:
        now = time.monotonic()
        if self.channel_layer is None or self.person_id is None or (self.joined is not None and now - self.joined < REJOIN_SECONDS):
            return
        try:
            await self.channel_layer.group_add(group_of_person(self.person_id), self.channel_name)
            self.joined = now
        except Exception as trouble:  # whatever the layer's client raises; beats carry the news meanwhile
            log.warning("person %s: no live hints (%s)", self.person_id, type(trouble).__name__)

    async def _ask(self, act: Callable[..., T], *args: object) -> T:
        # Not in the one thread that Django's own async code shares, as in matches.consumers.
        return await database_sync_to_async(act, thread_sensitive=False)(*args)

    # Below here everything is synchronous and runs in a database thread.

    def _person(self) -> User:
        """Who sits at the other end, by the session as it is stored now. Raises `SignedOut`."""
        person = commands.player_at(self.scope)
        if person is None or self.person_id not in (None, person.pk):
            raise SignedOut
        self.person_id = person.pk
        return person

    def _here(self, zone: str) -> None:
        person = self._person()
        presence.touch(person, timezone.now())
        keep(person, language=self.language, **({"timezone": zone} if zone_called(zone) else {}))

    def _mine(self) -> mine.Mine:
        return mine.mine(self._person(), timezone.now())


def _beat(text: str) -> str | None:
    """The time zone that a beat names; `None` when the text is no beat."""
    try:
        frame = json.loads(text)
    except ValueError:
        return None
    if not isinstance(frame, dict) or frame.keys() != {"type", "zone"} or frame["type"] != "beat" or not isinstance(frame["zone"], str):
        return None
    return frame["zone"]
