"""The book of one pool: what everybody stands at, brought from one result to the next. In memory; saves nothing.

`services.apply_next` opens it with the rows of those who played, `recompute` with none and from the first result on: both must
arrive at the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ladder import formula, periods, scale, season
from ladder.models import Placing, RatedMatch, Rating, RatingChange, SeasonPlace
from ladder.scale import Strength


@dataclass
class Book:
    """Ratings by person, placings by period and person, the places of the season that runs by person."""

    game: str
    pace: str
    ratings: dict[int, Rating] = field(default_factory=dict)
    placings: dict[tuple[str, int], Placing] = field(default_factory=dict)
    places: dict[tuple[str, int], SeasonPlace] = field(default_factory=dict)
    """By the season's key and the person."""

    def rate(self, match: RatedMatch, changes: Sequence[RatingChange], people: Mapping[int, str]) -> None:
        """Fill the changes of a result, and bring the ratings and placings of its people up to it, adding those that are new.

        `changes` are its seats in order; `people` has the country of everybody who still has an account. A bot counts with the
        strength stored in its seat, and so does somebody whose account was deleted after the match was rated; a seat without any is
        left out.
        """
        for change in changes:
            if change.user_id is not None and change.user_id in people:
                put_before(change, strength_at(self.ratings.get(change.user_id), match))
        counted = [(change, before) for change in changes if (before := change.before)]
        if len(counted) < 2:
            return
        ranks = [match.ranks[change.seat] for change, _ in counted]
        results = formula.rate([before for _, before in counted], ranks)
        for (change, before), result, points in zip(counted, results, season.points(ranks), strict=True):
            change.mu_after, change.sigma_after = before if change.level else result
            if change.user_id is None or change.user_id not in people:
                continue
            self._bring_up(change.user_id, people[change.user_id], result, match)
            season.add(self.place(periods.season_of(match.ended_at), change.user_id), points, periods.day_of(match.ended_at))

    def place(self, key: str, user_id: int) -> SeasonPlace:
        """Somebody's place in a season; a new one in the first division, which whoever saves it puts right."""
        if (key, user_id) not in self.places:
            self.places[key, user_id] = SeasonPlace(user_id=user_id, division=season.LOWEST)
        return self.places[key, user_id]

    def _bring_up(self, user_id: int, country: str, result: Strength, match: RatedMatch) -> None:
        key = {"user_id": user_id, "game": self.game, "pace": self.pace}
        rating = self.ratings.setdefault(user_id, Rating(matches=0, **key))
        _put(rating, result, match)
        for period in periods.periods_of(match.ended_at):
            placing = self.placings.setdefault((period, user_id), Placing(matches=0, period=period, **key))
            _put(placing, result, match)
            placing.country = country
            placing.listed = not scale.provisional(result.sigma)


def strength_at(rating: Rating | None, match: RatedMatch) -> Strength:
    """What somebody enters a match with: widened by the time since the last one."""
    return scale.START if rating is None else formula.widened(rating.strength, match.ended_at - rating.updated_at)


def put_before(change: RatingChange, strength: Strength) -> None:
    change.mu_before, change.sigma_before = strength


def _put(row: Rating | Placing, result: Strength, match: RatedMatch) -> None:
    row.mu, row.sigma = result
    row.matches += 1
    row.updated_at = match.ended_at
