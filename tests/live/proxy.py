"""A bad link: a TCP proxy before the site that loses, repeats, delays, swaps and cuts what goes through it."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

DATA = (1, 2)
"""The opcodes of WebSocket messages; pings and closes are part of the link, and pass."""


@dataclass(slots=True)
class Faults:
    """How often each thing happens to a message, as a share of one, and how long one under way takes, in seconds."""

    drop: float = 0
    repeat: float = 0
    swap: float = 0
    """Held back until the next message of its direction has gone."""
    delay: float = 0
    delay_seconds: float = 0.3
    latency: float = 0
    jitter: float = 0


@dataclass(eq=False)
class Link:
    """One connection through the proxy."""

    near: asyncio.StreamWriter
    far: asyncio.StreamWriter
    frozen: bool = False
    """Bytes are taken and go nowhere, and no end is told: what a change of network does."""


@dataclass
class Proxy:
    """Listens on `port` and leads to `target` on this machine, while its context is open."""

    target: int
    faults: Faults = field(default_factory=Faults)
    seed: int = 0
    cut_before: bytes | None = None
    """A link that is about to bring its client a message with this in it is cut instead, once."""
    lose: list[bytes] = field(default_factory=list)
    """Messages to come that are lost: each of these takes the first one, in either direction, that it is found in."""
    refuses: bool = False
    """New connections are reset at once."""
    links: set[Link] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self.chance = random.Random(self.seed)
        self._serving: set[asyncio.Task[None]] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def cut(self) -> None:
        """Reset every connection, as a router that forgot them would."""
        for link in list(self.links):
            for writer in (link.near, link.far):
                _reset(writer)

    def freeze(self) -> None:
        """Let every connection that is open now lead nowhere. New ones work, unless the proxy `refuses`."""
        for link in self.links:
            link.frozen = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        if self.refuses:
            _reset(writer)
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            _reset(writer)
            return
        link = Link(writer, far_writer)
        self.links.add(link)
        ways = [
            asyncio.create_task(self._carry(link, reader, far_writer, upward=True)),
            asyncio.create_task(self._carry(link, far_reader, writer, upward=False)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            while link.frozen and not writer.is_closing() and not reader.at_eof():
                await asyncio.sleep(0.05)  # neither end may hear of the other's end
            self.links.discard(link)
            for way in ways:
                way.cancel()
            _reset(writer)
            _reset(far_writer)

    async def _carry(self, link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, upward: bool) -> None:
        held: list[bytes] = []
        with suppress(OSError, asyncio.IncompleteReadError):
            writer.write(await reader.readuntil(b"\r\n\r\n"))
            async for opcode, frame, payload in _frames(reader):
                if link.frozen:
                    continue
                if not upward and self.cut_before is not None and self.cut_before in payload:
                    self.cut_before = None
                    return
                out = self._fate(frame, payload, held) if opcode in DATA else [frame]
                wait = self._wait() if opcode in DATA else 0
                if wait:
                    await asyncio.sleep(wait)
                for one in out:
                    writer.write(one)
                await writer.drain()

    def _fate(self, frame: bytes, payload: bytes, held: list[bytes]) -> list[bytes]:
        """What comes out for one message that came in."""
        for pattern in self.lose:
            if pattern in payload:
                self.lose.remove(pattern)
                return []
        drawn, faults = self.chance.random(), self.faults
        waiting, held[:] = held[:], []
        if drawn < faults.drop:
            return waiting
        if drawn < faults.drop + faults.repeat:
            return [frame, *waiting, frame]
        if drawn < faults.drop + faults.repeat + faults.swap:
            held.append(frame)
            return waiting
        return [frame, *waiting]

    def _wait(self) -> float:
        faults = self.faults
        slow = faults.delay_seconds if self.chance.random() < faults.delay else 0
        return slow + faults.latency + faults.jitter * self.chance.random()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close without a farewell: the other end gets a reset."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        with suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _frames(reader: asyncio.StreamReader) -> AsyncIterator[tuple[int, bytes, bytes]]:
    """The WebSocket frames of a stream: opcode, the bytes as they came, and what they say, unmasked."""
    while True:
        head = await reader.readexactly(2)
        opcode, length = head[0] & 0x0F, head[1] & 0x7F
        more = await reader.readexactly({126: 2, 127: 8}.get(length, 0))
        if more:
            length = int.from_bytes(more, "big")
        mask = await reader.readexactly(4) if head[1] & 0x80 else b""
        body = await reader.readexactly(length)
        payload = bytes(byte ^ mask[at % 4] for at, byte in enumerate(body)) if mask else body
        yield opcode, head + more + mask + body, payload
