"""The scale of ratings: what a strength is, the number that people see for it, and the fixed points. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple


class Strength(NamedTuple):
    """A belief about how well somebody plays: normally distributed with mean `mu` and standard deviation `sigma`, in openskill's units."""

    mu: float
    sigma: float


START = Strength(25.0, 25.0 / 3.0)
"""What is known of a newcomer: openskill's own start."""

CENTRE = 1500
"""The number shown for a newcomer, as on most sites and in Glicko."""

POINTS = 30
"""Points shown for one unit of mu.

Chosen so that the number means what players of other sites expect. Between two settled players the formula gives odds of
`exp((mu1 - mu2) / c)` with `c = sqrt(2 * beta² + sigma1² + sigma2²)`, about 6.1; Elo gives `10 ** (points / 400)`. They agree at
`400 / (c * ln 10)`, about 28.5 points a unit, and 30 is the round number beside it. So 400 points are odds of about ten to one,
a newcomer's deviation is 250, a settled one's about 50, and an even match moves a settled player by about 5.
"""

WIDE = 150
"""A deviation above this is provisional; about a dozen matches against settled players bring a newcomer
below it, and two or three dozen among newcomers."""

WIDEST = (WIDE + 0.5) / POINTS
"""The largest standard deviation that is not provisional any more, in openskill's units."""

SETTLED = 60
"""The deviation of somebody who has played a few hundred matches."""

AHEAD = 400
"""Points above all bots of a match from which on it says nothing of a person: about ten wins to a loss.

Whoever always beats a bot gains less with each win, but without end; so rated matches against bots alone end here.
"""

ANCHORS = MappingProxyType(
    {
        "beginner": Strength(5.0, 1.0),
        "casual": Strength(15.0, 1.0),
        "skilled": Strength(25.0, 1.0),
        "strong": Strength(35.0, 1.0),
    }
)
"""The strength of the bots by level: 900, 1200, 1500 and 1800 on the shown scale.

Fixed anchors: they enter the formula and never change by a result, so that the scale cannot drift and a newcomer can be placed by
playing bots alone. They are estimates, evenly spaced around the start; a ladder measured among the bots replaces them. What a
match was rated with is stored with it, so a new value alters nothing that has already been rated.
"""


def anchor(level: str) -> Strength:
    """The strength of the bots of a level. A level without an anchor is as unknown as a newcomer, so its matches say little."""
    return ANCHORS.get(level, START)


def shown(mu: float) -> int:
    """The number that people see for a mean."""
    return round(CENTRE + (mu - START.mu) * POINTS)


def deviation(sigma: float) -> int:
    """The standard deviation in points as shown: with two chances in three the true number is within it, in 19 of 20 within twice it."""
    return round(sigma * POINTS)


def in_words(mu: float, sigma: float) -> str:
    """A strength as it is written everywhere: `1523 ± 60`, and `1523? ± 210` while it is provisional."""
    return written(shown(mu), deviation(sigma))


def written(rating: int, points: int | None) -> str:
    """The same of a number and its deviation as shown; the number alone where no deviation is known."""
    if points is None:
        return str(rating)
    return f"{rating}{'?' if points > WIDE else ''} ± {points}"


def signed(points: int) -> str:
    """A change with its sign: `+12`, `−9` with a true minus, `±0`."""
    return f"{points:+d}".replace("-", "\u2212") if points else "±0"


def provisional(sigma: float) -> bool:
    """Whether too little is known for the number to be trusted."""
    return deviation(sigma) > WIDE
