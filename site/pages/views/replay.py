"""Stepping through a match, and records going out and coming in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.players import player_of
from games import registry
from games.kit.record import Fault, Record, RecordError, check, read_records
from matches import payloads, replays, words
from matches.models import Match
from matches.replay_page import begin, plain
from pages.views.match import found

LARGEST_RECORD = 1_000_000
"""Bytes."""


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


@require_http_methods(["GET", "HEAD", "POST"])
def open_record(request: HttpRequest) -> HttpResponse:
    """Step through a record from a file or the clipboard. Nothing of it is stored."""
    if request.method != "POST":
        return render(request, "matches/open_record.html", {})
    text, faults = _text(request)
    records: list[Record] = []
    if not faults:
        try:
            records = read_records(text)
        except RecordError as error:
            faults = [error.fault]
    form: dict[str, Any] = {"faults": [_told(fault) for fault in faults], "pasted": text, "records": [_label(record) for record in records]}
    chosen = _chosen(records, request.POST.get("index"))
    if chosen is None:
        return render(request, "matches/open_record.html", form, status=400 if faults else 200)
    form["faults"] = [_told(fault) for fault in check(chosen)]
    if form["faults"]:
        return render(request, "matches/open_record.html", form, status=400)
    rules = registry.get(chosen.game)
    begun = begin(rules, rules.variant(chosen.variant), plies=len(chosen.plies), asked=None)
    steps = payloads.replay_of_record(chosen)
    context = {**begun, "match": None, "replay": replays.packed(steps), "plain": plain(steps, rules, 0), "record_url": None}
    return render(request, "matches/replay.html", context)


def _seat(request: HttpRequest, match: Match) -> int | None:
    return match.seat_held_by(player_of(request.session, request.user))


def _point(request: HttpRequest, match: Match) -> int | None:
    """The seat whose eyes were asked for, if there is one of that number and the match is over."""
    asked = request.GET.get("seat", "")
    if match.running or not (asked.isdecimal() and len(asked) < 3):
        return None
    return int(asked) if int(asked) < match.rules_variant.seats else None


def _text(request: HttpRequest) -> tuple[str, list[Fault]]:
    upload = request.FILES.get("file")
    raw = upload.read(LARGEST_RECORD + 1) if upload else request.POST.get("pasted", "").encode()
    if len(raw) > LARGEST_RECORD:
        return "", [Fault(None, "A record file has at most one megabyte.")]
    try:
        return raw.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return "", [Fault(None, "This file is not text in UTF-8.")]


def _told(fault: Fault) -> Fault:
    """The fault in the reader's language, where it is a refusal of the rules."""
    return fault if fault.cause is None else replace(fault, reason=words.say(fault.cause))


def _chosen(records: list[Record], index: str | None) -> Record | None:
    """The record to show: the only one, or the one of that number, counted from 0."""
    if len(records) == 1:
        return records[0]
    if index is not None and index.isdecimal() and len(index) < 7 and int(index) < len(records):
        return records[int(index)]
    return None


def _label(record: Record) -> dict[str, Any]:
    return {"game": record.game, "variant": record.variant, "seats": record.seats or (), "plies": len(record.plies)}
