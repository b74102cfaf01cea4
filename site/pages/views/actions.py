"""What a page asks for besides the match itself: the plies one missed, the next match that waits, and a move as a plain form."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.players import player_of
from matches import commands, payloads
from pages.turns import next_match
from pages.views.match import found

NOTHING_WAITS = _("No other match waits for you. Time for a cup of tea, or for a new one.")
CHOOSE = _("Choose a move from the list, or write one.")
DAMAGED = _("This form is not the one of the page. Load the page again and choose your move once more.")
BAD_PLY = _("The ply must be a number from 0 to {most}.")


@require_POST
def play(request: HttpRequest, match_id: int) -> HttpResponse:
    """A move from a form: `typed`, else `move`, chosen at ply `ply`, once per `id`; `then=next` goes on to the next match that waits."""
    found(request, match_id)
    text = request.POST.get("typed", "").strip() or request.POST.get("move", "")
    caller = commands.Caller(match_id, player_of(request.session, request.user))
    if not text:
        return _back(request, match_id, CHOOSE)
    try:
        ply, intent = int(request.POST.get("ply", "")), UUID(request.POST.get("id", ""))
    except ValueError:
        return _back(request, match_id, DAMAGED)
    try:
        answer = commands.move(caller, intent, text, ply, timezone.now())
    except DatabaseError:
        answer = commands.busy(intent)
    if answer["type"] != "ack":
        return _back(request, match_id, answer["message"])
    commands.seen(caller, answer["ply"])
    following = next_match(caller.player, match_id) if request.POST.get("then") == "next" else None
    messages.success(request, gettext("Your move is played. Here is the next match.") if following else gettext("Your move is played."))
    return redirect("match", match_id=following or match_id)


@never_cache
@require_safe
def since(request: HttpRequest, match_id: int) -> JsonResponse:
    """`{match, version, ply, steps}`: the positions from ply `?ply=` up to the newest, as the viewer's seat may see them."""
    match = found(request, match_id)
    asked = request.GET.get("ply", "")
    if not (asked.isdecimal() and len(asked) < 9 and int(asked) <= match.ply):
        return JsonResponse({"message": str(BAD_PLY).format(most=match.ply)}, status=HTTPStatus.BAD_REQUEST)
    seat = match.seat_held_by(player_of(request.session, request.user))
    steps = payloads.steps_for(match, seat, int(asked))
    return JsonResponse({"match": match.pk, "version": match.version, "ply": match.ply, "steps": steps})


@never_cache
@require_safe
def following(request: HttpRequest) -> HttpResponse:
    """On to the match that waits next after `?after=`, or home when there is none."""
    after = request.GET.get("after", "")
    waits = next_match(player_of(request.session, request.user), int(after) if after.isdecimal() and len(after) < 19 else None)
    if waits is None:
        messages.info(request, NOTHING_WAITS)
        return redirect("home")
    return redirect("match", match_id=waits)


def _back(request: HttpRequest, match_id: int, message: object) -> HttpResponse:
    messages.error(request, str(message))
    return redirect("match", match_id=match_id)
