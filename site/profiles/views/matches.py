"""All finished matches of a person that the viewer may see, in pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.players import player_of
from matches.gallery import gallery
from profiles import people, played, statistics
from profiles.views.person import gone


@never_cache
@require_safe
def matches(request: HttpRequest, name: str) -> HttpResponse:
    """The newest first; `?game=` of one game, `?with=me` those with the viewer, `?before=` a match the older ones."""
    try:
        shown = people.found(name, timezone.now())
    except people.Gone as reason:
        return gone(request, reason)
    if shown.username != name:
        return redirect(f"{reverse('person_matches', args=[shown.username])}?{request.GET.urlencode()}")
    player = player_of(request.session, request.user)
    names = statistics.game_names()
    game = request.GET.get("game", "") if request.GET.get("game") in names else ""
    both = request.GET.get("with") == "me" and player is not None and player.pk != shown.pk
    listed, last = played.page(played.finished(shown, player, game=game, both=both), _before(request))
    kept = {"with": "me"} if both else {}
    here = kept | ({"game": game} if game else {})
    context = {
        "person": shown,
        "cards": gallery(listed, player, timezone.now()),
        "both": both,
        "game": game,
        "tabs": [
            {"key": key, "name": label, "url": _query(kept | ({"game": key} if key else {}))}
            for key, label in {"": gettext("All games"), **names}.items()
        ],
        "first": _query(here),
        "older": _query(here | {"before": str(last)}) if last else "",
        "newest": "before" in request.GET,
    }
    return render(request, "profiles/matches.html", context)


def _query(values: dict[str, str]) -> str:
    return f"?{urlencode(values)}"


def _before(request: HttpRequest) -> int | None:
    text = request.GET.get("before", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None
