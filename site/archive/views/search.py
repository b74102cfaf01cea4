"""The archive: every finished public match, found by what one asks for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.players import player_of
from archive import explorer, search
from archive.filters import HIGHEST, LONGEST_FIRST, NEWEST, BadSearch, Filters, check
from archive.listing import ENDED, rows
from archive.models import FiledSeat, FirstMove
from archive.search import Cursor, Found
from games import registry
from games.kit.protocol import Game
from matches import words
from matches.models import Match
from shelf import finding

SORTS = {NEWEST: _("Newest"), LONGEST_FIRST: _("Longest"), HIGHEST: _("Highest rated")}
RESULTS = {FiledSeat.Result.WON: _("Won"), FiledSeat.Result.SHARED: _("Shared the win"), FiledSeat.Result.LOST: _("Lost")}
STAKES = {"rated": _("Rated"), "casual": _("Casual")}
BAND_NAMES = {"0": _("Below 1200"), "1200": _("1200 to 1499"), "1500": _("1500 to 1799"), "1800": _("1800 and more")}
LEFT = {key: name for key, name in ENDED.items() if key != Match.Termination.COMPLETE}
BAD_PLACE = _("This address does not lead to a place in the list. Here is its beginning.")


@never_cache
@require_safe
def archive(request: HttpRequest, game: str = "") -> HttpResponse:
    """A page of the matches that are looked for; see `Filters` for what the address may ask, and `?after=`, `?before=` for its pages."""
    if game and game not in {rules.key for rules in registry.all_games()}:
        raise Http404(gettext("There is no game called “{game}”.").format(game=game))
    player = player_of(request.session, request.user)
    filters = Filters.read(request.GET.dict() | ({"game": game} if game else {}))
    games = [words.in_words(rules) for rules in registry.all_games()]
    context: dict[str, Any] = {
        "filters": filters,
        "game": next((one for one in games if one.key == filters.game), None),
        "games": games,
        "tabs": _tabs(filters, games),
        "sorts": [(name, _address(replace(filters, sort=key)), key == filters.sort) for key, name in SORTS.items()],
        "choices": _choices(filters, games, player),
        "quick": _quick(filters, player),
        "address": reverse("archive_game", args=[filters.game]) if filters.game else reverse("archive"),
    }
    try:
        context |= _results(request, filters, player)
    except BadSearch as trouble:
        context["trouble"], context["trouble_at"] = str(trouble), trouble.field
        return render(request, "archive/archive.html", context, status=400)
    return render(request, "archive/archive.html", context)


def _results(request: HttpRequest, filters: Filters, player: User | None) -> dict[str, Any]:
    """The page of the list, how many there are, and how such matches begin. Raises `BadSearch`."""
    wanted = check(filters, player)
    asked = search.build(wanted)
    place, bad = _place(request)
    page = search.page(asked, place, upwards="before" in request.GET and "after" not in request.GET)
    found = search.count(asked, wanted)
    return {
        "rows": rows(page.matches, player),
        "found": found,
        "bad_place": BAD_PLACE if bad else "",
        "whose": wanted.person,
        "pages": _pages(filters, page) if page.back or page.on or place else {},
        "download": filters.query,
        "beginnings": _beginnings(filters),
    }


def _place(request: HttpRequest) -> tuple[Cursor | None, bool]:
    """Where the page begins or ends; and whether the address names a place that is none."""
    text = request.GET.get("after") or request.GET.get("before")
    if not text:
        return None, False
    try:
        return Cursor.parse(text), False
    except ValueError:
        return None, True


def _pages(filters: Filters, page: Found) -> dict[str, str]:
    return {
        "first": _address(filters) if page.back else "",
        "back": _address(filters, before=page.back) if page.back else "",
        "on": _address(filters, after=page.on) if page.on else "",
    }


def _address(filters: Filters, **places: Cursor) -> str:
    """The page of a search; the game stands in the path."""
    path = reverse("archive_game", args=[filters.game]) if filters.game else reverse("archive")
    query = "&".join(filter(None, [replace(filters, game="").query, *(f"{name}={place}" for name, place in places.items())]))
    return f"{path}?{query}" if query else path


def _tabs(filters: Filters, games: list[Game]) -> list[dict[str, Any]]:
    """The games, with how many matches each has where that is kept for what is looked for."""
    kept = Filters(game=filters.game, pace=filters.pace, rated=filters.rated, ended=filters.ended, sort=filters.sort)
    counts = search.kept_counts(filters) if replace(filters, variant="") == kept else {}
    total = sum(counts.values())
    here = replace(filters, variant="", first="", line="")
    return [
        {"name": name, "url": _address(replace(here, game=key)), "here": key == filters.game, "count": counts.get(key, 0) if key else total}
        for key, name in [("", gettext("All games")), *((game.key, game.name) for game in games)]
    ]


def _choices(filters: Filters, games: list[Game], player: User | None) -> dict[str, Any]:
    """What can be chosen from in the form."""
    levels = {level.key: level.name for game in games for level in game.levels}
    moves = [(str(move.pk), words.say(move.kind)) for move in FirstMove.objects.filter(game=filters.game)] if filters.game else []
    return {
        "results": RESULTS.items(),
        "left": LEFT.items(),
        "levels": levels.items(),
        "paces": words.PACES.items(),
        "stakes": STAKES.items(),
        "ended": ENDED.items(),
        "bands": BAND_NAMES.items(),
        "moves": sorted(moves, key=lambda move: move[1]),
        "tags": [tag.name for tag in finding.tags_of(player)],
        "collections": [(one.token, one.title) for one in finding.collections_of(player)],
        "more": any((
            filters.left, filters.level, filters.pace, filters.rated, filters.ended, filters.band, filters.since, filters.until,
            filters.least, filters.most, filters.first, filters.favourite, filters.tag, filters.collection,
        )),
    }  # fmt: skip


def _quick(filters: Filters, player: User | None) -> list[dict[str, Any]]:
    """Searches that somebody makes often, each about themselves."""
    if player is None:
        return []
    kept = Filters(game=filters.game)
    searches = (
        (gettext("My matches"), replace(kept, mine="1")),
        (gettext("My wins"), replace(kept, mine="1", result="won")),
        (gettext("My losses on time"), replace(kept, mine="1", left="timeout")),
        (gettext("My favourites"), replace(kept, favourite="1")),
    )
    return [{"name": name, "url": _address(one), "here": replace(filters, sort=NEWEST) == one} for name, one in searches]


def _beginnings(filters: Filters) -> dict[str, Any] | None:
    """How matches of the chosen variant begin, with an address for each move."""
    found = explorer.of(filters)
    if found is None:
        return None
    so_far = ["".join(f"{move}|" for move in found.moves[: number + 1]) for number in range(len(found.moves))]
    return {
        "found": found,
        "moves": [(one, _address(replace(filters, line=one.line))) for one in found.next],
        "steps": [(move, _address(replace(filters, line=line))) for move, line in zip(found.moves, so_far, strict=True)],
        "start": _address(replace(filters, line="")),
    }
