"""Why fair play refuses something; see `matches.errors` for what a refusal is."""

from __future__ import annotations

from games.kit.protocol import N_
from matches.errors import MatchError, TooMuch

__all__ = ["BadReport", "BadSanction", "NotAboutYourself", "NotForYou", "TooMuch"]


class NotAboutYourself(MatchError):
    code = "about_yourself"
    sentence = N_("That is you. To give something up yourself, no report is needed.")


class BadReport(MatchError):
    """The report lacks something; the text says what."""

    code = "bad_report"
    sentence = N_("Choose what it is about.")


class NotForYou(MatchError):
    """Another moderator must do this; the text says why."""

    code = "not_for_you"
    sentence = N_("Leave this to another moderator: you have a part in it.")


class BadSanction(MatchError):
    """The sanction lacks something; the text says what."""

    code = "bad_sanction"
    sentence = N_("Choose what to do.")
