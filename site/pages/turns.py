"""Which matches wait for somebody, and in which order."""

from __future__ import annotations

from accounts.models import User
from matches.models import Match


def next_match(player: User | None, after: int | None) -> int | None:
    """The match that waits for `player` next by deadline after that one, and from the nearest deadline again; never that one itself."""
    waiting = list(Match.objects.awaiting(player).values_list("pk", flat=True)) if player else []
    if after in waiting:
        place = waiting.index(after)
        waiting = [*waiting[place + 1 :], *waiting[:place]]
    return next(iter(waiting), None)


def waiting_besides(player: User | None, match_id: int) -> int:
    """How many other matches wait for `player`."""
    return Match.objects.awaiting(player).exclude(pk=match_id).count() if player else 0
