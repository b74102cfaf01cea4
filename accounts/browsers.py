"""Which accounts were used in one browser: a random cookie, kept only as its hash, and only for accounts that are signed in."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from itertools import combinations

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from accounts.models import Browser, User

COOKIE = "__Host-browser" if settings.HTTPS else "browser"
COOKIE_AGE = timedelta(days=400)
"""As long as browsers keep a cookie at most; it starts anew with each day of use."""
COUNTS = timedelta(days=90)
"""How long two accounts count as used in one browser after either was."""
NOTED = "browser_noted"
"""Key of the session: for whom, and on which day, this browser was noted last."""
_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


def remember_browser(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: note the browser of who is signed in, at sign-in and then once a day."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        # A page that did not ask who is there may be kept by caches for all, and must stay so.
        if request.session.accessed and isinstance(request.user, User):
            _note_once_a_day(request, request.user, response)
        return response

    return respond


def _note_once_a_day(request: HttpRequest, user: User, response: HttpResponseBase) -> None:
    now = timezone.now()
    token = request.COOKIES.get(COOKIE, "")
    known = bool(_TOKEN.fullmatch(token))
    mark = f"{user.pk} {now:%Y-%m-%d}"
    if known and request.session.get(NOTED) == mark:
        return
    token = token if known else secrets.token_urlsafe(32)
    note(user, token, now)
    request.session[NOTED] = mark
    response.set_cookie(COOKIE, token, max_age=COOKIE_AGE, secure=settings.HTTPS, httponly=True, samesite="Lax")


def note(user: User, token: str, now: datetime) -> None:
    """Write down that `user` was here in the browser with this cookie. Doing it again moves the time on."""
    row = Browser(token_hash=hashlib.sha256(token.encode()).hexdigest(), user=user, first_at=now, last_at=now)
    Browser.objects.bulk_create([row], update_conflicts=True, unique_fields=["token_hash", "user"], update_fields=["last_at"])


def linked(user_ids: Collection[int], now: datetime) -> set[frozenset[int]]:
    """The pairs of these accounts that were used in one browser, both within `COUNTS` before `now`. One query."""
    by_browser = defaultdict(set)
    rows = Browser.objects.filter(user__in=user_ids, last_at__gt=now - COUNTS, first_at__lte=now)
    for token_hash, user_id in rows.values_list("token_hash", "user_id"):
        by_browser[token_hash].add(user_id)
    return {frozenset(pair) for people in by_browser.values() for pair in combinations(people, 2)}


def prune(now: datetime) -> int:
    """Forget what no longer counts; how many rows that were."""
    return Browser.objects.filter(last_at__lte=now - COUNTS).delete()[0]
