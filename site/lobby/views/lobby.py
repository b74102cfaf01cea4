"""The lobby: its page, and the forms on it that open tables and look for opponents."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import presence, ties
from accounts.models import User
from accounts.players import ensure_player, player_of
from games import registry
from games.kit.protocol import N_, Game
from lobby import filters, forms, pairing, payloads, services, worth
from lobby.errors import BadWish
from lobby.models import LONGEST_MESSAGE, Seek
from lobby.views.answers import answer
from matches import words
from matches.clock import Pace, TimeControl
from matches.services import take_over

PACES = (Pace.LIVE, Pace.CORRESPONDENCE)


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Whom one can play with now. `?filter=1` with filters keeps them; `?table=game:variant` begins the form with that."""
    player, now = player_of(request.session, request.user), timezone.now()
    if request.GET.get("filter"):
        filters.keep(filters.Filters.read(request.GET), player, request.session)
        return redirect(reverse("lobby") + "#tables")
    if player is not None:
        presence.touch(player, now)
    chosen = filters.kept(player, request.session)
    shown = payloads.lobby(player, chosen, now)
    context = {
        **shown,
        "filters": chosen,
        "games": [words.in_words(game) for game in registry.all_games()],
        "quick": quick_offers(player, now),
        "form": form_context(request, player),
        "page": {"socket": "/ws/lobby/", "known": player is not None, "started": payloads.started(player, now)},
        "waits": player is not None and bool(shown["mine"]["quick"] or shown["mine"]["tables"] or shown["mine"]["from_me"]),
    }
    return render(request, "lobby/lobby.html", context)


def form_context(request: HttpRequest, player: User | None, names: str = "") -> dict[str, Any]:
    """What the form for a new table offers, and what it begins with."""
    games = [words.in_words(game) for game in registry.all_games()]
    tables = {f"{game.key}:{variant.key}" for game in games for variant in game.variants}
    kept = player.preferences.get("choice") if player else None
    last = f"{kept.get('game')}:{kept.get('variant')}" if isinstance(kept, dict) else ""
    first = next((table for table in (request.GET.get("table", ""), last) if table in tables), "")
    return {
        "games": games,
        "table": first or f"{games[0].key}:{games[0].variants[0].key}",
        "levels": levels_of(games),
        "live": [{"key": key, "name": TimeControl.parse(key).describe()} for key in forms.LIVE],
        "days": [{"key": key, "name": TimeControl.parse(key).describe()} for key in forms.CONTROLS if key.endswith("d")],
        "control": request.GET.get("control") if request.GET.get("control") in forms.CONTROLS else forms.FIRST_CONTROL,
        "numbers": range(1, max(variant.seats for game in games for variant in game.variants) + 1),
        "longest": LONGEST_MESSAGE,
        "friends": [friend.username for friend in ties.friends_of(player)] if player else [],
        "names": names,
        "duels": worth.of_duels(player, asked, timezone.now()) if (asked := _asked(names)) else [],
        "who": "people" if names else "open",
    }


def _asked(name: str) -> User | None:
    """The one whom a form is to challenge from the start."""
    return User.objects.filter(username=name, is_active=True, is_guest=False).first() if name else None


def levels_of(games: list[Game]) -> list[dict[str, str]]:
    """The levels of all games, each once."""
    return [{"key": key, "name": name} for key, name in {level.key: level.name for game in games for level in game.levels}.items()]


def quick_offers(player: User | None, now: datetime) -> list[dict[str, Any]]:
    """Per game the quick matches there are: by pace, for which numbers of players, and what is at stake against somebody alike."""
    offers = []
    stakes = worth.of_quick_matches(player, now)
    for game in registry.all_games():
        numbers = sorted({variant.seats for variant in game.variants})
        paces = [
            {"pace": pace, "control_name": TimeControl.parse(pairing.CONTROLS[pace]).describe(), "stakes": stakes.get((game.key, pace))}
            for pace in PACES
        ]
        offers.append({"game": words.in_words(game), "seats": numbers, "paces": paces})
    return offers


@require_POST
def post(request: HttpRequest) -> HttpResponse:
    """Open a table for everybody, for who gets its link, or for people one names."""

    def act() -> str | None:
        asked = forms.read(request.POST)
        host, now = ensure_player(request), timezone.now()
        if asked.kind is Seek.Kind.CHALLENGE:
            return gone_to(services.challenge(host, asked.people, asked.wish, now=now))
        seek = services.post_seek(host, asked.wish, now=now, kind=asked.kind)
        return gone_to(seek) or (reverse("table", args=[seek.token]) if asked.kind is Seek.Kind.LINK else None)

    return answer(request, act, back(request, "#mine"))


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """Find an opponent near in rating, or wait for one. `choice` is `game:pace`."""

    def act() -> str | None:
        game, _, pace = request.POST.get("choice", "").partition(":")
        seats = request.POST.get("seats", "2")
        if seats not in {"2", "3", "4", "5"}:
            raise BadWish(N_("A quick match is for two to five."))
        pairing.variant_for(game, int(seats))
        rated = False if request.POST.get("casual") else None
        return gone_to(pairing.quick_match(ensure_player(request), game, pace, seats=int(seats), rated=rated, now=timezone.now()))

    return answer(request, act, back(request, "#mine"))


@require_POST
def take(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """Sit down in a bot's seat of a running match."""

    def act() -> str | None:
        take_over(match_id, seat, ensure_player(request), now=timezone.now())
        return reverse("match", args=[match_id])

    return answer(request, act, reverse("lobby"))


def gone_to(seek: Seek) -> str | None:
    """The match, when it has begun."""
    return reverse("match", args=[seek.match_id]) if seek.match_id else None


def back(request: HttpRequest, part: str = "") -> str:
    """The lobby, or the page of the person from which a form was sent."""
    name = request.POST.get("person", "")
    return reverse("person", args=[name]) if name and len(name) < 200 and "/" not in name else reverse("lobby") + part
