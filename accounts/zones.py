"""Where a person lives, as far as clocks go: the time zone that the person chose, or else the one that the browser named."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from accounts.models import User

NAMED, CHOSEN = "timezone", "own_timezone"
"""The keys of `User.preferences`: what the browser named last, and what the person chose instead."""


def zone_called(name: Any) -> ZoneInfo | None:
    """The time zone of an IANA name; `None` when there is none."""
    try:
        return ZoneInfo(name) if isinstance(name, str) and name and len(name) <= 60 else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of(user: User | None) -> tzinfo:
    """The person's time zone; UTC as long as none is known."""
    kept = user.preferences if user else {}
    return zone_called(kept.get(CHOSEN)) or zone_called(kept.get(NAMED)) or UTC
