"""Going through a collection match by match: what stands before and after the one that is being replayed."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from shelf import cards
from shelf.finding import readable
from shelf.models import Item
from shelf.subject import Subject, subject_of

PARAMETER = "from"
"""What names the collection in the address of a replay."""


def leading(subject: Subject, token: str) -> str:
    """The address of a replay that one came to from a collection."""
    return f"{subject.url}?{PARAMETER}={token}"


def along(subject: Subject, token: str, player: User | None) -> dict[str, Any] | None:
    """Where a match stands in a collection, as `player` may see it: `{collection, note, place, count, before, after}`.

    The last two are addresses, or empty at an end. `None` where there is no such collection, or the match is not in it.
    """
    collection = readable(player).filter(token=token).first() if token else None
    if collection is None:
        return None
    inside = Item.objects.filter(collection=collection).select_related("match", "imported")
    rows = list(cards.seen(inside, player).order_by("position", "pk"))
    place = next((number for number, row in enumerate(rows) if _is(row, subject)), None)
    if place is None:
        return None
    beside = [leading(subject_of(rows[number]), token) if 0 <= number < len(rows) else "" for number in (place - 1, place + 1)]
    return {
        "collection": collection,
        "note": rows[place].note,
        "place": place + 1,
        "count": len(rows),
        "before": beside[0],
        "after": beside[1],
    }


def _is(row: Item, subject: Subject) -> bool:
    return row.match_id == subject.match.pk if subject.match is not None else row.imported_id == subject.imported.pk
