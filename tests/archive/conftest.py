"""The cast and the finished matches of the archive's tests."""

from __future__ import annotations

from matches.models import Match, Move
from tests.profiles.conftest import NOW, Cast, _no_position_is_remembered, cast, finished, many, now_at, play_on, table

__all__ = ["NOW", "Cast", "_no_position_is_remembered", "cast", "finished", "many", "now_at", "play_on", "played", "table"]


def played(match: Match, *texts: str) -> Match:
    """Give a match that is over these first moves; a text that begins with `=` is a draw of chance."""
    seats = len(match.ranks or ())
    turn = 0
    for ply, text in enumerate(texts, start=1):
        drawn = text.startswith("=")
        Move.objects.create(match=match, ply=ply, seat=None if drawn else turn % seats, text=text, version=ply, at=NOW)
        turn += not drawn
    return match
