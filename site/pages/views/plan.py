"""Conditional moves: the page on which a player plans answers, and what its script asks. For the seat's own person only."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.players import player_of
from games.kit.protocol import RuleError
from matches import commands, payloads, planning, plans, words
from matches.errors import MatchError, StalePly
from matches.models import Match
from matches.plans import ANY, Branch
from matches.replay import position_of
from matches.services import LONGEST_TEXT

LONGEST_BODY = 128 * 1024
MOST_LISTED = 500
"""Moves in the list of the form; the board has them all."""


def seat_of(request: HttpRequest, match_id: int) -> tuple[Match, int]:
    """The match and the asker's own seat that may still plan in it; to anybody else there is no such page."""
    try:
        caller = commands.Caller(match_id, player_of(request.session, request.user))
        match = caller.match()
        seat = caller.seat()
    except MatchError as reason:
        raise Http404(str(reason)) from None
    if match.seats.all()[seat].left:
        raise Http404
    return match, seat


def brief(match: Match, seat: int | None) -> dict[str, Any]:
    """What the page of the match tells its player: `plan_url` where seats have plans, `plan` `{lines, ended}` where there is one."""
    if seat is None or not planning.has_plans(match, match.seats.all()[seat]):
        return {"plan_url": None, "plan": None}
    standing = plans.of(match, seat)
    known = standing.branches or standing.ended
    return {
        "plan_url": reverse("match_plan", args=[match.pk]),
        "plan": {"lines": standing.lines, "ended": standing.ended} if known else None,
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plan(request: HttpRequest, match_id: int) -> HttpResponse:
    """The page, or a plan to save: JSON `{tree, ply}`, answered by `{tree, lines}`, or the form of the page."""
    match, seat = seat_of(request, match_id)
    if request.method == "POST":
        return _save_json(request, match, seat) if request.content_type == "application/json" else _save_form(request, match, seat)
    if not planning.has_plans(match, match.seats.all()[seat]):
        messages.info(request, gettext("Moves are planned in running matches over days or without a clock."))
        return redirect("match", match_id=match.pk)
    page = _page(match, seat)
    context = {
        "match": match,
        "game": words.in_words(match.rules),
        "variant": words.variant_in_words(match.rules_variant),
        "page": page,
        "lines": lines_of(page["tree"]),
        "moves": _answers(match, seat) if page["may"] else [],
    }
    return render(request, "matches/plan.html", context)


@require_POST
def look(request: HttpRequest, match_id: int) -> JsonResponse:
    """The position after the moves of `{line, ply}`: `{position, to_move, ended}`. Refused where the game hides something."""
    match, seat = seat_of(request, match_id)
    body = _body(request, {"line", "ply"})
    line = body.get("line")
    if not isinstance(line, list) or len(line) > planning.LONGEST_LINE or not all(_is_text(text) for text in line):
        return _refused(planning.BadPlan(), HTTPStatus.BAD_REQUEST)
    try:
        planning.check(match, match.seats.all()[seat])
        if body["ply"] != match.ply:
            raise StalePly
        seen = planning.look(match, seat, line)
    except (MatchError, RuleError) as reason:
        return _refused(reason, HTTPStatus.CONFLICT)
    position = payloads.imagined(match, seen.state, match.ply + seen.plies, seat, closed=seen.closed)
    return JsonResponse({"position": position, "to_move": position["to_move"], "ended": seen.closed})


def lines_of(branches: Iterable[Branch], before: str = "") -> list[str]:
    """A plan as sentences, one for each answer."""
    lines = []
    for branch in branches:
        when = ", ".join(gettext("anything") if text == ANY else text for text in branch["when"])
        told = gettext("After {moves}: {answer}").format(moves=f"{before} {when}".strip(), answer=branch["play"])
        lines += [told, *lines_of(branch["then"], f"{before} {when}, {branch['play']},".strip())]
    return lines


def _page(match: Match, seat: int) -> dict[str, Any]:
    """What the script starts from. `open` says whether lines may be played out on the board."""
    state = position_of(match).state
    standing = plans.of(match, seat)
    may = planning.may_plan(match, seat)
    ahead = planning.answerable(state, seat) if may else None
    is_open = planning.is_open(state)
    return {
        "match": match.pk,
        "ply": match.ply,
        "seat": seat,
        "may": may,
        "open": is_open,
        "tree": standing.branches,
        "ended": standing.ended,
        "plies": payloads.plies_for(match, seat),
        "position": payloads.imagined(match, state, match.ply, seat, closed=not (may and is_open)),
        "anything": None if ahead is None else payloads.imagined(match, ahead, match.ply + 1, seat, closed=False),
        "deepest": planning.DEEPEST,
        "save_url": reverse("match_plan", args=[match.pk]),
        "look_url": reverse("match_plan_look", args=[match.pk]),
        "match_url": reverse("match", args=[match.pk]),
        "data": match.rules.board_data(match.variant),
    }


def _answers(match: Match, seat: int) -> list[str]:
    """Moves to choose an answer to anything from."""
    ahead = planning.answerable(position_of(match).state, seat)
    legal = [] if ahead is None else ahead.legal_moves()
    return [str(move) for move, _ in zip(legal, range(MOST_LISTED), strict=False)]


def _save_json(request: HttpRequest, match: Match, seat: int) -> JsonResponse:
    body = _body(request, {"tree", "ply"})
    if type(body.get("ply")) is not int:
        return _refused(planning.BadPlan(), HTTPStatus.BAD_REQUEST)
    try:
        tree = planning.save(match.pk, seat, body["tree"], ply=body["ply"], now=timezone.now())
    except StalePly as reason:
        return _refused(reason, HTTPStatus.CONFLICT)
    except (planning.BadPlan, RuleError) as reason:
        return _refused(reason, HTTPStatus.BAD_REQUEST)
    except MatchError as reason:
        return _refused(reason, HTTPStatus.CONFLICT)
    return JsonResponse({"tree": tree, "lines": plans.Standing(tree).lines})


def _save_form(request: HttpRequest, match: Match, seat: int) -> HttpResponse:
    """The simplest plan, one answer to whatever is played; without an answer the plan is removed."""
    play, ply = request.POST.get("play", ""), request.POST.get("ply", "")
    tree = [{"when": [ANY], "play": play, "then": []}] if play else []
    try:
        planning.save(match.pk, seat, tree, ply=int(ply) if ply.isdecimal() and len(ply) < 10 else -1, now=timezone.now())
    except (MatchError, RuleError) as reason:
        messages.error(request, words.say(reason))
    else:
        messages.success(request, gettext("Your plan is saved.") if tree else gettext("Your plan is deleted."))
    return redirect("match_plan", match_id=match.pk)


def _body(request: HttpRequest, fields: set[str]) -> dict[str, Any]:
    """The JSON object that was posted, if it has exactly these fields; else an empty one."""
    if request.content_type != "application/json" or len(request.body) > LONGEST_BODY:
        return {}
    try:
        data: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) and data.keys() == fields else {}


def _is_text(text: object) -> bool:
    return isinstance(text, str) and len(text) <= LONGEST_TEXT


def _refused(reason: MatchError | RuleError, status: HTTPStatus) -> JsonResponse:
    return JsonResponse({"code": reason.code, "message": words.say(reason)}, status=status)
