"""Pictures of positions and matches, and the frame that shows a match on other sites.

Only what is over goes out, and of private matches nothing to others than their people. Who is there is asked for private matches
alone, so that everything else works without a cookie and may be kept by caches for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language, gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.players import player_of
from games.kit.record import Record, RecordError
from matches import pictures
from matches.animation import MEDIA_TYPES, Kind
from matches.lettering import legible
from matches.poster import poster
from matches.replay_page import ply_of
from matches.scenes import Scene, course, scene
from pages import animations
from pages.sharing import FRAME_WIDTH, Subject, subject_at
from pages.tasks import animate

PNG_WIDTH = 1080
TYPES = {"svg": "image/svg+xml", "png": "image/png"}
KEPT_SECONDS = 3600
"""How long others may keep a picture: names on it change now and then."""
FRAME_SECONDS = 300
NARROWEST = 240
"""Pixels that a frame needs at least."""
WAIT_SECONDS = 2
THEMES = ("light", "dark")
"""What a site may ask for; otherwise a frame follows the reader's system."""
ADDRESS = re.compile(r"/match/(?P<match_id>\d{1,18})/|/imported/(?P<imported>[\w-]{1,24})/|/studies/(?P<study>[\w-]{1,24})/", re.ASCII)
"""The pages of what can be shared."""


@require_safe
def svg(request: HttpRequest, ply: int, **where: Any) -> HttpResponse:
    """A position as an SVG."""
    return _drawn(request, where, ply, "svg", lambda shown: shown.picture.encode())


@require_safe
def png(request: HttpRequest, ply: int, **where: Any) -> HttpResponse:
    """A position as a PNG."""
    return _drawn(request, where, ply, "png", lambda shown: pictures.png(shown.picture, PNG_WIDTH))


@require_safe
def preview(request: HttpRequest, ply: int, **where: Any) -> HttpResponse:
    """The picture that messengers show for a link to a ply: the position with names and scores, 1200 by 630."""
    return _drawn(request, where, ply, "png", poster)


@require_safe
def animation(request: HttpRequest, kind: Kind, **where: Any) -> HttpResponse:
    """The whole match as a picture that moves. Until it is drawn, status 202: a page that asks again, or `{"ready": false}`."""
    subject = _found(request, where)
    as_json = request.headers.get("Accept", "").startswith("application/json")
    tag = animations.tag_of(subject.identity, kind)
    try:
        picture = animations.found(tag)
        if picture is None:
            named = {key: str(value) for key, value in where.items()}
            animations.ask(
                tag, lambda turn: animate.apply_async((named, kind, tag, turn, get_language()), expires=animations.PATIENCE_SECONDS)
            )
    except animations.NotNow:
        return _later()
    if picture == b"":
        raise Http404("This match cannot be drawn.")
    if as_json:
        response: HttpResponse = JsonResponse({"ready": picture is not None}, status=HTTPStatus.OK if picture else HTTPStatus.ACCEPTED)
    elif picture is None:
        context = {"subject": subject, "kind": kind}
        response = render(request, "pages/drawing.html", context, status=HTTPStatus.ACCEPTED)
        response.headers["Refresh"] = str(WAIT_SECONDS)
    else:
        response = _sent(subject, picture, MEDIA_TYPES[kind], f"match.{kind}")
    if picture is None or as_json:
        response.headers["Cache-Control"] = "no-store"
    patch_vary_headers(response, ("Accept",))
    return response


@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@require_safe
def embed(request: HttpRequest, **where: Any) -> HttpResponse:
    """A match for a frame on another site: one can step through it, with and without scripts, and go on to its page."""
    subject = subject_at(**where)
    try:
        context = None if subject is None or not subject.public else _framed(request, subject)
    except RecordError:
        context = None
    if context is None:
        return render(request, "pages/embed.html", {"subject": None}, status=HTTPStatus.NOT_FOUND)
    response = render(request, "pages/embed.html", context)
    patch_cache_control(response, public=True, max_age=FRAME_SECONDS)
    return response


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """What a site that wants to show a link needs, as oembed.com describes it: `?url=` of a replay, `maxwidth`, `format=json`."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=HTTPStatus.NOT_IMPLEMENTED)
    url = urlsplit(request.GET.get("url", ""))
    place = ADDRESS.match(url.path) if url.netloc == urlsplit(settings.SITE_URL).netloc else None
    subject = subject_at(**place.groupdict()) if place else None
    if subject is None or not subject.public:
        raise Http404("There is nothing to show at this address.")
    ply = ply_of(parse_qs(url.query).get("ply", [None])[0], subject.plies)
    most = request.GET.get("maxwidth", "")
    room = int(most) if most.isascii() and most.isdecimal() and len(most) < 5 else FRAME_WIDTH
    width, height = subject.frame_size(max(NARROWEST, min(FRAME_WIDTH, room)))
    answer = {
        "version": "1.0", "type": "rich", "provider_name": "Tessera", "provider_url": settings.SITE_URL, "title": subject.title,
        "html": subject.frame(ply, width), "width": width, "height": height, "cache_age": KEPT_SECONDS,
        "thumbnail_url": settings.SITE_URL + subject.picture(ply, "/preview.png"), "thumbnail_width": 1200, "thumbnail_height": 630,
    }  # fmt: skip
    return JsonResponse(answer)


def _framed(request: HttpRequest, subject: Subject) -> dict[str, Any]:
    """What the frame shows. Raises `RecordError` where the match cannot be played."""
    ply, record = ply_of(request.GET.get("ply"), subject.plies), subject.load()
    theme = next((name for name in THEMES if request.GET.get("theme") == name), "")
    shown = _shown(subject, record, ply)
    ranks = record.result.ranks if record.result else ()
    return {
        "subject": subject,
        "scene": shown,
        "theme": theme,
        "more": f"&theme={theme}" if theme else "",
        "picture": subject.picture(ply, ".svg"),
        "link": subject.link(ply),
        "steps": {"first": 0, "back": max(ply - 1, 0), "forward": min(ply + 1, subject.plies), "last": subject.plies},
        "data": {
            "ply": ply, "base": f"{subject.base}ply/", "link": f"{subject.link()}?ply=", "steps": course(record),
            "names": [sitter.name for sitter in shown.sitters], "won": [seat for seat, rank in enumerate(ranks) if rank == 1],
        },
    }  # fmt: skip


def _shown(subject: Subject, record: Record, ply: int) -> Scene:
    """A position with its names, which for a record from elsewhere says so. Raises `RecordError`."""
    shown = scene(record, ply)
    return replace(shown, subtitle=f"{shown.subtitle} · {gettext('Imported record')}") if subject.kind == "imported" else shown


def _found(request: HttpRequest, where: dict[str, Any]) -> Subject:
    """What is at an address for whoever asks, or the page that says there is nothing."""
    subject = subject_at(**where)
    if subject is None or not (subject.public or subject.visible_to(player_of(request.session, request.user))):
        raise Http404("There is no such picture.")
    return subject


def _drawn(request: HttpRequest, where: dict[str, Any], ply: int, ending: str, draw: Callable[[Scene], bytes]) -> HttpResponse:
    subject = _found(request, where)
    moves = subject.tried(request.GET.getlist("move"))
    try:
        with legible():
            record = subject.load()
            if moves:  # beside the line, from this ply on
                record = replace(record, plies=(*record.plies[:ply], *moves), result=None)
            picture = draw(_shown(subject, record, ply + len(moves)))
    except RecordError as reason:
        raise Http404(str(reason)) from None
    except pictures.Busy:
        return _later()
    return _sent(subject, picture, TYPES[ending], f"{ply}.{ending}")


def _sent(subject: Subject, picture: bytes, media_type: str, name: str) -> HttpResponse:
    """A picture as an answer, which caches may keep where everybody may see it."""
    response = HttpResponse(picture, content_type=media_type)
    response.headers["Content-Disposition"] = f'inline; filename="{subject.file_name}-{name}"'
    if subject.public:
        patch_cache_control(response, public=True, max_age=KEPT_SECONDS)
    else:
        patch_cache_control(response, private=True, no_store=True)
    return response


def _later() -> HttpResponse:
    """That it is too much just now."""
    text = gettext("Too many pictures are being drawn. Please try again in a moment.")
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": "5"})
