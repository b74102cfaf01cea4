"""The arithmetic of ratings: a result changes strengths, and time without matches widens them. Pure.

The same history gives the same ratings to the last digit, on any machine:

- The result of a match is computed from everybody's strength before it, in an order that depends on ranks and strengths alone,
  never on seats: a sum of floats depends on its order.
- Every result is rounded to `DIGITS` decimals. C libraries and processors differ in the last bits of `exp`; rounding swallows
  that, and what is stored is what can be written down and computed on from there.
- All parameters of the formula are written here, so that no default of the library can change a history.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timedelta

from openskill.models import PlackettLuce

from ladder.scale import POINTS, SETTLED, START, WIDE, Strength

DIGITS = 6
"""Decimals of mu and sigma that are kept; the last one is a thirty-thousandth of a point shown."""

MODEL = PlackettLuce(mu=START.mu, sigma=START.sigma, beta=START.sigma / 2, kappa=0.0001, tau=START.sigma / 100)
"""Weng and Lin, “A Bayesian Approximation Method for Online Ranking” (JMLR 12, 2011), algorithm 4, with its usual parameters."""

DRIFT = (WIDE**2 - SETTLED**2) / POINTS**2 / 365
"""Variance that a day without a match adds: a settled rating turns provisional after a year."""


def rate(before: Sequence[Strength], ranks: Sequence[int]) -> list[Strength]:
    """The strengths after a match, in the order given.

    `ranks` has one number for each strength: 1 is best, equal ones are ties. Equal strengths with equal ranks get equal results.
    Raises `ValueError` unless there are two or more, and as many ranks.
    """
    if len(before) < 2:
        raise ValueError("A result takes at least two.")
    places = list(zip(ranks, before, strict=True))
    ordered = sorted(places)
    teams = MODEL.rate([[MODEL.rating(*strength)] for _, strength in ordered], ranks=[float(rank) for rank, _ in ordered])
    after = {place: _rounded(team[0].mu, team[0].sigma) for place, team in zip(ordered, teams, strict=True)}
    return [after[place] for place in places]


def widened(strength: Strength, idle: timedelta) -> Strength:
    """The strength after `idle` without a match: less sure, but never less than a newcomer's. Nothing happens in no time."""
    days = idle / timedelta(days=1)
    if days <= 0 or strength.sigma >= START.sigma:
        return strength
    return _rounded(strength.mu, min(START.sigma, math.sqrt(strength.sigma**2 + DRIFT * days)))


def _rounded(mu: float, sigma: float) -> Strength:
    return Strength(round(mu, DIGITS), round(sigma, DIGITS))
