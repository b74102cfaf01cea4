"""Cards of what stands on the shelf: matches and imported records beside each other, as somebody may see them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.models import User
from games import registry
from games.kit.protocol import RuleError, laid_open
from games.kit.record import Record, RecordError, replay
from matches import words
from matches.gallery import gallery
from matches.models import Match, Seat
from shelf.subject import subject_of

log = logging.getLogger(__name__)

Payload = dict[str, Any]
KEPT = 24 * 3600
"""Seconds that the picture of an imported record is kept."""


def seen(rows: QuerySet[Any], player: User | None) -> QuerySet[Any]:
    """Those rows of the shelf that refer to what `player` may see: private matches are for their people alone."""
    open_to_all = Q(match=None) | Q(match__private=False)
    if player is None:
        return rows.filter(open_to_all)
    return rows.filter(open_to_all | Exists(Seat.objects.filter(match=OuterRef("match"), user=player)))


def laid_out(rows: Iterable[Any], player: User | None, now: datetime) -> list[Payload]:
    """A card for each row, which must be among those that `player` may see: as `gallery` tells, with `row`, `subject` and `imported`.

    Load the rows with `imported`. Matches take as many queries together as one of them.
    """
    shown = list(rows)
    matches = Match.objects.with_seats().in_bulk([row.match_id for row in shown if row.match_id is not None])
    drawn = {card["id"]: card for card in gallery(matches.values(), player, now)}
    for row in shown:
        if row.match_id is not None:
            row.match = matches[row.match_id]
    return [
        {
            **(_imported_card(row.imported) if row.match_id is None else drawn[row.match_id]),
            "url": subject_of(row).url,
            "imported": row.match_id is None,
            "row": row,
            "subject": subject_of(row),
        }
        for row in shown
    ]


def _imported_card(imported: Any) -> Payload:
    rules = registry.get(imported.game)
    variant = rules.variant(imported.variant)
    names: Sequence[str] = imported.record.get("seats") or [
        gettext("Seat {number}").format(number=seat + 1) for seat in range(variant.seats)
    ]
    return {
        "game": imported.game,
        "game_name": words.say(rules.name),
        "variant_name": words.say(variant.name),
        "seats": [{"name": name, "colours": list(colours), "you": False} for name, colours in zip(names, variant.colours, strict=False)],
        "result_text": "",
        "moved_at": imported.made_at,
        "pace": "none",
        "rated": False,
        "private": False,
        "picture": _picture(imported),
    }  # fmt: skip


def _picture(imported: Any) -> SafeString:
    """How an imported record ends, as a small SVG; nothing where it cannot be played any more."""
    key = f"shelf:picture:{imported.digest}"
    drawn: str | None = cache.get(key)
    if drawn is None:
        try:
            *_, last = replay(Record.from_json(imported.record))
            drawn = registry.get(imported.game).picture(imported.variant, laid_open(last).view(None))
        except (RecordError, RuleError) as trouble:
            log.error("no picture of %s: %s", imported, trouble)
            drawn = ""
        cache.set(key, drawn, KEPT)
    return SafeString(drawn)  # built by games.kit.svg, which escapes


def page_of(rows: QuerySet[Any], before: int | None, size: int) -> tuple[list[Any], int | None]:
    """One page of rows, newest first by `at`: those before the row of that number; and the number of the last when there are more."""
    start = rows.filter(pk=before).first() if before is not None else None
    if start is not None:
        rows = rows.filter(Q(at__lt=start.at) | Q(at=start.at, pk__lt=start.pk))
    found = list(rows.order_by("-at", "-pk")[: size + 1])
    return found[:size], found[size - 1].pk if len(found) > size else None


def number_in(text: str) -> int | None:
    """A row's number in an address; `None` for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
