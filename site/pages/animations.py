"""Moving pictures of matches: asked for here, made once by the worker that has time, and kept for a while.

They are kept in so many places of the cache and no more, each of which holds the newest of those that fall to it: however many
are asked for, they take no more room. What was pushed out is made again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable

from django.core.cache import cache
from django.utils.translation import get_language
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from matches.animation import Kind

log = logging.getLogger(__name__)

EDITION = 1
"""Raised when the same match is to be drawn differently."""
PLACES = 48
KEPT_SECONDS = 6 * 3600
QUEUE = 12
"""How many may wait for the worker at once."""
PATIENCE_SECONDS = 90
"""After so long one that did not come may be asked for again."""


class NotNow(RuntimeError):
    """Too many are waiting, or the cache is away; ask again later."""


def tag_of(identity: str, kind: Kind) -> str:
    """The name of a picture, the same for the same plies in the same language."""
    return hashlib.sha256(f"{EDITION} {kind} {get_language()} {identity}".encode()).hexdigest()


def found(tag: str) -> bytes | None:
    """The picture, once it is made; empty when it could not be. Raises `NotNow`."""
    try:
        held = cache.get(_place(tag))
    except RedisError as trouble:
        raise NotNow from trouble
    return held[1] if held is not None and held[0] == tag else None


def keep(tag: str, turn: str, picture: bytes) -> None:
    """Store a picture, and let the next one queue up."""
    cache.set(_place(tag), (tag, picture), KEPT_SECONDS)
    cache.delete_many([turn, _asked(tag)])


def ask(tag: str, send: Callable[[str], object]) -> None:
    """Have a picture made, unless it is on its way already: `send` calls a worker and gives it a turn to hand back. Raises `NotNow`."""
    try:
        if not cache.add(_asked(tag), 1, PATIENCE_SECONDS):
            return
        turn = next((turn for turn in map(_turn, range(QUEUE)) if cache.add(turn, tag, PATIENCE_SECONDS)), None)
        if turn is None:
            cache.delete(_asked(tag))
            raise NotNow
        send(turn)
    except (RedisError, OperationalError) as trouble:
        log.warning("no worker could be asked for a moving picture (%s)", type(trouble).__name__)
        raise NotNow from trouble


def _place(tag: str) -> str:
    return f"animation:{int(tag[:8], 16) % PLACES}"


def _asked(tag: str) -> str:
    return f"animation-asked:{tag}"


def _turn(number: int) -> str:
    return f"animation-turn:{number}"
