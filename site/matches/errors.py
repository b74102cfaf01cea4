"""Why the match service refuses something; each refusal has a stable code and a sentence for people."""

from __future__ import annotations

from games.kit.protocol import N_


class MatchError(Exception):
    """A refusal. `code` is for programs; `text` is an English sentence with `{placeholders}`, which `names` fills."""

    code = "refused"
    sentence = N_("That is not possible.")

    def __init__(self, text: str | None = None, **names: object) -> None:
        self.text = text or self.sentence
        self.names = names
        super().__init__(self.text.format(**names))


class NoSuchMatch(MatchError):
    code = "no_such_match"
    sentence = N_("There is no such match.")


class NotSeated(MatchError):
    code = "not_seated"
    sentence = N_("You have no seat in this match.")


class NotYourTurn(MatchError):
    code = "not_your_turn"
    sentence = N_("It is not your turn.")


class StalePly(MatchError):
    """The mover saw an older position; a turn check is not enough where a seat can move twice running."""

    code = "stale"
    sentence = N_("The position has changed since you chose this move.")


class MatchOver(MatchError):
    code = "match_over"
    sentence = N_("This match is over.")


class TooLateToAbort(MatchError):
    code = "too_late"
    sentence = N_("Everybody has moved, so this match can no longer be called off.")


class TimeIsUp(MatchError):
    code = "flagged"
    sentence = N_("Your time had run out before this move arrived.")


class Paused(MatchError):
    code = "paused"
    sentence = N_("The match is paused. Resume it to move.")


class NothingOffered(MatchError):
    """There is no such offer (any more), or it cannot be made now."""

    code = "no_offer"
    sentence = N_("There is no such offer any more.")


class NotNow(MatchError):
    """A wish that the match, as it is, does not grant; the text says why."""

    code = "not_now"
    sentence = N_("That is not possible now.")


class TooMuch(MatchError):
    """A limit that keeps one person from flooding the others; the text says what to do."""

    code = "too_much"
    sentence = N_("That was too much at once. Wait a little and try again.")


class Blocked(MatchError):
    code = "blocked"
    sentence = N_("You and this player do not play with each other.")


class Muted(MatchError):
    """A moderator took somebody's voice away for a while."""

    code = "muted"
    sentence = N_("You cannot write to others {until}. The moderators’ reason: {reason}")
