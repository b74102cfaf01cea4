"""Says who came and who went, at most once a moment for each match: a page that reloads says nothing, and a restart,
which brings everybody back at once, costs each match one reading."""

from __future__ import annotations

import asyncio
import logging

from channels.db import database_sync_to_async
from django.db import Error as DatabaseError
from django.utils import timezone

from matches import announce, presence
from matches.models import Match

log = logging.getLogger(__name__)

MOMENT_SECONDS = 0.5

_tasks: dict[int, asyncio.Task[None]] = {}
"""The moment that runs for a match, if one does."""


def somebody_came_or_went(match_id: int) -> None:
    """Have it said to all sockets of the match when the moment is over. Call it on the event loop."""
    if match_id not in _tasks:
        _tasks[match_id] = asyncio.get_running_loop().create_task(_after_a_moment(match_id))


async def _after_a_moment(match_id: int) -> None:
    try:
        await asyncio.sleep(MOMENT_SECONDS)
    finally:
        del _tasks[match_id]  # before reading: whoever comes from now on is said in the next moment
    try:
        await database_sync_to_async(_say, thread_sensitive=False)(match_id)
    except DatabaseError as trouble:
        log.warning("match %s: not said who came or went (%s)", match_id, type(trouble).__name__)


def _say(match_id: int) -> None:
    match = Match.objects.with_seats().filter(pk=match_id).first()
    if match is not None:
        now = presence.at(match, timezone.now())
        announce.presence(match_id, now.here, now.watching)
