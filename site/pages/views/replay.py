"""Stepping through a match, and its record."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.players import player_of
from matches import payloads, replays
from matches.models import Match
from matches.replay_page import begin, plain
from pages.views.match import found


@never_cache
@require_safe
def replay(request: HttpRequest, match_id: int) -> HttpResponse:
    """A match from its start, running or over; `?ply=17` opens it there, `?plain` without scripts."""
    match = found(request, match_id)
    seat, point = _seat(request, match), _point(request, match)
    begun = begin(
        match.rules, match.rules_variant, plies=match.ply, asked=request.GET.get("ply"), at_end=match.running,
        data_url=reverse("replay_data", args=[match.pk]), point=point,
    )  # fmt: skip
    context = {**begun, "match": match, "record_url": reverse("record", args=[match.pk])}
    if "plain" not in request.GET:
        return render(request, "matches/replay.html", context)
    steps = payloads.replay_for(match, seat, point)
    return render(request, "matches/replay_plain.html", {**context, "plain": plain(steps, match.rules, begun["page"]["start"])})


@require_safe
def data(request: HttpRequest, match_id: int) -> HttpResponse:
    """All that stepping needs, in one file; `?seat=1` once the match is over: with the eyes of that seat."""
    match = found(request, match_id)
    return replays.reply(request, replays.file_of(match, _seat(request, match), _point(request, match)))


@never_cache
@require_safe
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """The match as a file; while it runs, only what the viewer may know."""
    match = found(request, match_id)
    text = json.dumps(payloads.record_of(match, _seat(request, match)).to_json(), ensure_ascii=False)
    name = f"tessera-{match.game}-{match.variant}-{match.pk}.json"
    return HttpResponse(
        text + "\n",
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _seat(request: HttpRequest, match: Match) -> int | None:
    return match.seat_held_by(player_of(request.session, request.user))


def _point(request: HttpRequest, match: Match) -> int | None:
    """The seat whose eyes were asked for, if there is one of that number and the match is over."""
    asked = request.GET.get("seat", "")
    if match.running or not (asked.isdecimal() and len(asked) < 3):
        return None
    return int(asked) if int(asked) < match.rules_variant.seats else None
