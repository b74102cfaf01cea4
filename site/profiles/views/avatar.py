"""The pictures of people, drawn from their codes."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts import mosaic

FOR_EVER = 365 * 24 * 3600


@cache_control(public=True, max_age=FOR_EVER, immutable=True)
@require_safe
def avatar(request: HttpRequest, code: str) -> HttpResponse:
    """The mosaic of that code; the same for everybody and for ever."""
    if not mosaic.is_code(code):
        raise Http404
    return HttpResponse(mosaic.svg(code), content_type="image/svg+xml")
