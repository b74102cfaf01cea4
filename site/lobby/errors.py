"""Why the lobby refuses something; see `matches.errors` for what a refusal is."""

from __future__ import annotations

from games.kit.protocol import N_
from matches.errors import Blocked, MatchError, NotNow, TooMuch

__all__ = [
    "BadWish",
    "Blocked",
    "Expired",
    "Full",
    "NoSuchPlayer",
    "NoSuchTable",
    "NotHost",
    "NotInvited",
    "NotNow",
    "OutsideRating",
    "OwnSeek",
    "PlaceTaken",
    "SeekClosed",
    "ToYourself",
    "TooMuch",
]


class NoSuchTable(MatchError):
    code = "no_such_table"
    sentence = N_("There is no such table.")


class Full(MatchError):
    """Somebody else took the last place."""

    code = "full"
    sentence = N_("Somebody was a little faster: this table is full. Take another one, or open your own.")


class SeekClosed(MatchError):
    code = "closed"
    sentence = N_("This table is no longer open. Take another one, or open your own.")


class Expired(MatchError):
    code = "expired"
    sentence = N_("This invitation has expired. Ask for a new one, or open a table of your own.")


class PlaceTaken(MatchError):
    code = "place_taken"
    sentence = N_("This place is taken. Choose another one.")


class NotInvited(MatchError):
    code = "not_invited"
    sentence = N_("This challenge is for somebody else.")


class NotHost(MatchError):
    code = "not_host"
    sentence = N_("Only the host of a table can do that.")


class OutsideRating(MatchError):
    code = "outside_rating"
    sentence = N_("This table is for ratings from {low} to {high}; yours is {rating}.")


class OwnSeek(MatchError):
    code = "own_table"
    sentence = N_("This is your own table. Wait for others to sit down, or give places to bots.")


class ToYourself(MatchError):
    code = "to_yourself"
    sentence = N_("You cannot challenge yourself. Name somebody else.")


class NoSuchPlayer(MatchError):
    code = "no_such_player"
    sentence = N_("Nobody here is called “{name}”. Check the spelling.")


class BadWish(MatchError):
    """Something about the table that was asked for is not possible; the text says what."""

    code = "bad_table"
    sentence = N_("Such a table is not possible.")
