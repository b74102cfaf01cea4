"""The ladders: all of them, one of them, its rules, joining and leaving."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.players import ensure_player, player_of
from games import registry
from games.kit.protocol import Game
from lobby.views.answers import answer
from matches import words
from matches.clock import TimeControl
from rungs import ladder, leaving, listing, statutes
from rungs.models import Challenge
from rungs.reach import own_bar


@never_cache
@require_safe
def rungs(request: HttpRequest) -> HttpResponse:
    """Every ladder, and the challenges that wait for the viewer."""
    player = player_of(request.session, request.user)
    context = {
        "cards": listing.cards(statutes.games(), player),
        "waiting": [shown(found, player) for found in listing.of_person(player)] if player else [],
    }
    return render(request, "rungs/all.html", context)


@never_cache
@require_safe
def game(request: HttpRequest, key: str) -> HttpResponse:
    """The ladder of a game, or a part of it."""
    rules, player, now = ladder_of(key), player_of(request.session, request.user), timezone.now()
    own = ladder.rung_of(player, key)
    bar = own_bar(player, own, now)
    context = {
        "game": words.in_words(rules),
        "variant": words.variant_in_words(_variant(key)),
        "page": listing.page_of(key, player, own, _start(request), now),
        "own": own,
        "bar": words.say(bar) if own is not None and bar is not None else "",
        "mine": [shown(found, player) for found in listing.of_person(player, key)] if own is not None and player else [],
        "running": [shown(found) for found in listing.unsettled(key)[: listing.MOST_RUNNING]],
        "results": [shown(found) for found in listing.results(key)],
        "reach": statutes.REACH,
    }
    return render(request, "rungs/game.html", context)


@require_safe
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """How the ladders work, with the numbers by which they do."""
    context: dict[str, Any] = {
        "game": words.in_words(ladder_of(key)),
        "variant": words.variant_in_words(_variant(key)),
        "reach": statutes.REACH,
        "answer_days": statutes.ANSWER_WITHIN.days,
        "safe_days": statutes.SAFE_FOR.days,
        "again_days": statutes.AGAIN_AFTER.days,
        "idle_days": statutes.IDLE_AFTER.days,
        "sink_days": statutes.SINKS_EVERY.days,
        "gone_days": statutes.GONE_AFTER.days,
        "warned_days": statutes.WARNED_BEFORE.days,
        "controls": [TimeControl.parse(control).describe() for control in statutes.CONTROLS],
    }
    return render(request, "rungs/rules.html", context)


@require_POST
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Take the lowest rung."""
    ladder_of(key)

    def act() -> None:
        ladder.join(ensure_player(request), key, now=timezone.now())

    return answer(request, act, reverse("rungs_game", args=[key]), gettext("You are on the ladder. Challenge somebody above you."))


@require_POST
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Give up the rung."""
    ladder_of(key)

    def act() -> None:
        leaving.leave(ensure_player(request), key, now=timezone.now())

    return answer(request, act, reverse("rungs_game", args=[key]), gettext("You left the ladder. You may come back at its bottom."))


def ladder_of(key: str) -> Game:
    """The game, or the page that says that there is no such ladder."""
    try:
        if statutes.variant_of(key) is not None:
            return registry.get(key)
    except registry.UnknownGame as reason:
        raise Http404(str(reason)) from None
    raise Http404(gettext("This game has no challenge ladder."))


def shown(found: Challenge, player: User | None = None) -> dict[str, Any]:
    """A challenge with its sentence, for lists; with `player`, whether it waits for that person's answer."""
    return {
        "challenge": found,
        "game_name": words.say(registry.get(found.game).name),
        "text": listing.outcome(found),
        "to_answer": player is not None and found.state == Challenge.State.OPEN and found.challenged_id == player.pk,
    }


def _variant(key: str) -> Any:
    variant = statutes.variant_of(key)
    assert variant is not None
    return variant


def _start(request: HttpRequest) -> int | None:
    text = request.GET.get("from", "")
    return int(text) if text.isdecimal() and len(text) < 9 else None
