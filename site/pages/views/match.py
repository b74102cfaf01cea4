"""The page of a match, and its commands for browsers whose socket does not work."""

from __future__ import annotations

from http import HTTPStatus
from uuid import uuid4

from django.contrib import messages
from django.db import Error as DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.players import player_of
from matches import commands, frames, payloads, words
from matches.errors import NoSuchMatch
from matches.models import Match

LONGEST_BODY = 16 * 1024


def found(match_id: int) -> Match:
    """The match with its seats, or the page that says there is none."""
    try:
        return commands.find(match_id)
    except NoSuchMatch as reason:
        raise Http404(str(reason)) from None


@never_cache
@require_safe
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Play or watch a match."""
    shown = found(match_id)
    seat = shown.seat_held_by(player_of(request.session, request.user))
    page = {
        "match": shown.pk,
        "socket": f"/ws/match/{shown.pk}/",
        "move_url": reverse("match_move", args=[shown.pk]),
        "replay_url": reverse("replay", args=[shown.pk]),
        "position": payloads.for_seat(shown, seat),
        "plies": payloads.plies_for(shown, seat),
        "data": shown.rules.board_data(shown.variant),
    }
    context = {"match": shown, "game": words.in_words(shown.rules), "variant": words.variant_in_words(shown.rules_variant), "page": page}
    return render(request, "matches/match.html", context)


@require_POST
def move(request: HttpRequest, match_id: int) -> JsonResponse:
    """A move as JSON `{id, ply, text}`, through the same door and with the same answers as over the socket."""
    intent = None
    try:
        frame = _frame(request)
        intent = frame["id"]
        found(match_id)
        answer = commands.move(_caller(request, match_id), intent, frame["text"], frame["ply"], timezone.now())
    except frames.BadFrame as reason:
        return JsonResponse(commands.refused(None, "bad_frame", str(reason)), status=HTTPStatus.BAD_REQUEST)
    except DatabaseError:
        return JsonResponse(commands.busy(intent), status=HTTPStatus.SERVICE_UNAVAILABLE)
    return JsonResponse(answer, status=HTTPStatus.OK if answer["type"] == "ack" else HTTPStatus.CONFLICT)


@require_POST
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    """Leave the match."""
    found(match_id)
    return _told(request, match_id, commands.resign(_caller(request, match_id), uuid4(), timezone.now()))


@require_POST
def abort(request: HttpRequest, match_id: int) -> HttpResponse:
    """Call the match off."""
    found(match_id)
    return _told(request, match_id, commands.abort(_caller(request, match_id), uuid4(), timezone.now()))


def _frame(request: HttpRequest) -> frames.Frame:
    if request.content_type != "application/json":
        raise frames.BadFrame("A move is posted as application/json.")
    if len(request.body) > LONGEST_BODY:
        raise frames.BadFrame("This is longer than any move.")
    return frames.read(request.body.decode(errors="replace"), kind="move")


def _caller(request: HttpRequest, match_id: int) -> commands.Caller:
    return commands.Caller(match_id, player_of(request.session, request.user))


def _told(request: HttpRequest, match_id: int, answer: commands.Answer) -> HttpResponse:
    if answer["type"] == "refused":
        messages.error(request, answer["message"])
    return redirect("match", match_id=match_id)
