"""Says why a result moved a rating as far as it did: how likely it was, by the very model that the ratings are computed with. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext, pgettext

from games.kit.protocol import N_
from ladder import formula, scale
from ladder.scale import Strength


class Placed(NamedTuple):
    """Somebody in a match that was rated."""

    name: str
    strength: Strength
    """As it entered the formula."""
    rank: int


PLACES = {1: N_("first"), 2: N_("second"), 3: N_("third"), 4: N_("fourth"), 5: N_("fifth")}
NUMBERS = {2: N_("two"), 3: N_("three"), 4: N_("four"), 5: N_("five")}


def chances(strengths: Sequence[Strength]) -> list[float]:
    """The chance of each to come in first; they add up to 1.

    Plackett and Luce as Weng and Lin use them (JMLR 12, 2011, section 4.2): `exp(mu/c)` over the sum of all, where `c²` is the sum of
    everybody's `sigma² + tau² + beta²`. A win moves a rating by what is missing to 1 here, so the chance explains the change exactly.
    """
    c = math.sqrt(sum(sigma**2 + formula.MODEL.tau**2 + formula.MODEL.beta**2 for _, sigma in strengths))
    best = max(mu for mu, _ in strengths)
    weights = [math.exp((mu - best) / c) for mu, _ in strengths]
    return [weight / sum(weights) for weight in weights]


def expected_rank(strengths: Sequence[Strength], seat: int) -> float:
    """The rank that `seat` gets on average: 1, and for each other the chance that it comes in before."""
    others = chances(strengths)
    own = others.pop(seat)
    return 1 + sum(other / (own + other) for other in others)


def sentence(match: Sequence[Placed], seat: int, change: int) -> str:
    """What the result changed for the person in `seat`, and why, to that person: “+12: you beat Ana (1612 ± 60); …”."""
    words = _against_one(match, seat) if len(match) == 2 else _among_many(match, seat)
    if scale.provisional(match[seat].strength.sigma):
        words += " " + gettext("Your rating is still provisional, so each match moves it far.")
    return gettext("{change}: {words}").format(change=scale.signed(change), words=words)


def short(match: Sequence[Placed], seat: int) -> str:
    """The same in a few words for a list: “Beat Ana (1612 ± 60), a win in 38 of 100”."""
    strengths = [placed.strength for placed in match]
    if len(match) == 2:
        own, other = match[seat], match[1 - seat]
        rating = scale.in_words(*other.strength)
        texts = {1: gettext("Beat {name} ({rating})"), 0: gettext("Tied with {name} ({rating})"), -1: gettext("Lost to {name} ({rating})")}
        return texts[_sign(other.rank - own.rank)].format(name=other.name, rating=rating)
    expected = _decimal(expected_rank(strengths, seat))
    text = gettext("{place} of {number}, {expected} expected")
    words = text.format(place=_place(match, seat), number=_number(len(match)), expected=expected)
    return words[:1].upper() + words[1:]


def _against_one(match: Sequence[Placed], seat: int) -> str:
    own, other = match[seat], match[1 - seat]
    wins = min(99, max(1, round(100 * chances([own.strength, other.strength])[0])))
    texts = {
        1: gettext("you beat {name} ({rating}); of 100 such matches you would win {wins}."),
        0: gettext("you and {name} ({rating}) tied; of 100 such matches you would win {wins}."),
        -1: gettext("you lost to {name} ({rating}); of 100 such matches you would win {wins}."),
    }
    return texts[_sign(other.rank - own.rank)].format(name=other.name, rating=scale.in_words(*other.strength), wins=wins)


def _among_many(match: Sequence[Placed], seat: int) -> str:
    expected = expected_rank([placed.strength for placed in match], seat)
    text = gettext("you came {place} of {number}; expected was about {expected}.")
    return text.format(place=_place(match, seat), number=_number(len(match)), expected=_decimal(expected))


def _place(match: Sequence[Placed], seat: int) -> str:
    """The rank among those that count, in words."""
    better = sum(placed.rank < match[seat].rank for placed in match)
    place = gettext(PLACES[better + 1])
    if sum(placed.rank == match[seat].rank for placed in match) > 1:
        return pgettext("place in a match", "shared {place}").format(place=place)
    return place


def _number(seats: int) -> str:
    return gettext(NUMBERS[seats])


def _decimal(value: float) -> str:
    return str(number_format(round(value, 1), 1))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
