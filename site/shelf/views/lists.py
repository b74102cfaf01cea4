"""The pages of what one keeps: favourites, what bears a tag, and the comments one wrote."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.players import player_of
from matches import words
from matches.errors import MatchError
from shelf import cards, comments, services
from shelf.finding import tag_key, tags_of
from shelf.models import Comment, Favourite, Tagged
from shelf.panel import shortened
from shelf.subject import subject_of

PAGE, LINES = 24, 40
"""Cards and comments on one page."""


@never_cache
@require_safe
def favourites(request: HttpRequest) -> HttpResponse:
    """What one gave a star, the newest first; `?before=` a row the older ones."""
    player = player_of(request.session, request.user)
    rows = cards.seen(Favourite.objects.filter(user=player).select_related("imported"), player)
    return _cards(request, player, rows, {"here": "favourites"})


@never_cache
@require_safe
def tags(request: HttpRequest) -> HttpResponse:
    """One's tags; `?tag=` what bears one of them, that put on last first."""
    player = player_of(request.session, request.user)
    own, asked = tags_of(player), request.GET.get("tag", "")
    chosen = next((tag for tag in own if tag_key(tag.name) == tag_key(asked)), None)
    rows = Tagged.objects.filter(tag=chosen.pk) if chosen else Tagged.objects.none()
    listed = [{"name": tag.name, "count": tag.count, "url": f"?{urlencode({'tag': tag.name})}", "chosen": tag == chosen} for tag in own]
    context = {"here": "tags", "tags": listed, "tag": chosen}
    return _cards(request, player, cards.seen(rows.select_related("imported"), player), context, {"tag": chosen.name} if chosen else {})


@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Call a tag something else."""
    player = player_of(request.session, request.user)
    name = request.POST.get("tag", "")
    try:
        if player is not None:
            name = services.rename_tag(player, name, request.POST.get("name", ""))
            messages.success(request, gettext("The tag is called “{name}” now.").format(name=name))
    except MatchError as reason:
        messages.error(request, words.say(reason))
    return redirect(f"{reverse('shelf_tags')}?{urlencode({'tag': name})}")


@never_cache
@require_safe
def written(request: HttpRequest) -> HttpResponse:
    """What one wrote to plies, the newest first."""
    player = player_of(request.session, request.user)
    rows = comments.written_by(player) if player else Comment.objects.none()
    found, last = cards.page_of(rows, cards.number_in(request.GET.get("before", "")), LINES)
    lines = [{"row": row, "text": shortened(row.text, 300), "subject": subject_of(row), "about": _about(row)} for row in found]
    context = {"here": "comments", "lines": lines, "player": player, **_ways(request, last, {})}
    return render(request, "shelf/comments.html", context)


def _cards(
    request: HttpRequest, player: User | None, rows: QuerySet[Any], context: dict[str, Any], kept: dict[str, str] | None = None
) -> HttpResponse:
    found, last = cards.page_of(rows, cards.number_in(request.GET.get("before", "")), PAGE)
    shown = cards.laid_out(found, player, timezone.now())
    return render(request, "shelf/list.html", {**context, "cards": shown, **_ways(request, last, kept or {})})


def _ways(request: HttpRequest, last: int | None, kept: dict[str, str]) -> dict[str, Any]:
    """The links to other pages of a list."""
    return {
        "first": f"?{urlencode(kept)}",
        "older": f"?{urlencode({**kept, 'before': str(last)})}" if last else "",
        "newest": "before" in request.GET,
    }


def _about(row: Comment) -> str:
    """What a comment is about, in words."""
    game, variant = subject_of(row).rules
    return gettext("{game}, {variant}, ply {ply}").format(game=words.say(game.name), variant=words.say(variant.name), ply=row.ply)
