"""Which ladder a request asks for, and the addresses of the others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from accounts import countries
from accounts.models import User
from ladder import periods, words
from ladder.standings import Ladder

ALL, FRIENDS, COUNTRY = "all", "friends", "country"
AMONG = (ALL, FRIENDS, COUNTRY)


@dataclass(frozen=True)
class Choice:
    """A game, a pace, a period, and among whom; `country` is a code, empty where none is known."""

    game: str
    pace: str
    period: str = periods.ALL_TIME
    among: str = ALL
    country: str = ""

    @property
    def ladder(self) -> Ladder:
        return Ladder(self.game, self.pace, self.period, self.country if self.among == COUNTRY else "")

    @property
    def url(self) -> str:
        """The address of its first page."""
        return self.url_of()

    def url_of(self, **more: Any) -> str:
        """The address of a page of it: `after`, `before` or `around` a place."""
        asked = {
            "period": self.period,
            "among": self.among if self.among != ALL else "",
            "country": self.country if self.among == COUNTRY else "",
            **more,
        }
        query = urlencode({name: str(value) for name, value in asked.items() if value})
        return reverse("ladder", args=[self.game, self.pace]) + (f"?{query}" if query else "")

    def but(self, **changes: str) -> Choice:
        """The same with something else chosen."""
        return replace(self, **changes)


def pool_or_404(game: str, pace: str) -> None:
    """The page that says there is none, for a game or a pace that does not exist."""
    if game not in words.games() or pace not in words.PACES:
        raise Http404(gettext("There is no such ladder. Choose one from the list of ladders."))


def chosen(request: HttpRequest, game: str, pace: str, player: User | None) -> Choice:
    """What the address asks for. Whatever makes no sense in it is as if it were not there."""
    pool_or_404(game, pace)
    asked = request.GET
    among = asked.get("among", ALL)
    country = asked.get("country", "") or (player.country if player else "")
    return Choice(
        game,
        pace,
        _period(asked.get("period", "")),
        among if among in AMONG else ALL,
        country if countries.is_country(country) else "",
    )


def now_running(now: datetime) -> tuple[str, str]:
    """The keys of the season and of the month that are on."""
    return periods.season_of(now), periods.month_of(now)


def _period(key: str) -> str:
    try:
        periods.span(key)
    except ValueError:
        return periods.ALL_TIME
    return key
