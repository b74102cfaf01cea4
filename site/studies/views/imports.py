"""Bringing records from elsewhere, looking at them, and taking them along again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.players import ensure_player, player_of
from games import registry
from games.kit.reading import formats, suffixes
from games.kit.record import Record, RecordError
from matches import files, payloads, replays, words
from matches.errors import MatchError
from matches.replay_page import begin, plain
from studies import imports
from studies.imports import Brought
from studies.models import Imported, Study
from studies.uploads import LARGEST_FILE, LARGEST_ZIP, Found, Upload, Wrong, matches_in, shown_name

Context = dict[str, Any]
PER_PAGE = 20
MOST_UPLOADS = 50
"""Files that a form may send at once; a zip holds more."""
MOST_CHOICES = 200
MOST_FAULTS = 100
"""Faults that are listed."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """The form, and one's records. A POST keeps the good ones of what it brings; with `look`, it only shows one and keeps nothing."""
    if request.method != "POST":
        return render(request, "studies/import.html", _form(request))
    if "look" in request.POST:
        return look(request)
    uploads = _uploads(request)
    if not uploads:
        return _refused(request, gettext("Choose a file, or paste the text of a record."))
    owner = ensure_player(request)
    try:
        with imports.alone(owner):
            brought = imports.bring(owner, matches_in(uploads, imports.deadline()), lines="lines" in request.POST, now=timezone.now())
    except MatchError as reason:
        return _refused(request, words.say(reason))
    return _came(request, brought)


def look(request: HttpRequest) -> HttpResponse:
    """Step through one of the matches that a POST brings. Nothing of it is stored."""
    read = list(matches_in(_uploads(request), imports.deadline()))
    found = [one for one in read if isinstance(one, Found)]
    wrong = [one for one in read if isinstance(one, Wrong)]
    chosen = _chosen(found, request.POST.get("index"))
    if chosen is not None:
        wrong = [Wrong(chosen.file, fault) for fault in imports.faults_of(chosen.reading)]
        if not wrong:
            return _looked_at(request, chosen.reading.record)
    if not read:
        return _refused(request, gettext("Choose a file, or paste the text of a record."))
    context = _form(request) | {
        "wrong": [_told(one) for one in wrong[:MOST_FAULTS]],
        "choices": [] if chosen else [_label(one.reading.record) for one in found[:MOST_CHOICES]],
        "chosen_from": "\n".join(json.dumps(one.reading.record.to_json(), ensure_ascii=False) for one in found[:MOST_CHOICES]),
        "pasted": request.POST.get("pasted", "") if chosen or not found else "",
    }
    return render(request, "studies/import.html", context, status=400 if wrong and not context["choices"] else 200)


def _looked_at(request: HttpRequest, record: Record) -> HttpResponse:
    rules = registry.get(record.game)
    begun = begin(rules, rules.variant(record.variant), plies=len(record.plies), asked=None)
    steps = payloads.replay_of_record(record)
    context = {**begun, "match": None, "replay": replays.packed(steps), "plain": plain(steps, rules, 0), "record_url": None}
    return render(request, "matches/replay.html", context | {"notes": _notes(record)})


def _came(request: HttpRequest, brought: Brought) -> HttpResponse:
    """What came of an import: the record itself when it is a single one, else a list of all."""
    if len(brought.kept) == 1 and not brought.wrong:
        (one,) = brought.kept
        if not one.new:
            messages.info(request, gettext("You brought this record before. Here it is."))
        elif one.study:
            messages.success(request, gettext("The other lines of the file are kept as a study, too."))
        return redirect("imported", token=one.imported.token)
    context = _form(request) | {
        "kept": [{"row": _row(one.imported), "new": one.new, "study": one.study} for one in brought.kept],
        "new": sum(one.new for one in brought.kept),
        "wrong": [_told(one) for one in brought.wrong[:MOST_FAULTS]],
        "more_wrong": max(0, len(brought.wrong) - MOST_FAULTS),
        "pasted": "" if brought.kept else request.POST.get("pasted", ""),
    }
    return render(request, "studies/import.html", context, status=200 if brought.kept else 400)


def _refused(request: HttpRequest, reason: str) -> HttpResponse:
    wrong = [{"file": "", "number": None, "ply": None, "reason": reason}]
    return render(request, "studies/import.html", _form(request) | {"wrong": wrong, "pasted": request.POST.get("pasted", "")}, status=400)


def _form(request: HttpRequest) -> Context:
    player = player_of(request.session, request.user)
    own = Imported.objects.filter(owner=player) if player else Imported.objects.none()
    page = Paginator(own.order_by("-made_at", "-id"), PER_PAGE).get_page(request.GET.get("page"))
    return {
        "records": page,
        "rows": [_row(one) for one in page],
        "accept": ",".join((*suffixes(), ".zip", "application/json")),
        "programs": sorted({f"{form.name} ({form.suffix})" for form in formats()}),
        "megabytes": {"file": LARGEST_FILE // 1_000_000, "zip": LARGEST_ZIP // 1_000_000},
    }


def _uploads(request: HttpRequest) -> list[Upload]:
    """What the form sends, read no further than it may be large."""
    sent = request.FILES.getlist("file")[:MOST_UPLOADS]
    uploads = [Upload(shown_name(file.name or gettext("a file")), file.read(LARGEST_ZIP + 1)) for file in sent]
    pasted = request.POST.get("pasted", "")
    return [*uploads, Upload(gettext("the text"), pasted.encode())] if pasted.strip() else uploads


def _chosen(found: Sequence[Found], index: str | None) -> Found | None:
    """The match to show: the only one, or the one of that number, counted from 0."""
    if len(found) == 1:
        return found[0]
    if index is not None and index.isdecimal() and len(index) < 7 and int(index) < len(found):
        return found[int(index)]
    return None


def _told(wrong: Wrong) -> Context:
    """What is wrong, in the reader's language where it is a refusal of the rules."""
    fault = wrong.fault
    reason = words.say(fault.cause) if fault.cause else fault.reason
    return {"file": wrong.file, "number": wrong.number, "ply": fault.ply, "reason": reason}


def _label(record: Record) -> Context:
    """A match in a list to choose from."""
    try:
        rules = registry.get(record.game)
        name = f"{words.say(rules.name)}, {words.say(rules.variant(record.variant).name)}"
    except (LookupError, ValueError):  # it is not known here, as choosing it will say
        name = f"{record.game}, {record.variant}"
    return {"name": name, "seats": record.seats or (), "plies": len(record.plies), "date": record.date}


def _row(imported: Imported) -> Context:
    """A record in a list."""
    record = imports.record_of(imported)
    return _label(record) | {
        "imported": imported,
        "emblem": f"{imported.game}/emblem.svg",
        "url": reverse("imported", args=[imported.token]),
        "program": (form := imports.format_of(imported)) and form.name,
        "over": record.result is not None,
    }


# --- One record


@never_cache
@require_safe
def imported(request: HttpRequest, token: str) -> HttpResponse:
    """The replay of an imported record, for everybody who has its address; `?ply=17` opens it there, `?plain` without scripts."""
    kept = _found(token)
    record = imports.record_of(kept)
    rules = registry.get(kept.game)
    begun = begin(
        rules, rules.variant(kept.variant), plies=kept.plies, asked=request.GET.get("ply"),
        data_url=reverse("imported_data", args=[token]), point=_point(request, kept),
    )  # fmt: skip
    player = player_of(request.session, request.user)
    own = player is not None and player.pk == kept.owner_id
    context = begun | {
        "match": None,
        "imported": kept,
        "own": own,
        "record": record,
        "options": [option.name for option in begun["game"].options if option.key in record.options],
        "notes": _notes(record),
        "program": (form := imports.format_of(kept)) and form.name,
        "studies": Study.objects.filter(imported=kept, owner=player).order_by("-changed_at") if own else [],
        "record_url": reverse("imported_record", args=[token, "json"]),
    }
    if "plain" not in request.GET:
        return render(request, "studies/imported.html", context)
    steps = _playable(lambda: payloads.replay_of_record(record, _point(request, kept)))
    return render(request, "studies/imported_plain.html", context | {"plain": plain(steps, rules, begun["page"]["start"])})


@require_safe
def data(request: HttpRequest, token: str) -> HttpResponse:
    """All that stepping through it needs, in one file; `?seat=1` with the eyes of that seat."""
    kept = _found(token)
    return replays.reply(request, _playable(lambda: replays.file_of_record(imports.record_of(kept), _point(request, kept))))


@never_cache
@require_safe
def record_file(request: HttpRequest, token: str, suffix: str) -> HttpResponse:
    """The record as a file, in our format or one of its game's."""
    kept = _found(token)
    written = _playable(lambda: files.written(imports.record_of(kept), suffix))
    if written is None:
        raise Http404
    return files.download(written, f"tessera-{kept.game}-{kept.variant}-{token}.{suffix}")


@require_POST
def delete(request: HttpRequest, token: str) -> HttpResponse:
    """Delete one's record."""
    player: User | None = player_of(request.session, request.user)
    try:
        imports.delete(token, player)
    except imports.NoSuchImport as reason:
        raise Http404(words.say(reason)) from None
    messages.success(request, gettext("The record is deleted."))
    return redirect("import")


def _found(token: str) -> Imported:
    try:
        return imports.at(token)
    except imports.NoSuchImport as reason:
        raise Http404(words.say(reason)) from None


def _playable(make: Any) -> Any:
    """What `make` gives; a record that the rules of today refuse is not there any more."""
    try:
        return make()
    except RecordError as error:
        raise Http404(str(error)) from None


def _point(request: HttpRequest, kept: Imported) -> int | None:
    """The seat whose eyes were asked for, if there is one of that number."""
    asked = request.GET.get("seat", "")
    seats = registry.get(kept.game).variant(kept.variant).seats
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 3 and int(asked) < seats else None


def _notes(record: Record) -> list[Context]:
    """What stands in the record of its plies, as marks of the replay."""
    return [{"ply": ply, "kind": "note", "text": text} for ply, text in record.notes if ply <= len(record.plies)]
