"""Lets a warning be read before anything else, and sends who is shut out to the page that says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import SESSION_KEY as SIGNED_IN
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from accounts.players import SESSION_KEY as GUEST
from accounts.players import player_of
from accounts.sanctions import ShutOut, unread_warning

GOES_ON = ("/match/", "/replay/")
"""Where no page stands in the way, since somebody's clock may run there: a bar on the page shows the warning instead."""
LEFT_ALONE = ("/warning/", "/moderation/", "/account/logout/", "/staff/", "/privacy/")
"""Pages that one may read before having confirmed."""
FRAMED = "/embed/"
"""How the addresses of pages end that stand on other sites: nobody is asked there who they are. Those of files end without a slash."""


class Heed:
    """Middleware: before the pages of somebody with a warning comes that warning, once; `request.warning` is one to show as a bar."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if _opens_a_page(request) and not request.path.startswith(LEFT_ALONE) and _warned(request):
            if not request.path.startswith(GOES_ON):
                return redirect(f"{reverse('warning')}?{urlencode({'next': request.get_full_path()})}")
            player = player_of(request.session, request.user)
            setattr(request, "warning", player and unread_warning(player, timezone.now()))  # noqa: B010 – for templates
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, trouble: Exception) -> HttpResponseBase | None:
        """Say why instead of refusing without a word."""
        if not isinstance(trouble, ShutOut):
            return None
        if request.headers.get("Accept", "").startswith("application/json"):
            return JsonResponse({"go": reverse("shut_out"), "message": "", "refused": True})
        return redirect("shut_out")


def _opens_a_page(request: HttpRequest) -> bool:
    """Whether a browser goes to a page, and not a script or an image for a part of one."""
    navigates = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    page = request.path.endswith("/") and not request.path.endswith(FRAMED)
    return request.method == "GET" and page and navigates and "text/html" in request.headers.get("Accept", "")


def _warned(request: HttpRequest) -> bool:
    """Whether a warning waits for who is there. No query for somebody new, none of its own for who is signed in."""
    session: Any = request.session
    if SIGNED_IN not in session and GUEST not in session:
        return False
    return bool(getattr(player_of(session, request.user), "warned", False))
