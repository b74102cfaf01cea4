"""The ladders: all of them at a glance, and one of them page by page, with one's own place in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import countries, ties
from accounts.models import User
from accounts.players import player_of
from games import registry
from ladder import formula, periods, scale, standings, words
from ladder.course import charts_of
from ladder.models import Placing
from ladder.standings import Cursor, Ladder, Numbered, Page
from ladder.views.choice import ALL, COUNTRY, FRIENDS, Choice, chosen, now_running

TOP = 3
BAD_PLACE = _("This address does not lead to a place in the list. Here is its top.")


@never_cache
@require_safe
def ladders(request: HttpRequest) -> HttpResponse:
    """Every ladder with its first three, and one's own rank in it."""
    player, now = player_of(request.session, request.user), timezone.now()
    own = _own_ranks(player)
    games = [
        {
            "key": key,
            "name": name,
            "pools": [
                {
                    "name": pace_name,
                    "choice": Choice(key, pace),
                    "rows": [_row(row, player, now) for row in standings.top(Ladder(key, pace), TOP).rows],
                    "people": standings.people_in(Ladder(key, pace)),
                    "own": own.get((key, pace)),
                }
                for pace, pace_name in words.PACES.items()
            ],
        }
        for key, name in words.games().items()
    ]
    return render(request, "ladder/ladders.html", {"games": games})


@never_cache
@require_safe
def ladder(request: HttpRequest, game: str, pace: str) -> HttpResponse:
    """One ladder: `?period=`, `?among=` all, friends or country, `?country=`; `?after=`, `?before=` and `?around=` lead to its pages."""
    player, now = player_of(request.session, request.user), timezone.now()
    choice, rules = chosen(request, game, pace, player), registry.get(game)
    context = {
        "choice": choice,
        "game": {"key": game, "name": gettext(rules.name), "lesson": rules.lesson},
        "paces": [(name, choice.but(pace=key)) for key, name in words.PACES.items()],
        "among": [(name, choice.but(among=key)) for key, name in ((ALL, _("Everybody")), (FRIENDS, _("Friends")), (COUNTRY, _("Country")))],
        "periods": _periods(choice, now),
        "period_name": words.period_name(choice.period),
        "country_name": countries.country_name(choice.country) if choice.country else "",
        "own_name": player.username if player else "",
    }
    if choice.among == FRIENDS:
        context |= _friends(choice, player, now)
    elif choice.among == COUNTRY and not choice.country:
        context |= {"countries": _countries(choice), "no_country": True}
    else:
        try:
            page = _page(request, choice.ladder)
        except ValueError:
            messages.info(request, BAD_PLACE)
            return redirect(choice.url)
        context |= _listed(choice, page, player, now)
    if player is not None and not player.is_guest:
        context["charts"] = charts_of(player, game, pace, choice.period)
    return render(request, "ladder/ladder.html", context)


def _page(request: HttpRequest, ladder: Ladder) -> Page:
    """The stretch that the address asks for, by default the top. Raises `ValueError` for a place that cannot be."""
    for name, found in (("after", standings.page_after), ("before", standings.page_before), ("around", standings.page_around)):
        if name in request.GET:
            page = found(ladder, Cursor.parse(request.GET[name]))
            return page if page.rows else standings.top(ladder)
    return standings.top(ladder)


def _listed(choice: Choice, page: Page, player: User | None, now: datetime) -> dict[str, Any]:
    """A ladder of all or of a country: the page, the ways to others, and the person's own place."""
    found = standings.mine(choice.ladder, player, now) if player and not player.is_guest else None
    own: dict[str, Any] | None = None
    if found is not None:
        own = {
            "rank": found.rank.number,
            "ahead_of": found.rank.ahead_of,
            "listed": found.listed,
            "to_go": found.to_go,
            "abroad": choice.among == COUNTRY and found.placing.country != choice.country,
            "rows": [_row(row, player, now) for row in found.rows],
            "url": choice.url_of(around=standings.cursor_of(found.placing)) + "#own",
        }
    return {
        "rows": [_row(row, player, now) for row in page.rows],
        "waiting": [_row(row, player, now) for row in _on_the_way(choice, page)],
        "people": standings.people_in(choice.ladder),
        "own": own,
        "back": choice.url_of(before=page.first) if page.more_above else "",
        "on": choice.url_of(after=page.last) if page.more_below else "",
        "countries": _countries(choice) if choice.among == COUNTRY else [],
    }


def _on_the_way(choice: Choice, page: Page) -> list[Numbered]:
    """Who comes after the last of a list that does not fill its first page: a young ladder shows whom one can play."""
    left = standings.PAGE - len(page.rows)
    return standings.on_the_way(choice.ladder, left) if choice.among == ALL and not page.more_above and left > 0 else []


def _friends(choice: Choice, player: User | None, now: datetime) -> dict[str, Any]:
    """The ladder of oneself and those whom one made friends."""
    if player is None or player.is_guest:
        return {"rows": [], "nobody": True}
    ids = {player.pk, *(friend.pk for friend in ties.friends_of(player))}
    rows = [_row(row, player, now) for row in standings.among(choice.game, choice.pace, choice.period, ids)]
    return {"rows": rows, "people": len(rows), "friendless": len(ids) == 1}


def _row(row: Numbered, player: User | None, now: datetime) -> dict[str, Any]:
    """A row as templates show it. What nobody has confirmed for long is marked as provisional again, though it keeps its place."""
    placing = row.placing
    strength = placing.strength
    if placing.period == periods.ALL_TIME:
        strength = formula.widened(strength, now - placing.updated_at)
    return {
        "rank": row.rank,
        "user": placing.user,
        "own": player is not None and placing.user_id == player.pk,
        "country": placing.country,
        "rating": scale.shown(placing.mu),
        "deviation": scale.deviation(strength.sigma),
        "provisional": scale.provisional(strength.sigma),
        "matches": placing.matches,
    }


def _own_ranks(player: User | None) -> dict[tuple[str, str], dict[str, Any]]:
    """By game and pace where somebody stands of all time. Two queries."""
    if player is None or player.is_guest:
        return {}
    placings = list(Placing.objects.filter(user=player, period=periods.ALL_TIME))
    return {
        (row.game, row.pace): {
            "rank": rank.number if row.listed else None,
            "ahead_of": rank.ahead_of if row.listed else None,
            "rating": scale.shown(row.mu),
            "provisional": not row.listed,
        }
        for row, rank in zip(placings, standings.ranks_of(placings), strict=True)
    }


def _periods(choice: Choice, now: datetime) -> list[tuple[str, str]]:
    """The periods to choose from as key and name, the newest first after all time."""
    season, month = now_running(now)
    earlier = {*standings.periods_with_people(choice.game, choice.pace), choice.period} - {season, month, periods.ALL_TIME}
    newest_first = sorted(earlier, key=lambda key: (periods.span(key).starts, key), reverse=True)
    return [(key, words.period_name(key)) for key in (periods.ALL_TIME, season, month, *newest_first)]


def _countries(choice: Choice) -> list[tuple[str, str]]:
    """The countries to choose from as code and name, by name."""
    codes = {*standings.countries_with_people(choice.ladder), *([choice.country] if choice.country else [])}
    return [(code, name) for code, name in countries.countries() if code in codes]
