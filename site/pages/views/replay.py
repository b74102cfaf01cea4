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
from matches import payloads, words
from matches.models import Match
from pages.views.match import found

LARGEST_RECORD = 1_000_000
"""Bytes."""


@never_cache
@require_safe
def replay(request: HttpRequest, match_id: int) -> HttpResponse:
    """A match from its start, running or over; `?ply=17` opens it there."""
    match = found(request, match_id)
    steps = payloads.replay_for(match, _seat(request, match))
    context = {
        "match": match,
        "game": words.in_words(match.rules),
        "variant": words.variant_in_words(match.rules_variant),
        "replay": steps,
        "start": _start(request.GET.get("ply"), len(steps["plies"]), match.running),
        "record_url": reverse("record", args=[match.pk]),
    }
    return render(request, "matches/replay.html", context)


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
    steps = payloads.replay_of_record(chosen)
    context = {
        "match": None,
        "game": words.in_words(rules),
        "variant": words.variant_in_words(rules.variant(chosen.variant)),
        "replay": steps,
        "start": 0,
        "record_url": None,
    }
    return render(request, "matches/replay.html", context)


def _seat(request: HttpRequest, match: Match) -> int | None:
    return match.seat_held_by(player_of(request.session, request.user))


def _start(asked: str | None, plies: int, running: bool) -> int:
    """The ply to open at: the one asked for, within the match; else the newest of a running match, the start of another."""
    try:
        return min(max(int(asked or ""), 0), plies)
    except ValueError:
        return plies if running else 0


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
