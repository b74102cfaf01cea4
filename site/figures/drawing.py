"""From counted rows to charts, in the reader's language. Pure, but for the rows that it is handed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from figures.models import Figure
from games.kit import protocol
from ladder.charts import Chart, Series
from matches import words

Text = str | Promise


@dataclass(frozen=True)
class Opening:
    """A kind of first move: what it is, its share of all first moves, how often it won, both in per cent, and the mean rank."""

    name: str
    played: int
    share: float
    won: float
    rank: float


def days(row: Figure) -> Chart:
    """Matches per day."""
    first = date.fromisoformat(row.data["first"])
    paces: dict[str, list[int]] = row.data["paces"]
    length = max(map(len, paces.values()))
    x = [datetime(first.year, first.month, first.day, tzinfo=UTC) + timedelta(days=number) for number in range(length)]
    series = [Series(name, paces[pace]) for pace, name in words.PACES.items() if pace in paces]
    return Chart("days", _("Matches per day"), _("Day"), x, series)


def seats(row: Figure) -> Chart:
    """How often each seat wins, beside what it would be if seats made no difference."""
    counted = row.data["seats"]
    x = [gettext("Seat {number}").format(number=number + 1) for number in range(len(counted))]
    wins = [round(100 * seat["wins"] / seat["matches"], 1) for seat in counted]
    even = [round(100 / len(counted), 1)] * len(counted)
    series = [Series(_("Wins"), wins), Series(_("If seats made no difference"), even)]
    return Chart("seats", _("Wins by seat, in the order in which they begin"), _("Seat"), x, series, kind="bars", unit="%", decimals=1)


def length(row: Figure) -> Chart:
    """How many plies matches have."""
    return Chart("length", _("How many moves a match has"), _("Moves"), _bars(row), [Series(_("Matches"), _column(row, 0))], kind="bars")


def scores(row: Figure) -> Chart:
    """How final scores are spread, all seats and winners."""
    series = [Series(_("All seats"), _column(row, 0)), Series(_("Winners"), _column(row, 1))]
    return Chart("scores", _("Final scores"), _("Score"), _bars(row), series, kind="bars")


CHARTS: dict[str, Callable[[Figure], Chart]] = {"days": days, "seats": seats, "length": length, "scores": scores}
"""By the name under which the numbers are stored, in the order of the page."""


def openings(row: Figure) -> list[Opening]:
    """The most usual kinds of first move."""
    return [
        Opening(
            words.say(protocol.Opening(one["text"], tuple(one["names"].items()))),
            one["played"],
            100 * one["played"] / row.matches,
            100 * one["wins"] / one["played"],
            one["rank"],
        )
        for one in row.data["moves"]
    ]


def _bars(row: Figure) -> list[str]:
    """What each bar stands for: a number, or from where to where."""
    start, width = row.data["from"], row.data["width"]
    lows = [start + width * number for number in range(len(row.data["bars"]))]
    return [_signed(low) if width == 1 else f"{_signed(low)}…{_signed(low + width - 1)}" for low in lows]


def _signed(number: int) -> str:
    return str(number).replace("-", "\N{MINUS SIGN}")


def _column(row: Figure, number: int) -> list[int]:
    return [bar[number] for bar in row.data["bars"]]
