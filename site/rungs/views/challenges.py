"""A challenge: the form that makes it, its own page, and the answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.players import ensure_player, player_of
from lobby.checks import here
from lobby.errors import NoSuchPlayer
from lobby.forms import person_named
from lobby.views.answers import answer
from matches import words
from matches.clock import TimeControl
from notices.people import moment
from rungs import ladder, listing, services, statutes
from rungs.errors import MatchError, NotOnLadder
from rungs.models import Challenge
from rungs.reach import bars, own_bar
from rungs.views.ladders import ladder_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """Choose what to offer and challenge somebody."""
    rules, target = ladder_of(key), _person(name)
    if request.method == "POST":
        return _made(request, key, target)
    player, now = player_of(request.session, request.user), timezone.now()
    own, theirs = ladder.rung_of(player, key), ladder.rung_of(target, key)
    reason: MatchError | None = own_bar(player, own, now)
    if reason is None and theirs is None:
        reason = NotOnLadder(gettext("This player is not on the ladder."))
    if reason is None and own is not None and theirs is not None:
        reason = bars(own, [theirs], now)[target.pk]
    context = {
        "game": words.in_words(rules),
        "target": target,
        "own": own,
        "theirs": theirs,
        "why_not": words.say(reason) if reason else "",
        "controls": _controls(statutes.CONTROLS, now, None),
        "first": statutes.FIRST_CONTROLS,
        "answer_days": statutes.ANSWER_WITHIN.days,
    }
    return render(request, "rungs/challenge_form.html", context)


def _made(request: HttpRequest, key: str, target: User) -> HttpResponse:
    challenger = ensure_player(request)

    def act() -> str:
        made = services.challenge(challenger, target, key, request.POST.getlist("control"), now=timezone.now())
        return reverse("rung_challenge", args=[made.pk])

    done = gettext("{name} is challenged, and told so.").format(name=target.display_name)
    return answer(request, act, reverse("rungs_challenge", args=[key, target.username]), done)


@never_cache
@require_safe
def one(request: HttpRequest, number: int) -> HttpResponse:
    """How a challenge stands, and what the viewer may do about it."""
    found = get_object_or_404(Challenge.objects.select_related("challenger", "challenged"), pk=number)
    player, now = player_of(request.session, request.user), timezone.now()
    opened = found.state == Challenge.State.OPEN
    due_at = services.due_at(found) if opened else found.answer_by
    context = {
        "challenge": found,
        "game": words.in_words(ladder_of(found.game)),
        "text": listing.outcome(found),
        "why": listing.why_void(found),
        "to_answer": opened and player is not None and player.pk == found.challenged_id and due_at > now,
        "to_withdraw": opened and player is not None and player.pk == found.challenger_id,
        "due": moment(due_at, player) if player else f"{due_at:%Y-%m-%d %H:%M} UTC",
        "controls": _controls(found.controls, now, found.challenger),
        "rungs": {rung.user_id: rung.position for rung in services.rungs_of(found).values()},
    }
    return render(request, "rungs/challenge.html", context)


@require_POST
def accept(request: HttpRequest, number: int) -> HttpResponse:
    """Take the challenge; then go to the match."""

    def act(player: User, now: datetime) -> str:
        made = services.accept(number, player, request.POST.get("control", ""), now=now)
        assert made.match is not None
        return reverse("match", args=[made.match.pk])

    return _answered(request, number, act, "")


@require_POST
def decline(request: HttpRequest, number: int) -> HttpResponse:
    """Give the rung away."""

    def act(player: User, now: datetime) -> None:
        services.decline(number, player, now=now)

    return _answered(request, number, act, gettext("You gave your rung away."))


@require_POST
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """Take one's own challenge back."""

    def act(player: User, now: datetime) -> None:
        services.withdraw(number, player, now=now)

    return _answered(request, number, act, gettext("Your challenge is withdrawn."))


def _answered(request: HttpRequest, number: int, act: Callable[[User, datetime], str | None], done: str) -> HttpResponse:
    player = player_of(request.session, request.user)
    if player is None:
        return redirect("account_login")
    return answer(request, lambda: act(player, timezone.now()), reverse("rung_challenge", args=[number]), done)


def _controls(offered: tuple[str, ...] | list[str], now: datetime, challenger: User | None) -> list[dict[str, object]]:
    """The time controls with their names, and whether each could begin at once."""
    return [
        {
            "value": control,
            "name": TimeControl.parse(control).describe(),
            "live": not statutes.over_days(control),
            "possible": statutes.over_days(control) or challenger is None or here(challenger, now),
        }
        for control in offered
    ]


def _person(name: str) -> User:
    try:
        return person_named(name)
    except NoSuchPlayer as reason:
        raise Http404(str(reason)) from None
