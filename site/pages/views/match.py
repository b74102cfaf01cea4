"""The page of a match, and its commands for browsers whose socket does not work."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.db import Error as DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.players import ensure_player, player_of
from matches import chat, commands, frames, payloads, stakes, words
from matches.errors import NoSuchMatch
from matches.history import may_read
from matches.models import Match
from pages.turns import waiting_besides
from pages.views import plain, plan
from profiles.people import noted_among

LONGEST_BODY = 16 * 1024
LINES = 500
"""How many lines of the chat a page begins with."""


def found(request: HttpRequest, match_id: int) -> Match:
    """The match with its seats, or the page that says there is none: also to who may not know of it."""
    try:
        return _caller(request, match_id).match()
    except NoSuchMatch as reason:
        raise Http404(str(reason)) from None


@never_cache
@require_safe
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Play or watch a match."""
    return shown(request, found(request, match_id))


def shown(request: HttpRequest, match: Match, tv: str | None = None) -> HttpResponse:
    """The page of a match; `tv` is the address that it goes back to when the match is over, to show another one."""
    player, now = player_of(request.session, request.user), timezone.now()
    seat = match.seat_held_by(player)
    page = {
        "match": match.pk,
        "socket": f"/ws/match/{match.pk}/",
        "move_url": reverse("match_move", args=[match.pk]),
        "replay_url": reverse("replay", args=[match.pk]),
        "position": payloads.for_seat(match, seat),
        "plies": payloads.plies_for(match, seat),
        "chat": _chat(match, player),
        "stakes": stakes.before(match, seat, now),
        "history_url": reverse("match_history", args=[match.pk]) if may_read(match, player) else None,
        "data": match.rules.board_data(match.variant),
        "now": now.isoformat(),
        "seen_ply": None if seat is None else match.seats.all()[seat].seen_ply,
        "waiting": waiting_besides(player, match.pk),
        "next_url": f"{reverse('next')}?after={match.pk}",
        "since_url": reverse("match_since", args=[match.pk]),
        "tv": tv,
        "noted": _noted(match, player),
        **plan.brief(match, seat),
    }
    context = {
        "match": match,
        "game": words.in_words(match.rules),
        "variant": words.variant_in_words(match.rules_variant),
        "page": page,
        "plain": plain.section(match, seat, page, now, every=request.GET.get("moves") == "all"),
    }
    return render(request, "matches/match.html", context)


def _noted(match: Match, player: User | None) -> list[str]:
    """The pages of those at the table about whom `player` noted something. For nobody else to see."""
    names = noted_among(player, [seat.user_id for seat in match.seats.all() if seat.user_id is not None])
    return [reverse("person", args=[name]) for name in names]


@require_POST
def move(request: HttpRequest, match_id: int) -> JsonResponse:
    """A move as JSON `{id, ply, text}`, through the same door and with the same answers as over the socket."""
    intent = None
    try:
        frame = _frame(request)
        intent = frame["id"]
        found(request, match_id)
        answer = commands.move(_caller(request, match_id), intent, frame["text"], frame["ply"], timezone.now())
    except frames.BadFrame as reason:
        return JsonResponse(commands.refused(None, "bad_frame", str(reason)), status=HTTPStatus.BAD_REQUEST)
    except DatabaseError:
        return JsonResponse(commands.busy(intent), status=HTTPStatus.SERVICE_UNAVAILABLE)
    return JsonResponse(answer, status=HTTPStatus.OK if answer["type"] == "ack" else HTTPStatus.CONFLICT)


@require_POST
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    """Leave the match."""
    found(request, match_id)
    return _told(request, match_id, commands.resign(_caller(request, match_id), uuid4(), timezone.now()))


@require_POST
def abort(request: HttpRequest, match_id: int) -> HttpResponse:
    """Call the match off."""
    found(request, match_id)
    return _told(request, match_id, commands.abort(_caller(request, match_id), uuid4(), timezone.now()))


@require_POST
def offer(request: HttpRequest, match_id: int, kind: str) -> HttpResponse:
    """Make an offer, or agree to it."""
    found(request, match_id)
    return _told(request, match_id, commands.offer(_caller(request, match_id), uuid4(), kind, timezone.now()))


@require_POST
def decline(request: HttpRequest, match_id: int, kind: str) -> HttpResponse:
    """Decline an offer, or withdraw one's own."""
    found(request, match_id)
    return _told(request, match_id, commands.decline(_caller(request, match_id), uuid4(), kind, timezone.now()))


@require_POST
def resume(request: HttpRequest, match_id: int) -> HttpResponse:
    """End a pause."""
    found(request, match_id)
    return _told(request, match_id, commands.resume(_caller(request, match_id), uuid4(), timezone.now()))


@require_POST
def call(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """Call the time of a seat whose person went away."""
    found(request, match_id)
    return _told(request, match_id, commands.call_time(_caller(request, match_id), uuid4(), seat, timezone.now()))


@require_POST
def take(request: HttpRequest, match_id: int, seat: int) -> HttpResponse:
    """Sit down in a bot's seat; somebody new does so as a guest."""
    found(request, match_id)
    caller = commands.Caller(match_id, ensure_player(request))
    return _told(request, match_id, commands.take_over(caller, uuid4(), seat, timezone.now()))


@require_POST
def say(request: HttpRequest, match_id: int) -> HttpResponse:
    """Say something in a chat: `room`, and `text` or `phrase`. A form that carries an `id` is heard once, however often it is sent."""
    found(request, match_id)
    try:
        intent = UUID(request.POST.get("id", ""))
    except ValueError:
        intent = uuid4()
    words_of = {name: request.POST.get(name, "") for name in ("room", "text", "phrase")}
    return _told(request, match_id, commands.say(_caller(request, match_id), intent, now=timezone.now(), **words_of))


def _chat(match: Match, player: User | None) -> dict[str, Any]:
    """The chat as the page begins with it: lines, the rooms to read and to speak in, the phrases, and where it is posted to."""
    return {
        "lines": chat.lines_for(match, player, most=LINES),
        "read": sorted(chat.readable(match, player)),
        "say": sorted(chat.speakable(match, player)),
        "phrases": chat.phrases(),
        "url": reverse("match_chat", args=[match.pk]),
        "id": str(uuid4()),
    }


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
