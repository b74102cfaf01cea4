"""The seasons: the divisions of one of them with their lines, and the archive of those that are over."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.players import player_of
from games import registry
from ladder import divisions, periods, season, tables, words
from ladder.models import Season, SeasonPlace
from ladder.tables import Placed, Size, Spot
from ladder.views.choice import pool_or_404

KEYS_LISTED = 8
"""Seasons (each of all games) on a page of the archive."""
MOST_POOLS = 200


@never_cache
@require_safe
def seasons(request: HttpRequest) -> HttpResponse:
    """The seasons that run, with one's own place, and the winners of those that are over; `?before=` leads further back."""
    player, now = player_of(request.session, request.user), timezone.now()
    names, key = words.games(), periods.season_of(now)
    closed = Season.objects.filter(closed_at__isnull=False, game__in=names, pace__in=words.PACES)
    if periods.is_season(before := request.GET.get("before", "")):
        closed = closed.filter(key__lt=before)
    keys = list(closed.order_by("-key").values_list("key", flat=True).distinct()[: KEYS_LISTED + 1])
    rows = list(closed.filter(key__in=keys[:KEYS_LISTED]).order_by("-key", "game", "-pace")[:MOST_POOLS])
    best = tables.winners(rows)
    own = _own_places(player, key)
    context = {
        "key": key,
        "name": words.period_name(key),
        "ends": periods.span(key).ends,
        "days": (periods.span(key).ends - now).days,
        "running": [
            {"game": game, "name": name, "pools": [(pace, shown, own.get((game, pace))) for pace, shown in words.PACES.items()]}
            for game, name in names.items()
        ],
        "archive": [
            {"name": words.period_name(past), "pools": [_pool_won(row, names, best.get(row.pk, [])) for row in of_one]}
            for past, of_one in groupby(rows, key=lambda row: row.key)
        ],
        "earlier": keys[KEYS_LISTED - 1] if len(keys) > KEYS_LISTED else "",
        "back": bool(before),
    }
    return render(request, "ladder/seasons.html", context)


@require_safe
def season_now(request: HttpRequest, game: str, pace: str) -> HttpResponse:
    """On to the season that runs."""
    pool_or_404(game, pace)
    return redirect("season", game=game, pace=pace, key=periods.season_of(timezone.now()))


@never_cache
@require_safe
def season_page(request: HttpRequest, game: str, pace: str, key: str) -> HttpResponse:
    """One season of a game and pace: `?division=` chooses among its divisions, one's own comes first; `?after=` leads down in it."""
    pool_or_404(game, pace)
    now = timezone.now()
    if not periods.is_season(key) or periods.span(key).starts > now:
        raise Http404(gettext("There is no such season. Choose one from the list of seasons."))
    player = player_of(request.session, request.user)
    shown = Season.objects.filter(game=game, pace=pace, key=key).first()
    rules = registry.get(game)
    context: dict[str, Any] = {
        "game": {"key": game, "name": gettext(rules.name), "lesson": rules.lesson},
        "pace": pace,
        "paces": list(words.PACES.items()),
        "key": key,
        "name": words.period_name(key),
        "span": periods.span(key),
        "days": (periods.span(key).ends - now).days,
        "over": periods.span(key).ends <= now,
        "closed": shown is not None and shown.closed_at is not None,
        "limits": {"enough": season.ENOUGH, "daily": season.DAILY, "part": season.TAKING_PART, "beaten": season.ALL_BEATEN},
    }
    if shown is not None:
        context |= _division(request, shown, player)
    return render(request, "ladder/season.html", context)


def _division(request: HttpRequest, shown: Season, player: User | None) -> dict[str, Any]:
    """The division that is looked at, its rows and lines, and the person's own place."""
    counted = tables.sizes(shown)
    mine = tables.own(shown, player) if player and not player.is_guest else None
    own_division = mine[0].division if mine else None
    asked = request.GET.get("division", "")
    first = own_division or max(counted, default=season.LOWEST)
    number = int(asked) if asked.isascii() and asked.isdecimal() and int(asked[:3]) in counted else first
    size = counted.get(number, Size(0, 0))
    try:
        stretch = tables.after(shown, number, Spot.parse(request.GET["after"])) if "after" in request.GET else tables.top(shown, number)
    except ValueError:
        stretch = tables.top(shown, number)
    rows = _rows(stretch.rows, size, player)
    return {
        "divisions": [(divisions.called(each), counted[each], each == own_division) for each in counted],
        "division": divisions.called(number),
        "size": size,
        "up": season.going_up(number, size.placed),
        "down": season.going_down(number, size.placed),
        "down_from": size.placed - season.going_down(number, size.placed) + 1,
        "rows": rows,
        "on": f"?division={number}&after={tables.spot_of(stretch.rows[-1].row)}" if stretch.more_below else "",
        "further": stretch.more_above,
        "own": _own(mine, counted, player) if mine else None,
    }


def _own(mine: tuple[SeasonPlace, list[Placed]], counted: dict[int, Size], player: User | None) -> dict[str, Any]:
    row, around = mine
    size = counted.get(row.division, Size(0, 0))
    return {
        "row": row,
        "division": divisions.called(row.division),
        "place": next(placed.place for placed in around if placed.row.pk == row.pk),
        "to_go": max(0, season.ENOUGH - row.matches),
        "rows": _rows(around, size, player),
    }


def _rows(placed: Sequence[Placed], size: Size, player: User | None) -> list[dict[str, Any]]:
    """Rows as templates show them, with a line where those end that lead up, and where those begin that lead down."""
    rows = [_row(each, size, player) for each in placed]
    counted = [row for row in rows if row["place"]]
    for row, following in pairwise(counted):
        if row["leads"] == "up" != following["leads"]:
            row["line"] = "below"
        elif following["leads"] == "down" != row["leads"]:
            following["line"] = "above"
    return rows


def _row(placed: Placed, size: Size, player: User | None) -> dict[str, Any]:
    """A row as templates show it; `leads` is where the place leads, or would if the season ended now."""
    row, place = placed.row, placed.place
    if row.outcome:
        leads = {"promoted": "up", "relegated": "down"}.get(row.outcome, "")
    elif place is None:
        leads = "" if row.division == season.LOWEST else "down"
    elif place <= season.going_up(row.division, size.placed):
        leads = "up"
    else:
        leads = "down" if place > size.placed - season.going_down(row.division, size.placed) else ""
    return {
        "place": place,
        "user": row.user,
        "own": player is not None and row.user_id == player.pk,
        "points": row.points,
        "matches": row.matches,
        "leads": leads,
        "line": "",
    }


def _own_places(player: User | None, key: str) -> dict[tuple[str, str], SeasonPlace]:
    """By game and pace the person's row in the season that runs. One query."""
    if player is None or player.is_guest:
        return {}
    places = SeasonPlace.objects.filter(user=player, season__key=key).select_related("season")
    return {(row.season.game, row.season.pace): row for row in places}


def _pool_won(row: Season, names: dict[str, str], best: list[SeasonPlace]) -> dict[str, Any]:
    return {"season": row, "game": names[row.game], "pace": words.PACES[row.pace], "best": best}
