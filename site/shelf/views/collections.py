"""The pages of collections: one's own, one of them, those that others show to everybody."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import ties
from accounts.models import User
from accounts.players import ensure_player, player_of
from matches import words
from matches.errors import MatchError
from shelf import cards, collecting
from shelf.course import leading
from shelf.finding import collections_of, readable
from shelf.forms import CollectionForm
from shelf.models import Collection, Item

PAGE = 24


@never_cache
@require_safe
def own(request: HttpRequest) -> HttpResponse:
    """One's collections, and a form for a new one."""
    player = player_of(request.session, request.user)
    return render(request, "shelf/collections.html", {"here": "collections", "collections": collections_of(player)})


@never_cache
@require_safe
def public(request: HttpRequest) -> HttpResponse:
    """Collections that people show to everybody, the one changed last first; `?by=` a name those of one person."""
    player = player_of(request.session, request.user)
    found = Collection.objects.filter(audience=Collection.Audience.EVERYBODY, owner__is_active=True)
    found = found.exclude(owner__in=ties.blocked_with(player)).annotate(count=Count("items")).filter(count__gt=0)
    by = request.GET.get("by", "")
    if by:
        found = found.filter(owner__username=by)
    before = cards.number_in(request.GET.get("before", ""))
    start = Collection.objects.filter(pk=before).first() if before is not None else None
    if start is not None:
        found = found.filter(Q(changed_at__lt=start.changed_at) | Q(changed_at=start.changed_at, pk__lt=start.pk))
    shown = list(found.select_related("owner").order_by("-changed_at", "-pk")[: PAGE + 1])
    last = shown[PAGE - 1].pk if len(shown) > PAGE else None
    return render(
        request,
        "shelf/public.html",
        {"here": "public", "collections": shown[:PAGE], "by": by, "last": last, "newest": "before" in request.GET},
    )


@require_POST
def new(request: HttpRequest) -> HttpResponse:
    """Begin a collection."""
    try:
        collection = collecting.create(ensure_player(request), request.POST.get("title", ""), now=timezone.now())
    except MatchError as reason:
        messages.error(request, words.say(reason))
        return redirect("shelf_collections")
    messages.success(request, gettext("Begun. Put matches into it from their replays."))
    return redirect("collection", token=collection.token)


@never_cache
@require_safe
def collection(request: HttpRequest, token: str) -> HttpResponse:
    """What is in a collection, in its order, for whoever may look at it; `?page=` further on."""
    player = player_of(request.session, request.user)
    shown = _readable(token, player)
    rows = cards.seen(Item.objects.filter(collection=shown).select_related("imported"), player).order_by("position", "pk")
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    mine = player is not None and player.pk == shown.owner_id
    context = {
        "collection": shown,
        "mine": mine,
        "cards": [
            card | {"url": leading(card["subject"], shown.token)} for card in cards.laid_out(page.object_list, player, timezone.now())
        ],
        "page": page,
        "count": page.paginator.count,
        "address": request.build_absolute_uri(reverse("collection", args=[shown.token])),
    }
    return render(request, "shelf/collection.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, token: str) -> HttpResponse:
    """Change what a collection of one's own is called, what is said of it, and who may look at it."""
    owned = _own(token, request)
    form = CollectionForm(owned, owned.owner, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            collecting.change(owned, **form.cleaned_data, now=timezone.now())
        except MatchError as reason:
            form.add_error(None, words.say(reason))
        else:
            messages.success(request, gettext("Your collection is up to date."))
            return redirect("collection", token=owned.token)
    return render(request, "shelf/edit.html", {"form": form, "collection": owned}, status=400 if form.errors else 200)


@require_POST
def delete(request: HttpRequest, token: str) -> HttpResponse:
    """Delete a collection of one's own; the matches in it stay."""
    owned = _own(token, request)
    owned.delete()
    messages.success(request, gettext("“{title}” is deleted. The matches are where they were.").format(title=owned.title))
    return redirect("shelf_collections")


@require_POST
def item(request: HttpRequest, token: str, item_id: int, change: str) -> HttpResponse:
    """Move a match in a collection, say something of it, or take it out."""
    owned = _own(token, request)
    row = Item.objects.filter(collection=owned, pk=item_id).select_related("imported").first()
    if row is None or change not in CHANGES:
        raise Http404("There is no such match in this collection.")
    row.collection = owned
    try:
        CHANGES[change](row, request.POST, timezone.now())
    except MatchError as reason:
        messages.error(request, words.say(reason))
    back, page = reverse("collection", args=[owned.token]), cards.number_in(request.POST.get("page", ""))
    return redirect(f"{back}?page={page}#item-{row.pk}" if page else f"{back}#item-{row.pk}")


def _step(by: int) -> Callable[[Item, Any, datetime], None]:
    def act(row: Item, form: Any, now: datetime) -> None:
        before = Item.objects.filter(collection=row.collection).filter(
            Q(position__lt=row.position) | Q(position=row.position, pk__lt=row.pk)
        )
        collecting.move(row, before.count() + 1 + by, now=now)

    return act


def _place(row: Item, form: Any, now: datetime) -> None:
    collecting.move(row, cards.number_in(form.get("place", "")) or 1, now=now)


def _note(row: Item, form: Any, now: datetime) -> None:
    collecting.annotate(row, form.get("note", ""), now=now)


def _out(row: Item, form: Any, now: datetime) -> None:
    collecting.drop(row, now=now)


CHANGES: dict[str, Callable[[Item, Any, datetime], None]] = {
    "up": _step(-1), "down": _step(1), "place": _place, "note": _note, "out": _out,
}  # fmt: skip


def _own(token: str, request: HttpRequest) -> Collection:
    try:
        return collecting.own(token, player_of(request.session, request.user))
    except collecting.NoSuchCollection as reason:
        raise Http404(str(reason)) from None


def _readable(token: str, player: User | None) -> Collection:
    found = readable(player).select_related("owner").filter(token=token).first()
    if found is None:
        raise Http404("There is no such collection.")
    return found
