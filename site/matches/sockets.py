"""What all live sockets of the site share: bounds on what comes in, groups joined and left, the language, the way into the database."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, ClassVar, TypeVar

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import Error as DatabaseError
from django.utils import translation

from matches import words
from matches.announce import leave

log = logging.getLogger(__name__)
T = TypeVar("T")

TOO_BIG, SIGNED_OUT, TOO_MANY = 1009, 4001, 4008
"""Close codes: the frame was too big, nobody is signed in any more, there were too many frames."""
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


class Socket(AsyncWebsocketConsumer):
    """A socket of one browser. Hints come through groups and carry nothing private; what is sent is made for its own viewer."""

    LONGEST_FRAME: ClassVar[int] = 1024
    """Bytes."""
    BURST: ClassVar[float] = 10
    PER_SECOND: ClassVar[float] = 1
    CLOSES: ClassVar[Mapping[type[Exception], int]] = {SignedOut: SIGNED_OUT}
    """The code with which each of these ends the socket."""

    async def websocket_connect(self, message: Any) -> None:
        self.bucket = Bucket(self.BURST, self.PER_SECOND, time.monotonic())
        self._members: dict[str, float] = {}
        # A socket is one task, so this lasts for it, in the tasks it starts and in the database threads too.
        translation.activate(words.language_of(self.scope))
        await super().websocket_connect(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.bucket.take(time.monotonic()):
            await self.close(TOO_MANY)
        elif text_data is None or len(text_data.encode()) > self.LONGEST_FRAME:
            await self.close(TOO_BIG)
        else:
            await self.heard_text(text_data)

    async def heard_text(self, text: str) -> None:
        """Somebody says something, within bounds."""
        raise NotImplementedError

    async def join(self, group: str) -> None:
        """Hear the hints of a group from now on; asked for again it joins again only after a while. Not to hear them breaks nothing."""
        now = time.monotonic()
        if self.channel_layer is None or now - self._members.get(group, float("-inf")) < REJOIN_SECONDS:
            return
        self._members[group] = float("-inf")  # first: what was joined halfway is left, too
        try:
            await self.channel_layer.group_add(group, self.channel_name)
            self._members[group] = now
        except Exception as trouble:  # whatever the layer's client raises
            log.warning("a socket of %s: no live hints (%s)", group, type(trouble).__name__)

    async def leave_groups(self) -> None:
        """Leave all that was joined; the last thing that a socket does."""
        if self.channel_layer is not None:
            await leave(self.channel_layer, self._members, self.channel_name)

    @asynccontextmanager
    async def guard(self, busy: Callable[[], Awaitable[None]] | None = None) -> AsyncIterator[None]:
        """Close the socket where there is nothing more to show; outlive the database, saying that it is `busy`, for beats will come."""
        try:
            yield
        except tuple(self.CLOSES) as end:
            await self.close(self.CLOSES[type(end)])
        except DatabaseError as trouble:
            log.warning("%s: the database did not answer (%s)", type(self).__name__, type(trouble).__name__)
            if busy is not None:
                await busy()

    async def say(self, answer: Mapping[str, Any]) -> None:
        """Send a frame."""
        await self.send(text_data=json.dumps(answer, separators=(",", ":")))

    async def ask(self, act: Callable[..., T], *args: object) -> T:
        """Do something that needs the database, in a thread."""
        # Not in the one thread that Django's own async code shares: a match that waits for its lock would hold up all others.
        return await database_sync_to_async(act, thread_sensitive=False)(*args)
