"""Taking one's own data along, deleting one's account, and the pages that say what is kept and why."""

from __future__ import annotations

from collections.abc import AsyncIterator
from tempfile import TemporaryFile
from typing import IO, Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import browsers
from accounts.models import User
from accounts.names import normal
from accounts.players import player_of
from matches.models import Match
from pages.data import deletion, export

EVERY_SECONDS = 60
"""How long after one export the same person may ask for another."""
CHUNK = 64 * 1024
"""Bytes that are sent at once."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def data(request: HttpRequest) -> HttpResponseBase:
    """What is kept of a person, and all of it as a ZIP (POST)."""
    person = player_of(request.session, request.user)
    if request.method != "POST" or person is None:
        return render(request, "pages/data.html", _page(person))
    if not cache.add(f"data.export.{person.pk}", True, EVERY_SECONDS):
        messages.warning(request, gettext("You have taken your data along just now. Wait a minute before the next time."))
        return redirect("account_data")
    now = timezone.now()
    file = TemporaryFile()  # on disk, so that no length matters; gone with the answer
    export.write(person, file, now)
    return _download(request, file, export.name_of(now))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponseBase:
    """What deleting an account means, and doing it (POST) once the person has shown who it is."""
    person = player_of(request.session, request.user)
    if person is None:
        return redirect("account_deleted") if request.method == "POST" else render(request, "pages/data_delete.html", _page(None))
    proof = _proof(request, person)
    fault = ""
    if request.method == "POST" and proof != "sign_in":
        fault = _missing(request, person, proof)
        if not fault:
            try:
                deletion.delete(person, timezone.now())
                return _farewell(request)
            except deletion.StillBusy:
                fault = gettext("A match of yours is changing this very moment. Try again in a few seconds.")
    page = _page(person) | {"proof": proof, "fault": fault, "running": Match.objects.of(person).filter(status=Match.Status.RUNNING).count()}
    if proof == "sign_in":
        way = get_adapter().get_reauthentication_methods(person)[0]["url"]
        page["sign_in_url"] = f"{way}?{urlencode({'next': reverse('account_delete')})}"
    return render(request, "pages/data_delete.html", page, status=400 if fault else 200)


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    """A farewell."""
    return render(request, "pages/data_deleted.html", {})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept of people, and why."""
    return render(request, "pages/privacy.html", {"contact": settings.MODERATORS_EMAIL})


@require_safe
def young(request: HttpRequest) -> HttpResponse:
    """What young players and their parents should know."""
    return render(request, "pages/young.html", {"contact": settings.MODERATORS_EMAIL})


def _page(person: User | None) -> dict[str, Any]:
    return {"person": person, "layout": f"allauth/layouts/{'manage' if person and not person.is_guest else 'base'}.html"}


def _proof(request: HttpRequest, person: User) -> str:
    """What shows that it is the person: to `sign_in` once more, to type the `name` where there is no way to, for a guest `nothing`."""
    if person.is_guest:
        return "nothing"
    if not get_adapter().get_reauthentication_methods(person):
        return "name"
    return "given" if did_recently_reauthenticate(request) else "sign_in"


def _missing(request: HttpRequest, person: User, proof: str) -> str:
    """What is missing of a form that asks for the deletion, as a sentence; nothing when all is there."""
    if request.POST.get("sure") != "yes":
        return gettext("Tick the box to say that you are sure.")
    if proof == "name" and normal(request.POST.get("name", "")) != person.username:
        return gettext("That is not your name. Type it exactly as it stands above.")
    return ""


def _farewell(request: HttpRequest) -> HttpResponse:
    """Nobody is signed in here any more, and this browser is told apart from no other."""
    request.session.flush()
    request.user = AnonymousUser()
    answer = redirect("account_deleted")
    answer.delete_cookie(browsers.COOKIE, samesite="Lax")
    return answer


def _download(request: HttpRequest, file: IO[bytes], name: str) -> HttpResponseBase:
    """A file as a download. A server that is asynchronous would read one that is handed to Django as a whole."""
    size = file.tell()
    file.seek(0)
    if not isinstance(request, ASGIRequest):
        return FileResponse(file, as_attachment=True, filename=name)
    headers = {"Content-Length": str(size), "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(_in_chunks(file), content_type="application/zip", headers=headers)


async def _in_chunks(file: IO[bytes]) -> AsyncIterator[bytes]:
    with file:
        while chunk := await sync_to_async(file.read, thread_sensitive=False)(CHUNK):
            yield chunk
