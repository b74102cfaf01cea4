"""A client that keeps to the wire protocol as our page does, plays from a script, and writes everything into a ledger."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.live.ledger import Ledger, digest

BEAT, QUICK_BEAT, SILENCE = 5.0, 2.0, 12.0
RESEND = (0.0, 1.0, 2.0, 4.0, 8.0)
RECONNECT = (0.3, 1.0, 2.0, 4.0, 8.0)
GONE = (OSError, TimeoutError, EOFError, ConnectionClosed, InvalidHandshake, InvalidMessage)


def later(delays: tuple[float, ...], attempt: int) -> float:
    """As in the page: the last delay holds for all further attempts."""
    return delays[min(attempt, len(delays) - 1)]


@dataclass(slots=True)
class Intent:
    """A move that is not answered yet."""

    id: UUID
    ply: int
    text: str
    made: float
    next: float
    attempt: int = 0


@dataclass(eq=False)
class Player:
    """One page at one match. `seat` and `cookie` are `None` for a spectator; `script` has the text for each ply."""

    site: str
    """Where its page came from, `http://host:port`."""
    match: int
    seat: int | None
    cookie: str | None
    script: Mapping[int, str]
    canary: str = ""
    """What must not be heard while the match runs."""
    port: int | None = None
    """Where it connects, if not to the site itself."""
    think: float = 0
    """Seconds before each move."""
    upto: int = 10**9
    """It makes no move beyond this ply."""
    beats: bool = True
    reads: bool = True
    chance: random.Random = field(default_factory=random.Random)
    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.match, self.seat)
        self.intent: Intent | None = None
        self.version = -1
        self.moved = -1
        self.here: list[bool] = []
        self.offset = 0.0
        """Server's time less our monotonic time, by the newest beat."""
        self.wire: ClientConnection | None = None
        self._attempt = 0
        self._beat_at = 0.0

    def __str__(self) -> str:
        last = self.ledger.last
        shows = f"version {self.version}, ply {last['ply']}, {last['status']}" if last else "nothing"
        return f"seat {self.seat} of match {self.match} shows {shows}; waits for {self.intent}; {len(self.ledger.closed)} connections ended"

    @property
    def address(self) -> str:
        host = self.site.removeprefix("http://").split(":")[0]
        return f"ws://{host}:{self.port or self.site.rsplit(':', 1)[1]}/ws/match/{self.match}/"

    def dial(self) -> connect:
        """A connection as our page would open it."""
        headers = {"Cookie": self.cookie} if self.cookie else {}
        return connect(
            self.address, origin=self.site, additional_headers=headers, compression=None,  # type: ignore[arg-type]
            ping_interval=None, max_size=None, open_timeout=8, close_timeout=0.2, max_queue=None,
        )

    async def live(self) -> None:
        """Look at the match, and play, until cancelled; whatever breaks, come back."""
        while True:
            code = None
            try:
                async with self.dial() as wire:
                    self.wire = wire
                    await self._talk(wire)
            except GONE as end:
                code = end.rcvd.code if isinstance(end, ConnectionClosed) and end.rcvd else None
            finally:
                self.wire = None
            self.ledger.closed.append((time.monotonic(), code))
            await asyncio.sleep(later(RECONNECT, self._attempt) * self.chance.uniform(0.5, 1.5))
            self._attempt += 1

    async def _talk(self, wire: ClientConnection) -> None:
        heard = time.monotonic()
        fresh = True
        await self._beat(wire, -1)
        if self.intent:
            self.intent.next, self.intent.attempt = 0.0, 0
        while True:
            await self._try(wire)
            now = time.monotonic()
            beat_due = self._beat_at + (QUICK_BEAT if self._hurried else BEAT) if self.beats else now + BEAT
            waits = [beat_due, heard + SILENCE, *([self.intent.next] if self.intent else [])]
            try:
                # Not `wait_for`, which in Python 3.11 loses a cancellation that comes together with a frame.
                async with asyncio.timeout(max(0.001, min(waits) - now)):
                    raw = str(await wire.recv())
                frame = json.loads(raw)
            except TimeoutError:
                now = time.monotonic()
                if now - heard >= SILENCE:
                    raise
                if now >= beat_due:
                    await self._beat(wire, self.version)
                continue
            heard, self._attempt = time.monotonic(), 0
            if fresh and frame["type"] == "position":
                fresh = False
                self.ledger.opened.append(heard)
            if self.canary in raw and self.canary and frame.get("status", "running") == "running":
                self.ledger.leaks += 1
            await self._hear(wire, frame, heard)

    @property
    def _hurried(self) -> bool:
        last = self.ledger.last
        return bool(last and last["clock"] and last["to_move"] == self.seat is not None)

    async def _beat(self, wire: ClientConnection, version: int) -> None:
        self._beat_at = time.monotonic()
        await wire.send(json.dumps({"type": "beat", "version": version}))

    async def _hear(self, wire: ClientConnection, frame: dict[str, Any], now: float) -> None:
        match frame["type"]:
            case "position":
                self._take(frame)
            case "beat":
                self.here = frame["here"]
                await wire.send(json.dumps({"type": "echo", "mark": frame["mark"]}))
            case "presence":
                self.here = frame["here"]
            case "ack" | "refused" if frame["id"] is not None:
                self._answered(frame, now)

    def _take(self, frame: dict[str, Any]) -> None:
        self.ledger.positions.append((frame["version"], frame["ply"], digest(frame)))
        if frame["version"] >= self.version:
            self.version, self.ledger.last = frame["version"], frame
            if frame["note"]:
                self.ledger.notes.append(frame["note"]["kind"])

    def _answered(self, frame: dict[str, Any], now: float) -> None:
        intent = UUID(frame["id"])
        if frame["type"] == "refused" and frame["code"] == "busy":
            return
        if frame["type"] == "ack":
            self.ledger.acks.setdefault(intent, (frame["ply"], frame["version"]))
            self.ledger.repeated += frame["repeated"]
        else:
            self.ledger.refused.setdefault(intent, frame["code"])
        if self.intent and self.intent.id == intent:
            if frame["type"] == "ack":
                self.ledger.echoes.append(now - self.intent.made)
            else:
                self.moved = -1  # the newest position says what to do
            self.intent = None

    async def _try(self, wire: ClientConnection) -> None:
        """Make the next move of the script where it is due, and send the one that is not answered again."""
        last = self.ledger.last
        if self.intent is None and last and last["status"] == "running" and last["to_move"] == self.seat is not None:
            ply = last["ply"]
            if ply != self.moved and ply + 1 in self.script and ply < self.upto:
                self.moved = ply
                now = time.monotonic()
                self.intent = Intent(uuid4(), ply, self.script[ply + 1], now, now + self.think)
                self.ledger.sent[self.intent.id] = ply
        intent = self.intent
        if intent and time.monotonic() >= intent.next:
            if not intent.attempt:
                intent.made = time.monotonic()
            intent.attempt += 1
            intent.next = time.monotonic() + later(RESEND, intent.attempt) * self.chance.uniform(0.8, 1.2)
            await wire.send(json.dumps({"type": "move", "id": str(intent.id), "ply": intent.ply, "text": intent.text}))
