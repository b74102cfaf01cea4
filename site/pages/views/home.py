"""The home page with what waits for you, and the one click that starts a match against bots."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
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
from matches.clock import TimeControl
from matches.errors import MatchError, TooMuch
from matches.gallery import gallery
from matches.models import Match
from matches.payloads import Payload, cards
from matches.services import BotSeat, Person, SeatPlan, start_match
from pages.templatetags.clocks import CLOCKS

MOST_TURNS, MOST_OTHERS = 60, 30
"""Matches of one's own that are listed: those that wait for oneself, and those that wait for others."""
WATCHED, LISTED = 6, 8
"""Matches of others that are listed: running, and just finished."""
MANY = 3
"""From so many seats on a match can be opened for people to join."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What waits for you, what waits for others, what to play, and what others play."""
    player = player_of(request.session, request.user)
    turns, waiting, watch = _galleries(player)
    finished = Match.objects.with_seats().public().filter(status=Match.Status.FINISHED).order_by("-moved_at")
    context = {
        "games": [words.in_words(game) for game in registry.all_games()],
        "choice": choice_of(request, player),
        "turns": turns,
        "waiting": waiting,
        "yours": turns + waiting,
        "recent": cards(finished[:LISTED], player),
        "watch": watch,
    }
    return render(request, "pages/home.html", context)


def _galleries(player: User | None) -> tuple[list[Payload], list[Payload], list[Payload]]:
    """The cards of one's matches that wait for oneself, of those that wait for others, and of matches to watch; drawn in one go."""
    now = timezone.now()
    running = Match.objects.with_seats().filter(status=Match.Status.RUNNING).order_by("-moved_at")
    turns: list[Match] = []
    others: list[Match] = []
    watch = running.alive(now)
    if player is not None:
        turns = list(Match.objects.with_seats().awaiting(player)[:MOST_TURNS])
        others = list(running.of(player).exclude(pk__in=Match.objects.awaiting(player).values("pk"))[:MOST_OTHERS])
        watch = watch.without(player)
    drawn = gallery([*turns, *others, *watch[:WATCHED]], player, now)
    own = len(turns) + len(others)
    return drawn[: len(turns)], drawn[len(turns) : own], drawn[own:]


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Start the chosen match, everybody else a bot; the choice is kept for the next time."""
    choice: dict[str, Any] = {
        "game": request.POST.get("game", ""),
        "variant": request.POST.get("variant", ""),
        "level": request.POST.get("level", ""),
        "options": request.POST.getlist("option"),
        "seat": "random" if request.POST.get("seat") == "random" else "first",
        "clock": request.POST.get("clock") or CLOCKS[0],
        "open_seats": bool(request.POST.get("open_seats")),
        "rated": request.POST.get("rated") == "rated",
    }
    try:
        seats = registry.get(choice["game"]).variant(choice["variant"]).seats
        registry.get(choice["game"]).start(choice["variant"], choice["options"])
        control = TimeControl.parse(choice["clock"])
        player = ensure_player(request)
        match = start_match(
            choice["game"],
            choice["variant"],
            seats=_table(player, seats, choice),
            options=choice["options"],
            control=control,
            rated=choice["rated"],
            open_seats=choice["open_seats"] and seats >= MANY,
            now=timezone.now(),
        )
    except TooMuch as reason:
        messages.warning(request, words.say(reason))
        return redirect("home")
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
        "clock": _known(kept.get("clock"), CLOCKS),
        "open_seats": kept.get("open_seats") is True,
        "rated": kept.get("rated") is True,
    }


def _levels(game: Game) -> list[str]:
    """The game's levels, the one for newcomers first: the second, as the first is there to lose."""
    keys = [level.key for level in game.levels]
    return [*keys[1:2], *keys[:1], *keys[2:]]


def _known(kept: str | None, keys: Sequence[str]) -> str:
    return kept if kept is not None and kept in keys else keys[0]
