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
import time
from typing import Any

from django.utils import timezone, translation

from accounts import presence
from accounts.models import User
from accounts.zones import zone_called
from matches import commands
from matches.announce import group_of_person
from matches.sockets import SignedOut, Socket
from notices import mine
from notices.people import keep

PAUSE = 1.0
"""Seconds between two looks that hints bring about."""


class PersonConsumer(Socket):
    """One page of one person's."""

    LONGEST_FRAME = 256

    async def connect(self) -> None:
        self.person_id: int | None = None
        self.shown: mine.Mine | None = None
        self.looking = asyncio.Lock()
        self.looked_at = 0.0
        self.pending: asyncio.Task[None] | None = None
        self.language = translation.get_language()
        await self.accept()
        async with self.guard():
            await self.ask(self._person)
            # Before anything is read: what changed between reading and joining would never be heard of.
            await self._join()
            await self._show()

    async def disconnect(self, code: int) -> None:
        if self.pending is not None:
            self.pending.cancel()
        await self.leave_groups()

    async def heard_text(self, text: str) -> None:
        if (zone := _beat(text)) is not None:
            async with self.guard():
                await self._join()
                await self.ask(self._here, zone)
                await self._show()

    async def person_changed(self, hint: dict[str, Any]) -> None:
        """Something that waits for the person has come or gone: look, but not at every move of a fast match."""
        if self.pending is not None:
            return
        if (wait := self.looked_at + PAUSE - time.monotonic()) > 0:
            self.pending = asyncio.create_task(self._show_later(wait))
        else:
            async with self.guard():
                await self._show()

    async def person_signed_out(self, hint: dict[str, Any]) -> None:
        """The person signed out somewhere, which may have been here."""
        async with self.guard():
            await self.ask(self._person)

    async def _show_later(self, wait: float) -> None:
        await asyncio.sleep(wait)
        self.pending = None  # a hint from here on asks for another look
        async with self.guard():
            await self._show()

    async def _show(self) -> None:
        async with self.looking:  # an older look never goes out after a newer one
            self.looked_at = time.monotonic()
            now = await self.ask(self._mine)
            if now != self.shown:
                self.shown = now
                await self.say({"type": "mine", **now})

    async def _join(self) -> None:
        if self.person_id is not None:
            await self.join(group_of_person(self.person_id))

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
