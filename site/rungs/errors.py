"""Why a challenge ladder refuses something; see `matches.errors` for what a refusal is."""

from __future__ import annotations

from games.kit.protocol import N_
from matches.errors import Blocked, MatchError, NotNow

__all__ = [
    "Blocked",
    "Busy",
    "MatchError",
    "NoSuchChallenge",
    "NotNow",
    "NotOnLadder",
    "NotYours",
    "OutOfReach",
    "Settled",
    "TooSoon",
    "Unavailable",
]


class NotOnLadder(MatchError):
    code = "not_on_ladder"
    sentence = N_("Join this ladder first: you begin at its bottom.")


class NoSuchChallenge(MatchError):
    code = "no_such_challenge"
    sentence = N_("There is no such challenge.")


class NotYours(MatchError):
    code = "not_yours"
    sentence = N_("This challenge is between others.")


class Settled(MatchError):
    """It was answered, withdrawn or ran out meanwhile."""

    code = "settled"
    sentence = N_("This challenge is not open any more.")


class OutOfReach(MatchError):
    code = "out_of_reach"
    sentence = N_("You can challenge people up to {reach} rungs above you.")


class Busy(MatchError):
    """One of the two has a challenge of that kind already; the text says who."""

    code = "busy"
    sentence = N_("This player has been challenged already.")


class TooSoon(MatchError):
    """The same two met lately, or the rung was just defended; the text says until when."""

    code = "too_soon"
    sentence = N_("This is too soon after the last challenge.")


class Unavailable(MatchError):
    code = "unavailable"
    sentence = N_("This player cannot be challenged at present.")
