"""Tells the pages that follow an analysis how far it is. Hints only: they carry no move and no value, and may be lost."""

from __future__ import annotations

import asyncio
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

from matches.courier import Courier

PATIENCE_SECONDS = 2
_courier = Courier()


def group_of(key: str) -> str:
    """The channel layer's name for everybody who follows the analysis of that key."""
    return f"study.{key}"


def progress(key: str, done: int, total: int) -> None:
    """So much of it is done."""
    _hint(key, {"type": "study.progress", "key": key, "done": done, "total": total})


def ready(key: str) -> None:
    """There is something to be read, or it is known that there will be nothing."""
    transaction.on_commit(lambda: _hint(key, {"type": "study.ready", "key": key}))


def _hint(key: str, message: dict[str, Any]) -> None:
    _courier.send(f"the hint {message['type']} to {group_of(key)}", lambda: async_to_sync(_send)(group_of(key), message))


async def _send(group: str, message: dict[str, Any]) -> None:
    layer = get_channel_layer()
    if layer is not None:
        await asyncio.wait_for(layer.group_send(group, message), PATIENCE_SECONDS)
