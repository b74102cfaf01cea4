"""The history of a pool as anybody may download it, a result a line: enough to recompute every rating to the last digit.

People are told by numbers, with the name that they have now; who deleted the account has neither. A result of a match that nobody may
watch is there too, since without it no later rating could be recomputed; such a line has neither names nor the match's number.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import Any

from asgiref.sync import sync_to_async

from accounts.models import User
from ladder import formula
from ladder.models import RatedMatch, RatingChange
from ladder.scale import Strength
from matches.models import Match

AT_ONCE = 500
Line = dict[str, Any]


def head(game: str, pace: str) -> Line:
    """The first line: of what it is the history, and every number that the formula takes."""
    model = formula.MODEL
    return {
        "format": 1,
        "game": game,
        "pace": pace,
        "rules": {
            "library": f"openskill {version('openskill')}",
            "model": {"mu": model.mu, "sigma": model.sigma, "beta": model.beta, "kappa": model.kappa, "tau": model.tau},
            "drift": formula.DRIFT,
            "digits": formula.DIGITS,
        },
    }


async def lines(game: str, pace: str, first: int) -> AsyncIterator[str]:
    """The head, then the results that are rated, from number `first` on, each a line of JSON. Never more than `AT_ONCE` in memory."""
    yield _text(head(game, pace))
    while batch := await sync_to_async(results)(game, pace, first):
        yield "".join(_text(line) for line in batch)
        first = batch[-1]["number"] + 1


def results(game: str, pace: str, first: int) -> list[Line]:
    """The next results from number `first` on. Four queries."""
    rated = RatedMatch.objects.filter(game=game, pace=pace, number__gte=first, applied_at__isnull=False)
    rows = list(rated.order_by("number")[:AT_ONCE])
    public = set(Match.objects.public().filter(pk__in=[row.match_id for row in rows]).values_list("pk", flat=True))
    seats: defaultdict[int, list[RatingChange]] = defaultdict(list)
    for change in RatingChange.objects.filter(rated__in=rows).order_by("rated", "seat"):
        seats[change.rated_id].append(change)
    people = {change.user_id for changes in seats.values() for change in changes if change.user_id is not None}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    return [_line(row, seats[row.pk], names if row.match_id in public else {}, row.match_id in public) for row in rows]


def _line(row: RatedMatch, changes: list[RatingChange], names: dict[int, str], public: bool) -> Line:
    return {
        "number": row.number,
        "match": row.match_id if public else None,
        "ended_at": row.ended_at.isoformat(),
        "ranks": row.ranks,
        "seats": [
            {
                "person": change.user_id,
                "name": names.get(change.user_id) if change.user_id is not None else None,
                "level": change.level or None,
                "before": _decimals(change.before),
                "after": _decimals(change.after),
            }
            for change in changes
        ],
    }


def _decimals(strength: Strength | None) -> list[str] | None:
    """Mean and deviation with the six decimals that are kept; a newcomer's deviation, which is 25/3, with all that it has."""
    return None if strength is None else [_decimal(number) for number in strength]


def _decimal(number: float) -> str:
    text = f"{number:.{formula.DIGITS}f}"
    return text if float(text) == number else repr(number)


def _text(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
