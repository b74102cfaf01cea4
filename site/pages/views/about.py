"""Pages about the site itself: a game's own page, the components, and whether all is well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import Error as DatabaseError
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.players import player_of
from games import registry
from ladder.charts import Chart, Series
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
    charts = {f"charts_{theme}": _sample_charts(theme) for theme in ("light", "dark")}
    return render(request, "pages/components.html", charts)


def _sample_charts(theme: str) -> list[Chart]:
    """One figure of each kind, with numbers made up; in English only, as that page is."""
    days = [datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=3 * number) for number in range(30)]
    climb = [1500.0 + 9 * number + 40 * (number % 4) - 3 * (number % 7) ** 2 for number in range(30)]
    other = [None if number < 6 else 1720.0 - 4 * number + 25 * (number % 3) for number in range(30)]
    seats = Series("Won", [31.4, 26.2, 22.9, 19.5]), Series("Last", [18.1, 22.4, 27.0, 32.5])
    places = [max(1.0, 60 - 2.0 * number + 5 * (number % 3)) for number in range(30)]
    return [
        Chart(f"rating-{theme}", "Rating over time", "Day", days, [Series("Ann", climb), Series("Ben", other)]),
        Chart(f"seats-{theme}", "How seats end", "Seat", ["First", "Second", "Third", "Fourth"], seats, "bars", "%", 1),
        Chart(f"rank-{theme}", "Rank over time", "Day", days, [Series("Rank", places)], "steps", reverse=True),
    ]


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
