"""One table: its page for who has the link, its picture for messengers, and what one can do at it."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import presence
from accounts.models import User
from accounts.players import ensure_player, player_of
from accounts.ties import blocked_with
from lobby import payloads, previews, services
from lobby.errors import NoSuchTable, NotInvited
from lobby.models import Seek
from lobby.views.answers import answer
from lobby.views.lobby import gone_to

PREVIEW_KEPT = 60
"""Seconds that a picture may be kept; who sits there changes."""


def found(token: str) -> Seek:
    """The table of that link, or the page that says there is none."""
    seek = Seek.objects.with_places().filter(token=token).first()
    if seek is None:
        raise Http404("There is no such table.")
    return seek


@never_cache
@require_safe
def table(request: HttpRequest, token: str) -> HttpResponse:
    """A table that fills up, for whoever has its link; works for guests and strangers."""
    seek, player, now = found(token), player_of(request.session, request.user), timezone.now()
    if player is not None:
        presence.touch(player, now)
    context = context_of(seek, player) | {
        "picture": previews.start_picture(seek.game, seek.variant),
        "share_url": settings.SITE_URL + reverse("table", args=[token]),
        "preview_url": f"{settings.SITE_URL}{reverse('table_preview', args=[token])}?v={seek.version}",
        "summary": summary(seek),
        "page": {"socket": f"/ws/table/{token}/", "known": player is not None, "started": payloads.started(player, now)},
    }
    return render(request, "lobby/table.html", context)


def context_of(seek: Seek, player: User | None) -> dict[str, object]:
    """What the part of the page that changes needs; the socket renders it too."""
    now = timezone.now()
    shown = payloads.table_page(seek, player, now)
    over = seek.status == Seek.Status.EXPIRED or (seek.is_open and seek.expires_at <= now)
    blocked = blocked_with(player)
    return {
        "table": shown,
        "stakes": payloads.stakes(seek, player, now),
        "over": over,
        "open": seek.is_open and not over,
        "shunned": any(place.user_id in blocked for place in seek.places.all()),
        "expires_at": seek.expires_at,
        "seek_status": seek.status,
    }


def summary(seek: Seek) -> str:
    """The table in one line, for previews and titles: game, variant, clock, rated or casual, places taken."""
    shown = payloads.table_page(seek, None, timezone.now())
    rated = gettext("rated") if seek.rated else gettext("casual")
    taken = gettext("{taken} of {seats} places taken").format(taken=shown["taken"], seats=shown["seats"])
    return " · ".join([f"{shown['game_name']}, {shown['variant_name']}", shown["control_name"], rated, taken])


@require_safe
def preview(request: HttpRequest, token: str) -> HttpResponse:
    """The picture that messengers show, 1200 by 630."""
    response = HttpResponse(previews.preview(found(token)), content_type="image/png")
    patch_cache_control(response, public=True, max_age=PREVIEW_KEPT)
    return response


@require_POST
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Sit down; `place` says where, at a table where places are chosen."""
    seek = found(token)
    number = request.POST.get("place", "")
    place = int(number) if number.isascii() and number.isdigit() and len(number) < 3 else None

    def act() -> str | None:
        player = ensure_player(request)
        return gone_to(services.join_seek(seek.pk, player, place, now=timezone.now()))

    return answer(request, act, _back(request, seek))


@require_POST
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """Get up again."""
    return _by_player(request, token, lambda seek, player: services.leave_seek(seek.pk, player, now=timezone.now()))


@require_POST
def cancel(request: HttpRequest, token: str) -> HttpResponse:
    """Close one's own table."""
    return _by_player(request, token, lambda seek, player: services.cancel_seek(seek.pk, player, now=timezone.now()))


@require_POST
def decline(request: HttpRequest, token: str) -> HttpResponse:
    """Say no to a challenge."""
    return _by_player(request, token, lambda seek, player: services.decline_challenge(seek.pk, player, now=timezone.now()))


@require_POST
def bot(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Give a place to a bot of `level`; with an empty one, take it away again."""
    level = request.POST.get("level", "")

    def act(seek: Seek, player: User) -> Seek:
        if level:
            return services.fill_with_bot(seek.pk, player, number, level, now=timezone.now())
        return services.empty_place(seek.pk, player, number, now=timezone.now())

    return _by_player(request, token, act)


def _by_player(request: HttpRequest, token: str, verb: Callable[[Seek, User], Seek]) -> HttpResponse:
    """Let somebody who has played or sat here before do something; nobody becomes a guest by it."""
    seek = found(token)

    def act() -> str | None:
        player = player_of(request.session, request.user)
        if player is None:
            raise NotInvited if seek.kind == Seek.Kind.CHALLENGE else NoSuchTable
        return gone_to(verb(seek, player))

    return answer(request, act, _back(request, seek))


def _back(request: HttpRequest, seek: Seek) -> str:
    return reverse("lobby") + "#tables" if request.POST.get("from") == "lobby" else reverse("table", args=[seek.token])
