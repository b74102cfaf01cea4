"""Watching: the running matches that anybody may see, and TV, which shows the best of a game and moves on."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import ties
from accounts.models import User
from accounts.players import player_of
from games import registry
from games.kit.protocol import Game
from matches import words
from matches.clock import Pace
from matches.gallery import gallery
from matches.models import Match, MatchQuerySet, Seat
from pages.views import match as match_page

LISTED = 30
"""Matches on one page."""
FOLLOWED = 12
"""Matches of people one follows."""


@never_cache
@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """The running public matches, the best rated first, after those of people one follows; `?game=` and `?pace=` narrow them down."""
    player, now = player_of(request.session, request.user), timezone.now()
    keys = [game.key for game in registry.all_games()]
    game = request.GET.get("game") if request.GET.get("game") in keys else ""
    pace = request.GET.get("pace") if request.GET.get("pace") in words.PACES else ""
    narrowed = {name: value for name, value in (("game", game), ("pace", pace)) if value}
    best = list(_with_people(now).with_seats().order_by("game", *_BEST).distinct("game"))
    narrow = Match.objects.alive(now).with_seats().filter(**narrowed)
    found = list(narrow.order_by(F("rating").desc(nulls_last=True), "-moved_at", "pk")[: LISTED + 1])
    followed = _followed(player, now)
    drawn = gallery([*best, *followed, *found[:LISTED]], player, now)
    on_air = {card["game"]: card for card in drawn[: len(best)]}
    others = len(best) + len(followed)
    context = {
        "channels": [
            {"game": words.in_words(rules), "url": reverse("tv", args=[rules.key]), "card": on_air.get(rules.key)}
            for rules in registry.all_games()
        ],
        "followed": drawn[len(best) : others],
        "cards": drawn[others:],
        "more": len(found) > LISTED,
        "game": game,
        "pace": pace,
        "paces": words.PACES.items(),
    }
    return render(request, "pages/watch.html", context)


@never_cache
@require_safe
def tv(request: HttpRequest, key: str) -> HttpResponse:
    """The page of the match of a game that is best to watch now, which leads back here when it is over."""
    rules, now = _game(key), timezone.now()
    shown = _with_people(now).filter(game=key).with_seats().order_by(*_BEST).first()
    if shown is not None:
        return match_page.shown(request, shown, tv=reverse("tv", args=[key]))
    finished = Match.objects.public().filter(game=key, status=Match.Status.FINISHED).with_seats().order_by("-finished_at")[:1]
    player = player_of(request.session, request.user)
    context: dict[str, Any] = {
        "game": words.in_words(rules),
        "games": [words.in_words(game) for game in registry.all_games()],
        "last": next(iter(gallery(finished, player, now)), None),
    }
    return render(request, "pages/tv.html", context)


_BEST = (
    # Live matches first, by rating; without any, the one that somebody moved in last.
    Case(When(pace=Pace.LIVE, then=Value(0)), default=Value(1)),
    Case(When(pace=Pace.LIVE, then=F("rating")), default=None).desc(nulls_last=True),
    F("moved_at").desc(),
    F("pk"),
)


def _followed(player: User | None, now: datetime) -> list[Match]:
    """The running public matches in which somebody plays whom `player` follows, but not `player`."""
    if player is None:
        return []
    theirs = Seat.objects.filter(match=OuterRef("pk"), user__in=ties.followed_by(player), left_at_ply=None)
    return list(Match.objects.alive(now).filter(Exists(theirs)).without(player).with_seats().order_by("-moved_at")[:FOLLOWED])


def _with_people(now: datetime) -> MatchQuerySet:
    """Those in which somebody still plays."""
    return Match.objects.alive(now).filter(Exists(Seat.objects.filter(match=OuterRef("pk"), user__isnull=False, left_at_ply=None)))


def _game(key: str) -> Game:
    try:
        return registry.get(key)
    except registry.UnknownGame as reason:
        raise Http404(str(reason)) from None
