"""The arithmetic of seasons: points of a result, and where a place leads. Pure, but for the rows that it is handed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date

from ladder.models import SeasonPlace

Outcome = SeasonPlace.Outcome
LOWEST, HIGHEST = 1, 5
"""Divisions. Everybody starts in the lowest."""
DAILY = 5
"""Matches of one day that bring points: who has more time does not climb by that alone."""
ENOUGH = 5
"""Matches in a season from which on one has a place in it."""
SHARE = 4
"""One in so many of a division goes up, and one in so many down; at least one goes up."""
TAKING_PART, ALL_BEATEN = 2, 10
"""Points for a match as such, and for beating everybody in it."""


def points(ranks: Sequence[int]) -> list[int]:
    """The points of each seat: for taking part, and for the share of the others that it beat; a tie is half."""
    others = len(ranks) - 1
    halves = [sum((own < rank) * 2 + (own == rank) for rank in ranks) - 1 for own in ranks]
    # In whole numbers, half rounded up, so that it is the same everywhere.
    return [TAKING_PART + (ALL_BEATEN * beaten + others) // (2 * others) for beaten in halves]


def add(place: SeasonPlace, gained: int, day: date) -> None:
    """Count a match for a place."""
    place.matches += 1
    if place.day != day:
        place.day, place.day_matches = day, 0
    place.day_matches += 1
    if place.day_matches <= DAILY:
        place.points += gained


def ends(places: Sequence[SeasonPlace]) -> dict[int, tuple[int | None, str]]:
    """How a season ends for each of its places, by their keys: the place within the division, and where it leads.

    The same as `seasons` has the database do for a million of them.
    """
    result: dict[int, tuple[int | None, str]] = {}
    for division in {place.division for place in places}:
        own = [place for place in places if place.division == division]
        ranked = sorted((place for place in own if place.matches >= ENOUGH), key=_order)
        for place in own:
            if place.matches < ENOUGH:
                result[place.pk] = None, Outcome.STAYED if division == LOWEST else Outcome.RELEGATED
        orders = [_order(place) for place in ranked]
        for place in ranked:
            number = bisect_left(orders, _order(place)) + 1
            result[place.pk] = number, _outcome(number, len(ranked), division)
    return result


def _order(place: SeasonPlace) -> tuple[int, int]:
    return -place.points, place.matches


def _outcome(number: int, people: int, division: int) -> str:
    if number <= max(1, people // SHARE) and division < HIGHEST:
        return Outcome.PROMOTED
    return Outcome.RELEGATED if number > people - people // SHARE and division > LOWEST else Outcome.STAYED


def going_up(division: int, people: int) -> int:
    """How many places of a division with so many of them lead up; `seasons` does the same in the database."""
    return max(1, people // SHARE) if people and division < HIGHEST else 0


def going_down(division: int, people: int) -> int:
    """How many places at the end of a division lead down."""
    return people // SHARE if division > LOWEST else 0


def division_after(place: SeasonPlace | None, missed: int) -> int:
    """The division to start a season in, after an earlier place and `missed` whole seasons in between; each missed one costs a division."""
    if place is None:
        return LOWEST
    step = {SeasonPlace.Outcome.PROMOTED: 1, SeasonPlace.Outcome.RELEGATED: -1}.get(SeasonPlace.Outcome(place.outcome or "stayed"), 0)
    return max(LOWEST, min(HIGHEST, place.division + step - missed))
