"""Pages about the site itself: a game's own page, the components, and whether all is well."""

from __future__ import annotations

from django.db import Error as DatabaseError
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.players import player_of
from games import registry
from matches import words
from pages.views.home import choice_of


@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """What a game is and how it is played."""
    try:
        rules = registry.get(key)
    except registry.UnknownGame as reason:
        raise Http404(str(reason)) from None
    choice = choice_of(request, player_of(request.session, request.user))
    return render(request, "pages/game.html", {"game": words.in_words(rules), "choice": choice})


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Every component of the visual language, for those who add pages."""
    return render(request, "pages/components.html")


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Whether this process can serve: 200, or 503 while the database does not answer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("The database does not answer.\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")
