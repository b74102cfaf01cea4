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
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any, ClassVar

from django.db import Error as DatabaseError
from django.utils import timezone

from matches import chat, commands, crier, frames, presence
from matches.announce import group_of, group_of_person
from matches.errors import NoSuchMatch
from matches.lag import Lag
from matches.models import Match
from matches.presence import Presence
from matches.sockets import SignedOut, Socket

TOO_SLOW, NO_SUCH_MATCH = 4009, 4404
MOST_UNSEEN = 256 * 1024
"""Bytes sent since the browser last said that it is up to date. The server buffers without bound, so we count."""
SILENCE_SECONDS = 6.0
"""After this a browser is asked for a sign of life, in time for its answer to renew the lease (`presence.LEASE`)."""


class MatchConsumer(Socket):
    """One browser looking at one match."""

    LONGEST_FRAME = 16 * 1024
    BURST, PER_SECOND = 20, 5
    CLOSES: ClassVar = {**Socket.CLOSES, NoSuchMatch: NO_SUCH_MATCH}

    async def connect(self) -> None:
        self.match_id: int = self.scope["url_route"]["kwargs"]["match_id"]
        self.player_id: int | None = None
        self.shown = -1
        self.over = False
        self.unseen = 0
        self.lease: int | None = None
        self.lag = Lag()
        self.heard_at = time.monotonic()
        self.renewed_at = self.heard_at
        self.asking: asyncio.Task[None] | None = None
        self.present: Presence | None = None
        self.rooms: tuple[list[str], list[str]] | None = None
        self.heard = 0
        # Before anything is read: a move between reading and joining would never be heard of.
        await self.join(group_of(self.match_id))
        await self.accept()
        async with self.guard():
            await self.ask(self._find, timezone.now())
            if self.player_id is not None:  # who signs out is heard of at once; else the next beat finds out
                await self.join(group_of_person(self.player_id))
            crier.somebody_came_or_went(self.match_id)
            self.asking = asyncio.create_task(self._ask_the_silent())

    async def disconnect(self, code: int) -> None:
        if self.asking is not None:
            self.asking.cancel()
        if self.lease is not None:
            with suppress(DatabaseError):  # the lease then runs out
                await self.ask(presence.closed, self.lease, timezone.now())
            crier.somebody_came_or_went(self.match_id)
        await self.leave_groups()

    async def heard_text(self, text: str) -> None:
        try:
            frame = frames.read(text)
        except frames.BadFrame as reason:
            await self.say(commands.refused(None, "bad_frame", str(reason)))
            return
        async with self.guard(lambda: self.say(commands.busy(frame.get("id")))):
            await self._take(frame, timezone.now())

    async def _take(self, frame: frames.Frame, arrived: datetime) -> None:
        """Do what a frame asks for. It counts from when it arrived, not from when a thread was free for it."""
        kind = frame["type"]
        self.heard_at = time.monotonic()
        if kind == "echo":
            self.lag.echoed(frame["mark"], self.heard_at)
            if self.heard_at - self.renewed_at > SILENCE_SECONDS / 2:
                await self.ask(self._renew, arrived)
        elif kind == "beat":
            await self.join(group_of(self.match_id))
            await self._beat(frame["version"], arrived)
        else:
            if kind == "move":
                await self.say({"type": "received", "id": str(frame["id"])})
            answer = await self.ask(self._obey, frame, arrived)
            if answer is not None:
                await self.say(answer)
            if kind == "chat":
                await self._talk()

    async def match_changed(self, hint: dict[str, Any]) -> None:
        """The match has a new version: show it, unless something newer is shown already."""
        if hint["version"] > self.shown:
            async with self.guard():
                await self._show(await self.ask(self._position))

    async def match_silence(self, hint: dict[str, Any]) -> None:
        """The browser has not been heard for a while: an echo to this says that it lives."""
        async with self.guard():
            await self._tell(*await self.ask(self._state, None))

    async def match_talked(self, hint: dict[str, Any]) -> None:
        """Somebody said something: send it on, where this viewer may read it."""
        async with self.guard():
            await self._talk()

    async def match_presence(self, hint: dict[str, Any]) -> None:
        """Somebody came or went, which is no secret: pass it on, unless this viewer knows or is not let in."""
        present = Presence(tuple(hint["here"]), hint["watching"])
        if self.lease is not None and present != self.present:
            self.present = present
            await self.say({"type": "presence", **asdict(present)})

    async def person_signed_out(self, hint: dict[str, Any]) -> None:
        """The viewer signed out somewhere, which may have been here."""
        async with self.guard():
            await self.ask(self._caller)

    async def person_changed(self, hint: dict[str, Any]) -> None:
        """What waits for the viewer elsewhere is shown elsewhere."""

    async def _beat(self, seen: int, now: datetime) -> None:
        version, present, news = await self.ask(self._state, now)
        await self._tell(version, present, news)
        if seen == version:
            self.unseen = 0
        else:
            await self._show(await self.ask(self._position))

    async def _tell(self, version: int, present: Presence, news: commands.Answer | None) -> None:
        self.present = present
        mark = self.lag.mark(time.monotonic())
        await self.say({"type": "beat", "version": version, "now": timezone.now().isoformat(), "mark": mark, **asdict(present)})
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
        await self.say({"type": "position", **position})
        if over and not self.over:  # the other room opens
            self.over = True
            await self._talk()

    async def _talk(self) -> None:
        await self._pass_on(await self.ask(self._unheard))

    async def _pass_on(self, news: commands.Answer | None) -> None:
        if news is not None:
            await self.say(news)

    async def say(self, answer: Mapping[str, Any]) -> None:
        text = json.dumps(answer, separators=(",", ":"))
        self.unseen += len(text)
        if self.unseen > MOST_UNSEEN:
            await self.close(TOO_SLOW)
        else:
            await self.send(text_data=text)

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
