"""Many records at once: those that were chosen, or the first of a search."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.players import player_of
from archive import bulk, search
from archive.filters import BadSearch, Filters, check


@never_cache
@require_safe
def as_lines(request: HttpRequest) -> HttpResponse:
    """One record a line: `?id=` for each that was chosen, or what the page of the archive takes."""
    try:
        numbers = _numbers(request)
    except BadSearch:  # the page says what is wrong
        return redirect(f"{reverse('archive')}?{request.GET.urlencode()}")
    return _file(bulk.lines(numbers).encode(), "application/jsonl", "tessera-matches.jsonl")


@never_cache
@require_safe
def as_zip(request: HttpRequest) -> HttpResponse:
    """The same, a file for each record."""
    try:
        numbers = _numbers(request)
    except BadSearch:
        return redirect(f"{reverse('archive')}?{request.GET.urlencode()}")
    return _file(bulk.archive(numbers), "application/zip", "tessera-matches.zip")


def _numbers(request: HttpRequest) -> Sequence[int]:
    """Which matches. Raises `BadSearch`."""
    chosen = [int(text) for text in request.GET.getlist("id") if text.isascii() and text.isdigit() and len(text) < 19]
    if chosen:
        return bulk.listed(list(dict.fromkeys(chosen)))
    wanted = check(Filters.read(request.GET), player_of(request.session, request.user))
    return search.matches(search.build(wanted), bulk.MOST)


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
