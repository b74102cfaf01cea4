"""Records going out as files of other programs, and the old address where they came in."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.players import player_of
from matches import files, payloads
from pages.views.match import found
from studies.views import imports


@never_cache
@require_safe
def record_as(request: HttpRequest, match_id: int, suffix: str) -> HttpResponse:
    """A match that is over in a format of its game, for those who may see it."""
    match = found(request, match_id)
    if match.running:
        raise Http404
    record = payloads.record_of(match, match.seat_held_by(player_of(request.session, request.user)))
    written = files.written(record, suffix)
    if written is None:
        raise Http404
    return files.download(written, f"tessera-{match.game}-{match.variant}-{match.pk}.{suffix}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_record(request: HttpRequest) -> HttpResponse:
    """Where records were opened before `/import/`: a POST still shows one and keeps nothing."""
    return imports.look(request) if request.method == "POST" else redirect("import", permanent=True)
