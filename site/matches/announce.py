"""Tells sockets, after the commit, that something changed. Hints only: whatever is lost, the next beat finds.

A hint carries no content, so nothing hidden or private passes the broker; each socket then reads what it may show.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, cast

from asgiref.sync import async_to_sync
from channels.layers import BaseChannelLayer, get_channel_layer
from django.db import transaction

from matches.courier import Courier
from matches.models import Match

PATIENCE_SECONDS = 2
LOBBY = "lobby"
"""The channel layer's name for everybody who looks at the lobby."""

_courier = Courier()
_silent = ContextVar("silent", default=False)


def group_of(match_id: int) -> str:
    """The channel layer's name for everybody who looks at a match."""
    return f"match.{match_id}"


def group_of_person(person_id: int) -> str:
    """The channel layer's name for all pages of a person."""
    return f"person.{person_id}"


async def leave(layer: BaseChannelLayer, groups: Iterable[str], channel: str) -> None:
    """Take a socket that ends out of its groups, and let the layer forget its channel.

    By itself the layer forgets only a channel that waits for a message when its socket ends: one that a hint reaches in that
    very moment would stay subscribed for as long as the process lives.
    """
    with suppress(Exception):  # a layer that is gone has forgotten us already
        for group in groups:
            await layer.group_discard(group, channel)
        inner = cast(Any, layer)._get_layer()
        if inner.channels.pop(channel, None) is not None:
            await inner._get_shard(channel).unsubscribe(channel)


def changed(match: Match) -> None:
    """Send the match's version, and nothing else, to its sockets once the transaction is committed."""
    _hint(group_of(match.pk), {"type": "match.changed", "version": match.version})


def talked(match_id: int) -> None:
    """Say that there is something new in a chat of the match."""
    _hint(group_of(match_id), {"type": "match.talked"})


def presence(match_id: int, here: Sequence[bool], watching: int) -> None:
    """Say who is at the match now that somebody came or went: what all who look at it may know, read once for all of them."""
    _hint(group_of(match_id), {"type": "match.presence", "here": list(here), "watching": watching})


def persons(ids: Iterable[int]) -> None:
    """Say to people that what waits for them has changed."""
    for person_id in ids:
        _hint(group_of_person(person_id), {"type": "person.changed"})


def signed_out(person_id: int) -> None:
    """Let all sockets of a person find out now, rather than at their next beat, whether they still stand for one."""
    _hint(group_of_person(person_id), {"type": "person.signed_out"})


def lobby() -> None:
    """Say that the lobby's lists have changed."""
    _hint(LOBBY, {"type": "lobby.changed"})


@contextmanager
def silence() -> Iterator[None]:
    """Nothing is said of what is done inside: for matches of the past, which nobody looks at while they are loaded."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def hint(group: str, message: dict[str, Any]) -> None:
    """Send a hint to a group at once, be it in the middle of a transaction. It may be lost, and is named in the log then."""
    _courier.send(f"the hint {message} to {group}", lambda: async_to_sync(_send)(group, message))


def _hint(group: str, message: dict[str, Any]) -> None:
    if not _silent.get():
        transaction.on_commit(lambda: hint(group, message))


async def _send(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    if layer is not None:
        await asyncio.wait_for(layer.group_send(group, message), PATIENCE_SECONDS)
