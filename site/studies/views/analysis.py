"""What the analysis page and the replay page ask for as JSON: positions, what the bot says of one, and reviews.

A refusal is `{"code", "message"}`, for a move that cannot be played also `at`, its index among the moves.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.players import player_of
from games.kit.protocol import RuleError
from matches import words
from matches.errors import MatchError, TooMuch
from matches.models import Match
from studies import analysis, guard, positions, reviews
from studies.models import Imported
from studies.positions import BadQuestion, NoSuchLine, NotPlayable

Payload = dict[str, Any]
LONGEST_BODY = 64 * 1024
FIELDS = {"source", "ply", "moves"}
STATUS: dict[type[MatchError], HTTPStatus] = {
    BadQuestion: HTTPStatus.BAD_REQUEST,
    NoSuchLine: HTTPStatus.NOT_FOUND,
    analysis.NeedsPerson: HTTPStatus.FORBIDDEN,
    reviews.NeedsPerson: HTTPStatus.FORBIDDEN,
    TooMuch: HTTPStatus.TOO_MANY_REQUESTS,
}


@never_cache
@require_POST
def look(request: HttpRequest) -> JsonResponse:
    """The position after `{source, ply, moves}`: `{moves, position, due}`, the moves as they are to be sent from now on.

    A move `=` draws what is due. `due` says what a draw is for that is due in the position, and is null where none is.
    """
    return _answered(lambda body: _looked(request, **body), request)


@never_cache
@require_POST
def evaluate(request: HttpRequest) -> JsonResponse:
    """What the bot says of the position after `{source, ply, moves}`: `{key, evaluation, progress}`.

    Where more is to come, `progress` is not null, and the socket tells of it to who follows the key (`studies.consumers`).
    """
    player = player_of(request.session, request.user)
    return _answered(lambda body: analysis.ask(player, **body, now=timezone.now()), request)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, match_id: int) -> HttpResponse:
    """The review of a match: `{"review"}`, null where there is none; a POST asks for one, from a form too."""
    player = player_of(request.session, request.user)
    match = Match.objects.with_seats().filter(pk=match_id).first()
    if match is None or not match.visible_to(player):
        raise Http404
    return _reviewed(request, match, ("replay", match.pk))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def review_imported(request: HttpRequest, token: str) -> HttpResponse:
    """The same of an imported record."""
    imported = Imported.objects.filter(token=token).first()
    if imported is None:
        raise Http404
    return _reviewed(request, imported, ("imported", imported.token))


def _looked(request: HttpRequest, source: object, ply: object, moves: object) -> Payload:
    player = player_of(request.session, request.user)
    way = positions.way_to(positions.line_of(source, player), ply, moves, draws=True)
    guard.check(player, way, bot=False)
    return {"moves": list(way.tried), "position": positions.shown(way), "due": positions.due(way.end)}


def _answered(act: Callable[[Payload], Payload], request: HttpRequest) -> JsonResponse:
    """The answer to the JSON object that was posted, or the refusal."""
    try:
        return JsonResponse(act(_body(request)))
    except NotPlayable as refused:
        return _refused(refused.cause, HTTPStatus.CONFLICT, at=refused.at)
    except MatchError as reason:
        return _refused(reason)


def _reviewed(request: HttpRequest, thing: Match | Imported, page: tuple[str, int | str]) -> HttpResponse:
    player = player_of(request.session, request.user)
    by_script = request.method != "POST" or "application/json" in request.headers.get("Accept", "")
    if request.method == "POST":
        try:
            reviews.ask(thing, player, timezone.now())
        except MatchError as reason:
            if by_script:
                return _refused(reason)
            messages.error(request, words.say(reason))
        else:
            if not by_script:
                messages.success(request, gettext("The bot looks through the match. It takes a minute or two; load the page again then."))
    return JsonResponse({"review": reviews.brief(thing, player)}) if by_script else redirect(f"{reverse(page[0], args=[page[1]])}#review")


def _body(request: HttpRequest) -> Payload:
    """The JSON object that was posted. Raises `BadQuestion` for anything else."""
    if request.content_type != "application/json" or len(request.body) > LONGEST_BODY:
        raise BadQuestion
    try:
        data: Any = json.loads(request.body)
    except (ValueError, RecursionError):
        raise BadQuestion from None
    if not isinstance(data, dict) or data.keys() != FIELDS:
        raise BadQuestion
    return data


def _refused(reason: MatchError | RuleError, status: HTTPStatus | None = None, **more: int) -> JsonResponse:
    fitting = next((STATUS[kind] for kind in type(reason).__mro__ if kind in STATUS), HTTPStatus.CONFLICT)
    return JsonResponse({"code": reason.code, "message": words.say(reason), **more}, status=status or fitting)
