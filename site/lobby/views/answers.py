"""How the lobby's forms answer: a page for browsers without scripts, a small JSON for the script; never a stack trace."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.contrib import messages
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils.translation import gettext

from games.kit.protocol import RuleError
from games.registry import UnknownGame
from matches import words
from matches.errors import MatchError

log = logging.getLogger(__name__)


def answer(request: HttpRequest, act: Callable[[], str | None], back: str, done: str = "") -> HttpResponse:
    """Do what was asked for. `act` returns where to go then, or `None` to stay; a refusal goes `back` with its sentence.

    To the script: `{"go": address or null, "message": sentence, "refused": bool}`.
    """
    go, message, refused = None, done, False
    try:
        go = act()
    except UnknownGame as reason:
        message, refused = str(reason), True
    except (MatchError, RuleError) as reason:
        message, refused = words.say(reason), True
    except DatabaseError as trouble:
        log.warning("the lobby: the database did not answer (%s)", type(trouble).__name__)
        message, refused = gettext("The server is busy. Please try again."), True
    if wants_json(request):
        return JsonResponse({"go": go, "message": message, "refused": refused})
    if message:
        (messages.error if refused else messages.success)(request, message)
    return HttpResponseRedirect(go or back)


def wants_json(request: HttpRequest) -> bool:
    """Whether the page's script asks."""
    return request.headers.get("Accept", "").startswith("application/json")
