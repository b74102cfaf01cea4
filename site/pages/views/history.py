"""The page of how a match went in time, and the same as a file."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.players import player_of
from accounts.zones import zone_of
from matches import stakes, words
from matches.clock import Pace
from matches.history import history_of, may_read, spent
from pages.views.match import found

LATER = _("The history of a match can be read by everybody when it is over.")
WIDTH = 1000
"""Of a time line, in its own units."""
Payload = dict[str, Any]


@never_cache
@require_safe
def history(request: HttpRequest, match_id: int) -> HttpResponse:
    """Every ply with its time, what happened beside them, and who was connected when."""
    match, player = found(request, match_id), player_of(request.session, request.user)
    if not may_read(match, player):
        messages.info(request, LATER)
        return redirect("match", match_id=match_id)
    now = timezone.now()
    told = history_of(match, player, now)
    zone = zone_of(player)
    dated = match.pace != Pace.LIVE
    rows = [_row(entry, told["seats"], lambda at: _moment(at, zone, dated)) for entry in told["entries"]]
    begins, ends = match.created_at, match.finished_at or now
    context = {
        "match": match,
        "game": words.in_words(match.rules),
        "variant": words.variant_in_words(match.rules_variant),
        "control": match.control.describe(),
        "started": _moment(told["started_at"], zone, True),
        "lasted": spent((ends - begins).total_seconds() * 1000),
        "seats": told["seats"],
        "rows": rows,
        "timed": any(row["used"] for row in rows),
        "clocked": any(row["left"] for row in rows),
        "lines": [_line(seat, told, begins, ends, lambda at: _moment(at, zone, dated)) for seat in told["connections"]],
        "zone": str(zone),
        "rating": stakes.told(match, match.seat_held_by(player), [seat["name"] for seat in told["seats"]]),
    }
    return render(request, "matches/history.html", context)


@never_cache
@require_safe
def history_file(request: HttpRequest, match_id: int) -> HttpResponse:
    """The same as JSON (`matches.history.history_of`)."""
    match, player = found(request, match_id), player_of(request.session, request.user)
    if not may_read(match, player):
        raise Http404(str(LATER))
    text = json.dumps(history_of(match, player, timezone.now()), ensure_ascii=False)
    name = f"tessera-{match.game}-{match.variant}-{match.pk}-history.json"
    return HttpResponse(text + "\n", content_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _moment(at: str, zone: Any, dated: bool) -> str:
    local = timezone.localtime(datetime.fromisoformat(at), zone)
    return formats.date_format(local, "SHORT_DATETIME_FORMAT" if dated else "H:i:s")


def _row(entry: Payload, seats: list[Payload], moment: Any) -> Payload:
    """An entry as the table shows it."""
    return {
        "kind": entry["kind"],
        "ply": entry["ply"],
        "who": None if entry["seat"] is None else seats[entry["seat"]],
        "text": entry["text"],
        "at": entry["at"],
        "moment": moment(entry["at"]),
        "used": spent(entry.get("used_ms")),
        "lag": gettext("{n} ms").format(n=entry["lag_ms"]) if entry.get("lag_ms") else "",
        "left": spent(entry.get("left_ms")),
    }


def _line(seat: Payload, told: Payload, begins: datetime, ends: datetime, moment: Any) -> Payload:
    """The connections of a seat on a line from the start of the match to its end, and in words."""
    length = max((ends - begins).total_seconds(), 1)

    def place(at: str | None) -> int:
        passed = ((datetime.fromisoformat(at) if at else ends) - begins).total_seconds()
        return round(WIDTH * min(max(passed / length, 0), 1))

    def bar(start: str, end: str | None) -> Payload:
        return {"x": place(start), "width": max(place(end) - place(start), 2)}

    gaps = [gap for gap in seat["gaps"] if datetime.fromisoformat(gap["from"]) < ends]
    return {
        "who": told["seats"][seat["seat"]],
        "bars": [bar(socket["opened_at"], socket["ended_at"]) for socket in seat["sockets"]],
        "moves": [place(entry["at"]) for entry in told["entries"] if entry["kind"] == "ply" and entry["seat"] == seat["seat"]],
        "sockets": [
            {
                "opened": moment(socket["opened_at"]),
                "ended": moment(socket["ended_at"]) if socket["ended_at"] else "",
                "lag": gettext("{n} ms").format(n=socket["lag_ms"]) if socket["lag_ms"] else "",
                "gap": spent(_length(gap)) if (gap := _gap_before(seat["gaps"], socket)) else "",
            }
            for socket in seat["sockets"]
        ],
        "gaps": len(gaps),
        "longest": spent(max(map(_length, gaps), default=None)),
    }


def _gap_before(gaps: list[Payload], socket: Payload) -> Payload | None:
    return next((gap for gap in gaps if gap["to"] == socket["opened_at"]), None)


def _length(gap: Payload) -> float:
    return (datetime.fromisoformat(gap["to"]) - datetime.fromisoformat(gap["from"])).total_seconds() * 1000
