"""The home page, and the one click that starts a match against bots."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.players import ensure_player, player_of
from games import registry
from games.kit.protocol import Game, RuleError
from matches import words
from matches.errors import MatchError
from matches.models import Match
from matches.payloads import cards
from matches.services import BotSeat, Person, SeatPlan, start_match

LISTED = 12
"""Matches in each list of the home page."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What to play, what you are playing, and what others play."""
    player = player_of(request.session, request.user)
    every = Match.objects.with_seats().order_by("-moved_at")
    running = every.filter(status=Match.Status.RUNNING)
    finished = every.filter(status=Match.Status.FINISHED)
    context = {
        "games": [words.in_words(game) for game in registry.all_games()],
        "choice": choice_of(request, player),
        "yours": cards(running.of(player)[:LISTED], player) if player else [],
        "recent": cards(finished[:LISTED], player),
        "watch": cards(running.without(player)[:LISTED] if player else running[:LISTED], player),
    }
    return render(request, "pages/home.html", context)


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Start the chosen match, everybody else a bot; the choice is kept for the next time."""
    choice: dict[str, Any] = {
        "game": request.POST.get("game", ""),
        "variant": request.POST.get("variant", ""),
        "level": request.POST.get("level", ""),
        "options": request.POST.getlist("option"),
        "seat": "random" if request.POST.get("seat") == "random" else "first",
    }
    try:
        seats = registry.get(choice["game"]).variant(choice["variant"]).seats
        registry.get(choice["game"]).start(choice["variant"], choice["options"])
        player = ensure_player(request)
        match = start_match(
            choice["game"],
            choice["variant"],
            seats=_table(player, seats, choice),
            options=choice["options"],
            now=timezone.now(),
        )
    except (registry.UnknownGame, RuleError, MatchError) as reason:
        messages.error(request, str(reason) if isinstance(reason, registry.UnknownGame) else words.say(reason))
        return redirect("home")
    _remember(request, player, choice)
    return redirect("match", match_id=match.pk)


def _table(player: User, seats: int, choice: dict[str, Any]) -> list[SeatPlan]:
    plan: list[SeatPlan] = [BotSeat(choice["level"]) for _ in range(seats)]
    plan[secrets.randbelow(seats) if choice["seat"] == "random" else 0] = Person(player)
    return plan


def _remember(request: HttpRequest, player: User, choice: dict[str, Any]) -> None:
    request.session["choice"] = choice
    if player.preferences.get("choice") != choice:
        player.preferences["choice"] = choice
        player.save(update_fields=["preferences"])


def choice_of(request: HttpRequest, player: User | None, only: Game | None = None) -> dict[str, Any]:
    """What to offer at first, of any game or of `only` one: what was played last, as far as it still exists."""
    kept = (player.preferences.get("choice") if player else None) or request.session.get("choice") or {}
    games = registry.all_games()
    game = only or next((game for game in games if game.key == kept.get("game")), games[0])
    return {
        "game": game.key,
        "variant": _known(kept.get("variant"), [variant.key for variant in game.variants]),
        "level": _known(kept.get("level"), _levels(game)),
        "options": [option.key for option in game.options if option.key in kept.get("options", [])],
        "seat": _known(kept.get("seat"), ["first", "random"]),
    }


def _levels(game: Game) -> list[str]:
    """The game's levels, the one for newcomers first: the second, as the first is there to lose."""
    keys = [level.key for level in game.levels]
    return [*keys[1:2], *keys[:1], *keys[2:]]


def _known(kept: str | None, keys: list[str]) -> str:
    return kept if kept in keys else keys[0]
