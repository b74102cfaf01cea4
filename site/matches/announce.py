"""Tells the sockets of a match, after the commit, that it changed. A hint only: whatever is lost, the next beat finds."""

from __future__ import annotations

import asyncio

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from matches.courier import Courier
from matches.models import Match

PATIENCE_SECONDS = 2

_courier = Courier()


def group_of(match_id: int) -> str:
    """The channel layer's name for everybody who looks at a match."""
    return f"match.{match_id}"


def changed(match: Match) -> None:
    """Send the match's version, and nothing else, to its sockets once the transaction is committed."""
    match_id, version = match.pk, match.version
    hint = f"the hint that match {match_id} has version {version}"
    transaction.on_commit(lambda: _courier.send(hint, lambda: async_to_sync(_send)(match_id, version)))


async def _send(match_id: int, version: int) -> None:
    layer = get_channel_layer()
    if layer is not None:
        message = {"type": "match.changed", "version": version}
        await asyncio.wait_for(layer.group_send(group_of(match_id), message), PATIENCE_SECONDS)
