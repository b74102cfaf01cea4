"""Says in the reader's language what ladders are of: games, paces, and months and seasons."""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import registry
from ladder import periods
from ladder.models import Pace

PACES: dict[str, Promise] = {Pace.LIVE.value: _("Live"), Pace.CORRESPONDENCE.value: _("Over days")}


def games() -> dict[str, str]:
    """The name of every game by its key."""
    return {game.key: gettext(game.name) for game in registry.all_games()}


def period_name(key: str) -> str:
    """What a period is called: “All time”, “November 2026”, “Season Oct–Dec 2026”."""
    if key == periods.ALL_TIME:
        return gettext("All time")
    starts, ends = periods.span(key)
    if not periods.is_season(key):
        return date_format(starts, "F Y")
    last = ends.replace(year=ends.year - 1, month=12) if ends.month == 1 else ends.replace(month=ends.month - 1)
    return gettext("Season {first}–{last} {year}").format(first=date_format(starts, "M"), last=date_format(last, "M"), year=starts.year)
