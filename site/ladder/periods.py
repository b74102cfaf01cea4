"""The spans of time that ladders have: all time, a month, a season of three months. Pure; all in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import NamedTuple

ALL_TIME = ""
SEASON_MONTHS = 3

_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_SEASON = re.compile(r"(\d{4})-Q([1-4])")


class Span(NamedTuple):
    """From the first moment of a period to the first after it."""

    starts: datetime
    ends: datetime


def month_of(moment: datetime) -> str:
    """The key of the month that `moment` is in: `2026-11`."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y}-{utc:%m}"


def season_of(moment: datetime) -> str:
    """The key of the season that `moment` is in: `2026-Q4`, the fourth three months of 2026."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y}-Q{(utc.month - 1) // SEASON_MONTHS + 1}"


def periods_of(moment: datetime) -> tuple[str, str, str]:
    """The keys of all periods that a result of that moment counts for."""
    return ALL_TIME, season_of(moment), month_of(moment)


def span(key: str) -> Span:
    """When a month or a season begins and ends. Raises `ValueError` for anything else, all time included."""
    if month := _MONTH.fullmatch(key):
        year, first, months = int(month[1]), int(month[2]), 1
    elif season := _SEASON.fullmatch(key):
        year, first, months = int(season[1]), SEASON_MONTHS * (int(season[2]) - 1) + 1, SEASON_MONTHS
    else:
        raise ValueError(f"No period is called “{key}”.")
    after = year * 12 + first - 1 + months
    return Span(_first(year, first), _first(after // 12, after % 12 + 1))


def is_season(key: str) -> bool:
    return _SEASON.fullmatch(key) is not None


def seasons_between(earlier: str, later: str) -> int:
    """How many seasons end between the two: 1 for one that follows the other at once. Both are seasons' keys."""
    first, second = (_SEASON.fullmatch(key) for key in (earlier, later))
    if not first or not second:
        raise ValueError("Only seasons can be counted.")
    return (int(second[1]) - int(first[1])) * 4 + int(second[2]) - int(first[2])


def day_of(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def _first(year: int, month: int) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)
