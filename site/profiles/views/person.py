"""A person's page as somebody else sees it, and one's own."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.players import player_of
from lobby.views.lobby import form_context
from matches.gallery import gallery
from profiles import graph, people, played, statistics

RUNNING, RECENT = 6, 8
"""Matches that are shown."""


@never_cache
@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Who somebody is on this site.

    `?game=` narrows the tables down, `?graph=game:pace` chooses the rating to draw, `?challenge=1` opens the form.
    """
    now = timezone.now()
    try:
        shown = people.found(name, now)
    except people.Gone as reason:
        return gone(request, reason)
    if shown.username != name:
        return redirect("person", name=shown.username)
    player = player_of(request.session, request.user)
    relation = people.relation_to(shown, player)
    context: dict[str, Any] = {
        "person": shown,
        "own": relation.own,
        "relation": relation,
        "here": people.is_here(shown, now),
        "badges": people.badges(shown),
        **_ratings(request, shown),
        **_figures(request, shown, relation.own),
        **_matches(shown, player),
    }
    if not relation.own:
        context["form"] = form_context(request, player, names=shown.username)
        context["asked_to_challenge"] = "challenge" in request.GET
        context["duels"] = statistics.against(shown, player) if player else []
    return render(request, "profiles/person.html", context)


def gone(request: HttpRequest, reason: people.Gone) -> HttpResponse:
    """The page in place of one that nobody can look at."""
    return render(request, "profiles/gone.html", {"reason": str(reason)}, status=410)


def _ratings(request: HttpRequest, shown: User) -> dict[str, Any]:
    """The ratings, and the course of one of them: the chosen one, or that of the most matches."""
    pools = graph.pools(shown, timezone.now())
    chosen = next((pool for pool in pools if pool.key == request.GET.get("graph")), pools[0] if pools else None)
    unsure = any(pool.provisional for pool in pools)
    return {"pools": pools, "pool": chosen, "unsure": unsure, "chart": graph.chart(shown, chosen) if chosen else None}


def _figures(request: HttpRequest, shown: User, own: bool) -> dict[str, Any]:
    counted = statistics.groups(shown, private=own)
    names = statistics.game_names()
    game = request.GET.get("game", "") if request.GET.get("game") in names else ""
    played_games = {group.game for group in counted}
    return {
        "game": game,
        "games": [(key, label) for key, label in names.items() if key in played_games],
        "total": statistics.total(counted, game),
        "tables": statistics.tables(counted, game),
        "favourites": [(key, names[key]) for key in shown.favourites if key in names],
    }


def _matches(shown: User, player: User | None) -> dict[str, Any]:
    """Cards of running and of finished matches, drawn in one go."""
    running = list(played.running(shown, player, RUNNING))
    recent, _ = played.page(played.finished(shown, player), size=RECENT)
    drawn = gallery([*running, *recent], player, timezone.now())
    return {"running": drawn[: len(running)], "recent": drawn[len(running) :]}
