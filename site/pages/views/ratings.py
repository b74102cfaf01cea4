"""Ratings laid open: how they are worked out, the history to download, and what each match changed for a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.players import player_of
from games import registry
from ladder import explain, formula, scale, services, words
from ladder.models import Pace, Pool, RatedMatch, RatingChange
from ladder.scale import Strength
from matches import payloads, stakes
from matches.counting import ENOUGH
from matches.models import Match
from pages import openness
from profiles import people

PAGE = 30
"""Changes on one page of somebody's list."""
EXAMPLE = (Strength(25.0, 2.0), Strength(28.733333, 2.0))
"""The two of the worked example: 1500 ± 60 against 1612 ± 60."""


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """How ratings are worked out, with every number, an example, and the files to recompute them from."""
    games = words.games()
    names = {level.key: gettext(level.name) for game in registry.all_games() for level in game.levels}
    pools = Pool.objects.filter(next_number__gt=1, game__in=games).order_by("game", "pace")
    rules = openness.head("", "")["rules"]
    context = {
        "scale": scale,
        "newcomer": {"rating": scale.shown(scale.START.mu), "deviation": scale.deviation(scale.START.sigma)},
        "model": rules,
        "requirement": "==".join(rules["library"].split()),
        "enough": ENOUGH,
        "bots": [{"name": names.get(level, level), "rating": scale.in_words(*strength)} for level, strength in scale.ANCHORS.items()],
        "example": example(),
        "pools": [{"game": pool.game, "name": games[pool.game], "pace": pool.pace, "pace_name": words.PACES[pool.pace]} for pool in pools],
    }
    return render(request, "pages/ratings.html", context)


def example() -> dict[str, Any]:
    """The worked example: what a win, a tie and a loss of the weaker one changes, and how likely a win was."""
    own, other = EXAMPLE
    rows = []
    for name, ranks in ((gettext("Win"), (1, 2)), (gettext("Tie"), (1, 1)), (gettext("Loss"), (2, 1))):
        one, two = formula.rate(EXAMPLE, ranks)
        changes = [scale.signed(scale.shown(new.mu) - scale.shown(old.mu)) for new, old in ((one, own), (two, other))]
        rows.append({"name": name, "own": one, "other": two, "changes": changes})
    return {
        "own": scale.in_words(*own),
        "other": scale.in_words(*other),
        "strengths": EXAMPLE,
        "chance": round(100 * explain.chances(EXAMPLE)[0]),
        "rows": rows,
    }


@require_safe
def history(request: HttpRequest, game: str, pace: str) -> HttpResponseBase:
    """All rated results of a game and pace, a line of JSON each; `?from=` begins at that number."""
    if game not in words.games() or pace not in Pace.values:
        raise Http404(gettext("There is no such ladder."))
    first = request.GET.get("from", "1")
    if not (first.isascii() and first.isdigit() and 0 < len(first) < 16):
        text = gettext("“from” is the number of the result to begin at, such as 1.")
        return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
    name = f"tessera-{game}-{pace}-history.jsonl"
    return StreamingHttpResponse(
        openness.lines(game, pace, int(first)),
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"},
    )


@never_cache
@require_safe
def of_person(request: HttpRequest, name: str, game: str, pace: str) -> HttpResponse:
    """What each rated match of somebody changed, the newest first; `?before=` is the number that a page begins below."""
    if game not in words.games() or pace not in Pace.values:
        raise Http404(gettext("There is no such ladder."))
    now = timezone.now()
    try:
        person = people.found(name, now)
    except people.Gone as reason:
        return render(request, "profiles/gone.html", {"reason": str(reason)}, status=410)
    if person.username != name:
        return redirect("person_ratings", name=person.username, game=game, pace=pace)
    before = request.GET.get("before", "")
    changes = RatingChange.objects.filter(user=person, rated__game=game, rated__pace=pace, mu_after__isnull=False)
    if before.isascii() and before.isdigit() and len(before) < 16:
        changes = changes.filter(rated__number__lt=int(before))
    rows = list(changes.select_related("rated").order_by("-rated__number")[: PAGE + 1])
    context = {
        "person": person,
        "game": {"key": game, "name": words.games()[game]},
        "pace": pace,
        "pace_name": words.PACES[pace],
        "standing": services.standing_of(person, game, pace, now=now),
        "rows": _told(rows[:PAGE], player_of(request.session, request.user)),
        "older": rows[PAGE - 1].rated.number if len(rows) > PAGE else None,
        "first_page": not before,
    }
    return render(request, "pages/person_ratings.html", context)


def _told(rows: Sequence[RatingChange], viewer: User | None) -> list[dict[str, Any]]:
    """The changes as a list shows them. Of a match that nobody may watch outsiders learn what it changed, and no more. Four queries."""
    rated = [row.rated for row in rows]
    matches = {match.pk: match for match in Match.objects.with_seats().filter(pk__in=[one.match_id for one in rated])}
    seats: dict[int, list[RatingChange]] = {}
    for change in RatingChange.objects.filter(rated__in=rated).order_by("rated", "seat"):
        seats.setdefault(change.rated_id, []).append(change)
    return [_row(row, row.rated, seats[row.rated_id], matches.get(row.rated.match_id), viewer) for row in rows]


def _row(row: RatingChange, rated: RatedMatch, seats: Sequence[RatingChange], match: Match | None, viewer: User | None) -> dict[str, Any]:
    after, seen = row.after, match is not None and match.visible_to(viewer)
    assert after is not None  # asked for so
    told = ""
    if match is not None and seen:
        names = [seat["name"] for seat in payloads.seats_of(match, None)]
        told = stakes.explained(seats, rated.ranks, names, row.seat, brief=True)
    return {
        "number": rated.number,
        "at": rated.ended_at,
        "match": match if seen else None,
        "text": told,
        "change": stakes.points(row) or 0,
        "rating": scale.in_words(*after),
    }
