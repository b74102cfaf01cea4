"""The lobby's live sockets: `/ws/lobby/` and, for one table, `/ws/table/<token>/`.

The browser says `{"type": "beat"}` when it wakes up, and every few seconds while it waits for a quick match, which then
looks further; everything it does goes by the forms of the page.

To the browser:
    {"type": "lobby", "parts": {name: html}, "started": [addresses], "now"}
                    the parts of the page that changed since the last frame, whole and made for this viewer, and the
                    matches of the viewer that began just now
    {"type": "beat", "now"}
                    answers a beat, and comes by itself every `PULSE` seconds: a socket that says nothing is dead

Close codes: 1009 frame too big, 4008 too many frames, 4404 no such table.

The group `lobby` carries only hints. Each socket renders for its own viewer, at most once a second, so a burst of hints
costs one rendering, and a lost one a pulse. An open socket is a sign of life: it renews the lease of who is here.
"""

from __future__ import annotations

import asyncio
import time
from importlib import import_module
from typing import Any, ClassVar

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from accounts import presence
from accounts.models import User
from lobby import filters, pairing, payloads
from lobby.models import Seek
from lobby.views.tables import context_of
from matches import commands
from matches.announce import LOBBY
from matches.sockets import Socket

Parts = dict[str, str]

NO_SUCH_TABLE = 4404
APART = 1.0
"""Seconds at least between two renderings."""
PULSE = 15.0
PARTS = ("mine", "seeks", "watch", "online")


class NoSuchPart(Exception):
    """What the socket is about is gone."""


class LobbyConsumer(Socket):
    """One browser looking at the lobby."""

    CLOSES: ClassVar = {NoSuchPart: NO_SUCH_TABLE}

    async def connect(self) -> None:
        self.sent: Parts = {}
        self.began: list[str] | None = None
        self.rendered = float("-inf")
        self.due: asyncio.Task[None] | None = None
        self.pulse: asyncio.Task[None] | None = None
        self.one = asyncio.Lock()
        self.looks = False
        await self.join(LOBBY)
        await self.accept()
        await self._refresh()
        self.pulse = asyncio.create_task(self._beat_on())

    async def disconnect(self, code: int) -> None:
        for task in (self.due, self.pulse):
            if task is not None:
                task.cancel()
        await self.leave_groups()

    async def heard_text(self, text: str) -> None:
        # There is but one frame, so whatever came is answered as one.
        self.looks = True
        await self.say({"type": "beat", "now": timezone.now().isoformat()})
        await self._soon()

    async def lobby_changed(self, hint: dict[str, Any]) -> None:
        """Something changed: render anew, now or as soon as a second has passed since the last time."""
        await self._soon()

    async def _soon(self) -> None:
        if self.due is not None and not self.due.done():
            return
        wait = APART - (time.monotonic() - self.rendered)
        if wait <= 0:
            await self._refresh()
        else:
            self.due = asyncio.create_task(self._refresh(wait))

    async def _refresh(self, wait: float = 0) -> None:
        """Render, and send what differs from what this browser has."""
        await asyncio.sleep(wait)
        async with self.one, self.guard():
            self.rendered = time.monotonic()
            parts, began = await self.ask(self._render)
            changed = {name: html for name, html in parts.items() if self.sent.get(name) != html}
            if changed or began != self.began:
                self.sent, self.began = parts, began
                await self.say({"type": "lobby", "parts": changed, "started": began, "now": timezone.now().isoformat()})

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(PULSE)
            await self.say({"type": "beat", "now": timezone.now().isoformat()})
            await self._soon()

    # Below here everything is synchronous and runs in a database thread.

    def _render(self) -> tuple[Parts, list[str]]:
        """The parts of the page for who sits at the other end, and the addresses of its matches that began just now."""
        session = self.scope.get("session")
        key = session.session_key if session is not None else None
        player = commands.player_at(self.scope)
        now = timezone.now()
        if player is not None:
            presence.touch(player, now)
            if self.looks:
                self.looks = False
                pairing.look_for(player, now)
        parts = self._parts(player, key)
        return parts, payloads.started(player, now)

    def _parts(self, player: User | None, session_key: str | None) -> Parts:
        chosen = filters.kept(player, import_module(settings.SESSION_ENGINE).SessionStore(session_key))
        shown = payloads.lobby(player, chosen, timezone.now())
        return {name: _part(name, shown | {"filters": chosen}) for name in PARTS}


class TableConsumer(LobbyConsumer):
    """One browser looking at one table."""

    def _parts(self, player: User | None, session_key: str | None) -> Parts:
        seek = Seek.objects.with_places().filter(token=self.scope["url_route"]["kwargs"]["token"]).first()
        if seek is None:
            raise NoSuchPart
        return {"table": _part("table", context_of(seek, player))}


def _part(name: str, context: dict[str, Any]) -> str:
    """A part of the page; its forms carry no token, for the script sends the one that the page came with."""
    return render_to_string(f"lobby/parts/{name}.html", context | {"csrf_token": ""})
