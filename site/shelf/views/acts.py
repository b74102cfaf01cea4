"""What one does on the panel: a star, tags, collections, comments; plain forms, which the page's script sends without leaving it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.players import ensure_player, player_of
from games.kit.protocol import N_
from lobby.views.answers import wants_json
from matches import words
from matches.errors import MatchError, NoSuchMatch, NotNow
from shelf import collecting, comments, panel, services
from shelf.subject import Subject, find, subject_of

Act = Callable[[Subject, User, Any], str]
"""Does what a form asks for and returns what to say then. Raises `MatchError`."""


@never_cache
@require_safe
def show(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """The panel on a page of its own, for browsers without scripts and for lists."""
    player = player_of(request.session, request.user)
    subject = _found(kind, key, player)
    ply = _number(request.GET.get("ply"))
    return render(request, "shelf/one.html", _page(subject, panel.filled(subject, player, request.path, ply=ply)))


@never_cache
@require_POST
def act(request: HttpRequest, kind: str, key: str, act: str) -> HttpResponse:
    """Do something about a match or an imported record."""
    if act not in ACTS:
        raise Http404("There is no such act.")
    subject = _found(kind, key, player_of(request.session, request.user))
    return answered(request, subject, lambda: ACTS[act](subject, ensure_player(request), request.POST))


@never_cache
@require_POST
def comment(request: HttpRequest, comment_id: int) -> HttpResponse:
    """Change or delete a comment of one's own, or take away somebody else's as a moderator."""
    player = player_of(request.session, request.user)
    change = request.POST.get("change", "")
    row = comments.seen_by(comment_id, player) if change == "remove" else None
    try:
        row = row or comments.own(comment_id, player)
    except comments.NoSuchComment as reason:
        raise Http404(str(reason)) from None
    subject = subject_of(row) if row.imported is not None else _found("match", str(row.match_id), player)
    return answered(request, subject, lambda: _change(row, subject, player, change, request.POST), row.pk)


def answered(request: HttpRequest, subject: Subject, act: Callable[[], str], row: int | None = None) -> HttpResponse:
    """Do it and show the panel anew: to the script `{refused, message, html, marks}`, to others the page they came from.

    A refusal to others is a page with the panel, on which what was written still stands: in the form of comment `row`, if it is one's.
    """
    refused = False
    try:
        message = act()
    except MatchError as reason:
        message, refused = words.say(reason), True
    player = player_of(request.session, request.user)
    back, ply = _back(request, subject), _number(request.POST.get("ply"))
    draft = {"id": row, "text": request.POST.get("text", ""), "public": request.POST.get("public") == "yes"} if refused else None
    shown = panel.filled(subject, player, back, ply=ply, draft=draft)
    if wants_json(request):
        html = render_to_string("shelf/parts/inside.html", {"shelf": shown}, request)
        return JsonResponse({"refused": refused, "message": message, "html": html, "marks": panel.marks(shown)})
    if refused:
        return render(request, "shelf/one.html", _page(subject, shown) | {"refusal": message}, status=400)
    messages.success(request, message)
    return HttpResponseRedirect(f"{back if ply is None else panel.with_ply(back, ply)}#shelf")


def _favourite(subject: Subject, player: User, form: Any) -> str:
    on = form.get("on") == "yes"
    services.set_favourite(subject, player, on, timezone.now())
    return gettext("A favourite of yours now.") if on else gettext("No favourite any more.")


def _tag(subject: Subject, player: User, form: Any) -> str:
    services.add_tags(subject, player, form.get("tag", ""), timezone.now())
    return gettext("Tagged.")


def _untag(subject: Subject, player: User, form: Any) -> str:
    services.drop_tag(subject, player, form.get("tag", ""))
    return gettext("The tag is off.")


def _collect(subject: Subject, player: User, form: Any) -> str:
    """Put it into a collection, a new one where `title` names one, or take it out."""
    now, token = timezone.now(), form.get("collection", "")
    collection = collecting.own(token, player) if token else collecting.create(player, form.get("title", ""), now=now)
    if form.get("on") == "no":
        collecting.take_out(collection, subject, now=now)
        return gettext("Taken out of “{title}”.").format(title=collection.title)
    collecting.put(collection, subject, now=now)
    return gettext("Put into “{title}”.").format(title=collection.title)


def _comment(subject: Subject, player: User, form: Any) -> str:
    ply = _number(form.get("ply"))
    if ply is None:
        raise NotNow(N_("Say by its number which ply you write to; 0 is the start."))
    comments.write(
        subject,
        player,
        ply=ply,
        text=form.get("text", ""),
        public=form.get("public") == "yes",
        client_id=_uuid(form.get("client_id")),
        now=timezone.now(),
    )
    return gettext("Kept.")


ACTS: dict[str, Act] = {"favourite": _favourite, "tag": _tag, "untag": _untag, "collect": _collect, "comment": _comment}


def _change(row: Any, subject: Subject, player: User | None, change: str, form: Any) -> str:
    now = timezone.now()
    if change == "remove" and player is not None:
        comments.remove(player, row, now=now)
        return gettext("Taken away.")
    if change == "delete":
        row.delete()
        return gettext("The comment is deleted.")
    comments.edit(row, subject, text=form.get("text", ""), public=form.get("public") == "yes", now=now)
    return gettext("Kept.")


def _found(kind: str, key: str, player: User | None) -> Subject:
    try:
        return find(kind, key, player)
    except NoSuchMatch as reason:
        raise Http404(str(reason)) from None


def _page(subject: Subject, shown: dict[str, Any]) -> dict[str, Any]:
    thing = subject.match or subject.imported
    rules, variant = subject.rules
    return {"shelf": shown, "subject": subject, "thing": thing, "game": words.in_words(rules), "variant": words.variant_in_words(variant)}


def _back(request: HttpRequest, subject: Subject) -> str:
    """The page that the form stood on; the replay where none is told, or one elsewhere."""
    back = request.POST.get("back", "")
    return back if url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()) else subject.url


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else None


def _uuid(text: str | None) -> UUID:
    """The id of an intent; a new one where a form comes without."""
    try:
        return UUID(text or "")
    except ValueError:
        return uuid4()
