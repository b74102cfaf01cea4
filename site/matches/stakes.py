"""What a rated match may change in the ratings, and what it has changed, as pages tell it; in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ladder import explain, scale, services
from ladder.models import RatedMatch, RatingChange
from ladder.services import Entrant
from matches import counting, words
from matches.models import Match

Payload = dict[str, Any]


def texts_of(changes: Sequence[int]) -> Payload:
    """What each rank would bring, as texts: `{"win", "lose", "ranks"}`."""
    ranks = [scale.signed(change) for change in changes]
    return {"win": ranks[0], "lose": ranks[-1], "ranks": ranks}


def before(match: Match, seat: int | None, now: datetime) -> Payload | None:
    """What a rated match that runs would change for the person in `seat`, by rank; `None` for anybody else. One query.

    Somebody whose account is gone does not count; where then nobody is left to be measured against, nothing changes.
    """
    seats = list(match.seats.all())
    if not match.rated or not match.running or seat is None or seats[seat].user_id is None:
        return None
    entrants = [Entrant(one.user_id, one.level) for one in seats if one.user_id is not None or one.level]
    if len(entrants) < 2:
        return None
    own = entrants.index(Entrant(seats[seat].user_id))
    return texts_of(services.expected(entrants, own, match.game, match.pace, now=now))


def after(match: Match, seat: int | None, names: Sequence[str]) -> Payload | None:
    """What a rated match changed, once it is over; `None` while it runs and for a casual one. Two queries.

    `{"counted", "reason", "changes", "sentence"}`: `reason` says why it does not count; `changes` has for each seat `None`, or
    `{"change", "rating"}` as texts, and is empty until the match is rated; `sentence` explains that of `seat` to its person.
    """
    if not match.rated or match.status != Match.Status.FINISHED:
        return None
    if match.uncounted:
        return {"counted": False, "reason": words.say(counting.reason_for(match, seat)), "changes": [], "sentence": ""}
    rows = _rated(match)
    changes = [_change(row) for row in rows]
    sentence = explained(rows, match.ranks or [], names, seat) if rows and seat is not None else ""
    return {"counted": True, "reason": "", "changes": changes, "sentence": sentence}


def explained(rows: Sequence[RatingChange], ranks: Sequence[int], names: Sequence[str], seat: int, *, brief: bool = False) -> str:
    """Why a result changed the rating of `seat`, to its person; `brief` for a list. Empty where it did not count for that seat."""
    counted = [row for row in rows if row.before and row.after]
    own = next((number for number, row in enumerate(counted) if row.seat == seat and not row.level), None)
    if own is None or len(counted) < 2:
        return ""
    placed = [explain.Placed(names[row.seat], row.before, ranks[row.seat]) for row in counted if row.before]
    return explain.short(placed, own) if brief else explain.sentence(placed, own, points(counted[own]) or 0)


def points(row: RatingChange) -> int | None:
    """The change as it is shown; `None` where the seat did not count."""
    return scale.shown(row.after.mu) - scale.shown(row.before.mu) if row.before and row.after else None


def told(match: Match, seat: int | None, names: Sequence[str]) -> str:
    """What the ratings made of a match that is over, in a sentence for notices; empty when there is nothing to say (yet)."""
    result = after(match, seat, names)
    if result is None:
        return ""
    return str(result["sentence"] or result["reason"])


def settle(match: Match, now: datetime) -> None:
    """Rate what waits up to a match that is over, so that whoever is told of its end is told what it changed."""
    while match.rated and not match.uncounted and services.apply_next(match.game, match.pace, now):
        pass


def _rated(match: Match) -> list[RatingChange]:
    """The seats of a match that was rated; none while it waits."""
    rated = RatedMatch.objects.filter(match_id=match.pk, applied_at__isnull=False).first()
    return list(RatingChange.objects.filter(rated=rated).order_by("seat")) if rated else []


def _change(row: RatingChange) -> Payload | None:
    change = points(row)
    if change is None or row.level or row.after is None:
        return None
    return {"change": scale.signed(change), "rating": scale.in_words(*row.after)}

