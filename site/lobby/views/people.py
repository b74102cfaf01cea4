"""A person's small page: ratings, matches, and what one can do about that person."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import ties
from accounts.models import Tie, User
from accounts.players import ensure_player, player_of
from accounts.presence import ONLINE
from games import registry
from games.kit.protocol import N_
from ladder import scale
from ladder.models import Rating
from lobby import forms
from lobby.errors import BadWish, NoSuchPlayer, ToYourself
from lobby.views.answers import answer
from lobby.views.lobby import form_context
from matches import words
from matches.clock import Pace
from matches.models import Match
from matches.payloads import cards

LISTED = 8
CHANGES = ("friend", "block", "forget")


@never_cache
@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """Who somebody is on this site; one's own page too."""
    shown, player = found(name), player_of(request.session, request.user)
    if shown.username != name:
        return redirect("person", name=shown.username)
    now = timezone.now()
    hidden = bool(shown.preferences.get("hidden"))
    public = Match.objects.with_seats().public().filter(seats__user=shown)
    context: dict[str, Any] = {
        "person": shown,
        "own": player is not None and player.pk == shown.pk,
        "here": shown.seen_at is not None and shown.seen_at > now - ONLINE and not hidden,
        "ratings": ratings_of(shown),
        "tie": Tie.objects.filter(user=player, other=shown).values_list("kind", flat=True).first() if player else None,
        "running": cards(public.filter(status=Match.Status.RUNNING).order_by("-moved_at")[:LISTED], player),
        "finished": cards(public.filter(status=Match.Status.FINISHED).order_by("-finished_at")[:LISTED], player),
        "form": form_context(request, player, names=shown.username),
    }
    return render(request, "lobby/person.html", context)


@require_POST
def tie(request: HttpRequest, name: str) -> HttpResponse:
    """Make somebody a friend, block somebody, or take that back."""
    other, change = found(name), request.POST.get("change", "")
    done = {
        "friend": gettext("{name} is your friend now."),
        "block": gettext("You and {name} no longer meet: neither in the lobby nor in a match."),
        "forget": gettext("That is taken back."),
    }

    def act() -> str | None:
        if change not in CHANGES:
            raise BadWish(N_("One can make somebody a friend, block somebody, or take that back."))
        player = ensure_player(request)
        if player.pk == other.pk:
            raise ToYourself(N_("That is you."))
        if change == "forget":
            ties.untie(player, other)
        else:
            ties.tie(player, other, Tie.Kind(change), now=timezone.now())
        return None

    return answer(request, act, reverse("person", args=[other.username]), done.get(change, "").format(name=other.username))


def found(name: str) -> User:
    """The account of that name, or the page that says there is none."""
    try:
        return forms.person_named(name)
    except NoSuchPlayer as reason:
        raise Http404(str(reason)) from None


def ratings_of(shown: User) -> list[dict[str, Any]]:
    """Per game at which somebody has a rating the numbers by pace. One query."""
    names = {game.key: words.in_words(game).name for game in registry.all_games()}
    paces = {Pace.LIVE.value: gettext("live"), Pace.CORRESPONDENCE.value: gettext("over days")}
    rows = Rating.objects.filter(user=shown, game__in=names).order_by("game", "-pace")
    return [
        {
            "game": row.game,
            "game_name": names[row.game],
            "pace_name": paces.get(row.pace, row.pace),
            "rating": scale.shown(row.mu),
            "deviation": scale.deviation(row.sigma),
            "provisional": scale.provisional(row.sigma),
            "matches": row.matches,
        }
        for row in rows
    ]
